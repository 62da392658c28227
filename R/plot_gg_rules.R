# autoplot(type = "rules"): the table of plot(type = "rules") as facets. Its text is set when it is drawn, because only
# then is it known how much room it has.

# The facets share one scale of x, so each panel has a stretch of its own, as wide as it is to be.
panel_from <- c(text = 10, class = 20, probability = 0, mix = 30, share = 40)
panel_width <- c(text = 3.5, class = 1.1, probability = 1, mix = 0.85, share = 1.35)

gg_rules <- function(model, level) {
  data <- plot_data_rules(model, level)
  n <- nrow(data)
  data$row <- seq_len(n)
  data$y <- n + 1L - data$row
  panels <- rule_panels(model)
  in_panel <- function(table, panel) cbind(table, panel = factor(panels[[panel]], unlist(panels)))
  at <- in_panel(data.frame(at = c(0, 0.5, 1)), "probability")
  ggplot2::ggplot(in_panel(data, "probability")) +
    gg_row_lines(n) +
    gg_rule_text(model, data, in_panel) +
    ggplot2::geom_vline(data = at, aes_of(xintercept = "at"), colour = quiet_grey, linewidth = 0.4) +
    layer_of_rows(
      ggplot2::GeomSegment, n, aes_of(x = "lower", xend = "upper", y = "y", yend = "y", row = "row"),
      list(linewidth = 0.8, colour = "grey20")
    ) +
    layer_of_rows(
      ggplot2::GeomPoint, n, aes_of(x = "prob", y = "y", fill = "class", row = "row"), list(shape = 21, size = 2.2)
    ) +
    gg_mix(model, data, in_panel) +
    gg_share(data, in_panel) +
    gg_class_scale(model, "fill") +
    ggplot2::scale_x_continuous(breaks = rule_breaks, labels = plain_decimal, expand = c(0, 0.04)) +
    # A short list does not fill a tall page.
    ggplot2::scale_y_continuous(breaks = NULL, expand = c(0, 0), limits = c(min(1, n - 5), n) + c(-0.5, 0.5)) +
    ggplot2::facet_grid(cols = ggplot2::vars(!!as.name("panel")), scales = "free_x", space = "free_x") +
    ggplot2::labs(x = NULL, y = NULL, caption = gg_rules_caption(model, level)) +
    ggplot2::theme_minimal()
}

gg_rules_caption <- function(model, level) {
  paste(c(paste("Line:", interval_title(level)), rule_notes(model, level)), collapse = "\n")
}

gg_rules_theme <- function() {
  ggplot2::theme(
    panel.grid.major = ggplot2::element_blank(), panel.spacing = ggplot2::unit(3, "pt"),
    strip.text = ggplot2::element_text(face = "bold", hjust = 0, vjust = 0, size = 8.5),
    legend.key.size = ggplot2::unit(10, "pt"), legend.margin = ggplot2::margin(0, 0, 0, 0)
  )
}

# Headings of the panels, left to right.
rule_panels <- function(model) {
  several <- reports_several(model)
  probability <- if (several) "Its\nprobability" else paste(shorten(estimate_pieces(model), 22L), collapse = "\n")
  c(
    list(text = "Rule"), if (several) list(class = "Likeliest\nclass"),
    list(probability = probability, mix = "Class\nmix", share = sub(" ", "\n", captured_title(model)))
  )
}

# Ticks of the panel of probabilities; the others need none. That one alone begins left of 0, for the numbers.
rule_breaks <- function(limits) {
  if (limits[1L] < -0.2) c(0, 0.5, 1) else numeric()
}

gg_row_lines <- function(n) {
  y <- c(n, rev(seq_len(n))) + c(0.5, rep(-0.5, n))
  rows <- data.frame(row = c(1L, seq_len(n)), y = y, left = -Inf, right = Inf)
  layer_of_rows(
    ggplot2::GeomSegment, n, aes_of(x = "left", xend = "right", y = "y", yend = "y", row = "row"),
    list(linewidth = 0.4, colour = quiet_grey), rows
  )
}

gg_rule_text <- function(model, data, in_panel) {
  no_text <- function(rows) ""
  column <- function(panel, from, width, texts, keywords = "", other = no_text, one_line = FALSE) {
    table <- in_panel(data.frame(from = from, to = from + width, y = data$y, row = data$row), panel)
    words <- list(texts = texts, keywords = rep_len(keywords, nrow(data)), other = other, one_line = one_line)
    geom_fitted_text(table, words)
  }
  antecedents <- c(rule_conditions(model), data$antecedent[nrow(data)])
  share <- function(n, share) sprintf("%s (%s)", count_text(n), percent_text(share))
  keywords <- paste0(data$number, ifelse(nzchar(data$number), " ", ""), data$keyword)
  list(
    column("text", panel_from[["text"]], panel_width[["text"]], antecedents, keywords, more_rules),
    if (reports_several(model)) {
      column("class", panel_from[["class"]], panel_width[["class"]], as.list(shown_class(model, data$class)))
    },
    column("probability", -0.5, 0.44, as.list(number_label(data)), one_line = TRUE),
    column(
      "share", panel_from[["share"]] + 0.5, panel_width[["share"]] - 0.5, as.list(share(data$n, data$share)),
      other = \(rows) share(sum(data$n[rows]), sum(data$share[rows])), one_line = TRUE
    )
  )
}

gg_mix <- function(model, data, in_panel) {
  mix <- plot_data_mix(model)
  mix$row <- match(mix$position, data$position)
  mix$y <- data$y[mix$row]
  mix[c("bottom", "top")] <- list(mix$y - 0.27, mix$y + 0.27)
  mix[c("from", "to")] <- lapply(mix[c("from", "to")], \(x) panel_from[["mix"]] + panel_width[["mix"]] * x)
  layer_of_rows(
    ggplot2::GeomRect, nrow(data),
    aes_of(xmin = "from", xmax = "to", ymin = "bottom", ymax = "top", fill = "class", row = "row"),
    list(colour = "grey20", linewidth = 0.2), in_panel(mix, "mix"), legend = TRUE
  )
}

gg_share <- function(data, in_panel) {
  data$from <- panel_from[["share"]]
  data$to <- data$from + 0.45 * data$share / max(data$share)
  data[c("bottom", "top")] <- list(data$y - 0.27, data$y + 0.27)
  layer_of_rows(
    ggplot2::GeomRect, nrow(data), aes_of(xmin = "from", xmax = "to", ymin = "bottom", ymax = "top", row = "row"),
    list(fill = "grey60"), in_panel(data, "share")
  )
}

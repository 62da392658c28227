# autoplot(type = "rules"): the table of plot(type = "rules") as facets. Its text is set when it is drawn, because only
# then is it known how much room it has.

# The facets share one scale of x, so each panel has a stretch of its own, as wide as it is to be.
panel_from <- c(text = 10, class = 20, probability = 0, mix = 30, share = 40)
panel_width <- c(text = 3.5, class = 0.9, probability = 1, mix = 0.85, share = 1.35)

gg_rules <- function(model, level) {
  data <- plot_data_rules(model, level)
  data$y <- rev(seq_len(nrow(data)))
  panels <- rule_panels(model)
  in_panel <- function(table, panel) cbind(table, panel = factor(panels[[panel]], unlist(panels)))
  y_limits <- c(min(1, nrow(data) - 5), nrow(data)) + c(-0.5, 0.5)
  at <- in_panel(data.frame(at = c(0, 0.5, 1)), "probability")
  ggplot2::ggplot(in_panel(data, "probability")) +
    ggplot2::geom_hline(yintercept = seq(0.5, nrow(data) + 0.5), colour = quiet_grey, linewidth = 0.4) +
    gg_rule_text(model, data, in_panel) +
    ggplot2::geom_vline(data = at, aes_of(xintercept = "at"), colour = quiet_grey, linewidth = 0.4) +
    ggplot2::geom_segment(
      aes_of(x = "lower", xend = "upper", y = "y", yend = "y"), linewidth = 0.8, colour = "grey20"
    ) +
    ggplot2::geom_point(aes_of(x = "prob", y = "y", fill = "class"), shape = 21, size = 2.2, show.legend = FALSE) +
    gg_mix(model, data, in_panel) +
    gg_share(data, in_panel) +
    gg_class_scale(model, "fill") +
    ggplot2::scale_x_continuous(breaks = rule_breaks, labels = plain_decimal, expand = c(0, 0.04)) +
    # A short list does not fill a tall page.
    ggplot2::scale_y_continuous(breaks = NULL, expand = c(0, 0), limits = y_limits) +
    ggplot2::facet_grid(cols = ggplot2::vars(!!as.name("panel")), scales = "free_x", space = "free_x") +
    ggplot2::labs(x = NULL, y = NULL, caption = paste("Line:", interval_title(level))) +
    ggplot2::theme_minimal()
}

gg_rules_theme <- function() {
  ggplot2::theme(
    panel.grid.major = ggplot2::element_blank(), panel.spacing = ggplot2::unit(3, "pt"),
    strip.text = ggplot2::element_text(face = "bold", hjust = 0, vjust = 0, size = 9),
    legend.key.size = ggplot2::unit(10, "pt"), legend.margin = ggplot2::margin(0, 0, 0, 0)
  )
}

# Headings of the panels, left to right.
rule_panels <- function(model) {
  several <- length(model$classes) > 2L
  probability <- if (several) "Its probability" else paste(shorten(probability_pieces(model), 22L), collapse = "\n")
  c(
    list(text = "Rule"), if (several) list(class = "Likeliest\nclass"),
    list(probability = probability, mix = "Class mix", share = captured_title(model))
  )
}

# Ticks of the panel of probabilities; the others need none. That one alone begins left of 0, for the numbers.
rule_breaks <- function(limits) {
  if (limits[1L] < -0.2) c(0, 0.5, 1) else numeric()
}

gg_rule_text <- function(model, data, in_panel) {
  column <- function(panel, from, width, antecedents, keywords = "") {
    table <- in_panel(data.frame(from = from, to = from + width, y = data$y, row = seq_along(data$y)), panel)
    geom_fitted_text(table, antecedents, rep_len(keywords, nrow(data)))
  }
  antecedents <- c(rule_conditions(model), data$antecedent[nrow(data)])
  share_text <- as.list(sprintf("%s (%s)", count_text(data$n), percent_text(data$share)))
  list(
    column("text", panel_from[["text"]], panel_width[["text"]], antecedents, data$keyword),
    if (length(model$classes) > 2L) {
      column("class", panel_from[["class"]], panel_width[["class"]], as.list(shown_text(data$class)))
    },
    column("probability", -0.42, 0.36, as.list(sprintf("%.2f", data$prob))),
    column("share", panel_from[["share"]] + 0.5, panel_width[["share"]] - 0.5, share_text)
  )
}

gg_mix <- function(model, data, in_panel) {
  mix <- plot_data_mix(model)
  mix$y <- data$y[match(mix$position, data$position)]
  mix[c("bottom", "top")] <- list(mix$y - 0.27, mix$y + 0.27)
  mix[c("from", "to")] <- lapply(mix[c("from", "to")], \(x) panel_from[["mix"]] + panel_width[["mix"]] * x)
  ggplot2::geom_rect(
    aes_of(xmin = "from", xmax = "to", ymin = "bottom", ymax = "top", fill = "class"), in_panel(mix, "mix"),
    colour = "grey20", linewidth = 0.2
  )
}

gg_share <- function(data, in_panel) {
  data$from <- panel_from[["share"]]
  data$to <- data$from + 0.45 * data$share / max(data$share)
  data[c("bottom", "top")] <- list(data$y - 0.27, data$y + 0.27)
  ggplot2::geom_rect(
    aes_of(xmin = "from", xmax = "to", ymin = "bottom", ymax = "top"), in_panel(data, "share"), fill = "grey60"
  )
}

# Text broken into lines and sized when it is drawn; `data` has one row per element of `antecedents`, all in one panel.
geom_fitted_text <- function(data, antecedents, keywords) {
  geom <- ggplot2::ggproto(
    "GeomFittedText", ggplot2::Geom,
    required_aes = c("xmin", "xmax", "y", "row"),
    draw_panel = function(data, panel_params, coord) {
      at <- coord$transform(data, panel_params)
      grid::gTree(
        antecedents = antecedents[data$row], keywords = keywords[data$row], left = at$xmin, right = at$xmax, y = at$y,
        cl = "sbrl_fitted_text"
      )
    }
  )
  ggplot2::layer(
    geom = geom, stat = "identity", position = "identity", data = data, inherit.aes = FALSE, show.legend = FALSE,
    mapping = aes_of(xmin = "from", xmax = "to", y = "y", row = "row")
  )
}

# grid asks for the content each time the picture is drawn, with the panel's size known.
#' @rawNamespace S3method(grid::makeContent, sbrl_fitted_text)
makeContent.sbrl_fitted_text <- function(x) { # nolint: object_name_linter. grid's name.
  width <- grid::convertWidth(grid::unit(x$right[1L] - x$left[1L], "npc"), "inches", valueOnly = TRUE)
  # The distance of the rows is their height; a single one has the whole panel.
  row_height <- if (length(x$y) > 1L) abs(x$y[1L] - x$y[2L]) else 1
  height <- length(x$y) * grid::convertHeight(grid::unit(row_height, "npc"), "inches", valueOnly = TRUE)
  indent <- function(size) if (any(nzchar(x$keywords))) grid_width("else if ", size) else 0
  space <- list(width = \(size) width - indent(size), height = height, padding = 0.05, equal = TRUE)
  measure_at <- function(size) function(text) grid_width(text, size)
  text <- fit_antecedents(x$antecedents, space, measure_at, seq(0.75, 0.45, by = -0.05))
  left <- grid::unit(x$left, "npc")
  draw <- function(label, at, gp) grid::textGrob(label, at, grid::unit(x$y, "npc"), just = c(0, 0.5), gp = gp)
  lines <- vapply(text$lines, paste, "", collapse = "\n")
  grid::setChildren(x, grid::gList(
    draw(x$keywords, left, grid::gpar(fontsize = 12 * text$size, fontface = "italic", col = "grey40")),
    draw(lines, left + grid::unit(indent(text$size), "inches"), grid::gpar(fontsize = 12 * text$size, lineheight = 0.9))
  ))
}

# Widths grow with the size of the letters; so one measurement, at the size that is set here, does for all.
grid_width <- function(text, size) {
  here <- grid::get.gpar(c("fontsize", "cex"))
  width <- grid::convertWidth(grid::stringWidth(text), "inches", valueOnly = TRUE)
  width * 12 * size / (here$fontsize * here$cex)
}

# Pictures of many lists: which rules and features they use, and how long they are.

#' Draw many rule lists
#'
#' `plot()` draws a bag of lists with base graphics, `ggplot2::autoplot()` with ggplot2.
#'
#' \describe{
#'   \item{`"rules"`}{the share of the lists that use each rule, the most frequent first; the dark part of a bar is the
#'     share of the lists that begin with it. Rules of nearly equal cover are counted together, see
#'     [rules.sbrl_lists()]}
#'   \item{`"features"`}{the same for features}
#'   \item{`"length"`}{how many lists have how many rules}
#' }
#' @param x,object Many rule lists, such as the result of [sbrl_bag()].
#' @param n Largest number of rules or features to show.
#' @inheritParams plot.sbrl
#' @inheritParams predict.sbrl
#' @return `plot()` returns `x`, invisibly; `autoplot()` a ggplot object.
#' @seealso [rules.sbrl_lists()] for the numbers, [summary.sbrl_bag()].
#' @examples
#' bag <- sbrl_bag(Species ~ ., data = iris, times = 10, iters = 500, nchain = 2, seed = 1)
#' plot(bag)
#' plot(bag, "features")
#' plot(bag, "length")
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(bag)
#' @order 1
#' @export
plot.sbrl_lists <- function(x, type = c("rules", "features", "length"), ..., n = 15, main) {
  check_dots_empty(...)
  x <- check_lists(x, "x")
  type <- check_choice(type, "type", lists_plot_types)
  check_whole(n, "n", min = 1, max = 1000)
  main <- if (missing(main)) lists_title(x, type) else check_title(main)
  if (type == "length") draw_lengths(x, main) else draw_inclusion(inclusion_data(x, type, n), main)
  invisible(x)
}

lists_plot_types <- c("rules", "features", "length")

lists_title <- function(x, type) {
  sprintf(switch(type,
    rules = "Rules in %d lists for %s", features = "Features in %d lists for %s", length = "Length of %d lists for %s"
  ), n_lists(x), shown_label(x$medoid))
}

inclusion_data <- function(x, type, n) {
  table <- if (type == "rules") rule_inclusion(x) else feature_inclusion(x)
  table <- utils::head(table, n)
  text <- if (type == "rules") table$rule else shown_feature(x$medoid, table$feature)
  data.frame(text = as.character(text), inclusion = table$inclusion, first = table$first)
}

inclusion_colours <- c(used = "#9DB8D9", first = "#1F4E8C")
inclusion_words <- c(used = "use it", first = "begin with it")

# Bars from the top down, their names on the left, cut to what has room.
draw_inclusion <- function(table, main) {
  size <- graphics::par("fin")
  scale <- min(1, max(0.45, min(size[1L] / 6.5, size[2L] / (1.6 + 0.25 * nrow(table)))))
  line <- graphics::par("cin")[2L] * scale
  room <- 0.5 * size[1L]
  old <- graphics::par(cex = scale, mar = c(3.4, 1, if (is.null(main)) 1.6 else 3.2, 1.4), xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  text <- vapply(as.character(table$text), shorten_to, "", width = room / scale, measure = plain_width)
  widest <- max(c(0, plain_width(text))) * scale + 0.5 * line
  # the bars have what the names leave
  left <- widest / max(graphics::par("pin")[1L] - widest, 0.1)
  graphics::plot.window(c(-left, 1), c(max(nrow(table), 1L) + 0.6, 0.4), xaxs = "i", yaxs = "i")
  at <- seq(0, 1, by = 0.25)
  graphics::segments(at, 0.4, at, max(nrow(table), 1L) + 0.6, col = quiet_grey)
  graphics::axis(1L, at, whole_percent(at), col = NA, mgp = c(2, 0.3, 0))
  graphics::mtext("Share of the lists", 1L, line = 1.9, cex = scale, at = 0.5)
  draw_inclusion_key()
  if (nrow(table) > 0L) draw_bars(table, text, left) else graphics::text(0.5, 1, "No list has a rule")
  if (!is.null(main)) graphics::mtext(main, 3L, line = 1.7, adj = 0, font = 2, cex = 1.15 * scale)
}

draw_bars <- function(table, text, left) {
  rows <- seq_len(nrow(table))
  graphics::rect(0, rows - 0.36, table$inclusion, rows + 0.36, col = inclusion_colours[["used"]], border = NA)
  graphics::rect(0, rows - 0.36, table$first, rows + 0.36, col = inclusion_colours[["first"]], border = NA)
  graphics::text(-0.01 * (1 + left), rows, text, adj = c(1, 0.5))
}

# Over the bars, from their left end on.
draw_inclusion_key <- function() {
  size <- abs(graphics::par("cxy"))
  width <- graphics::strwidth(inclusion_words, cex = 0.9)
  x <- c(0, width[1L] + 4 * size[1L])
  y <- 0.4 - 0.7 * size[2L]
  graphics::rect(x, y - 0.3 * size[2L], x + 1.2 * size[1L], y + 0.3 * size[2L], col = inclusion_colours, border = NA)
  graphics::text(x + 1.8 * size[1L], y, inclusion_words, adj = c(0, 0.5), cex = 0.9)
}

length_data <- function(x) {
  lengths <- tabulate(active_uses(x)$list, n_lists(x))
  from <- min(lengths)
  data.frame(length = from:max(lengths), n = tabulate(lengths - from + 1L))
}

draw_lengths <- function(x, main) {
  table <- length_data(x)
  frame <- list(
    xlim = range(table$length) + c(-0.6, 0.6), ylim = c(0, 1.06 * max(table$n)), xformat = whole_label,
    yformat = whole_label, main = main, xlab = "Rules that captured a row", ylab = "Lists",
    key = list(
      text = sprintf("mean %.1f rules", sum(table$length * table$n) / sum(table$n)), lty = NA, pch = 15, pt.cex = 1.8,
      col = inclusion_colours[["first"]]
    )
  )
  draw_chart(frame, function() {
    graphics::rect(table$length - 0.4, 0, table$length + 0.4, table$n, col = inclusion_colours[["first"]], border = NA)
  })
}

# Between whole numbers there is nothing to label.
whole_label <- function(x) {
  ifelse(x == round(x), format_numbers(round(x), trim = TRUE), "")
}

#' @rdname plot.sbrl_lists
#' @order 2
#' @method autoplot sbrl_lists
#' @rawNamespace S3method(ggplot2::autoplot, sbrl_lists)
autoplot.sbrl_lists <- function(object, type = c("rules", "features", "length"), # nolint: object_name_linter.
                                ..., n = 15, main) {
  check_dots_empty(...)
  object <- check_lists(object)
  type <- check_choice(type, "type", lists_plot_types)
  check_whole(n, "n", min = 1, max = 1000)
  main <- if (missing(main)) lists_title(object, type) else check_title(main)
  picture <- if (type == "length") gg_lengths(object) else gg_inclusion(inclusion_data(object, type, n))
  picture + ggplot2::ggtitle(main) + ggplot2::theme_minimal() + gg_theme()
}

gg_inclusion <- function(table) {
  names <- make.unique(gg_wrap(table$text, 45L), sep = " ")
  table$name <- factor(names, rev(names))
  bars <- rbind(
    data.frame(name = table$name, share = table$inclusion, what = rep("used", nrow(table))),
    data.frame(name = table$name, share = table$first, what = rep("first", nrow(table)))
  )
  bars$what <- factor(bars$what, names(inclusion_colours))
  ggplot2::ggplot(bars, aes_of(x = "share", y = "name", fill = "what")) +
    ggplot2::geom_col(position = "identity", width = 0.75) +
    ggplot2::scale_fill_manual(values = inclusion_colours, labels = inclusion_words, name = NULL, drop = FALSE) +
    ggplot2::scale_x_continuous(labels = whole_percent, limits = c(0, 1)) +
    ggplot2::labs(x = "Share of the lists", y = NULL)
}

gg_lengths <- function(x) {
  ggplot2::ggplot(length_data(x), aes_of(x = "length", y = "n")) +
    ggplot2::geom_col(fill = inclusion_colours[["first"]], width = 0.8) +
    ggplot2::scale_y_continuous(breaks = whole_breaks) +
    ggplot2::labs(x = "Rules that captured a row", y = "Lists")
}

whole_breaks <- function(limits) {
  unique(floor(pretty(limits)))
}

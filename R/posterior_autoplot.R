# autoplot(): the pictures of a posterior as ggplot objects.

#' @rdname plot.sbrl_posterior
#' @order 2
#' @method autoplot sbrl_posterior
#' @rawNamespace S3method(ggplot2::autoplot, sbrl_posterior)
autoplot.sbrl_posterior <- function(object, type = c("rules", "features", "length", "rows", # nolint
                                                     "order", "trace", "rank"),
                                    ..., data = NULL, n = 10, level = 0.95, main) {
  check_dots_empty(...)
  object <- check_lists(object)
  type <- check_posterior_plot(type, data, n, level)
  main <- if (missing(main)) posterior_title(object, type) else check_title(main)
  picture <- switch(type,
    rules = , features = gg_inclusion(posterior_inclusion_data(object, type, n)),
    length = gg_active(active_table(object)),
    rows = gg_prediction_rows(object, posterior_row_data(object, data, level), level),
    order = gg_order(posterior_order_data(object, n)),
    trace = gg_draws(object$draws),
    rank = gg_ranks(posterior_rank_data(object))
  )
  picture + ggplot2::ggtitle(main) + ggplot2::theme_minimal() + gg_theme()
}

gg_active <- function(table) {
  table <- table[table$posterior > 0 | table$prior > 0.001, ]
  ggplot2::ggplot(table, aes_of(x = "rules")) +
    ggplot2::geom_col(aes_of(y = "posterior"), fill = inclusion_colours[["first"]], width = 0.8) +
    ggplot2::geom_line(aes_of(y = "prior"), colour = "grey40") +
    ggplot2::geom_point(aes_of(y = "prior"), shape = 21, fill = "white", size = 2) +
    ggplot2::scale_y_continuous(labels = whole_percent) +
    ggplot2::labs(x = "Number of rules", y = "Probability",
                  caption = "Bars: posterior of the active rules; circles: prior of all rules")
}

gg_prediction_rows <- function(x, table, level) {
  words <- sprintf(c("average, %s over lists", "one list, %s given this list"), interval_words(level))
  both <- data.frame(
    row = rep(table$row, 2L), prob = c(table$prob, table$list_prob), lower = c(table$lower, table$list_lower),
    upper = c(table$upper, table$list_upper), what = factor(rep(words, each = nrow(table)), words)
  )
  ggplot2::ggplot(both, aes_of(x = "row", y = "prob", ymin = "lower", ymax = "upper", colour = "what")) +
    ggplot2::geom_pointrange(position = ggplot2::position_dodge(width = 0.4)) +
    ggplot2::scale_colour_manual(values = c(inclusion_colours[["first"]], "grey55"), name = NULL) +
    ggplot2::scale_x_continuous(breaks = table$row) +
    ggplot2::coord_cartesian(ylim = c(0, 1)) +
    ggplot2::labs(x = "Row of the data", y = estimate_title(x$medoid))
}

gg_order <- function(order) {
  n <- length(order$text)
  text <- make.unique(sprintf("%s  %d", gg_wrap(order$text, 45L), seq_len(n)), sep = " ")
  table <- expand.grid(row = seq_len(n), column = seq_len(n))
  table$share <- as.vector(order$before)
  table$name <- factor(text[table$row], rev(text))
  table$label <- ifelse(is.na(table$share), "", sprintf("%.0f", 100 * table$share))
  table$column <- factor(table$column)
  ggplot2::ggplot(table, aes_of(x = "column", y = "name", fill = "share")) +
    ggplot2::geom_tile(colour = "white") +
    ggplot2::geom_text(aes_of(label = "label"), size = 3) +
    ggplot2::scale_fill_gradient(low = "#F2F6FB", high = "#6F94C6", na.value = "grey93", limits = c(0, 1),
                                 guide = "none") +
    ggplot2::labs(x = NULL, y = NULL,
                  caption = "Percentage of the draws with both in which the rule of the row comes first")
}

gg_draws <- function(draws) {
  draws$chain <- factor(draws$.chain)
  ggplot2::ggplot(draws, aes_of(x = ".iteration", y = "log_likelihood", colour = "chain")) +
    ggplot2::geom_line(linewidth = 0.4) +
    ggplot2::scale_colour_manual(values = chain_palette(nlevels(draws$chain)), name = "Chain") +
    ggplot2::labs(x = "Draw of the chain", y = "Log likelihood")
}

gg_ranks <- function(table) {
  expected <- table$expected[1L]
  table$chain <- factor(table$chain)
  ggplot2::ggplot(table, aes_of(x = "bin", y = "n", fill = "chain")) +
    ggplot2::geom_col(position = "dodge", width = 0.8) +
    ggplot2::geom_hline(yintercept = expected, linetype = 2) +
    ggplot2::scale_fill_manual(values = chain_palette(nlevels(table$chain)), name = "Chain") +
    ggplot2::scale_y_continuous(breaks = whole_breaks) +
    ggplot2::labs(x = rank_axis_title(table), y = "Draws",
                  caption = "Dashed line: expected if the chains agree")
}

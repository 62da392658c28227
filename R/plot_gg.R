# autoplot(): the pictures of plot() as ggplot objects. ggplot2 is needed only by those who call it.

#' @rdname plot.sbrl
#' @order 2
#' @method autoplot sbrl
#' @rawNamespace S3method(ggplot2::autoplot, sbrl)
autoplot.sbrl <- function(object, type = c("rules", "coverage", "trace", "roc", # nolint: object_name_linter.
                                           "calibration"), ..., data = NULL, weights = NULL, level = 0.95, main) {
  check_dots_empty(...)
  object <- check_model(object)
  type <- check_plot(object, type, data, weights, level, "object")
  main <- if (missing(main)) default_title(object, type) else check_title(main)
  picture <- switch(type,
    rules = gg_rules(object, level),
    coverage = gg_coverage(object, plot_data_coverage(object, level), level),
    trace = gg_trace(object, plot_data_trace(object)),
    roc = gg_roc(object, plot_data_roc(object, data, weights)),
    calibration = gg_calibration(object, plot_data_calibration(object, data, weights, level), level)
  )
  picture + ggplot2::ggtitle(main) + gg_theme() + if (type == "rules") gg_rules_theme()
}

gg_coverage <- function(model, steps, level) {
  steps$text <- ifelse(steps$position == 0L, "default", steps$position)
  steps$middle <- (steps$from + steps$to) / 2
  several <- reports_several(model)
  ggplot2::ggplot(steps) +
    ggplot2::geom_rect(
      aes_of(xmin = "from", xmax = "to", ymin = "lower", ymax = "upper"), fill = "black", alpha = 0.15
    ) +
    (if (!several) ggplot2::geom_hline(yintercept = overall_estimate(model), linetype = 2, colour = "grey30")) +
    ggplot2::geom_segment(
      aes_of(x = "from", xend = "to", y = "prob", yend = "prob", colour = "class"), linewidth = 1.8,
      show.legend = several
    ) +
    ggplot2::geom_text(
      aes_of(x = "middle", y = "upper", label = "text"), vjust = -0.4, size = 3, check_overlap = TRUE
    ) +
    gg_class_scale(model, "colour") +
    ggplot2::scale_x_continuous(labels = whole_percent, limits = c(0, 1)) +
    ggplot2::scale_y_continuous(limits = c(0, 1.06), breaks = seq(0, 1, by = 0.2)) +
    ggplot2::labs(
      x = coverage_axis(model), y = estimate_title(model),
      caption = paste0("Band: ", interval_title(level), if (!several) "; dashed line: share among all rows")
    ) +
    ggplot2::theme_minimal()
}

gg_trace <- function(model, trace) {
  best <- model$score[["log_posterior"]]
  words <- trace_key(model, trace)$text
  trace$group <- factor(trace$is_best, c(TRUE, FALSE), words[1:2])
  # Best chains last, so that they lie on top.
  trace <- trace[order(trace$is_best), ]
  trace$line <- factor(trace$chain, unique(trace$chain))
  ggplot2::ggplot(trace, aes_of(x = "iteration", y = "log_posterior")) +
    ggplot2::geom_line(aes_of(group = "line", colour = "group")) +
    ggplot2::geom_hline(yintercept = best, linetype = 2) +
    ggplot2::geom_point(data = first_best(trace), shape = 21, fill = "white", size = 2.5) +
    ggplot2::scale_colour_manual(values = stats::setNames(rev(chain_colours), words[1:2]), name = NULL, drop = FALSE) +
    ggplot2::scale_x_continuous(labels = with_thousands) +
    ggplot2::scale_y_continuous(labels = with_thousands) +
    ggplot2::coord_cartesian(ylim = trace_range(trace, best)) +
    ggplot2::labs(
      x = "Iteration", y = "Log posterior",
      caption = sprintf("Dashed line: %s; circle: a chain %s", words[3L], words[4L])
    ) +
    ggplot2::theme_minimal()
}

gg_roc <- function(model, curves) {
  several <- reports_several(model)
  auc <- sprintf("AUC %.3f", curves$auc[!duplicated(curves$class)])
  words <- paste(gg_wrap(shown_class(model, unique(curves$class))), auc, sep = "\n")
  curves$panel <- gg_panels(curves$class, words)
  at <- aes_of(x = "false_positive", y = "true_positive")
  ggplot2::ggplot(curves, at) +
    ggplot2::annotate("segment", x = 0, y = 0, xend = 1, yend = 1, linetype = 2, colour = line_grey) +
    ggplot2::geom_line(aes_of(group = "class"), linewidth = 1.5, colour = "grey15") +
    ggplot2::geom_line(aes_of(colour = "class"), linewidth = 0.9, show.legend = FALSE) +
    ggplot2::geom_point(aes_of(fill = "class"), shape = 21, size = 2, show.legend = FALSE) +
    gg_class_scale(model, c("colour", "fill")) +
    (if (several) ggplot2::facet_wrap(ggplot2::vars(!!as.name("panel")))) +
    ggplot2::labs(
      x = "False positive rate", y = "True positive rate",
      subtitle = if (!several) sprintf("%s: %s", outcome_text(model), auc)
    ) +
    ggplot2::theme_minimal()
}

gg_calibration <- function(model, points, level) {
  several <- reports_several(model)
  points$panel <- gg_panels(points$class, gg_wrap(shown_class(model, unique(points$class))))
  ggplot2::ggplot(points, aes_of(x = "predicted", y = "observed")) +
    ggplot2::annotate("segment", x = 0, y = 0, xend = 1, yend = 1, linetype = 2, colour = line_grey) +
    ggplot2::geom_segment(aes_of(xend = "predicted", y = "lower", yend = "upper"), colour = "grey30") +
    ggplot2::geom_point(
      aes_of(fill = "class", size = "n"), shape = 21, alpha = 0.8, show.legend = c(fill = FALSE, size = TRUE)
    ) +
    gg_class_scale(model, "fill") +
    (if (several) ggplot2::facet_wrap(ggplot2::vars(!!as.name("panel")))) +
    ggplot2::scale_size_area(name = "Rows", max_size = if (several) 6 else 8, labels = with_thousands, n.breaks = 4) +
    ggplot2::coord_cartesian(xlim = c(0, 1), ylim = c(0, 1)) +
    ggplot2::labs(
      x = calibration_axis(model), y = "Observed share of rows",
      caption = sprintf("One point per rule; line: %s%% interval of the share",
                        format_numbers(100 * level, digits = 4L))
    ) +
    ggplot2::theme_minimal()
}

# One panel per class, with these words over it.
gg_panels <- function(class, words) {
  factor(match(class, unique(class)), labels = make.unique(words, sep = " "))
}

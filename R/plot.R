# plot(): pictures of a model in base graphics. Which picture, on what data; the drawing is in plot_rules.R and
# plot_charts.R.

plot_types <- c("rules", "coverage", "trace", "roc", "calibration")

#' Draw a rule list
#'
#' `plot()` draws a model with base graphics, `ggplot2::autoplot()` with ggplot2: the rules with the evidence behind
#' them, how the search went, or how good the predictions are on other data.
#'
#' \describe{
#'   \item{`"rules"`}{the list itself, one line per rule: its conditions, the probability of the positive class (of
#'     more than two classes: the likeliest one) with its credible interval, the mix of classes among the training rows
#'     that it captured, and how many these are. Rules have the numbers that [explain()] and `predict(type = "rule")`
#'     give; a star marks a rule with little evidence, see [rules()]. Text is as large as the space allows;
#'     dots replace text and rules for which there is no room.}
#'   \item{`"coverage"`}{cumulative coverage: the training rows along the horizontal axis, in the order in which the
#'     rules capture them; the height is the probability that the rule gives, the band its credible interval}
#'   \item{`"trace"`}{the log posterior of each chain against the iteration. Dark chains reached the best log posterior
#'     of all chains. The steep start of the chains may be cut off.}
#'   \item{`"roc"`}{the ROC curve on `data`, with the area under it (AUC); if there are more than two classes, a
#'     panel for each of them, against the rest. Each point is a rule.}
#'   \item{`"calibration"`}{for each rule, the share of the positive class (of each class, if there are more than two)
#'     among the rows of `data` that it captures, with an exact binomial interval, against the probability that it
#'     predicts. The area of a point is the number of rows. More than two classes have a panel each.}
#' }
#' The colours remain distinct in black and white and for colour-blind readers.
#'
#' @param x,object A model made by [sbrl()].
#' @param type Which picture, see below.
#' @inheritParams predict.sbrl
#' @param data For `"roc"` and `"calibration"`: a data frame with the features that the rules use and the label column.
#' @param weights For `"roc"` and `"calibration"`: weights of the rows of `data`, numbers, 0 or more, or `NULL`.
#' @param level Coverage of the intervals.
#' @param main Title of the picture, if not the usual one; `NULL` for none.
#' @return `plot()` returns `x`, invisibly; `autoplot()` a ggplot object.
#' @seealso [rules()] for the numbers, [sbrl_report()] for a page with pictures, [plot.cv_sbrl()], [plot.sbrl_lists()],
#'   [plot.sbrl_posterior()] and [plot.sbrl_certificate()] for other objects.
#' @examples
#' people <- as.data.frame(Titanic)
#' people <- people[rep(seq_len(nrow(people)), people$Freq), -5]
#' set.seed(1)
#' train <- sample(nrow(people), 1500)
#' model <- sbrl(Survived ~ ., data = people[train, ], lambda = 5, iters = 5000, nchain = 4)
#' plot(model)
#' plot(model, "coverage")
#' plot(model, "trace")
#' plot(model, "roc", data = people[-train, ])
#' plot(model, "calibration", data = people[-train, ])
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(model)
#' @order 1
#' @export
plot.sbrl <- function(x, type = c("rules", "coverage", "trace", "roc", "calibration"), ..., data = NULL,
                      weights = NULL, level = 0.95, main) {
  check_dots_empty(...)
  x <- check_model(x, "x")
  type <- check_plot(x, type, data, weights, level, "x")
  main <- if (missing(main)) default_title(x, type) else check_title(main)
  switch(type,
    rules = draw_rules(x, level, main),
    coverage = draw_coverage(x, plot_data_coverage(x, level), level, main),
    trace = draw_trace(x, plot_data_trace(x), main),
    roc = draw_roc(x, plot_data_roc(x, data, weights), main),
    calibration = draw_calibration(x, plot_data_calibration(x, data, weights, level), level, main)
  )
  invisible(x)
}

# What both engines check; returns the type.
check_plot <- function(model, type, data, weights, level, arg) {
  type <- check_choice(type, "type", plot_types)
  check_model(model, arg, report = type == "trace")
  check_level(level)
  needs_data <- type %in% c("roc", "calibration")
  if (needs_data && is.null(data)) {
    message <- "`data` is missing: the picture %s needs rows with a label."
    abort_sbrl("argument", sprintf(message, quote_values(type)))
  }
  if (!needs_data && !(is.null(data) && is.null(weights))) {
    message <- "`data` and `weights` must be NULL for the picture %s, which shows the training rows."
    abort_sbrl("argument", sprintf(message, quote_values(type)))
  }
  if (needs_data) {
    data <- check_data_frame(data, "data")
  }
  type
}

check_title <- function(main) {
  check_optional_text(main, "main")
}

default_title <- function(model, type) {
  label <- shown_label(model)
  switch(type,
    rules = sprintf("Rule list for %s", label),
    coverage = sprintf("Cumulative coverage: %s", label),
    trace = "Search: log posterior of the chains",
    roc = sprintf("ROC curve: %s", label),
    calibration = sprintf("Calibration: %s", label)
  )
}

# sbrl_performance(): how well a model, or many lists, predict the labels of any data.

#' How well a model predicts
#'
#' `sbrl_performance()` compares a model's predictions with the labels of any data: AUC, log loss, accuracy and Brier
#' score.
#'
#' * `auc`, of two classes: the probability that a positive row gets a higher probability of the positive class than a
#'   negative row does, ties counting one half. Of more classes: Hand and Till's mean over all pairs of classes, each
#'   pair measured with the probability of the one class and of the other. `NA` if the data contain only one class.
#' * `log_loss`: mean of minus the logarithm of the probability of the true class.
#' * `accuracy`: share of the rows whose likeliest class is the true one.
#' * `brier`: mean over the rows of half the sum over the classes of the squared difference between probability and
#'   truth (1 for the true class, else 0). For two classes that is the mean squared error of the positive class.
#'
#' Rows of weight 0 are left out. So are rows whose label is missing, with a warning.
#'
#' With `level`, each measure has a confidence interval for rows drawn like these, given the list: an exact binomial
#' interval for accuracy, Newcombe's score interval for the AUC of two classes, and a normal interval with the
#' jackknife's standard error for the others. Weights count as numbers of rows.
#'
#' @param model A model made by [sbrl()], or what [sbrl_bag()] or [sbrl_posterior()] returns.
#' @param data A data frame with the features that the rules use and a label. For a model also a table of package dbplyr
#'   or a source (see [sbrl_source()]), which counts how often each rule captures each label where the rows are.
#' @param label Name of the label column; `NULL` means that of the training data.
#' @param weights Weights of the rows: numbers, 0 or more, or `NULL`. For a table or a source, the name of a column.
#' @param level Coverage of confidence intervals, such as 0.95; `NULL` for none.
#' @return A data frame with one row: `auc`, `log_loss`, `accuracy`, `brier`, and `n`, the number of rows with a
#'   label, or their weight. With `level` there are also columns such as `auc_lower` and `auc_upper`.
#' @references Hand, D. J. and Till, R. J. (2001) A simple generalisation of the area under the ROC curve for multiple
#'   class classification problems. *Machine Learning* **45**, 171--186. \doi{10.1023/A:1010920819831}
#'
#'   Newcombe, R. G. (2006) Confidence intervals for an effect size measure based on the Mann-Whitney statistic. Part 2.
#'   *Statistics in Medicine* **25**, 559--573. \doi{10.1002/sim.2324}
#' @seealso [cv_sbrl()] to measure by cross-validation, [plot.sbrl()] for the ROC curve and calibration,
#'   [sbrl_report()] for a page with all of it.
#' @examples
#' # Two thirds of the biopsies for training, one third to judge the list.
#' if (requireNamespace("MASS", quietly = TRUE)) {
#'   set.seed(1)
#'   train <- sample(nrow(MASS::biopsy), 466)
#'   model <- sbrl(class ~ . - ID, data = MASS::biopsy[train, ],
#'                 lambda = 3, iters = 5000, nchain = 4)
#'   sbrl_performance(model, MASS::biopsy[-train, ])
#'   sbrl_performance(model, MASS::biopsy[-train, ], level = 0.95)
#' }
#' @export
sbrl_performance <- function(model, data, label = NULL, weights = NULL, level = NULL) {
  check_optional_level(level)
  model <- check_predictor(model, "model")
  is_lists <- inherits(model, "sbrl_lists")
  one <- if (is_lists) model$medoid else model
  name <- if (is.null(label)) one$settings$label else enc2utf8(check_string(label, "label"))
  if (!is_lists && is_remote(data)) {
    one <- check_model(one, "model", pool = TRUE)
    return(catch_memory(measure_source(one, as_source(data), name, weights, level)))
  }
  data <- check_data_frame(data, "data")
  predicted <- function() stats::predict(model, newdata = data, type = "matrix")
  weights <- check_weights(weights, nrow(data))
  catch_memory(measure_model(one, predicted, data, name, weights, level))
}

# `predicted` makes the class probabilities of all rows.
measure_model <- function(model, predicted, data, name, weights, level) {
  rows <- label_rows(model, data, weights, name = name)
  if (length(rows$kept) == 0L) {
    abort_sbrl("argument", "`data` must have at least one row with a label.")
  }
  probs <- predicted()[rows$kept, , drop = FALSE]
  measure_table(model, rows$codes, probs, rows$weights %||% rep(1, length(rows$kept)), level)
}

# One row with the measures of predictions, with a `level` also the ends of their intervals. `observed` is the outcome
# of the rows as score_label() gives it.
measure_table <- function(model, observed, estimates, weights, level = NULL) {
  UseMethod("measure_table", outcome_of(model))
}

# nolint start: object_name_linter. A method.
#' @export
measure_table.sbrl_outcome_classes <- function(model, observed, estimates, weights, level = NULL) {
  # nolint end
  scores <- measure_all(observed, estimates, weights)
  table <- cbind(as.data.frame(as.list(scores)), n = sum(weights))
  if (is.null(level)) {
    return(table)
  }
  ends <- measure_intervals(observed, estimates, weights, level)
  ends <- stats::setNames(c(t(ends)), paste0(rep(rownames(ends), each = 2L), c("_lower", "_upper")))
  cbind(table, as.data.frame(as.list(ends)))
}

# All measures depend on how often each rule captured each label, which the source counts.
measure_source <- function(model, source, name, weights, level) {
  check_that(is.null(weights) || is_string(weights), weights, "weights", "the name of a column, or NULL")
  counts <- count_captures(model, source, name, weights)
  rows <- as_frame(stats::setNames(list(counts$y), name), nrow(counts))
  codes <- score_label(without_terms(model), rows, rep(TRUE, nrow(counts)), "data", name)
  keep <- !is.na(codes)
  warn_unlabelled(sum(counts$n[!keep]), name)
  if (!any(keep)) {
    abort_sbrl("argument", "`data` must have at least one row with a label.")
  }
  probs <- prediction_table(model)[prediction_row(model, counts$rule), , drop = FALSE]
  measure_table(model, codes[keep], probs[keep, , drop = FALSE], counts$n[keep], level)
}

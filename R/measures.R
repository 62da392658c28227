# Measures of predictions: AUC, log loss, accuracy and Brier score, with weights, for two or more classes.

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
#' @param label Name of the label column; `NULL` stands for that of the training data.
#' @param weights Weights of the rows: numbers from 0 on, or `NULL`. For a table or a source, the name of a column.
#' @param level Coverage of confidence intervals, such as 0.95; `NULL` for none.
#' @return A data frame with one row: `auc`, `log_loss`, `accuracy`, `brier`, and `n`, the number of rows with a label, or
#'   their weight. With `level` there are also columns such as `auc_lower` and `auc_upper`.
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
#'   model <- sbrl(class ~ . - ID, data = MASS::biopsy[train, ], lambda = 3, iters = 5000, nchain = 4)
#'   sbrl_performance(model, MASS::biopsy[-train, ])
#'   sbrl_performance(model, MASS::biopsy[-train, ], level = 0.95)
#' }
#' @export
sbrl_performance <- function(model, data, label = NULL, weights = NULL, level = NULL) {
  check_optional_level(level)
  is_lists <- inherits(model, "sbrl_lists")
  lists <- if (is_lists) check_lists(model, "model")
  one <- if (is_lists) lists$medoid else check_model(model, "model")
  name <- if (is.null(label)) one$settings$label else enc2utf8(check_string(label, "label"))
  if (!is_lists && is_remote(data)) {
    one <- check_model(one, "model", pool = TRUE)
    return(catch_memory(measure_source(one, as_source(data), name, weights, level)))
  }
  check_data_frame(data, "data")
  predicted <- function() stats::predict(if (is_lists) lists else one, newdata = data, type = "matrix")
  catch_memory(measure_model(one, predicted, data, name, check_weights(weights, nrow(data)), level))
}

# `predicted` makes the class probabilities of all rows.
measure_model <- function(model, predicted, data, name, weights, level) {
  counts <- if (is.null(weights)) rep(TRUE, nrow(data)) else weights > 0
  codes <- score_label(model, data, counts, "data", name)
  warn_unlabelled(sum(is.na(codes) & counts), name)
  keep <- !is.na(codes)
  if (!any(keep)) {
    abort_sbrl("argument", "`data` must have at least one row with a label.")
  }
  probs <- predicted()
  w <- if (is.null(weights)) rep(1, nrow(data)) else weights
  measure_table(codes[keep], probs[keep, , drop = FALSE], w[keep], level)
}

measure_table <- function(codes, probs, weights, level = NULL) {
  scores <- measure_all(codes, probs, weights)
  table <- cbind(as.data.frame(as.list(scores)), n = sum(weights))
  if (is.null(level)) {
    return(table)
  }
  ends <- measure_intervals(codes, probs, weights, level)
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
  measure_table(codes[keep], probs[keep, , drop = FALSE], counts$n[keep], level)
}

# The measures in the order in which they are shown, and whether more is better.
more_is_better <- c(auc = TRUE, log_loss = FALSE, accuracy = TRUE, brier = FALSE)

# `codes` are the columns of the true classes in `probs`.
measure_all <- function(codes, probs, weights) {
  share <- weights / sum(weights)
  c(
    auc = auc_all(codes, probs, weights),
    log_loss = sum(share * row_log_loss(codes, probs)),
    accuracy = sum(share * (max.col(probs, "first") == codes)),
    brier = sum(share * row_brier(codes, probs))
  )
}

# No probability of a model is 0, but one may come so close that it is written as 0.
row_log_loss <- function(codes, probs) {
  -log(pmax(probs[cbind(seq_along(codes), codes)], .Machine$double.eps))
}

row_brier <- function(codes, probs) {
  truth <- outer(codes, seq_len(ncol(probs)), `==`)
  rowSums((probs - truth)^2) / 2
}

# The positive class is the last of two. For more: Hand and Till's M, over the pairs of classes that are there.
auc_all <- function(codes, probs, weights) {
  if (ncol(probs) == 2L) {
    return(auc(codes == 2L, probs[, 2L], weights))
  }
  present <- sort(unique(codes))
  if (length(present) < 2L) {
    return(NA_real_)
  }
  one_pair <- function(pair) {
    rows <- codes %in% pair
    sides <- vapply(pair, \(class) auc(codes[rows] == class, probs[rows, class], weights[rows]), 1)
    mean(sides)
  }
  mean(utils::combn(present, 2L, one_pair))
}

# Area under the ROC curve: the weight of the pairs in which the positive row (`truth` TRUE) has the higher score, ties
# counting one half, as a share of all pairs. NA without positive or without negative rows.
auc <- function(truth, score, weights = NULL) {
  at <- weight_by_score(truth, score, weights)
  below <- cumsum(at$negative) - at$negative
  pairs <- sum(at$positive) * sum(at$negative)
  if (pairs > 0) sum(at$positive * (below + at$negative / 2)) / pairs else NA_real_
}

# The ROC curve as a data frame, from (0, 0) to (1, 1): rows with `score >= threshold` are called positive.
roc_curve <- function(truth, score, weights = NULL) {
  at <- weight_by_score(truth, score, weights)
  from_top <- function(x) c(0, cumsum(rev(x))) / sum(x)
  data.frame(
    threshold = c(Inf, rev(at$score)), false_positive = from_top(at$negative), true_positive = from_top(at$positive)
  )
}

# Weight of the positive and of the negative rows at each distinct score, in rising order.
weight_by_score <- function(truth, score, weights) {
  weights <- if (is.null(weights)) rep(1, length(score)) else weights
  distinct <- sort(unique(score))
  place <- factor(match(score, distinct), seq_along(distinct))
  total <- function(rows) as.vector(tapply(weights[rows], place[rows], sum, default = 0))
  list(score = distinct, positive = total(truth), negative = total(!truth))
}

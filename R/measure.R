# Measures of predictions: AUC, log loss, accuracy and Brier score, with weights, for two or more classes.

# The measures in the order in which they are shown, and whether more is better.
more_is_better <- c(auc = TRUE, log_loss = FALSE, accuracy = TRUE, brier = FALSE)

# `codes` are the columns of the true classes in `probs`.
measure_all <- function(codes, probs, weights) {
  share <- weights / sum(weights)
  c(
    auc = auc_all(codes, probs, weights),
    log_loss = sum(share * row_log_loss(codes, probs)),
    accuracy = sum(share * (likeliest_class(probs) == codes)),
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
  if (has_positive(ncol(probs))) {
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

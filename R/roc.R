# ROC curves from scores that tie a lot: a rule list gives as many distinct scores as it has rules.

# One row per distinct score, from (0, 0) to (1, 1): the shares of the others and of the positives that score so high.
roc_points <- function(score, is_positive, weights = rep(1, length(score))) {
  by_score <- function(rows) {
    values <- sort(unique(score), decreasing = TRUE)
    vapply(values, \(value) sum(weights[rows & score == value]), 1)
  }
  hits <- by_score(is_positive)
  alarms <- by_score(!is_positive)
  data.frame(
    score = c(Inf, sort(unique(score), decreasing = TRUE)),
    false_positive = c(0, cumsum(alarms) / sum(alarms)),
    true_positive = c(0, cumsum(hits) / sum(hits))
  )
}

# Area under the straight lines between the points, so that a tie counts half.
area_under <- function(points) {
  width <- diff(points$false_positive)
  height <- points$true_positive
  sum(width * (height[-1L] + height[-length(height)]) / 2)
}

# Confidence intervals of the measures of sbrl_performance().

# `codes`, `probs` and `weights` as in measure_table(); weights count as numbers of rows. Accuracy has an exact binomial
# interval and the AUC of two classes Newcombe's score interval, neither of which shrinks to a point when all rows are
# predicted correctly. The other measures have a normal interval with the jackknife's standard error.
measure_intervals <- function(codes, probs, weights, level) {
  cells <- measure_cells(codes, probs, weights)
  value <- measure_all(cells$codes, cells$probs, cells$n)
  se <- jackknife_se(cells)
  z <- stats::qnorm(0.5 + level / 2)
  ends <- cbind(lower = pmax(0, value - z * se), upper = value + z * se)
  ends[c("auc", "brier"), "upper"] <- pmin(1, ends[c("auc", "brier"), "upper"])
  ends["accuracy", ] <- binomial_interval(value[["accuracy"]], sum(cells$n), level)
  if (has_positive(ncol(probs))) {
    by_class <- vapply(1:2, \(class) sum(cells$n[cells$codes == class]), 1)
    ends["auc", ] <- auc_interval(value[["auc"]], by_class, z)
  }
  ends
}

# Rows with the same label and the same predictions are alike to every measure: one cell each, with their number.
measure_cells <- function(codes, probs, weights) {
  shown <- do.call(paste, c(list(codes), lapply(seq_len(ncol(probs)), \(class) sprintf("%a", probs[, class]))))
  first <- which(!duplicated(shown) & weights > 0)
  place <- factor(match(shown, shown[first]), seq_along(first))
  n <- as.vector(tapply(weights, place, sum, default = 0))
  list(codes = codes[first], probs = probs[first, , drop = FALSE], n = n)
}

# Each row of a cell changes a measure by the same amount when it is left out.
jackknife_se <- function(cells) {
  n <- sum(cells$n)
  if (n <= 1) {
    # nothing to compare with
    return(stats::setNames(rep(NA_real_, length(more_is_better)), names(more_is_better)))
  }
  without <- vapply(seq_along(cells$n), function(cell) {
    left <- cells$n
    left[cell] <- max(0, left[cell] - 1)
    if (sum(left) > 0) measure_all(cells$codes, cells$probs, left) else rep(NA_real_, 4L)
  }, numeric(4L))
  centre <- as.vector(without %*% cells$n) / n
  stats::setNames(sqrt((n - 1) / n * as.vector((without - centre)^2 %*% cells$n)), names(more_is_better))
}

binomial_interval <- function(share, n, level) {
  tail <- (1 - level) / 2
  hits <- share * n
  c(
    if (hits <= 0) 0 else beta_end(tail, hits, n - hits + 1, lower = TRUE),
    if (hits >= n) 1 else beta_end(tail, hits + 1, n - hits, lower = FALSE)
  )
}

# Newcombe (2006), method 5: the areas from which the one observed is `z` standard errors away.
auc_interval <- function(area, n, z) {
  if (is.na(area) || any(n == 0)) {
    return(c(NA_real_, NA_real_))
  }
  extra <- sum(n) / 2 - 1
  # the product of weights may be beyond all numbers, or 0
  variance <- \(a) pmin(a * (1 - a) * (1 + extra * ((1 - a) / (2 - a) + a / (1 + a))) / n[1L] / n[2L], 1e300)
  distance <- \(a) (area - a)^2 - z^2 * variance(a)
  end <- \(from, to) stats::uniroot(distance, c(from, to), tol = 1e-10)$root
  # The distance is 0 at an area of 0 or 1 itself.
  inside <- min(max(area, 1e-9), 1 - 1e-9)
  c(if (area <= 0) 0 else end(0, inside), if (area >= 1) 1 else end(inside, 1))
}

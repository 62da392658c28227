# Estimates of classes: the class probabilities of rules are Dirichlet posterior means, their intervals beta quantiles.

# The parameters of each rule's Dirichlet posterior: counts and pseudo-counts, one row per rule, one column per class.
# The pseudo-counts are `alpha`, as in the search, or those of the base rate if the probabilities are shrunk.
# A default rule that captured no row has no evidence but the base rate: in a simplified list it gets that, with the
# weight of the prior.
posterior_weights <- function(counts, settings) {
  n <- nrow(counts)
  weights <- counts + rep(pseudo_counts(settings), each = n)
  if (settings$simplify == 1 && sum(counts[n, ]) == 0) {
    weights[n, ] <- base_rate_weights(settings)
  }
  weights
}

pseudo_counts <- function(settings) {
  if (settings$shrinkage > 0) base_rate_weights(settings) else settings$alpha
}

base_rate_weights <- function(settings) {
  strength <- if (settings$shrinkage > 0) settings$shrinkage else sum(settings$alpha)
  counts <- base_counts(t(settings$class_counts), settings$alpha)[1L, ]
  strength * counts / sum(counts)
}

# The counts behind a base rate, one row per list: those of all rows. Where a class has no row, as after a refit() to
# rows of one class, the pseudo-counts of the prior are added, so that nothing is certain.
base_counts <- function(counts, alpha) {
  lacks_class <- rowSums(counts <= 0) > 0
  counts + outer(as.double(lacks_class), alpha)
}

least_probability <- .Machine$double.neg.eps

# With 10^16 rows, pseudo-counts are lost in rounding; the nearest numbers to 0 and 1 are not.
mean_probabilities <- function(weights) {
  probs <- weights / rowSums(weights)
  probs[] <- pmin(pmax(probs, least_probability), 1 - least_probability)
  sum_to_one(probs)
}

# As in 1.4, the probabilities of two classes sum to one exactly.
sum_to_one <- function(probs) {
  if (has_positive(ncol(probs))) {
    probs[, 1L] <- 1 - probs[, 2L]
  }
  probs
}

# nolint start: object_name_linter. Methods.
#' @export
leaf_estimates.sbrl_outcome_classes <- function(model) {
  mean_probabilities(posterior_weights(model$counts, model$settings))
}

#' @export
base_estimates.sbrl_outcome_classes <- function(model) {
  mean_probabilities(t(base_rate_weights(model$settings)))
}

#' @export
estimate_ends.sbrl_outcome_classes <- function(model, level) {
  weights <- rbind(posterior_weights(model$counts, model$settings), base_rate_weights(model$settings))
  lapply(credible_interval(as.vector(weights), rowSums(weights), level), matrix, nrow(weights))
}

# The posterior of each probability is a beta distribution.
#' @export
estimate_errors.sbrl_outcome_classes <- function(model) {
  total <- rowSums(posterior_weights(model$counts, model$settings))
  probs <- unname(model$probs)
  sqrt(probs * (1 - probs) / (total + 1))
}
# nolint end

# Equal-tailed: the probability of a class of this weight, out of `total`, has a beta distribution.
credible_interval <- function(weight, total, level) {
  tail <- (1 - level) / 2
  list(
    lower = beta_end(tail, weight, total - weight, lower = TRUE),
    upper = beta_end(tail, weight, total - weight, lower = FALSE)
  )
}

# R's own quantile; for weights beyond what it can do (about 1e15) the normal limit, which is exact there.
beta_end <- function(tail, weight, others, lower) {
  end <- suppressWarnings(stats::qbeta(tail, weight, others, lower.tail = lower))
  total <- weight + others
  mean <- weight / total
  limit <- stats::qnorm(tail, mean, sqrt(mean * (others / total) / total), lower.tail = lower)
  ifelse(is.nan(end) | total > 1e15, pmin(pmax(limit, 0), 1), end)
}

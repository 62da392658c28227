# Shrinkage: how strongly the probabilities of a list's rules are drawn towards the base rate.

# A rule is chosen because its class shares are extreme among those of many candidates, so they are too extreme for new
# rows. The shrunk probabilities have a Dirichlet prior around the base rate. Its strength, in rows, is the likeliest
# one for the counts of the list (type II maximum likelihood), times a factor that makes up for the choice of the rules:
# dev/notes/0012-accuracy.md has the trials behind it.
choice_factor <- 6

# A grid, so that rounding decides nothing.
prior_strengths <- 2^seq(-5, 3, by = 0.5)

# Nothing was chosen where there is no rule.
#' @export
shrinkage_strength.sbrl_outcome_classes <- function(model) { # nolint: object_name_linter. A method.
  counts <- model$counts
  if (nrow(counts) < 2L) {
    return(0)
  }
  log_likelihoods <- vapply(prior_strengths, dirichlet_log_likelihood, 1, counts = counts)
  choice_factor * prior_strengths[which.max(log_likelihoods)]
}

# The log probability of the classes of the rows that each rule captured, if the class probabilities of the rules are
# drawn from a Dirichlet distribution of this strength around the base rate.
dirichlet_log_likelihood <- function(strength, counts) {
  counts <- counts[, colSums(counts) > 0, drop = FALSE]
  prior <- rep(strength * colSums(counts) / sum(counts), each = nrow(counts))
  sum(lgamma(counts + prior) - lgamma(prior)) - sum(lgamma(rowSums(counts) + strength) - lgamma(strength))
}

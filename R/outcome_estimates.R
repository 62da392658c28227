# Class probabilities of rules: posterior means, credible intervals, and which classes are reported.

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

# The counts behind a base rate, one row per list: those of all rows. Where a class has no row, as after a refit() to rows
# of one class, the pseudo-counts of the prior are added, so that nothing is certain.
base_counts <- function(counts, alpha) {
  lacks_class <- rowSums(counts <= 0) > 0
  counts + outer(as.double(lacks_class), alpha)
}

# What exports say of such a default rule.
base_rate_note <- "no training row reached the default rule: it gives the base rate"

# What is said of one that replaces the last rule.
else_note <- paste(
  "the last rule matched all training rows that were left, so it is the default rule;",
  "new rows that would not match it, or whose value is missing, also get it"
)

# Does the default rule give the base rate, because it captured no row?
gives_base_rate <- function(model) {
  model$settings$simplify == 1 && sum(model$counts[nrow(model$counts), ]) == 0
}

base_rate <- function(settings) {
  mean_probabilities(t(base_rate_weights(settings)))
}

least_probability <- .Machine$double.neg.eps

# Posterior mean of each rule's class probabilities.
class_probabilities <- function(counts, settings) {
  mean_probabilities(posterior_weights(counts, settings))
}

# Beside 10^16 rows, pseudo-counts are lost in rounding; the nearest numbers to 0 and 1 are not.
mean_probabilities <- function(weights) {
  probs <- weights / rowSums(weights)
  probs[] <- pmin(pmax(probs, least_probability), 1 - least_probability)
  if (has_positive(ncol(probs))) {
    # As in 1.4, the two sum to one exactly.
    probs[, 1L] <- 1 - probs[, 2L]
  }
  probs
}

# One row per rule: posterior mean and credible interval of the reported class.
reported_interval <- function(model, level) {
  check_has_counts(model)
  interval_of(model, posterior_weights(model$counts, model$settings), model$probs, level)
}

# The same, and then a row for the base rate.
prediction_interval <- function(model, level) {
  check_has_counts(model)
  settings <- model$settings
  base <- interval_of(model, t(base_rate_weights(settings)), base_rate(settings), level)
  rbind(reported_interval(model, level), base)
}

interval_of <- function(model, weights, probs, level) {
  cell <- cbind(seq_len(nrow(weights)), reported_class(model, probs))
  ends <- credible_interval(weights[cell], rowSums(weights), level)
  cbind(prob = unname(probs[cell]), lower = ends$lower, upper = ends$upper)
}

# Which rules rest on little evidence, default rule last: they captured few rows, or their interval is wide. Wherever
# people read probabilities, those of such rules have a mark, and a note explains it.
few_rows <- 30
wide_interval <- 0.3
thin_mark <- "*"

thin_rules <- function(model, level = 0.95) {
  ends <- reported_interval(model, level)
  rowSums(model$counts) < few_rows | ends[, "upper"] - ends[, "lower"] > wide_interval
}

# What the mark means; NULL if no rule has it.
thin_note <- function(thin) {
  if (any(thin)) {
    message <- "%s thin evidence: fewer than %d rows, or an interval wider than %s"
    sprintf(message, thin_mark, few_rows, number_text(wide_interval))
  }
}

# A note about the default rule; NULL if there is nothing to explain.
default_note <- function(model) {
  if (gives_base_rate(model)) {
    "no training row reached the default rule; it gives the base rate"
  } else if (stands_for_rule(model)) {
    else_note
  }
}

# Is the default rule there in place of a last rule, which captured all training rows that were left?
stands_for_rule <- function(model) {
  replaced_rule(model) > 0
}

# The candidate that was the last rule, or 0. Models of development versions do not have the setting.
replaced_rule <- function(model) {
  model$settings[["else_rule"]] %||% 0
}

# The notes to a list, one sentence each.
rule_notes <- function(model, level) {
  notes <- c(thin_note(thin_rules(model, level)), default_note(model))
  paste0(sub("^(\\W*)(\\w)", "\\1\\U\\2", notes, perl = TRUE), ".", recycle0 = TRUE)
}

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

check_has_counts <- function(model) {
  if (is.null(model$counts)) {
    abort_sbrl("model", "A model fitted by sbrl 1.4 has no counts, so no interval. Fit it again.")
  }
}

# Class probabilities of all rules, the default rule, and the base rate; and which of these rows each row of data gets.
prediction_table <- function(model) {
  if (is.null(model$settings)) model$probs else rbind(model$probs, base_rate(model$settings))
}

prediction_row <- function(model, rule) {
  default <- nrow(model$probs)
  rule[!is.na(rule) & rule == 0L] <- default
  rule[is.na(rule)] <- default + 1L
  rule
}

is_weighted <- function(model) {
  isTRUE(model$settings$weighted == 1)
}

interval_title <- function(level) {
  sprintf("%s%% credible interval given this list", format_numbers(100 * level, digits = 4L))
}

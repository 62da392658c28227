# Estimates of rules of any outcome: in a table, with intervals, and which of them rest on little evidence.

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

# One row per rule: estimate and credible interval of what is reported.
reported_interval <- function(model, level) {
  prediction_interval(model, level)[seq_len(nrow(model$counts)), , drop = FALSE]
}

# The same, and then a row for the base rate.
prediction_interval <- function(model, level) {
  check_has_counts(model)
  estimates <- prediction_table(model)
  cell <- cbind(seq_len(nrow(estimates)), reported_class(model, estimates))
  ends <- estimate_ends(model, level)
  cbind(prob = unname(estimates[cell]), lower = ends$lower[cell], upper = ends$upper[cell])
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

check_has_counts <- function(model) {
  if (is.null(model$counts)) {
    abort_sbrl("model", "A model fitted by sbrl 1.4 has no counts, so no interval. Fit it again.")
  }
}

# Estimates of all rules, the default rule, and the base rate; and which of these rows each row of data gets.
prediction_table <- function(model) {
  if (is.null(model$settings)) model$probs else rbind(model$probs, base_estimates(model))
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

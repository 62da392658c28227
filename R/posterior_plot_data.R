# What the pictures of a posterior show, as plain data.

posterior_inclusion_data <- function(x, type, n) {
  table <- utils::head(rules.sbrl_posterior(x, by = if (type == "rules") "rule" else "feature"), n)
  if (type == "rules") {
    return(data.frame(text = table$rule, inclusion = table$active, first = table$first))
  }
  text <- as.character(shown_feature(x$medoid, table$feature))
  data.frame(text = text, inclusion = table$inclusion, first = table$first)
}

# One row per row of the data: averaged probability and interval over lists, the medoid's and its interval.
posterior_row_data <- function(x, data, level) {
  over <- predict.sbrl_lists(x, newdata = data, type = "interval", level = level)
  class <- reported_class(x$medoid, predict.sbrl_lists(x, newdata = data, type = "matrix"))
  one <- suppressWarnings(capture_rows(x$medoid, data, "data"), classes = "sbrl_warning_missing")
  cell <- prediction_row(x$medoid, one)
  at <- cbind(cell, class)
  ends <- estimate_ends(x$medoid, level)
  data.frame(
    row = seq_len(nrow(data)), over, list_prob = prediction_table(x$medoid)[at], list_lower = ends$lower[at],
    list_upper = ends$upper[at]
  )
}

interval_words <- function(level) {
  sprintf("%s%% interval", format_numbers(100 * level, digits = 4L))
}

posterior_order_data <- function(x, n) {
  table <- utils::head(posterior_rules(x), n)
  list(text = table$rule, before = unname(rule_order(x, table$candidate)))
}

# How many draws of each chain fall into each part of the ranks of all draws.
posterior_rank_data <- function(x) {
  draws <- x$draws
  n_bins <- max(2, min(20, max(draws$.iteration) %/% 5))
  # equal draws share their ranks evenly among the chains
  rank <- order(order(draws$log_likelihood, draws$.iteration, draws$.chain))
  bin <- pmin(n_bins, 1 + floor((rank - 0.5) / nrow(draws) * n_bins))
  n_chains <- max(draws$.chain)
  table <- expand.grid(bin = seq_len(n_bins), chain = seq_len(n_chains))
  table$n <- tabulate((draws$.chain - 1) * n_bins + bin, n_bins * n_chains)
  table$expected <- max(draws$.iteration) / n_bins
  table
}

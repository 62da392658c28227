# What the pictures show, as plain data frames; plot() and autoplot() only draw them.

# One row per rule, the default rule last. `class` is the one whose probability is shown.
plot_data_rules <- function(model, level) {
  n <- rowSums(model$counts)
  m <- nrow(model$counts) - 1L
  data.frame(
    position = c(seq_len(m), 0L),
    number = rule_number_text(m),
    keyword = c(rule_keywords(m), if (m > 0L) "else" else ""),
    antecedent = c(rule_antecedents(model), if (m > 0L) "(default rule)" else "always (default rule)"),
    class = factor(model$classes[reported_class(model, model$probs)], model$classes),
    reported_interval(model, level),
    thin = thin_rules(model, level),
    n = n,
    share = n / sum(n)
  )
}

# One row per rule and class: where the class begins and ends in a bar, from 0 to 1, of the rows that the rule captured.
# Rules that captured none have no bar.
plot_data_mix <- function(model) {
  shares <- model$counts / rowSums(model$counts)
  to <- t(apply(shares, 1L, cumsum))
  table <- data.frame(
    position = rep(rule_positions(model), times = ncol(shares)),
    class = factor(rep(model$classes, each = nrow(shares)), model$classes),
    from = as.vector(to - shares),
    to = as.vector(to)
  )
  table[!is.nan(table$to) & table$to > table$from, ]
}

rule_positions <- function(model) {
  c(seq_len(nrow(model$counts) - 1L), 0L)
}

# One row per rule: the stretch of the rows, in the order in which they are decided, that it captures.
plot_data_coverage <- function(model, level) {
  rules <- plot_data_rules(model, level)
  to <- cumsum(rules$n) / sum(rules$n)
  data.frame(
    position = rules$position, class = rules$class, from = c(0, to[-length(to)]), to = to,
    rules[c("prob", "lower", "upper")]
  )
}

# One row per kept iteration of each chain, in order; `is_best` marks the chains that reached the best of all.
plot_data_trace <- function(model) {
  if (NROW(model$trace) == 0L) {
    abort_sbrl("model", "`x` contains no trace of its search, so there is nothing to draw.")
  }
  reached <- model$chains$best_log_posterior
  best <- best_of_chains(model)
  is_best <- model$chains$chain[reached >= best - 1e-9 * max(1, abs(best))]
  table <- as.data.frame(model$trace)[c("chain", "iteration", "log_posterior")]
  table$is_best <- table$chain %in% is_best
  table[order(table$chain, table$iteration), ]
}

# The labelled rows of `data`: the row of the rule table that captures each, its class and its weight.
labelled_rows <- function(model, data, weights) {
  data <- check_data_frame(data, "data")
  weights <- check_weights(weights, nrow(data))
  rows <- label_rows(model, data, weights)
  if (length(rows$kept) == 0L) {
    abort_sbrl("argument", "`data` must have at least one row with a label, not 0.")
  }
  rule <- prediction_row(model, capture_rows(model, data, "data"))
  list(rule = rule[rows$kept], label = rows$codes, weights = rows$weights %||% rep(1, length(rows$kept)))
}

# One row per point of each curve, class against the rest. A class that no row, or every row, has gives no curve.
plot_data_roc <- function(model, data, weights = NULL) {
  rows <- labelled_rows(model, data, weights)
  if (length(unique(rows$label)) < 2L) {
    message <- "`data` must contain rows of two classes or more; all are of class %s."
    abort_sbrl("label", sprintf(message, quote_values(model$classes[rows$label[1L]])))
  }
  one_class <- function(class) {
    truth <- rows$label == class
    score <- prediction_table(model)[rows$rule, class]
    points <- roc_curve(truth, score, rows$weights)
    cbind(class = factor(model$classes[class], model$classes), points, auc = auc(truth, score, rows$weights))
  }
  do.call(rbind, lapply(intersect(reported_classes(model), rows$label), one_class))
}

# One row per class and rule that captures rows of `data`: predicted probability, observed share, its exact interval.
plot_data_calibration <- function(model, data, weights = NULL, level = 0.95) {
  rows <- labelled_rows(model, data, weights)
  total <- function(x) as.vector(tapply(x, factor(rows$rule, seq_len(nrow(model$probs))), sum, default = 0))
  n <- total(rows$weights)
  one_class <- function(class) {
    hits <- total(rows$weights * (rows$label == class))
    ends <- binomial_ends(hits, n, level)
    data.frame(
      position = rule_positions(model), class = factor(model$classes[class], model$classes),
      predicted = unname(model$probs[, class]), observed = hits / n, lower = ends$lower, upper = ends$upper, n = n
    )[n > 0, ]
  }
  do.call(rbind, lapply(reported_classes(model), one_class))
}

# Clopper and Pearson's interval, which weights do not disturb.
binomial_ends <- function(hits, n, level) {
  tail <- (1 - level) / 2
  misses <- pmax(n - hits, 0)
  list(
    lower = ifelse(hits <= 0, 0, beta_end(tail, hits, misses + 1, lower = TRUE)),
    upper = ifelse(misses <= 0, 1, beta_end(tail, hits + 1, misses, lower = FALSE))
  )
}

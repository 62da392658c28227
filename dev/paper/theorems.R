# The paper's two theorems in figures. Both bounds are computed by the package and, term by term as printed, by the
# plain functions below, which must agree.
# Writes paper_theorem1.csv (bound on the length of the best list), paper_theorem1_b.csv (the b of 5 features) and
# paper_theorem2.csv (prefix bounds of the two demonstrations, on each fold of tic-tac-toe) and paper_theorem2_pairs.csv
# (those of all pairs of single conditions, on the first fold).
source("dev/paper/common.R")

# ---- Theorem 1 ----

# The numbers b: antecedents of the sizes 0, P, 1, P - 1 and so on are used up one after another. The last is b[2^P].
used_up <- function(n_features, most = 2^n_features) {
  sizes <- unlist(lapply(0:(n_features %/% 2), \(c) unique(c(c, n_features - c))))
  b <- integer()
  for (size in sizes) {
    b <- c(b, rev(seq_len(choose(n_features, size))))
    if (length(b) >= most) break
  }
  b
}

# The largest m for which the inequality holds, up to 2^P - 1; b[1] is b_0, which the product leaves out.
plain_bound <- function(n_features, positives, negatives, lambda) {
  m <- seq_len(min(2^n_features - 1, 2000))
  left <- m * log(lambda) - lgamma(m + 1)
  right <- lgamma(negatives + 1) + lgamma(positives + 1) - lgamma(positives + negatives + 2) +
    cumsum(log(used_up(n_features, 2001)[m + 1]))
  max(0, m[left >= right])
}

theorem1 <- function() {
  rows <- unique(round(10^seq(1, 3, length.out = 25)))
  grid <- rbind(
    expand.grid(features = c(10, 15), positives = rows, share = c(0.5, 0.1)),
    data.frame(features = 10, positives = 100, share = 0.5)
  )
  grid$negatives <- round(grid$positives * (1 - grid$share) / grid$share)
  grid <- unique(grid)
  one <- \(i) with(grid[i, ], sbrl_max_length(c(negatives, positives), n_items = features, lambda = 3)[["paper"]])
  grid$bound <- vapply(seq_len(nrow(grid)), one, 1)
  plain <- with(grid, unlist(Map(plain_bound, features, positives, negatives, 3)))
  stopifnot("the package and the printed formula differ" = grid$bound == plain)
  grid
}

# ---- Theorem 2 ----

# Upsilon of a prefix, in logs, term by term. `covers`: which rows each rule of the prefix covers, `lengths` are
# those of all candidates.
plain_prefix_bound <- function(covers, sizes, lengths, positive, lambda, eta = 1) {
  p <- length(covers)
  most <- max(p, lambda)
  log_sum <- \(k, rate) max(k * log(rate) - lgamma(k + 1)) + log(sum(exp(
    k * log(rate) - lgamma(k + 1) - max(k * log(rate) - lgamma(k + 1))
  )))
  bound <- most * log(lambda) - lgamma(most + 1) - log_sum(0:length(lengths), lambda)
  left <- rep(TRUE, length(positive))
  pool <- tabulate(lengths)
  for (j in seq_len(p)) {
    size <- sizes[j]
    bound <- bound + size * log(eta) - lgamma(size + 1) - log_sum(which(pool > 0), eta) - log(pool[size])
    pool[size] <- pool[size] - 1
    taken <- left & covers[[j]]
    bound <- bound + lbeta(sum(taken & positive) + 1, sum(taken & !positive) + 1)
    left <- left & !taken
  }
  bound + lbeta(sum(left & positive) + 1, 1) + lbeta(sum(left & !positive) + 1, 1)
}

# As drawn in the paper, and the first one with blank cells in place of O, which was found by looking through all pairs
# of conditions (paper_theorem2_pairs.csv) for bounds close to the printed one.
demonstrations <- list(
  "1" = c("{c8=o}", "{c6=o}"),
  "1 blank" = c("{c8=b}", "{c6=b}"),
  "2" = c("{c4=o,c5=o,c6=o}", "{c1=o,c4=o,c7=o}")
)

covers_of <- function(rules, data) {
  lapply(strsplit(gsub("[{}]", "", rules), ",", fixed = TRUE), function(items) {
    parts <- strsplit(items, "=", fixed = TRUE)
    Reduce(`&`, lapply(parts, \(part) data[[part[1]]] == part[2]))
  })
}

theorem2 <- function() {
  data <- read_set("tictactoe")
  fold <- paper_folds(data)
  one <- function(k, demonstration) {
    train <- data[fold != k, ]
    # 10%, or less where the lines of three noughts of the second demonstration would not be candidates
    for (support in seq(0.1, 0.05, by = -0.01)) {
      model <- paper_fit(train, 3, support)
      if (all(unlist(demonstrations) %in% model$rulenames)) break
    }
    rules <- demonstrations[[demonstration]]
    bound <- sbrl_score(model, train, rules)[["prefix_bound"]]
    plain <- plain_prefix_bound(
      covers_of(rules, train), lengths(strsplit(rules, ",", fixed = TRUE)), model$pool$lengths, train$label == "1",
      model$settings$lambda
    )
    stopifnot("the package and the printed formula differ" = abs(bound - plain) < 1e-6)
    data.frame(
      fold = k, demonstration = demonstration, support = support, candidates = length(model$rulenames),
      lambda = model$settings$lambda,
      bound = bound, bound_as_printed = plain, best = model$score[["log_posterior"]],
      excluded = bound < model$score[["log_posterior"]]
    )
  }
  do.call(rbind, lapply(names(demonstrations), \(name) do.call(rbind, lapply(seq_len(n_folds), one, name))))
}

all_pairs <- function() {
  data <- read_set("tictactoe")
  train <- data[paper_folds(data) != 1, ]
  model <- paper_fit(train, 3, 0.1)
  single <- model$rulenames[model$pool$lengths == 1]
  covers <- stats::setNames(covers_of(single, train), single)
  pairs <- expand.grid(first = single, second = single, stringsAsFactors = FALSE)
  pairs <- pairs[sub("=.*", "", pairs$first) != sub("=.*", "", pairs$second), ]
  bound <- \(first, second) plain_prefix_bound(
    covers[c(first, second)], c(1, 1), model$pool$lengths, train$label == "1", model$settings$lambda
  )
  pairs$bound <- unlist(Map(bound, pairs$first, pairs$second))
  pairs
}

rewrite <- function(table, name) {
  unlink(result_file(name))
  append_lines(table, result_file(name))
}
rewrite(theorem1(), "theorem1")
rewrite(data.frame(index = seq_len(2^5) - 1, b = used_up(5)), "theorem1_b")
rewrite(theorem2(), "theorem2")
rewrite(all_pairs(), "theorem2_pairs")
record_machine(result_file("machine"), "theorems", run_name)

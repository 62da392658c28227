# Is sbrl_posterior() calibrated? Over data sets whose lists and class probabilities are drawn from the prior:
#   ranks     of simulated truths among the draws: uniform if the sampler draws from the posterior
#   coverage  of the intervals of predict(): over lists, and given one list, which is too narrow
# Run by `make calibration`; SETS=1000 for more data sets, CALIBRATION=ranks or coverage for one of the two. The picture
# is build/calibration/ranks.png, the figures are in dev/notes/measurements.

space <- new.env(parent = asNamespace("sbrl"))
sys.source("tests/testthat/helper-posterior.R", space)
picture <- "build/calibration/ranks.png"
measurements <- "dev/notes/measurements"
n_sets <- function(usual) as.integer(Sys.getenv("SETS", usual))

# ---- ranks ----

n_bins <- 10
rank_draws <- 100

test_ranks <- function(ranks) {
  counts <- lapply(ranks, \(rank) tabulate(1 + pmin(n_bins - 1, floor(n_bins * rank / (rank_draws + 1))), n_bins))
  draw_ranks(counts, nrow(ranks))
  result <- data.frame(
    quantity = names(ranks), data_sets = nrow(ranks), draws = rank_draws,
    p_chi_square = signif(vapply(counts, \(n) stats::chisq.test(n)$p.value, 1), 3),
    do.call(rbind, lapply(counts, \(n) stats::setNames(as.data.frame(t(n)), paste0("bin_", seq_along(n)))))
  )
  utils::write.csv(result, file.path(measurements, "posterior_ranks.csv"), row.names = FALSE)
  print(result[1:4], row.names = FALSE)
  min(result$p_chi_square) >= 1e-4
}

draw_ranks <- function(counts, n) {
  dir.create(dirname(picture), showWarnings = FALSE, recursive = TRUE)
  grDevices::png(picture, 1000, 700, res = 110)
  on.exit(grDevices::dev.off())
  graphics::par(mfrow = c(2, 2), mar = c(4, 4, 2.5, 1))
  band <- stats::qbinom(c(0.005, 0.995), n, 1 / n_bins)
  for (name in names(counts)) {
    graphics::barplot(
      counts[[name]], main = rank_titles[[name]], xlab = sprintf("rank among %d draws, in tenths", rank_draws),
      ylab = "data sets", names.arg = seq_len(n_bins), col = "#9DB8D9", border = NA, space = 0,
      ylim = c(0, 1.1 * max(band, counts[[name]]))
    )
    graphics::abline(h = c(n / n_bins, band), lty = c(1, 2, 2))
  }
}

rank_titles <- c(
  active = "Number of active rules", log_likelihood = "Log likelihood", first = "Probability of a row",
  second = "Probability of another row"
)

# ---- coverage ----

coverage_levels <- c(0.5, 0.8, 0.95)

# Shares of the rows whose probability lies within its interval, of one data set: over lists, given the best list.
coverage_set <- function(rows, lambda) {
  set <- space$simulate_set(rows, lambda)
  best <- sbrl::sbrl(
    y ~ ., data = set$rows, rule_maxlen = 1, minsupport = 0, lambda = lambda, eta = 1, iters = 5000, nchain = 4,
    max_length = Inf, progress = FALSE
  )
  x <- suppressWarnings(sbrl::sbrl_posterior(set$model, set$rows, draws = 400, warmup = 200, progress = FALSE))
  covered <- function(fit, level) {
    ends <- stats::predict(fit, newdata = set$rows, type = "interval", level = level)
    mean(ends[, "lower"] <= set$truth$theta & set$truth$theta <= ends[, "upper"])
  }
  unlist(lapply(list(x, best), \(fit) lapply(coverage_levels, \(level) covered(fit, level))))
}

measure_coverage <- function(n, n_rows = 300, lambda = 5) {
  set.seed(30)
  rows <- sbrl::tictactoe[setdiff(names(sbrl::tictactoe), "label")]
  rows <- rows[sort(sample(nrow(rows), n_rows)), ]
  found <- do.call(rbind, lapply(seq_len(n), \(i) coverage_set(rows, lambda)))
  result <- data.frame(
    interval = rep(c("over lists", "given the best list"), each = length(coverage_levels)),
    nominal = rep(coverage_levels, 2), coverage = round(colMeans(found), 4),
    se = round(apply(found, 2, stats::sd) / sqrt(n), 4), data_sets = n, rows = n_rows
  )
  utils::write.csv(result, file.path(measurements, "posterior_coverage.csv"), row.names = FALSE)
  print(result, row.names = FALSE)
  ours <- result[result$interval == "over lists", ]
  all(abs(ours$coverage - ours$nominal) <= 0.03)
}

what <- Sys.getenv("CALIBRATION", "ranks coverage")
is_good <- c(
  if (grepl("ranks", what)) test_ranks(space$calibration_ranks(n_sets("200"), rank_draws, seed = 20)),
  if (grepl("coverage", what)) measure_coverage(n_sets("300"))
)
if (!all(is_good)) quit(status = 1)

# How well sbrl_posterior() does, run by `make bench-posterior`. POSTERIOR names the parts, all of them by default:
#   tictactoe               20 seeds with defaults: the largest R-hat, seconds, evidence
#   telco nursery adult     is there a warning with defaults? If not, or with LONG=1: against a run ten times as long
#   sizes                   a million rows predicted, memory and JSON of 1,000 draws
# Settings are those of problems.csv, lambda 10 and eta 1. Figures are added to dev/notes/measurements/posterior_*.csv.

source("dev/bench/common.R")
library(sbrl)

measurements <- file.path(bench_root, "dev", "notes", "measurements")
dir.create(bench_cache, showWarnings = FALSE, recursive = TRUE)

# The rows of these keys are replaced.
record <- function(table, name, keys) {
  file <- file.path(measurements, paste0("posterior_", name, ".csv"))
  if (file.exists(file)) {
    before <- read.csv(file)
    table <- rbind(before[!do.call(paste, before[keys]) %in% do.call(paste, table[keys]), names(table)], table)
  }
  write.csv(table, file, row.names = FALSE)
  print(table, row.names = FALSE)
}

fit_named <- function(name) {
  problems <- read_problems()
  problem <- problems[problems$problem == name, ]
  data <- read_data(problem$data)
  model <- suppressMessages(sbrl(
    data, rule_minlen = problem$min_length, rule_maxlen = problem$max_length, lambda = 10, eta = 1, seed = 1,
    minsupport_pos = problem$support_pos, minsupport_neg = problem$support_neg, progress = FALSE
  ))
  list(data = data, model = model)
}

# The draws, whether there was a warning, and the seconds.
sample_fit <- function(fit, ...) {
  has_warned <- FALSE
  found <- timed(\() withCallingHandlers(
    sbrl_posterior(fit$model, fit$data, ..., progress = FALSE),
    sbrl_warning_convergence = function(w) {
      has_warned <<- TRUE
      invokeRestart("muffleWarning")
    }
  ))
  c(found, list(has_warned = has_warned))
}

figures <- function(found) {
  x <- found$value
  is_prediction <- x$diagnostics$quantity == "prediction"
  data.frame(
    draws = nrow(x$draws), warned = found$has_warned, rhat = round(max(x$diagnostics$rhat, na.rm = TRUE), 4),
    mcse = round(max(x$diagnostics$mcse[is_prediction], 0, na.rm = TRUE), 5), restarts = sum(x$tempering$restarts),
    round_trips = sum(x$tempering$round_trips), log_evidence = round(x$evidence[["log_evidence"]], 2),
    se = round(x$evidence[["se"]], 2), drift = round(x$evidence[["drift"]], 2),
    mean_log_likelihood = round(mean(x$draws$log_likelihood), 2), mean_active = round(mean(x$draws$active), 3),
    cpu_seconds = round(found$processor, 1)
  )
}

measure_tictactoe <- function() {
  fit <- fit_named("tictactoe")
  table <- do.call(rbind, lapply(1:20, \(seed) cbind(seed = seed, figures(sample_fit(fit, seed = seed, threads = 2)))))
  record(table, "tictactoe", "seed")
  cat(sprintf("R-hat at most 1.02 for %d of %d seeds\n", sum(table$rhat <= 1.02), nrow(table)))
}

# Largest and mean difference of the averaged predictions of all rows, and the largest of the inclusion of a feature.
compare_runs <- function(one, other, data) {
  difference <- abs(predict(one, data, type = "matrix")[, 2] - predict(other, data, type = "matrix")[, 2])
  features <- merge(rules(one, by = "feature"), rules(other, by = "feature"), by = "feature")
  data.frame(
    largest_difference = round(max(difference), 4), mean_difference = round(mean(difference), 5),
    feature_difference = round(max(abs(features$inclusion.x - features$inclusion.y)), 4)
  )
}

measure_mixing <- function(name) {
  fit <- fit_named(name)
  short <- sample_fit(fit, seed = 1, threads = 2)
  if (short$has_warned && !nzchar(Sys.getenv("LONG"))) {
    none <- data.frame(largest_difference = NA, mean_difference = NA, feature_difference = NA)
    table <- cbind(problem = name, run = "default", figures(short), none, candidates = length(fit$model$rulenames))
    return(record(table, "mixing", c("problem", "run")))
  }
  long <- sample_fit(fit, seed = 2, threads = 2, draws = 10000, warmup = 8000)
  difference <- compare_runs(short$value, long$value, fit$data)
  table <- cbind(problem = name, run = c("default", "ten times"), rbind(figures(short), figures(long)), difference)
  table$candidates <- length(fit$model$rulenames)
  record(table, "mixing", c("problem", "run"))
}

measure_sizes <- function() {
  fit <- fit_named("tictactoe")
  x <- sample_fit(fit, seed = 1)$value
  million <- fit$data[rep_len(seq_len(nrow(fit$data)), 1e6), ]
  of <- function(type) timed(\() predict(x, million, type = type))$processor
  json <- tempfile(fileext = ".json")
  suppressWarnings(sbrl_write_json(x, json))
  rds <- tempfile()
  saveRDS(x, rds)
  mb <- \(bytes) round(bytes / 1e6, 3)
  lists <- x$lists
  table <- data.frame(
    what = c(
      "rules and lengths of 1,000 draws, MB of memory", "with class counts, MB of memory", "whole object, MB of memory",
      "JSON file, MB", "RDS file, MB", "a million rows, probabilities, CPU s", "a million rows, intervals, CPU s"
    ),
    value = c(
      mb(object.size(lists$lengths) + object.size(lists$rules)), mb(object.size(lists)), mb(object.size(x)),
      mb(file.size(json)), mb(file.size(rds)), round(of("matrix"), 2), round(of("interval"), 2)
    )
  )
  record(table, "sizes", "what")
}

parts <- strsplit(Sys.getenv("POSTERIOR", "tictactoe sizes telco nursery adult"), " ")[[1L]]
for (part in parts) {
  switch(part, tictactoe = measure_tictactoe(), sizes = measure_sizes(), measure_mixing(part))
}

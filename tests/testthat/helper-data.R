# Data sets and short fits that several test files use.

# 400 rows, P(1) = .9 if a = u, else .6 if b = p, else .1.
two_factor_data <- function(n = 400, seed = 42) {
  set.seed(seed)
  a <- sample(c("u", "v", "w"), n, replace = TRUE)
  b <- sample(c("p", "q"), n, replace = TRUE)
  p <- ifelse(a == "u", 0.9, ifelse(b == "p", 0.6, 0.1))
  data.frame(a = factor(a), b = factor(b), label = stats::rbinom(n, 1, p))
}

# One row per passenger.
titanic <- function() {
  counts <- as.data.frame(datasets::Titanic, stringsAsFactors = TRUE)
  counts[rep(seq_len(nrow(counts)), counts$Freq), c("Class", "Sex", "Age", "Survived")]
}

quick_fit <- function(tdata, ..., iters = 500, nchain = 2, seed = 1, progress = FALSE) {
  sbrl(tdata, iters = iters, nchain = nchain, seed = seed, progress = progress, ...)
}

# The X-wins list of tic-tac-toe: rows, columns, diagonals.
x_wins <- c(
  "{c1=x,c2=x,c3=x}", "{c4=x,c5=x,c6=x}", "{c7=x,c8=x,c9=x}", "{c1=x,c4=x,c7=x}",
  "{c2=x,c5=x,c8=x}", "{c3=x,c6=x,c9=x}", "{c1=x,c5=x,c9=x}", "{c3=x,c5=x,c7=x}"
)

# Without what differs between two equal fits by design.
without_clock <- function(model) {
  model$timing <- NULL
  model$call <- NULL
  model$settings$threads <- NULL
  model
}

# What a model must always satisfy on the data it was fitted to.
expect_sound <- function(model, tdata, weights = NULL) {
  label <- as.character(tdata[[model$settings$label]])
  if (is.numeric(tdata[[model$settings$label]])) {
    label <- model$classes[match(tdata[[model$settings$label]], as.numeric(model$classes))]
  }
  rule <- predict(model, tdata, type = "rule")
  m <- nrow(model$rs) - 1L
  chosen <- model$rs$V1[seq_len(m)]
  expect_length(rule, nrow(tdata))
  w <- if (is.null(weights)) rep(1, nrow(tdata)) else weights
  for (j in seq_len(m + 1L)) {
    captured <- rule == if (j > m) 0L else j
    counts <- vapply(model$classes, \(class) sum(w[captured & label == class]), 1)
    expect_equal(unname(model$counts[j, ]), unname(counts))
  }
  expect_true(all(model$probs > 0 & model$probs < 1))
  score <- sbrl_score(model, tdata, chosen, weights = weights)
  expect_equal(score[1:3], model$score, tolerance = 1e-10)
  expect_gte(score[["prefix_bound"]], score[["log_posterior"]])
}

# A new R process with the same packages; its output as lines.
fresh_r <- function(code) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  paths <- unique(c(dirname(system.file(package = "sbrl")), .libPaths()))
  writeLines(c(sprintf(".libPaths(%s)", deparse1(paths)), "library(sbrl)", code), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = TRUE, stderr = TRUE)
}

skip_if_not_built <- function() {
  skip_if(!nzchar(system.file("Meta", package = "sbrl")), "the package is not installed")
}

# As the engine reports it where the time limit comes first; how early that is depends on the machine.
stopped_at_once <- function() {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  model$chains$iterations[] <- 0
  model$chains[c("add", "remove", "swap", "replace")] <- NA_real_
  model$trace <- model$trace[0, ]
  model$stopped_early <- TRUE
  model
}

# The value of `code`, whatever the width of the console.
at_80_columns <- function(code) {
  old <- options(width = 80)
  on.exit(options(old))
  code
}

# A benchmark set, from SBRL_DATA or ../shared/data; the test is skipped where there is no such file.
benchmark_data <- function(name, as_factors = TRUE) {
  directories <- c(Sys.getenv("SBRL_DATA"), test_path("..", "..", "..", "shared", "data"))
  files <- file.path(directories[nzchar(directories)], paste0(name, ".csv.gz"))
  found <- files[file.exists(files)]
  skip_if(length(found) == 0L, paste("no file of the data set", name))
  utils::read.csv(found[1], stringsAsFactors = as_factors)
}

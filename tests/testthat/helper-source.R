# Fits to sources, compared with fits to the same rows in memory.

source_args <- list(iters = 300, nchain = 2, seed = 1, threads = 1, progress = FALSE, rule_maxlen = 2)

fit_with <- function(...) {
  args <- list(...)
  args <- c(args, source_args[setdiff(names(source_args), names(args))])
  # `every_type` has empty text
  withCallingHandlers(suppressMessages(do.call(sbrl, args)), sbrl_warning_empty = \(w) invokeRestart("muffleWarning"))
}

# Everything but how long it took and the call.
expect_same_model <- function(found, expected, tolerance = NULL) {
  fields <- setdiff(names(expected), c("timing", "call", "terms", "rulenames", "mat_feature_rule"))
  for (field in fields) {
    if (is.null(tolerance)) {
      expect_identical(found[[field]], expected[[field]], info = field)
    } else {
      expect_equal(found[[field]], expected[[field]], tolerance = tolerance, info = field)
    }
  }
  expect_identical(as.character(found$rulenames), as.character(expected$rulenames))
}

# A source that hands out the rows of a data frame, `size` at a time.
chunk_source <- function(data, size = 100) {
  done <- 0
  sbrl_source(
    restart = \() done <<- 0,
    chunks = function() {
      if (done >= nrow(data)) {
        return(NULL)
      }
      rows <- seq.int(done + 1, min(done + size, nrow(data)))
      done <<- done + size
      data[rows, , drop = FALSE]
    }
  )
}

# Columns of all types with gaps, and names and levels that try to leave their quotes.
every_type <- function(n = 600, seed = 1, with_times = TRUE) {
  set.seed(seed)
  gaps <- function(x) replace(x, stats::runif(n) < 0.1, NA)
  y <- stats::runif(n) < 0.4
  shift <- \(by) by * y
  levels <- c(
    "a", "A", "a ", "", "it's", "'); DROP TABLE t; --", "\"q\"", "back\\slash", "\u00e4\u00df\u4e2d", "${x}", "`b`"
  )
  data <- data.frame(
    whole = gaps(as.integer(stats::rpois(n, 5 + shift(4)))),
    real = gaps(round(stats::rnorm(n, shift(1)), 3)),
    wide = stats::rnorm(n, shift(0.5)) * 10^sample(-5:5, n, TRUE),
    zero = sample(c(0, -0.0, 1.5, -1.5), n, TRUE) + shift(0.25),
    flag = sample(0:1, n, TRUE),
    yes = gaps(stats::runif(n) < 0.3 + shift(0.3)),
    text = gaps(sample(levels, n, TRUE)),
    day = gaps(as.Date("2024-01-01") + sample(400, n, TRUE) + 60 * y),
    stringsAsFactors = FALSE
  )
  if (with_times) {
    data$time <- gaps(as.POSIXct("2024-01-01", tz = "UTC") + sample(1e7, n, TRUE) + shift(2e6))
  }
  names(data)[c(2, 7)] <- c("re\"al; -- `x`", "te'xt ${a} \u00e9")
  data$label <- ifelse(y, "yes", "no")
  data[sample(n), ]
}

# Samples ----

# Half of the values of `spike` are 0; `level` has its true cut at 0.3.
many_values <- function(n = 20000, seed = 1) {
  set.seed(seed)
  level <- stats::runif(n)
  spike <- ifelse(stats::runif(n) < 0.5, 0, stats::rexp(n))
  y <- stats::runif(n) < ifelse(level < 0.3, 0.8, 0.2) - ifelse(spike == 0, 0.15, 0)
  gaps <- replace(1e6 * stats::rnorm(n), sample(n, n / 10), NA)
  data.frame(level = level, spike = spike, gaps = gaps, whole = sample(1e7, n), few = sample(3, n, TRUE),
             label = ifelse(y, "yes", "no"))
}

with_moment <- function(data) {
  data$moment <- as.POSIXct("2024-01-01", tz = "UTC") + data$whole + ifelse(data$label == "yes", 1e6, 0)
  data
}

with_few_pairs <- function(code) {
  old <- options(sbrl.max_pairs = 3000)
  on.exit(options(old))
  code
}

# Everything that is counted must be counted over all rows.
expect_exact_counts <- function(model, data) {
  again <- suppressWarnings(refit(model, data))
  expect_equal(model$counts, again$counts)
  expect_equal(model$score, again$score)
}

# A table of `many_values()`, perhaps with times, cut by a sample; `rows` are those that the engine has.
expect_sampled <- function(source, rows) {
  model <- with_few_pairs(fit_with(source, cut_sample = 4000))
  expect_setequal(names(model$approximate), setdiff(names(rows), c("few", "label")))
  expect_true(all(model$approximate > 3000 & model$approximate < 16000))
  names <- vapply(model$features, `[[`, "", "name")
  expect_lt(min(abs(model$features[[match("level", names)]]$cuts - 0.3)), 0.02)
  expect_exact_counts(model, rows)
}

# Computed terms ----

quiet_fit <- function(...) {
  suppressMessages(do.call(sbrl, c(list(...), source_args[setdiff(names(source_args), "rule_maxlen")])))
}

terms_data <- function(n = 400, seed = 1) {
  set.seed(seed)
  a <- stats::rpois(n, 4)
  b <- round(stats::rnorm(n), 2)
  data.frame(
    a = replace(a, sample(n, 20), NA), b = replace(b, sample(n, 20), NA), big = sample(2e9, n),
    wide = stats::rnorm(n) * 10^sample(-8:8, n, TRUE), colour = sample(c("red", "it's", "Red"), n, TRUE),
    y = a + b + stats::rnorm(n)
  )
}

terms_formulas <- local({
  limit <- 4.5
  list(
    I(y > 4) ~ I(a + b) + a + b,
    I(y >= limit) ~ I(a - 2 * b) + I(-b) + I((a + 0.1) * wide),
    I(y > 4) ~ I(big + big) + I(big * 2L) + I(a^2) + I(b / 3),
    I(y > 4 & a < 6) ~ I(colour == "it's") + I(colour != "red" | a > 3) + I(!is.na(a)) + is.na(b),
    I(y > 4) ~ I(abs(b) <= 0.3) + abs(wide)
  )
})

expect_same_terms <- function(source, data) {
  for (formula in terms_formulas) {
    expected <- suppressWarnings(quiet_fit(formula, data = data))
    found <- suppressWarnings(quiet_fit(formula, data = source))
    expect_same_model(found, expected)
    expect_identical(sort(found$dropped), sort(expected$dropped))
    expect_equal(suppressWarnings(sbrl_performance(found, source)), suppressWarnings(sbrl_performance(expected, data)))
  }
}

# Weights: a row of weight 2 counts as two rows.

mixed <- function(n = 120, seed = 8) {
  set.seed(seed)
  d <- two_factor_data(n, seed)
  d$x <- round(stats::rnorm(n) + d$label, 1)
  d$x[1:5] <- NA
  d
}

# What must agree between a weighted fit and the fit of repeated rows.
expect_same_fit <- function(one, other) {
  for (field in c("rulenames", "featurenames", "features", "classes", "counts", "rs", "probs")) {
    expect_identical(one[[field]], other[[field]], info = field)
  }
  expect_equal(one$score, other$score, tolerance = 1e-12)
}

test_that("whole weights are rows repeated", {
  for (seed in 1:5) {
    d <- mixed(seed = seed)
    w <- sample(0:4, 120, replace = TRUE)
    repeated <- d[rep(seq_len(120), w), ]
    for (method in c("modl", "mdlp", "quantile", "width")) {
      fit <- function(...) quick_fit(..., rule_maxlen = 2, discretize = method, iters = 3000)
      weighted <- fit(d, weights = w)
      expect_same_fit(weighted, fit(repeated))
      expect_identical(predict(weighted, d), predict(fit(repeated), d))
      expect_sound(weighted, d, weights = w)
    }
  }
})

test_that("a table of counts is training data", {
  counts <- as.data.frame(datasets::Titanic, stringsAsFactors = TRUE)
  grouped <- quick_fit(Survived ~ Class + Sex + Age, data = counts, weights = Freq, rule_maxlen = 3)
  expect_same_fit(grouped, quick_fit(Survived ~ ., data = titanic(), rule_maxlen = 3))
})

test_that("rows of no weight count for nothing", {
  d <- mixed()
  odd <- data.frame(a = "never", b = NA, label = 7, x = 1e9)
  model <- quick_fit(rbind(d, odd), weights = rep(1:0, c(120, 1)))
  expect_same_fit(model, quick_fit(d))
  expect_identical(model$settings$weighted, 1)
  # Nor are they warned of.
  unlabelled <- rbind(d, transform(d[1, ], label = NA))
  expect_warning(quick_fit(unlabelled, weights = rep(1:0, c(120, 1))), NA)
})

test_that("fractional weights work", {
  d <- mixed()
  set.seed(3)
  w <- stats::runif(120, 0, 3)
  model <- quick_fit(d, weights = w, rule_maxlen = 2)
  expect_sound(model, d, weights = w)
  expect_equal(sum(rules(model)$n), sum(w))
  chosen <- model$rs$V1[-nrow(model$rs)]
  expect_equal(sbrl_score(model, d, chosen, weights = w)[1:3], naive_score(model, d, chosen, w), tolerance = 1e-10)
  halves <- quick_fit(d, weights = rep(0.5, 120))
  expect_identical(halves$settings$class_counts, quick_fit(d)$settings$class_counts / 2)
  expect_output(print(summary(model)), "by weight")
  expect_identical(names(sbrl_max_length(model)), c("paper", "pool"))
})

test_that("bad weights are refused", {
  d <- mixed(30)
  bad <- list(
    1, rep(1, 29), rep(NA_real_, 30), rep(-1, 30), c(Inf, rep(1, 29)), rep("1", 30), rep(0, 30), as.list(1:30),
    matrix(1, 30), factor(rep(1, 30)), TRUE, NA, numeric(), mean
  )
  for (weights in bad) {
    expect_error(quick_fit(d, weights = weights), "`weights`", class = "sbrl_error_argument")
    expect_error(sbrl_score(quick_fit(d), d, weights = weights), "`weights`", class = "sbrl_error_argument")
  }
})

test_that("support at the boundary does not depend on the scale of the weights", {
  d <- data.frame(f = c("a", "a", "b", "b", "a", "b"), label = c(0, 0, 0, 1, 1, 1))
  w <- c(0.7, 1.4, 2.1, 1.4, 0.7, 0.7)
  candidates <- lapply(c(1, 10, 1e-3, pi), \(scale) quick_fit(d, weights = scale * w, minsupport = 0.5)$rulenames)
  expect_length(unique(candidates), 1)
  expect_length(candidates[[1]], 2)
})

test_that("what rows of no weight say does not matter to a score", {
  d <- data.frame(f = rep(c("p", "q"), 5), label = c(rep(c("a", "b"), 4), "c", NA))
  w <- c(rep(1, 8), 0, 0)
  model <- quick_fit(d, weights = w, minsupport = 0)
  expect_silent(score <- sbrl_score(model, d, weights = w))
  expect_equal(score, sbrl_score(model, d[1:8, ]))
})

test_that("intervals hold for weights of any size", {
  for (weight in c(1e-3, 1, 1e10, 1e17, 1e200)) {
    table <- rules(quick_fit(two_factor_data(), weights = rep(weight, 400)))
    expect_true(all(is.finite(c(table$lower, table$upper))))
    expect_true(all(table$lower <= table$prob & table$prob <= table$upper))
  }
})

sbrl_performance_of <- function(d, weights) sbrl_performance(quick_fit(d), d, weights = weights)

test_that("weights too small for exact sums are refused, and very different ones give sound models", {
  d <- two_factor_data(60)
  for (w in list(rep(5e-324, 60), rep(1e-310, 60), c(rep(0, 59), 1e-300))) {
    for (fit in list(sbrl, sbrl_bag, sbrl_performance_of)) {
      expect_error(fit(d, weights = w), "less than 1e-290", class = "sbrl_error_argument")
    }
  }
  for (w in list(rep(1e-289, 60), c(rep(5e-324, 59), 1), c(rep(1e-300, 59), 1e299), c(rep(1, 59), 1e20))) {
    model <- quick_fit(d, weights = w)
    expect_null(sbrl:::model_problem(model))
    file <- tempfile(fileext = ".json")
    sbrl_write_json(model, file)
    expect_identical(predict(sbrl_read_json(file), d), predict(model, d))
    unlink(file)
    expect_no_warning(sbrl_performance(model, d, weights = w, level = 0.9))
    grDevices::pdf(NULL)
    expect_no_warning(plot(model, type = "calibration", data = d, weights = w))
    grDevices::dev.off()
  }
})

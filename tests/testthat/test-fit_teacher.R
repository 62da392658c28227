# Predictions given as teacher: their rows and columns.

quick <- list(iters = 100, nchain = 1, progress = FALSE, seed = 1)
learn <- function(...) do.call(sbrl, c(list(...), quick))

some_data <- function(n = 200) {
  set.seed(4)
  d <- data.frame(x = stats::rnorm(n), z = stats::rnorm(n))
  d$y <- stats::rbinom(n, 1, stats::plogis(2 * d$x))
  d
}

test_that("rows are those of the data, whatever subset, na.action, weights and missing labels leave", {
  d <- some_data()
  p <- stats::plogis(2 * d$x)
  plain <- learn(y ~ ., data = d[1:150, ], teacher = p[1:150])
  expect_identical(learn(y ~ ., data = d, subset = 1:200 <= 150, teacher = p)$rs, plain$rs)
  gaps <- d
  gaps$y[151:200] <- NA
  expect_identical(suppressWarnings(learn(y ~ ., data = gaps, teacher = p))$rs, plain$rs)
  gaps <- d
  gaps$x[151:200] <- NA
  expect_identical(learn(y ~ ., data = gaps, na.action = na.omit, teacher = p)$rs, plain$rs)
  w <- rep(1:0, c(150, 50))
  counted <- learn(y ~ ., data = d[1:150, ], weights = w[1:150], teacher = p[1:150])
  expect_identical(learn(y ~ ., data = d, weights = w, teacher = p)$rs, counted$rs)
  # without a formula, and in rows that are not in their order
  mixed <- rev(seq_len(200))
  turned <- learn(d[mixed, ], label = "y", teacher = p[mixed])
  expect_identical(turned$teacher$log_loss, learn(d, label = "y", teacher = p)$teacher$log_loss)
})

test_that("names of rows and columns are checked", {
  d <- some_data()
  p <- stats::plogis(2 * d$x)
  named <- stats::setNames(p, rownames(d))
  expect_identical(learn(y ~ ., data = d, teacher = named)$rs, learn(y ~ ., data = d, teacher = p)$rs)
  for (wrong in list(
    rev(named), p[-1], c(p, 0.5), cbind(p, p, p), cbind(a = p, b = 1 - p), cbind(q = 1 - p, p = p), 2 * p,
    rep(NA_real_, 200), letters, list(p), data.frame(p = letters[1:2]), array(p, c(200, 1, 1)), factor(d$y),
    "forest", TRUE
  )) {
    expect_error(learn(y ~ ., data = d, teacher = wrong), "teacher", class = "sbrl_error_argument")
  }
  expect_error(learn(Species ~ ., data = iris, teacher = rep(0.5, 150)), "each class", class = "sbrl_error_argument")
  # a missing prediction is the base rate
  p[1:3] <- NA
  expect_silent(learn(y ~ ., data = d, teacher = p))
})

test_that("predictions that are no better than the base rate are named", {
  d <- some_data()
  expect_warning(model <- learn(y ~ ., data = d, teacher = stats::plogis(-2 * d$x)), "no better",
                 class = "sbrl_warning_teacher")
  expect_identical(model$teacher$outcome, "no_better")
})

test_that("a table that is not in memory cannot have a teacher", {
  pieces <- sbrl_source(chunks = function() NULL, restart = function() NULL)
  expect_error(sbrl(pieces, label = "y", teacher = "trees"), "memory", class = "sbrl_error_argument")
})

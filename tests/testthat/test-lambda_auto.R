test_that("lambda = \"auto\" is a fit with 5, then one with the length found", {
  auto <- quick_fit(tictactoe, rule_maxlen = 3, lambda = "auto", iters = 3000)
  first <- quick_fit(tictactoe, rule_maxlen = 3, lambda = 5, iters = 3000)
  second <- quick_fit(tictactoe, rule_maxlen = 3, lambda = nrow(first$rs) - 1, iters = 3000)
  expect_identical(auto$settings$lambda_first, 5)
  expect_equal(auto$settings$lambda, nrow(first$rs) - 1)
  expect_identical(second$settings$lambda_first, NA_real_)
  auto$settings$lambda_first <- NA_real_
  expect_identical(without_clock(auto), without_clock(second))
  expect_sound(auto, tictactoe)
})

test_that("lambda = \"auto\" is 1 at least", {
  empty <- function(lambda) suppressWarnings(quick_fit(two_factor_data(), lambda = lambda, minsupport = 1))
  expect_identical(nrow(empty(5)$rs), 1L)
  expect_identical(empty("auto")$settings$lambda, 1)
})

test_that("lambda = \"auto\" draws one number from R's generator", {
  d <- two_factor_data()
  set.seed(3)
  model <- quick_fit(d, lambda = "auto", seed = NULL)
  after <- stats::runif(1)
  set.seed(3)
  expect_identical(model$seed, floor(stats::runif(1) * 2^31))
  expect_identical(stats::runif(1), after)
})

test_that("summary() and JSON keep both", {
  model <- quick_fit(two_factor_data(), lambda = "auto")
  expect_match(
    capture.output(print(summary(model))), "lambda [0-9]+ \\(auto: the length found with lambda 5\\)",
    all = FALSE
  )
  expect_no_match(capture.output(print(summary(quick_fit(two_factor_data())))), "auto")
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  again <- sbrl_read_json(file)
  expect_identical(again$settings, model$settings)
  # a file of before
  text <- sub("\"lambda_first\":[^,}]*,", "", paste(readLines(file), collapse = "\n"))
  expect_no_match(text, "lambda_first")
  text <- sub("\"format_version\": [0-9]+", "\"format_version\": 1", text)
  writeLines(text, file)
  expect_identical(sbrl_read_json(file)$settings$lambda_first, NA_real_)
})

test_that("both fits share the time limit", {
  # Neither fit could finish its iterations, so each must have had a limit of its own.
  model <- suppressMessages(
    quick_fit(tictactoe, rule_maxlen = 3, lambda = "auto", iters = 1e9, time_limit = 0.8)
  )
  expect_true(model$stopped_early)
  expect_lt(sum(model$chains$iterations), 2e9)
  expect_false(is.na(model$settings$lambda_first))
  expect_sound(model, tictactoe)
})

test_that("a formula takes lambda = \"auto\" too", {
  d <- two_factor_data()
  by_formula <- quick_fit(label ~ a + b, data = d, lambda = "auto")
  expect_identical(by_formula$rs, quick_fit(d, lambda = "auto", rule_maxlen = 2, minsupport = 0.05)$rs)
})

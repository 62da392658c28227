# Each bad value of each argument gives an error of class sbrl_error_argument that names the argument.
not_a_number <- list(NULL, NA, NA_real_, NaN, "10", TRUE, c(1, 2), numeric(), list(1), factor(1), mean, 1i)
bad_values <- list(
  iters = c(not_a_number, 0, -5, 1.5, Inf, 1e300),
  nchain = c(not_a_number, 0, -1, 2.5, Inf, 1e9),
  rule_minlen = c(not_a_number, 0, -1, 1.5, Inf),
  rule_maxlen = c(not_a_number, 0, -1, 1.5, Inf),
  minsupport_pos = c(not_a_number, -0.1, 1.01, Inf),
  minsupport_neg = c(not_a_number, -0.1, 1.01, Inf),
  lambda = c(not_a_number, 0, -1, Inf, "Auto", NA_character_),
  eta = c(not_a_number, 0, -1, Inf),
  alpha = list(NULL, NA, "1", c(1, NA), c(1, 0), c(-5, -5), c(1, Inf), numeric(), list(1, 1), c(1, 1, 1), TRUE),
  method = list(NULL, NA, NA_character_, 1, "MAP", "other", c("mcmc", "map"), character(), list("map"), factor("map")),
  max_length = c(not_a_number, 0, -1, 1.5, -Inf),
  threads = c(not_a_number, 0, -1, 1.5, Inf),
  time_limit = c(not_a_number, 0, -1, -Inf),
  progress = list(NULL, NA, 1, "yes", c(TRUE, FALSE)),
  target_rules = c(not_a_number[-1], 0, -1, 1.5, Inf),
  max_rules = c(not_a_number, 0, -1, 1.5, Inf),
  seed = c(not_a_number[-1], -1, 1.5, Inf, 2^53),
  pos_sign = list(NULL, NA, c("0", "1"), character(), list("1"), mean),
  neg_sign = list(NULL, NA, c("0", "1"), character(), list("1"), mean),
  label = list(NA_character_, 1, c("a", "b"), character(), TRUE),
  minsupport = c(not_a_number[-1], -0.1, 1.01, Inf),
  bins = c(not_a_number, 1, 0, -1, 2.5, Inf, 1e6),
  discretize = list(NULL, NA, 1, "other", c("mdlp", "width"), list(1), mean, factor("mdlp")),
  weights = list(NA, 1, "a", rep(-1, 30), rep(Inf, 30), rep(0, 30), list(1), mean, numeric())
)

test_that("every bad value of every argument is refused by name", {
  d <- two_factor_data(30)
  for (arg in names(bad_values)) {
    for (value in bad_values[[arg]]) {
      args <- c(list(d, iters = 10, nchain = 1, progress = FALSE), list())
      args[arg] <- list(value)
      condition <- tryCatch(do.call(sbrl, args), error = identity)
      info <- sprintf("%s = %s", arg, paste(deparse(value), collapse = ""))
      expect_true(inherits(condition, "sbrl_error_argument"), info = info)
      expect_match(conditionMessage(condition), arg, fixed = TRUE, info = info)
    }
  }
})

test_that("unusual but sensible values work", {
  d <- two_factor_data(60)
  fits <- list(
    quick_fit(d, iters = 1), quick_fit(d, nchain = 1), quick_fit(d, lambda = 1e-6), quick_fit(d, lambda = 1e6),
    quick_fit(d, eta = 1e-6), quick_fit(d, eta = 1e6), quick_fit(d, alpha = 2.5), quick_fit(d, alpha = c(1e-3, 1e3)),
    quick_fit(d, minsupport_pos = 0, minsupport_neg = 0), quick_fit(d, rule_maxlen = 1e12), quick_fit(d, threads = 50),
    quick_fit(d, seed = 2^53 - 1), quick_fit(d, seed = 0), quick_fit(d, iters = 10L, nchain = 1L, rule_maxlen = 2L)
  )
  for (model in fits) {
    expect_s3_class(model, "sbrl")
    expect_true(all(is.finite(model$score)))
  }
})

test_that("alpha goes by class", {
  d <- two_factor_data()
  expect_identical(quick_fit(d, alpha = c(2, 3))$settings$alpha, c("0" = 2, "1" = 3))
  expect_identical(quick_fit(d, alpha = c("1" = 3, "0" = 2))$settings$alpha, c("0" = 2, "1" = 3))
  expect_identical(quick_fit(d, alpha = 4)$settings$alpha, c("0" = 4, "1" = 4))
})

test_that("named numbers are numbers", {
  p <- c(support = 0.1, prior = 3)
  expect_identical(
    without_clock(quick_fit(two_factor_data(), minsupport_pos = p["support"], lambda = p["prior"])),
    without_clock(quick_fit(two_factor_data(), lambda = 3))
  )
})

test_that("an unknown argument comes with the name that was probably meant", {
  d <- two_factor_data(60)
  model <- quick_fit(d)
  said <- \(code) conditionMessage(tryCatch(code, sbrl_error_argument = identity))
  expect_identical(said(sbrl(d, lamda = 3)), "Unknown argument: `lamda`. Did you mean `lambda`?")
  expect_match(said(sbrl(label ~ a, data = d, maxlength = 3)), "Did you mean `max_length`?", fixed = TRUE)
  expect_match(said(cv_sbrl(d, timelimit = 1)), "Did you mean `time_limit`?", fixed = TRUE)
  expect_match(said(cv_sbrl(label ~ a, data = d, measures = "auc")), "Did you mean `measure`?", fixed = TRUE)
  expect_identical(said(predict(model, d, levels = 1)), "Unknown argument: `levels`. Did you mean `level`?")
  expect_identical(said(rules(model, colour = 1)), "Unknown argument: `colour`.")
  expect_match(said(sbrl(d, lamda = 3, thread = 1, colour = 2)), "Did you mean `lambda`, `threads`?", fixed = TRUE)
  expect_identical(said(refit(model, d, weigths = 1)), "Unknown argument: `weigths`. Did you mean `weights`?")
})

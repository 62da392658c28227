# The expressions for tidypredict and orbital, evaluated by dplyr, must give what predict() gives. The packages
# themselves are tried by `make test-frameworks`.

expect_expressions <- function(case, info = NULL) {
  expected <- case_expected(case)
  model <- case$model
  model$settings$missing <- case$missing
  evaluate <- \(expression) rep_len(eval(expression, case$data, asNamespace("dplyr")), nrow(case$data))
  fit <- tidypredict_sbrl(model)
  probs <- if (length(model$classes) == 2) list(fit) else fit
  given <- lapply(probs, evaluate)
  expect_equal(unname(given), unname(as.list(expected[grep("^p", names(expected))])), tolerance = 1e-15, info = info)
  written <- orbital_sbrl(model, type = c("class", "prob"), lvl = c(model$classes, "never"))
  again <- lapply(written, \(text) evaluate(str2lang(text)))
  expect_identical(again$orbital_tmp_class_name, expected$class, info = info)
  expect_equal(unname(again[-1][seq_along(model$classes)]),
               unname(asplit(unname(case_matrix(case)), 2) |> lapply(as.vector)), tolerance = 1e-15, info = info)
  expect_identical(unname(again[[length(again)]]), numeric(nrow(case$data)), info = info)
}

case_matrix <- function(case) {
  suppressWarnings(predict(case$model, case$data, type = "matrix", missing = case$missing))
}

has_names <- \(case) !"..1" %in% used_columns(case$model)

test_that("dplyr gives what predict() gives", {
  skip_if_not_installed("dplyr")
  cases <- c(typed_cases(), odd_cases(), random_cases(60), empty_cases()[c(1, 3)], rich_cases())
  cases <- Filter(has_names, cases)
  for (j in seq_along(cases)) expect_expressions(cases[[j]], info = paste("case", j))
})

test_that("rows that a missing value leaves undecided get the base rate in dplyr, if the model says so", {
  skip_if_not_installed("dplyr")
  cases <- export_gap_cases(40)
  cases <- Filter(has_names, cases)
  cases <- Filter(\(case) !any(names(case$data) %in% c("digit", "code")), cases)
  for (j in seq_along(cases)) expect_expressions(cases[[j]], info = paste("case", j))
})

test_that("what has no expression is refused", {
  d <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  logged <- sbrl(label ~ log(x), data = d, iters = 100, nchain = 1, seed = 1)
  expect_error(tidypredict_sbrl(logged), "computed by R", class = "sbrl_error_model")
  dots <- stats::setNames(two_factor_data(), c("..1", "...", "label"))
  expect_error(tidypredict_sbrl(quick_fit(dots)), "cannot name the column", class = "sbrl_error_model")
  strict <- quick_fit(two_factor_data())
  strict$settings$missing <- "error"
  expect_error(orbital_sbrl(strict), "cannot refuse a row", class = "sbrl_error_argument")
  expect_error(tidypredict_sbrl(1), class = "sbrl_error_argument")
  empty <- suppressWarnings(quick_fit(two_factor_data()["label"]))
  expect_identical(eval(tidypredict_sbrl(empty)), empty$rs$V2)
})

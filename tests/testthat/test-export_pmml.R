# What as_pmml() writes is read by another program, a PMML engine, and must give what predict() gives.

expect_pmml <- function(cases, script) {
  answers <- run_pmml(cases, script)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = paste("case", j))
}

test_that("JPMML gives what predict() gives, and the schema accepts the documents", {
  skip_if_no_exports("jpmml_evaluator, lxml")
  expect_pmml(c(export_cases(30), export_gap_cases(20)), jpmml_script)
})

test_that("PMML4S gives what predict() gives, probabilities too", {
  skip_if_no_exports("pypmml")
  expect_pmml(c(export_cases(30), export_gap_cases(20)), pypmml_script)
})

test_that("the document is as it was", {
  d <- data.frame("a<b>" = rep(c("it's", "\"&\"", NA), each = 40), rule = rep(c(TRUE, FALSE), 60), check.names = FALSE)
  d$label <- as.integer(d[[1]] %in% "it's" | (is.na(d[[1]]) & d$rule))
  model <- quick_fit(d, rule_maxlen = 2)
  model$version <- "0.0.0"
  expect_snapshot(as_pmml(model))
  expect_match(as_pmml(model, columns = c(rule = "text")), "name=\"rule\" optype=\"categorical\" dataType=\"string\"")
  expect_match(as_pmml(suppressWarnings(quick_fit(two_factor_data()["label"]))), "multiSplit", fixed = TRUE)
})

test_that("empty text that is missing is a second way to be missing", {
  page <- as_pmml(empty_cases()[[1]]$model)
  second <- "<SimplePredicate field=\"letter\" operator=\"equal\" value=\"\"/>"
  expect_match(page, paste0("operator=\"isMissing\"/>", second), fixed = TRUE)
})

test_that("code points that no XML parser reads are refused, in levels, names and classes", {
  # Text from an escape would depend on the locale.
  for (odd in c(intToUtf8(0xFFFE), intToUtf8(0xFFFF))) {
    level <- paste0("a", odd)
    d <- data.frame(x = rep(c(level, "b"), each = 50), label = rep(0:1, each = 50))
    expect_error(as_pmml(quick_fit(d)), "code point U\\+FFF[EF]", class = "sbrl_error_model")
    named <- stats::setNames(d, c(level, "label"))
    expect_error(as_pmml(quick_fit(named)), "code point U\\+FFF[EF]", class = "sbrl_error_model")
    classes <- data.frame(x = rep(c("a", "b"), each = 50), label = rep(c(level, "b"), each = 50))
    expect_error(as_pmml(quick_fit(classes)), "code point U\\+FFF[EF]", class = "sbrl_error_model")
  }
})

test_that("what cannot be written is refused by name", {
  control <- data.frame(x = rep(c("a\001", "b"), each = 50), label = rep(0:1, each = 50))
  logged <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  expect_condition_snapshot({
    as_pmml(two_factor_data())
    as_pmml(quick_fit(control))
    as_pmml(quick_fit(two_factor_data()), columns = c(a = "number"))
    as_pmml(sbrl(label ~ log(x), data = logged, iters = 100, nchain = 1, seed = 1))
  })
})

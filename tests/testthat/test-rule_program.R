# The rule list as data, which all exports print. That it computes what predict() does is tested in
# test-predict_explain.R and by the tests of each export.

# One rule on a column with gaps, one on a column without.
program_model <- function(...) {
  d <- data.frame(
    "shoe size" = rep(c(36, 38, 44, NA), each = 60), day = rep(as.Date("2024-01-31") + 0:59, 4), check.names = FALSE
  )
  d$label <- ifelse(is.na(d[[1]]), "b", ifelse(d[[1]] < 40, "a", ifelse(d$day < as.Date("2024-03-01"), "a", "b")))
  quick_fit(d, rule_maxlen = 2, ...)
}

test_that("a program has each condition once, and what each rule answers", {
  model <- program_model(labels = c("shoe size" = "Size"))
  program <- rule_program(model, "base_rate")
  m <- nrow(model$rs) - 1L
  expect_identical(program$words, rule_antecedents(model))
  words <- vapply(program$conditions, \(condition) condition$words, "")
  expect_identical(anyDuplicated(words), 0L)
  expect_identical(join_rules(program, words, " and "), program$words)
  named <- vapply(program$conditions, \(condition) condition$feature$name, "")
  expect_setequal(named, c("shoe size", "day"))
  expect_identical(may_be_open(program), named == "day")
  expect_identical(has_open_test(program), grepl("day", program$words))
  expect_false(any(has_open_test(rule_program(model))))
  answers <- program$answers
  expect_identical(answers$rule, c(seq_len(m), 0L, NA))
  expect_identical(unname(answers$probs[1:(m + 1), ]), unname(model$probs))
  expect_identical(answers$reported, cbind(prob = unname(answers$probs[, 2])))
  expect_identical(answers$class, c("a", "b")[1 + (answers$probs[, 2] > 0.5)])
  expect_equal(answers$counts[m + 2, ], colSums(model$counts))
})

test_that("R code and expressions of dplyr are as they were", {
  model <- program_model()
  expect_snapshot({
    as_r_function(model)
    as_r_function(model, "class", missing = "base_rate")
    as_r_function(model, "matrix", missing = "error")
    tidypredict_sbrl(model)
    tidypredict_sbrl(sbrl(Species ~ ., data = iris, iters = 300, nchain = 1, seed = 1))
    model$settings$missing <- "base_rate"
    tidypredict_sbrl(model)
  })
})

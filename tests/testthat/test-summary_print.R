# A list written by hand, in the form in which version 1.4 saved its models.
by_hand <- function(chosen = c(2L, 1L)) {
  structure(
    list(
      rs = data.frame(V1 = c(chosen, 0L), V2 = c(0.125, 0.875, 1 / 3)[seq(3 - length(chosen), 3)]),
      rulenames = c("{a=u,b=p}", "{b=q}"),
      featurenames = c("a=u", "b=p", "b=q"),
      mat_feature_rule = cbind(c(1, 1, 0), c(0, 0, 1))
    ),
    class = "sbrl"
  )
}

test_that("the list prints to the letter of 1.4", {
  lines <- c(
    "The rules list is : ",
    "If      {b=q} (rule[2]) then positive probability = 0.12500000",
    "else if {a=u,b=p} (rule[1]) then positive probability = 0.87500000",
    "else  (default rule)  then positive probability = 0.33333333"
  )
  model <- by_hand()
  expect_identical(capture.output(print(model)), lines)
  expect_identical(format(model), lines)
  expect_identical(capture.output(shown <- withVisible(print(model))), lines)
  expect_identical(shown, list(value = model, visible = FALSE))
  expect_identical(capture.output(print.sbrl(model, useS4 = FALSE)), lines)
  expect_identical(capture.output(show.sbrl(model)), lines)
  expect_identical(capture.output(model), lines)
  expect_identical(format(by_hand(integer())), lines[c(1, 4)])
  expect_identical(format(by_hand(1L))[2], "If      {a=u,b=p} (rule[1]) then positive probability = 0.87500000")
})

test_that("a fitted model prints its own fields", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  m <- nrow(model$rs) - 1L
  expect_length(format(model), m + 2L)
  chosen <- model$rs$V1[2]
  form <- "else if %s (rule[%d]) then positive probability = %.8f"
  expect_identical(format(model)[3], sprintf(form, model$rulenames[chosen], chosen, model$rs$V2[2]))
})

test_that("message() and paste() show the list", {
  model <- quick_fit(two_factor_data())
  expect_message(message(model), "The rules list is : ", fixed = TRUE)
  expect_identical(as.character(model), paste(format(model), collapse = "\n"))
})

test_that("a model fitted with a formula prints in words", {
  d <- two_factor_data()
  model <- quick_fit(label ~ ., data = d)
  lines <- at_80_columns(capture.output(print(model)))
  expect_identical(lines, format(model))
  m <- nrow(model$rs) - 1L
  first <- rules(model)[1, ]
  expect_identical(lines[1], sprintf("1. if %s: P(1) = %.2f (%d rows)", first$rule, first$prob, first$n))
  expect_match(lines[m + 1L], "^   else: P\\(1\\) = ")
  expect_identical(format(model, style = "1.4")[1], "The rules list is : ")
  expect_identical(format(quick_fit(d), style = "words")[1], lines[1])
  expect_error(format(model, style = "2"), class = "sbrl_error_argument")
  expect_error(print(by_hand(), style = "words"), "1.4", class = "sbrl_error_model")
})

test_that("probabilities have digits that mean something", {
  expect_identical(short_probability(c(0.5, 0.004, 0.0035, 0.9965, 0.025, 1e-9, 0, 1)),
                   c("0.50", "0.0040", "0.0035", "0.9965", "0.03", "0.0000000010", "0.00", "1.00"))
})

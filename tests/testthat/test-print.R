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

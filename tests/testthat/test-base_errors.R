# Classes of errors, warnings and messages, and how they describe values.

test_that("conditions have a class and no call", {
  condition <- tryCatch(sbrl(two_factor_data(), iters = 0), error = identity)
  expect_s3_class(condition, c("sbrl_error_argument", "sbrl_error", "error", "condition"), exact = TRUE)
  expect_null(conditionCall(condition))
  condition <- tryCatch(quick_fit(two_factor_data(), minsupport_pos = 1, minsupport_neg = 1), warning = identity)
  expect_s3_class(condition, c("sbrl_warning_no_candidate", "sbrl_warning", "warning", "condition"), exact = TRUE)
})

test_that("messages stay short and printable whatever was given", {
  d <- two_factor_data(30)
  message_for <- function(...) conditionMessage(tryCatch(sbrl(d, ...), error = identity))
  long <- message_for(iters = strrep("x", 1e5))
  expect_lt(nchar(long), 200)
  expect_lt(nchar(message_for(iters = as.double(1:1e5))), 200)
  expect_lt(nchar(message_for(lambda = d)), 200)
  names(d)[1] <- "two\nlines"
  d[[1]] <- as.list(d[[1]])
  expect_match(message_for(), "`two\\nlines`", fixed = TRUE)
})

test_that("an argument whose class has a broken length() is refused in our words", {
  registerS3method("length", "broken", \(x) stop("broken"), envir = asNamespace("base"))
  for (x in list(structure(list(1), class = "broken"), structure(1:3, class = "broken"))) {
    expect_error(sbrl(two_factor_data(30), iters = x), "`iters` must be", class = "sbrl_error_argument")
    expect_error(predict(quick_fit(two_factor_data(30)), two_factor_data(30), level = x), class = "sbrl_error_argument")
  }
})

# The label: which class is positive, and which labels are refused.

recode <- function(no, yes) {
  d <- two_factor_data()
  positive <- d$label == 1
  d$label <- c(no, yes)[positive + 1L]
  d
}

test_that("every flavour of two-valued label gives the same list", {
  reference <- quick_fit(two_factor_data(), rule_maxlen = 2)
  same <- function(tdata, classes, ...) {
    model <- quick_fit(tdata, rule_maxlen = 2, ...)
    expect_identical(model$classes, classes)
    expect_identical(model$rs, reference$rs)
    expect_identical(model$score, reference$score)
    expect_identical(unname(model$counts), unname(reference$counts))
  }
  same(recode(0L, 1L), c("0", "1"))
  same(recode("0", "1"), c("0", "1"))
  same(transform(two_factor_data(), label = factor(label, levels = c(1, 0))), c("0", "1"))
  same(recode(FALSE, TRUE), c("FALSE", "TRUE"))
  same(recode("no", "yes"), c("no", "yes"))
  same(recode(-1, 1), c("-1", "1"))
  same(recode(2, 10), c("2", "10"))
  same(recode("10", "9"), c("10", "9"))
  same(recode("Zebra", "apple"), c("Zebra", "apple"))
  same(transform(recode("yes", "no"), label = factor(label, levels = c("yes", "no"))), c("yes", "no"))
  same(transform(recode("lo", "hi"), label = factor(label, levels = c("lo", "other", "hi"))), c("lo", "hi"))
  same(recode("male", "female"), c("male", "female"), pos_sign = "female", neg_sign = "male")
  same(recode("male", "female"), c("male", "female"), pos_sign = "female")
  same(recode("male", "female"), c("male", "female"), neg_sign = "male")
  same(recode(1, 0), c("1", "0"), pos_sign = 0, neg_sign = 1)
  same(recode(1, 0), c("1", "0"), pos_sign = "0")
  same(recode(TRUE, FALSE), c("TRUE", "FALSE"), pos_sign = FALSE)
  same(recode("a b,{=}", "\"\u00e9\u4e2d\n"), c("a b,{=}", "\"\u00e9\u4e2d\n"), pos_sign = "\"\u00e9\u4e2d\n")
  expect_warning(same(recode("", "x"), c("", "x")), "`label`", class = "sbrl_warning_column")
  same(recode(0.1 + 0.2, 0.5), c("0.30000000000000004", "0.5"))
})

test_that("the label column may have any name", {
  d <- two_factor_data()
  names(d)[3] <- "the outcome, = {y}"
  expect_identical(quick_fit(d, label = "the outcome, = {y}")$rs, quick_fit(two_factor_data())$rs)
  # A column called label is then a feature like any other.
  both <- transform(two_factor_data(), outcome = label, label = a)
  expect_true("label=u" %in% quick_fit(both, label = "outcome")$featurenames)
})

test_that("rows without a label are dropped with one warning", {
  d <- two_factor_data()
  gaps <- d
  gaps$label[c(3, 77)] <- NA
  expect_warning(model <- quick_fit(gaps), "2 row", class = "sbrl_warning_label")
  expect_identical(without_clock(model), without_clock(quick_fit(d[-c(3, 77), ])))
  as_level <- transform(gaps, label = addNA(factor(label)))
  expect_warning(again <- quick_fit(as_level), class = "sbrl_warning_label")
  expect_identical(again$rs, model$rs)
})

test_that("bad labels are named", {
  d <- two_factor_data(30)
  with_label <- function(y) {
    d$label <- y
    d
  }
  three <- rep_len(c("a", "b", "c"), 30)
  expect_condition_snapshot({
    quick_fit(d[c("a", "b")])
    quick_fit(d, label = "outcome")
    quick_fit(with_label(1))
    quick_fit(with_label(NA))
    quick_fit(with_label("yes"), pos_sign = "yes", neg_sign = "no")
    quick_fit(with_label(three), pos_sign = "a", neg_sign = "b")
    quick_fit(with_label(three), pos_sign = "a")
    quick_fit(with_label(rep_len(c("yes", "no"), 30)), pos_sign = "1", neg_sign = "0")
    quick_fit(with_label(rep_len(1i, 30)))
    quick_fit(with_label(I(as.list(1:30))))
    quick_fit(with_label(Sys.Date() + 1:30))
  })
  expect_error(quick_fit(with_label(matrix(0:1, 30, 2))), class = "sbrl_error_label")
})

test_that("signs may be factors", {
  d <- two_factor_data()
  d$label <- c("no", "yes")[d$label + 1]
  signs <- factor(c("yes", "no"))
  model <- quick_fit(d, pos_sign = signs[2], neg_sign = signs[1])
  expect_identical(model$classes, c("yes", "no"))
})

test_that("a number with more than ten values is no label, and the error says what to do", {
  expect_error(quick_fit(mpg ~ ., data = mtcars), "25 different numbers", class = "sbrl_error_label")
  expect_error(quick_fit(mpg ~ ., data = mtcars), "such as I(mpg > 19), or", fixed = TRUE)
  expect_error(quick_fit(mpg ~ ., data = mtcars), "cut().*factor()", class = "sbrl_error_label")
  expect_error(quick_fit(mtcars, label = "mpg"), "`mpg` contains 25", class = "sbrl_error_label")
  expect_error(quick_fit(transform(mtcars, mpg = I(mpg)), label = "mpg"), "`mpg` contains 25",
               class = "sbrl_error_label")
  expect_error(cv_sbrl(mpg ~ ., data = mtcars, folds = 2), "25 different numbers", class = "sbrl_error_label")
  expect_identical(quick_fit(I(mpg > 19) ~ ., data = mtcars)$classes, c("FALSE", "TRUE"))
  many <- transform(mtcars, mpg = factor(mpg))
  expect_length(quick_fit(mpg ~ cyl + gear, data = many)$classes, 25)
  many$mpg <- as.character(many$mpg)
  expect_length(quick_fit(mpg ~ cyl + gear, data = many)$classes, 25)
  d <- two_factor_data()
  d$label <- rep_len(1:10, 400)
  expect_length(quick_fit(d)$classes, 10)
  d$label <- rep_len(1:11, 400)
  expect_error(quick_fit(d), "11 different numbers", class = "sbrl_error_label")
  # rows that do not count do not matter
  expect_length(quick_fit(d, weights = as.numeric(d$label < 11))$classes, 10)
})

test_that("64-bit integers are numbers as labels, too; dates are no labels", {
  d <- two_factor_data()
  # 0 and 1 in the bits of doubles, as the package bit64 has them
  wide <- d
  wide$label <- structure(c(0, 4.940656458412465e-324)[d$label + 1L], class = "integer64")
  model <- quick_fit(wide)
  expect_identical(model$classes, c("0", "1"))
  expect_identical(model$rs, quick_fit(d)$rs)
  expect_equal(sbrl_performance(model, wide), sbrl_performance(model, d))
  d$label <- as.Date("2024-01-01") + d$label
  expect_error(quick_fit(d), "Date", class = "sbrl_error_label")
})

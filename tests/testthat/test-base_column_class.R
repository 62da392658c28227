# Columns whose class is that of a factor, a date or a time, but whose contents are not. R's own methods fail on them
# with errors that do not name the column.

broken_columns <- function() {
  n <- 400
  time <- as.POSIXct("2024-01-01", tz = "UTC") + 1e4 * seq_len(n)
  parts <- unclass(as.POSIXlt(time))
  as_parts <- function(x) structure(x, class = c("POSIXlt", "POSIXt"))
  times <- c("POSIXct", "POSIXt")
  list(
    "zone is a number" = structure(time, tzone = 5),
    "zone is a function" = structure(time, tzone = mean),
    "zone is empty" = structure(time, tzone = character()),
    "time without minutes" = as_parts(replace(parts, "min", list(integer()))),
    "time without years" = as_parts(parts[names(parts) != "year"]),
    "time without parts" = as_parts(list()),
    "codes below the levels" = structure(rep(c(-1L, 1L, 2L, NA), n / 4), levels = c("a", "b"), class = "factor"),
    "codes beyond the levels" = structure(rep(c(5L, 1L), n / 2), levels = c("a", "b"), class = "factor"),
    "levels of one name" = structure(rep(1:2, n / 2), levels = c("a", "a"), class = "factor"),
    "no levels" = structure(rep(1:2, n / 2), class = "factor"),
    "levels that are numbers" = structure(rep(1:2, n / 2), levels = 1:2, class = "factor"),
    "date of text" = structure(rep(c("a", "b"), n / 2), class = "Date"),
    "time of text" = structure(rep(c("a", "b"), n / 2), class = times),
    "span of text" = structure(rep("a", n), class = "difftime", units = "secs"),
    "span in odd units" = structure(seq_len(n) / 7, class = "difftime", units = "fortnights"),
    "span without units" = structure(seq_len(n) / 7, class = "difftime"),
    "too short" = 1:3,
    "a function" = mean,
    "an environment" = new.env(),
    "nothing" = NULL
  )
}

hand_made <- function(columns, n = 400L) {
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}

test_that("a column whose class is a lie is refused by name, whoever reads it", {
  d <- two_factor_data()
  model <- quick_fit(d)
  for (what in names(broken_columns())) {
    x <- broken_columns()[[what]]
    with_x <- hand_made(list(a = x, b = d$b, label = d$label))
    as_label <- hand_made(list(a = d$a, b = d$b, label = x))
    uses <- list(
      fit = function() quick_fit(with_x), formula = function() quick_fit(label ~ a, data = with_x),
      label = function() quick_fit(as_label), cv = function() cv_sbrl(with_x, folds = 2, iters = 10, progress = FALSE),
      predict = function() predict(model, with_x), explain = function() explain(model, with_x),
      matrix = function() get_data_feature_mat(with_x, "a=u"), score = function() sbrl_score(model, with_x, 1),
      performance = function() sbrl_performance(model, as_label), sign = function() quick_fit(d, pos_sign = x)
    )
    for (use in names(uses)) {
      expect_error(uses[[use]](), class = "sbrl_error", info = paste(what, use))
    }
  }
})

test_that("the words name the column and the fault", {
  broken <- broken_columns()
  d <- two_factor_data()
  expect_error(
    quick_fit(hand_made(list(a = broken[["zone is a number"]], label = d$label))),
    "Column `a` has class \"POSIXct\" but its time zone is not text.", class = "sbrl_error_column"
  )
  expect_error(
    quick_fit(hand_made(list(a = d$a, label = broken[["levels of one name"]]))),
    "Label column `label` has class \"factor\" but two levels are called \"a\".", class = "sbrl_error_label"
  )
  expect_error(
    predict(quick_fit(d), hand_made(list(a = d$a, b = d$b), n = 10L)),
    "`newdata` has 10 rows, but its column 1 has 400 values.", fixed = TRUE, class = "sbrl_error_column"
  )
})

test_that("dates and spans stored as integers, and missing levels, are as good as others", {
  d <- two_factor_data()
  fine <- list(
    structure(rep(1:4, 100), class = "Date"), structure(rep(1:4, 100), class = "difftime", units = "secs"),
    addNA(factor(rep(c("a", NA), 200))), structure(rep(1:4, 100), class = c("POSIXct", "POSIXt"))
  )
  for (x in fine) {
    data <- hand_made(list(a = x, label = d$label))
    expect_length(predict(quick_fit(data), data, type = "rule"), 400)
  }
})

test_that("signs of a class, and those that are no text, are refused", {
  bytes <- "\xff"
  Encoding(bytes) <- "bytes"
  signs <- list(as.Date("2024-01-01"), structure(1, class = "integer64"), Sys.time(), bytes, "\xff")
  for (sign in signs) {
    d <- two_factor_data()
    expect_error(quick_fit(d, pos_sign = sign), "`pos_sign` must be one label value", class = "sbrl_error_argument")
    expect_error(quick_fit(d, neg_sign = sign), "`neg_sign` must be one label value", class = "sbrl_error_argument")
  }
})

test_that("names and captions that are no text are refused", {
  model <- quick_fit(two_factor_data())
  for (encoding in c("unknown", "bytes")) {
    text <- "a\xff"
    Encoding(text) <- encoding
    expect_error(as_sql(model, table = text), "`table`", class = "sbrl_error_argument")
    expect_error(as_html(model, caption = text), "`caption`", class = "sbrl_error_argument")
    expect_error(plot(model, main = text), "`main`", class = "sbrl_error_argument")
    expect_error(get_data_feature_mat(two_factor_data(), text), "`featurenames`", class = "sbrl_error_argument")
  }
})

test_that("pseudo-counts whose sum is infinite are refused", {
  d <- two_factor_data()
  expect_error(quick_fit(d, alpha = c(1e308, 1e308)), "`alpha` must be numbers", class = "sbrl_error_argument")
  expect_error(sbrl_max_length(c(10, 10), 5, alpha = 1e308), "`alpha`", class = "sbrl_error_argument")
})

test_that("a variable that is no column may stand next to the dot, without a warning", {
  d <- two_factor_data()
  z <- rep(c("k", "l"), 200)
  expect_silent(model <- quick_fit(label ~ . + z, data = d))
  expect_identical(vapply(model$features, \(feature) feature$name, ""), c("a", "b", "z"))
  expect_silent(model <- quick_fit(label ~ . - a, data = d))
  expect_identical(vapply(model$features, \(feature) feature$name, ""), "b")
})

# Scoring where the rows are gives what predict() gives in memory.

skip_if_not_installed("dbplyr")
skip_if_not_installed("RSQLite")

scored <- function(con, data, ...) {
  tbl <- dplyr::tbl(con, "t")
  model <- fit_with(con, table = "t", ...)
  rows <- suppressWarnings(DBI::dbGetQuery(con, "SELECT * FROM t"))
  list(model = model, tbl = tbl, rows = rows)
}

expect_scored <- function(x) {
  lazy <- predict(x$model, x$tbl)
  expect_s3_class(lazy, "tbl_lazy")
  got <- as.data.frame(dplyr::collect(lazy))
  quietly <- \(type) suppressWarnings(suppressMessages(predict(x$model, x$rows, type = type, missing = "fallthrough")))
  expect_identical(got[names(x$rows)], x$rows)
  expect_identical(as.integer(got$rule), quietly("rule"))
  expect_identical(got$class, as.character(quietly("class")))
  probs <- quietly("matrix")
  shown <- if (ncol(probs) == 2) "prob" else paste0("prob_", colnames(probs))
  expect_equal(unname(as.matrix(got[shown])), unname(if (ncol(probs) == 2) probs[, 2, drop = FALSE] else probs),
               tolerance = 1e-14)
  only <- dplyr::collect(predict(x$model, x$tbl, type = "class"))
  expect_identical(setdiff(names(only), names(x$rows)), "class")
  expect_equal(sbrl_performance(x$model, x$tbl), suppressWarnings(sbrl_performance(x$model, x$rows)))
}

test_that("a level that a table in a database does not need is checked all the same", {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", two_factor_data(60))
  x <- scored(con)
  expect_error(predict(x$model, x$tbl, level = "bogus"), "level", class = "sbrl_error_argument")
})

test_that("SQLite computes predictions and sums", {
  data <- every_type(seed = 11)
  data$w <- seq_len(nrow(data)) %% 3
  data$many <- c("x", "y", "z")[1 + seq_len(nrow(data)) %% 3]
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", data)
  x <- scored(con, data)
  expect_scored(x)
  expect_scored(scored(con, data, label = "many", minsupport = 0.01))
  expect_equal(sbrl_performance(x$model, x$tbl, weights = "w"),
               suppressWarnings(sbrl_performance(x$model, x$rows, weights = x$rows$w)))
  expect_equal(sbrl_performance(x$model, chunk_source(x$rows), weights = "w"),
               suppressWarnings(sbrl_performance(x$model, x$rows, weights = x$rows$w)))
  expect_identical(as_sql(x$model, con, table = DBI::Id(table = "t")), as_sql(x$model, "sqlite", table = "t"))
  expect_error(predict(x$model, dplyr::select(x$tbl, label)), "missing: ", class = "sbrl_error_column")
  expect_error(predict(x$model, x$tbl, type = "interval"), class = "sbrl_error_argument")
  expect_error(sbrl_performance(x$model, x$tbl, label = "text"), class = "sbrl_error")
})

test_that("PostgreSQL computes predictions and sums", {
  with_postgresql_connection(function(con) {
    data <- every_type(seed = 12)
    write_sql_table(con, "t", data)
    model <- fit_with(con, table = "t")
    rows <- DBI::dbGetQuery(con, "SELECT * FROM t")
    got <- DBI::dbGetQuery(con, as_sql(model, con, table = DBI::Id(schema = "public", table = "t"), output = "rule"))
    expect_identical(as.integer(got$rule), suppressWarnings(predict(model, rows, type = "rule")))
    expect_equal(sbrl_performance(model, sbrl:::as_source(con, "t")), suppressWarnings(sbrl_performance(model, rows)))
  })
})

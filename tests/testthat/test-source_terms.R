# Computed terms of formulas for tables that are not in memory.

skip_if_not_installed("dbplyr")
skip_if_not_installed("RSQLite")

test_that("SQLite computes terms as R does, for fits, predictions and sums", {
  data <- terms_data()
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", data)
  tbl <- dplyr::tbl(con, "t")
  expect_same_terms(tbl, data)
  for (formula in terms_formulas) {
    model <- suppressWarnings(quiet_fit(formula, data = tbl))
    scored <- as.data.frame(dplyr::collect(predict(model, tbl)))
    expect_named(scored, c(names(data), "prob", "class", "rule"))
    expect_identical(as.integer(scored$rule), suppressWarnings(predict(model, data, type = "rule")))
  }
  # a model of a data frame, too
  model <- quiet_fit(I(y > 4) ~ I(a + b), data = data)
  expect_identical(as.integer(dplyr::collect(predict(model, tbl))$rule), predict(model, data, type = "rule"))
})

test_that("PostgreSQL computes terms as R does", {
  with_postgresql_connection(function(con) {
    data <- terms_data(seed = 2)
    data$b[5] <- NaN
    data$wide[7] <- Inf
    write_sql_table(con, "t", data)
    expect_same_terms(sbrl:::as_source(con, "t"), DBI::dbGetQuery(con, "SELECT * FROM t"))
  })
})

test_that("chunks take any term that R computes row by row", {
  data <- terms_data(seed = 3)
  expect_same_terms(chunk_source(data, 77), data)
  formula <- I(y > 4) ~ log(a + 1) + cut(b, c(-9, 0, 9)) + toupper(colour)
  expect_same_model(quiet_fit(formula, data = chunk_source(data, 77)), quiet_fit(formula, data = data))
  for (wrong in list(y > 4 ~ scale(wide), y > 4 ~ cut(wide, 3), y > 4 ~ mean(wide))) {
    expect_error(quiet_fit(wrong, data = chunk_source(data, 77)), class = "sbrl_error_argument")
  }
})

test_that("terms that SQL cannot be trusted with are refused by name", {
  data <- terms_data(seed = 4)
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", data)
  tbl <- dplyr::tbl(con, "t")
  refused <- function(formula, text) {
    expect_error(quiet_fit(formula, data = tbl), text, class = "sbrl_error_argument")
  }
  refused(colour ~ log(a), "`log\\(a\\)` cannot be computed by the database")
  refused(colour ~ I(a / b), "constant other than 0")
  refused(colour ~ I(a / 0), "constant other than 0")
  refused(colour ~ I(a^3), "power of 2")
  refused(colour ~ I(a %% 2), "%%")
  refused(y > 4 ~ I(colour < "red"), "equality only")
  refused(y > 4 ~ I(colour + 1), "text where SQL needs number")
  refused(y > 4 ~ I(a > c(1)), "c\\(\\)")
  refused(y > 4 ~ scale(a), "must give each row")
  many <- as.formula(paste("y > 4 ~ I(", paste(rep("a", 30), collapse = " + "), ")"))
  refused(many, "too long")
  refused(y > 4 ~ base::I(a), "cannot be computed")
  # text of the formula is text
  quoted <- y > 4 ~ I(colour == "x') OR 1=1; DROP TABLE t; --")
  suppressWarnings(quiet_fit(quoted, data = tbl))
  expect_identical(DBI::dbListTables(con), "t")
})

test_that("values that differ from R's in the first rows are an error", {
  data <- terms_data(seed = 5)
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", data)
  wrong <- sbrl_source(function(sql) {
    rows <- DBI::dbGetQuery(con, sql)
    if (!is.null(rows[["I(a + b)"]])) rows[["I(a + b)"]] <- rows[["I(a + b)"]] * (1 + 1e-15)
    rows
  }, dialect = "sqlite", table = "t")
  expect_error(quiet_fit(y > 4 ~ I(a + b), data = wrong), "I\\(a \\+ b\\).*first rows", class = "sbrl_error_argument")
})

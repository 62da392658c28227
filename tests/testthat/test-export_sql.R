# What as_sql() writes is run for real, in SQLite, PostgreSQL and DuckDB, and must give what predict() gives.

expect_cases <- function(cases, run) {
  answers <- run(cases)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = paste("case", j))
}

test_that("SQLite gives what predict() gives", {
  skip_if_not_installed("RSQLite")
  expect_cases(c(typed_cases(), odd_cases(), random_cases(60), empty_cases(), rich_cases()), run_sqlite)
})

gap_cases <- function() {
  cases <- c(typed_cases(), random_cases(40), empty_cases(), rich_cases())
  Map(with_gaps, cases, seq_along(cases))
}

test_that("rows that a missing value leaves undecided get the base rate in every database, if that is asked for", {
  is_undecided <- \(case) anyNA(case_expected(case)$rule)
  expect_gt(sum(vapply(gap_cases(), is_undecided, NA)), 10)
  expect_error(as_sql(quick_fit(two_factor_data()), missing = "error"), "SQL cannot", class = "sbrl_error_argument")
  skip_if_not_installed("RSQLite")
  expect_cases(gap_cases(), run_sqlite)
  skip_if_no_postgresql()
  expect_cases(gap_cases(), run_postgresql)
  skip_if_no_python("duckdb")
  expect_cases(gap_cases(), \(cases) run_python(cases, "duckdb"))
})

test_that("SQLite reads dates and times kept as numbers", {
  skip_if_not_installed("RSQLite")
  cases <- lapply(typed_cases()[5:6], function(case) {
    case$columns <- stats::setNames("number", names(case$data))
    case
  })
  expect_cases(cases, run_sqlite)
})

test_that("PostgreSQL gives what predict() gives", {
  skip_if_no_postgresql()
  expect_cases(c(typed_cases(), odd_cases(), random_cases(60), empty_cases(), rich_cases()), run_postgresql)
})

test_that("DuckDB gives what predict() gives", {
  skip_if_no_python("duckdb")
  cases <- c(typed_cases(), odd_cases(), random_cases(60), empty_cases(), rich_cases())
  expect_cases(cases, \(cases) run_python(cases, "duckdb"))
})

test_that("a query has the columns of the table and the prediction", {
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  d <- iris
  names(d)[5] <- "label"
  model <- quick_fit(d)
  for (name in c("flowers", "odd \"name'")) {
    DBI::dbWriteTable(connection, name, transform(d, label = as.character(label)))
    answer <- DBI::dbGetQuery(connection, as_sql(model, "sqlite", name))
    expect_identical(names(answer), c(names(d), paste0("prob_", levels(d$label))))
    expect_equal(unname(as.matrix(answer[6:8])), unname(predict(model, d, type = "matrix")), tolerance = 1e-15)
    rule <- DBI::dbGetQuery(connection, as_sql(model, "sqlite", c("main", name), output = "rule"))$rule
    expect_identical(rule, predict(model, d, type = "rule"))
  }
  # A column that is not there must be an error, not a text of that name.
  DBI::dbExecute(connection, "CREATE TABLE bare (x INTEGER)")
  DBI::dbExecute(connection, "INSERT INTO bare VALUES (1)")
  expect_error(DBI::dbGetQuery(connection, as_sql(model, "sqlite", "bare")), "no such column")
})

test_that("each dialect quotes in its own way", {
  d <- data.frame(x = rep(c("it's", "a\\b", "${y}", "no"), each = 60), z = rep(1:60 / 7, 4))
  d$t <- rep(c(TRUE, FALSE), 120)
  d$label <- as.integer(d$x == "it's" & d$t | d$x == "a\\b" | d$x == "${y}" & d$z > 4)
  d$z[d$x == "no"] <- NA
  names(d)[1:2] <- c("a\"b`c", "z z")
  model <- quick_fit(d, minsupport = 0.1, lambda = 20, iters = 3000, rule_maxlen = 2)
  dialects <- c("ansi", "sqlite", "postgresql", "duckdb", "spark")
  expect_snapshot(for (dialect in dialects) print(as_sql(model, dialect, "my table")))
})

test_that("`columns` and `nan` change how values are written", {
  set.seed(2)
  y <- stats::rbinom(200, 1, 0.5)
  d <- data.frame(flag = y, logical = y == 1, text = c("TRUE", "FALSE")[y + 1], n = 300 * y + 1:200, label = y)
  d$n[1:40] <- NA
  fits <- lapply(stats::setNames(names(d)[1:4], names(d)[1:4]), \(name) quick_fit(d[c(name, "label")]))
  expect_snapshot({
    as_sql(fits$flag, "postgresql", columns = c(flag = "number"))
    as_sql(fits$flag, "sqlite")
    as_sql(fits$flag, "sqlite", columns = c(flag = "text"))
    as_sql(fits$flag, "ansi", output = "rule")
    as_sql(fits$logical, "postgresql")
    as_sql(fits$logical, "postgresql", columns = c(logical = "logical"))
    as_sql(fits$logical, "sqlite", columns = c(logical = "logical"))
    as_sql(fits$text, "ansi")
    as_sql(fits$text, "ansi", columns = c(text = "text"))
    as_sql(fits$n, "duckdb")
    as_sql(fits$n, "duckdb", nan = FALSE)
    as_sql(fits$n, "sqlite")
  })
})

test_that("empty text that is missing is compared in a way that each dialect understands", {
  models <- lapply(empty_cases(), `[[`, "model")
  written <- \(model, dialect) as.character(as_sql(model, dialect, output = "rule"))
  expect_match(written(models[[1]], "ansi"), "(\"letter\" IS NULL OR \"letter\" = '')", fixed = TRUE)
  expect_no_match(written(models[[2]], "ansi"), "= ''", fixed = TRUE)
  expect_match(written(models[[1]], "spark"), "(`letter` IS NULL OR CAST(`letter` AS STRING) IN (''))", fixed = TRUE)
  nan_or_empty <- "(\"digit\" IS NULL OR CAST(\"digit\" AS TEXT) IN ('NaN', 'nan', ''))"
  expect_match(written(models[[2]], "duckdb"), nan_or_empty, fixed = TRUE)
})

test_that("an infinite number is written so that it is read as one", {
  d <- data.frame(x = rep(c(1, NA, Inf), each = 80), label = rep(c(0, 0, 1), each = 80))
  model <- quick_fit(d)
  expect_identical(rules(model)$antecedent[1], "{x=Inf}")
  written <- vapply(c("ansi", "postgresql", "duckdb", "spark", "sqlite"), \(dialect) {
    as.character(as_sql(model, dialect, output = "rule", columns = c(x = "number")))
  }, "")
  expect_match(written[["ansi"]], "CAST('Infinity' AS DOUBLE PRECISION)", fixed = TRUE)
  expect_match(written[["duckdb"]], "CAST('Infinity' AS DOUBLE)", fixed = TRUE)
  expect_match(written[["spark"]], "CAST('Infinity' AS DOUBLE)", fixed = TRUE)
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "d", d)
  answer <- DBI::dbGetQuery(connection, sprintf("SELECT %s AS rule FROM d", written[["sqlite"]]))
  expect_equal(answer$rule, predict(model, d, type = "rule"))
})

test_that("times are written with their zone where the dialect has zones", {
  start <- as.POSIXct("2024-05-01 12:00:00", tz = "UTC")
  d <- data.frame(at = start + 3600 * (1:200), label = rep(0:1, each = 100))
  model <- quick_fit(d)
  time <- structure(model$features[[1]]$cuts[1], class = c("POSIXct", "POSIXt"), tzone = "UTC")
  cut <- format(time, "%Y-%m-%d %H:%M:%S")
  expect_match(as_sql(model, "ansi"), sprintf("TIMESTAMP '%s+00:00'", cut), fixed = TRUE)
  expect_match(as_sql(model, "spark"), sprintf("TIMESTAMP '%s+00:00'", cut), fixed = TRUE)
  expect_match(as_sql(model, "duckdb"), sprintf("TIMESTAMPTZ '%s+00'", cut), fixed = TRUE)
})

test_that("several expressions print under their classes, and a part of them is still SQL", {
  sql <- as_sql(quick_fit(Species ~ ., data = iris), "sqlite")
  expect_named(sql, paste0("prob_", levels(iris$Species)))
  shown <- capture.output(print(sql))
  expect_identical(grep("^-- ", shown, value = TRUE), paste("--", names(sql)))
  expect_identical(capture.output(print(sql["prob_setosa"])), strsplit(as.character(sql)[1], "\n")[[1]])
  expect_s3_class(sql[1:2], "sbrl_text")
})

test_that("a list without rules is one value", {
  empty <- suppressWarnings(quick_fit(two_factor_data()["label"]))
  expect_identical(as.character(as_sql(empty, output = "rule")), "0")
  expect_match(as_sql(empty, "duckdb", "t"), "SELECT *,", fixed = TRUE)
})

test_that("what cannot be written is refused by name", {
  d <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  model <- quick_fit(d)
  logged <- sbrl(label ~ log(x), data = d, iters = 100, nchain = 1, seed = 1)
  plain <- sbrl(label ~ x, data = d, iters = 100, nchain = 1, seed = 1)
  old <- data.frame(day = as.Date("0001-01-01") - c(1:100, 500:599), label = rep(0:1, each = 100))
  dollar <- stats::setNames(two_factor_data()[c("a", "label")], c("${a}", "label"))
  expect_match(as_sql(plain), "\"x\"")
  expect_condition_snapshot({
    as_sql(logged)
    as_sql(two_factor_data())
    as_sql(model, "oracle")
    as_sql(model, output = "interval")
    as_sql(model, table = 1)
    as_sql(model, table = "")
    as_sql(model, columns = "text")
    as_sql(model, columns = c(q = "text"))
    as_sql(model, columns = c(x = "text"))
    as_sql(quick_fit(two_factor_data()), columns = c(a = "logical"))
    as_sql(model, nan = NA)
    as_sql(quick_fit(old))
    as_sql(quick_fit(dollar), "spark")
  })
})

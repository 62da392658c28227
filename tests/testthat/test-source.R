# Models from sources are those of the same rows in a data frame.

skip_if_not_installed("DBI")
skip_if_not_installed("RSQLite")

with_sqlite <- function(data, use, table = "t") {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, table, data)
  use(con)
}

# As SQLite keeps it: no dates, times or logicals.
sqlite_rows <- function(data) {
  with_sqlite(data, \(con) DBI::dbReadTable(con, "t", check.names = FALSE))
}

test_that("a table in SQLite gives the model of its rows", {
  data <- sqlite_rows(every_type())
  expected <- fit_with(data)
  expect_gt(nrow(expected$rs), 1)
  with_sqlite(data, function(con) {
    expect_same_model(fit_with(con, table = "t"), expected)
    expect_same_model(fit_with(con, table = DBI::Id(table = "t")), expected)
    expect_identical(DBI::dbListTables(con), "t")
  })
})

test_that("chunks give the model of their rows", {
  data <- every_type()
  data$size <- factor(data$whole %% 4, 0:5, ordered = TRUE)
  data$colour <- factor(ifelse(data$flag == 1, "none", "some"), c("some", "none", "never"))
  data$label <- factor(data$label, c("yes", "no"))
  expect_same_model(fit_with(chunk_source(data)), fit_with(data))
  expect_same_model(fit_with(chunk_source(data, 7)), fit_with(data))
})

test_that("all ways to cut, weights, classes and settings give the same model", {
  data <- every_type(seed = 2)
  data$many <- c("x", "y", "z")[1 + data$whole %% 3]
  data$many[is.na(data$many)] <- "y"
  data$w <- rep(0:3, length.out = nrow(data))
  data <- sqlite_rows(data)
  features <- setdiff(names(data), "w")
  with_sqlite(data, function(con) {
    both <- function(..., rows = data[features], weights = NULL) {
      expected <- fit_with(rows, ..., weights = weights)
      name <- if (!is.null(weights)) "w"
      rows$w <- if (!is.null(weights)) weights
      with_sqlite(rows, \(con) expect_same_model(fit_with(con, table = "t", ..., weights = name), expected))
      expect_same_model(fit_with(chunk_source(rows), ..., weights = name), expected)
    }
    for (method in c("mdlp", "quantile", "width")) both(discretize = method, bins = 4)
    both(discretize = list(whole = c(3, 6.5), wide = c(-1, 0, 2.5)))
    both(label = "many", minsupport = 0.02)
    both(weights = data$w)
    both(empty_as_missing = TRUE)
    both(conditions = "rich")
    both(conditions = "rich", label = "many", weights = data$w)
    both(lambda = "auto")
    both(target_rules = 50)
    both(method = "map", iters = 500)
    both(minsupport = 0, rule_maxlen = 1)
    both(pos_sign = "no", neg_sign = "yes")
  })
})

test_that("with a formula, cut points are as round in chunks and in SQLite as in memory", {
  data <- sqlite_rows(every_type(seed = 3))
  data$money <- round(exp(stats::rnorm(nrow(data), 10)))
  expected <- fit_with(label ~ ., data = data)
  cuts <- unlist(lapply(expected$features, `[[`, "cuts"))
  expect_false(identical(cuts, unlist(lapply(fit_with(data)$features, `[[`, "cuts"))))
  expect_same_model(fit_with(label ~ ., data = chunk_source(data)), expected)
  in_sqlite <- function(con) {
    source <- sbrl_source(query = \(sql) DBI::dbGetQuery(con, sql), dialect = "sqlite", table = "t")
    expect_same_model(fit_with(label ~ ., data = source), expected)
  }
  with_sqlite(data, in_sqlite)
  # more values than are counted one by one
  old <- options(sbrl.max_pairs = 500)
  on.exit(options(old))
  with_sqlite(data, in_sqlite)
})

test_that("numbers with very many values get the same cut points", {
  data <- sqlite_rows(every_type(6000, seed = 10))
  data$steps <- ifelse(data$wide > 0, floor(1e4 * abs(data$zero)), seq_len(nrow(data)) + 0.5)
  data$pure <- seq_len(nrow(data)) + ifelse(data$label == "yes", 300, 0)
  data$noise <- stats::rnorm(nrow(data))
  data$whole_noise <- sample(1e6, nrow(data))
  old <- options(sbrl.max_pairs = 1500)
  on.exit(options(old))
  with_sqlite(data, function(con) {
    stream <- \(sql, receive, n) sbrl:::fetch_chunks(con, sql, receive, n)
    source <- sbrl_source(\(sql) DBI::dbGetQuery(con, sql), stream, "sqlite", "t", chunk_size = 701)
    expect_same_model(fit_with(source), fit_with(data))
    expect_same_model(fit_with(source, discretize = "quantile", bins = 4),
                      fit_with(data, discretize = "quantile", bins = 4))
    expect_same_model(fit_with(source, discretize = "width", bins = 3), fit_with(data, discretize = "width", bins = 3))
    expect_same_model(fit_with(source, bins = 2), fit_with(data, bins = 2))
    expect_error(fit_with(source, discretize = "mdlp"), "too many different values", class = "sbrl_error_column")
  })
  expect_error(fit_with(chunk_source(data)), "too many different values", class = "sbrl_error_column")
})

test_that("fractional weights give the same model up to rounding", {
  data <- sqlite_rows(every_type(seed = 3))
  data$w <- seq(0.1, 2, length.out = nrow(data))
  expected <- fit_with(data[names(data) != "w"], weights = data$w)
  with_sqlite(data, \(con) expect_same_model(fit_with(con, table = "t", weights = "w"), expected, tolerance = 1e-9))
})

test_that("tables of dbplyr and formulas give the same model", {
  skip_if_not_installed("dbplyr")
  data <- sqlite_rows(every_type(seed = 4, with_times = FALSE))
  names(data)[c(2, 7)] <- c("real", "text")
  data$w <- rep(1:2, length.out = nrow(data))
  with_sqlite(data, function(con) {
    tbl <- dplyr::tbl(con, "t")
    few <- list(iters = 300, nchain = 2, seed = 1, threads = 1)
    data$text[data$text %in% ""] <- "empty"
    DBI::dbWriteTable(con, "t", data, overwrite = TRUE)
    fit <- \(...) suppressMessages(do.call(sbrl, c(list(...), few)))
    expect_same_model(fit(label ~ . - w, data = tbl), fit(label ~ . - w, data = data))
    expect_same_model(fit(label ~ real + text, data = tbl), fit(label ~ real + text, data = data))
    expect_same_model(sbrl(label ~ real, data = tbl, weights = w, iters = 300, nchain = 2, seed = 1, threads = 1),
                      sbrl(label ~ real, data = data, weights = w, iters = 300, nchain = 2, seed = 1, threads = 1))
    expect_same_model(sbrl(label ~ ., data = tbl, weights = w, iters = 300, nchain = 2, seed = 1, threads = 1),
                      sbrl(label ~ ., data = data, weights = w, iters = 300, nchain = 2, seed = 1, threads = 1))
    expect_same_model(fit_with(dplyr::filter(tbl, whole > 4)), fit_with(data[which(data$whole > 4), ]))
    expect_error(fit(label ~ log(wide), data = tbl), "log\\(wide\\).*other digits", class = "sbrl_error_argument")
    expect_error(fit(label ~ nothing, data = tbl), "nothing", class = "sbrl_error_column")
    expect_error(sbrl(label ~ real, data = tbl, subset = whole > 2), "filter", class = "sbrl_error_argument")
  })
})

test_that("many rows of few values come as groups", {
  set.seed(1)
  n <- 120000
  data <- data.frame(a = sample(c("u", "v"), n, TRUE), b = sample(5, n, TRUE), label = sample(0:1, n, TRUE))
  data$label[data$a == "u" & data$b > 2] <- 1L
  with_sqlite(data, function(con) {
    asked <- character()
    stream <- function(sql, receive, n) {
      asked <<- c(asked, sql)
      receive(DBI::dbGetQuery(con, sql))
    }
    source <- sbrl_source(\(sql) DBI::dbGetQuery(con, sql), stream, "sqlite", "t")
    expect_same_model(fit_with(source), fit_with(data))
    expect_match(asked, "GROUP BY")
  })
})

test_that("rows without a label, constant columns and identifiers are met as in a data frame", {
  data <- sqlite_rows(every_type(seed = 5))
  data$label[3:7] <- NA
  data$one <- 1
  data$none <- NA_real_
  with_sqlite(data, function(con) {
    expect_warning(found <- fit_with(con, table = "t"), "Dropped 5 row", class = "sbrl_warning_label")
    expected <- suppressWarnings(fit_with(data))
    expect_identical(found$dropped, expected$dropped)
    expect_same_model(found, expected)
  })
  data$id <- paste0("row", seq_len(nrow(data)))
  many <- data[rep(seq_len(nrow(data)), 3), ]
  many$id <- paste0("row", seq_len(nrow(many)))
  with_sqlite(many, \(con) {
    expect_error(suppressWarnings(fit_with(con, table = "t")), "`id` has .*1.* levels", class = "sbrl_error_column")
  })
})

test_that("a table that changes between the passes is an error", {
  data <- sqlite_rows(every_type(seed = 6))
  for (change in c("DELETE FROM t WHERE whole = 5", "UPDATE t SET whole = 100 WHERE whole = 5",
                   "INSERT INTO t SELECT * FROM t WHERE whole = 5")) {
    with_sqlite(data, function(con) {
      source <- sbrl_source(
        \(sql) DBI::dbGetQuery(con, sql),
        function(sql, receive, n) {
          DBI::dbExecute(con, change)
          receive(DBI::dbGetQuery(con, sql))
        },
        "sqlite", "t"
      )
      expect_error(fit_with(source), "changed while it was read", class = "sbrl_error_source")
    })
  }
  rows <- data
  done <- FALSE
  source <- sbrl_source(restart = \() done <<- FALSE, chunks = function() {
    if (done) return(NULL)
    done <<- TRUE
    rows <<- rows[-1, ]
    rows
  })
  expect_error(fit_with(source), "changed while it was read", class = "sbrl_error_source")
})

test_that("errors of databases and of the user's functions are errors of ours", {
  data <- sqlite_rows(every_type(seed = 7))
  with_sqlite(data, function(con) {
    expect_error(fit_with(con, table = "nowhere"), "nowhere", class = "sbrl_error_source")
    expect_error(fit_with(con), "table", class = "sbrl_error_argument")
    expect_error(fit_with(con, table = "t", label = "nothing"), "nothing", class = "sbrl_error_label")
    expect_error(fit_with(con, table = "t", weights = "text"), class = "sbrl_error_argument")
    expect_error(fit_with(con, table = "t", weights = "wide"), "0 or more", class = "sbrl_error_argument")
  })
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbDisconnect(con)
  expect_error(fit_with(con, table = "t"), class = "sbrl_error_source")
  expect_error(fit_with(sbrl_source(\(sql) 1, dialect = "sqlite", table = "t")), class = "sbrl_error_source")
  broken <- sbrl_source(chunks = \() stop("no file"), restart = \() NULL)
  expect_error(fit_with(broken), "no file", class = "sbrl_error_source")
  expect_error(fit_with(sbrl_source(chunks = \() 3, restart = \() NULL)), class = "sbrl_error_source")
  expect_error(sbrl_source(), class = "sbrl_error_argument")
  expect_error(sbrl_source(\(sql) 1, dialect = "oracle", table = "t"), class = "sbrl_error_argument")
  expect_error(sbrl_source(chunks = \() 3, restart = \() NULL, table = "t"), class = "sbrl_error_argument")
})

test_that("a table of PostgreSQL gives the model of its rows", {
  with_postgresql_connection(function(con) {
    data <- every_type(seed = 8)
    data$broken <- replace(data$wide, sample(nrow(data), 50), NaN)
    write_sql_table(con, "\"Odd table\"", data)
    rows <- DBI::dbGetQuery(con, "SELECT * FROM \"Odd table\"")
    expect_same_model(fit_with(con, table = "Odd table"), fit_with(rows))
    expect_same_model(fit_with(con, table = DBI::Id(schema = "public", table = "Odd table")), fit_with(rows))
    # types that SQL and R compare in different ways
    DBI::dbExecute(con, paste(
      "CREATE TABLE odd AS SELECT label, CAST(wide AS REAL) AS small, CAST(wide AS NUMERIC) AS exact,",
      "CAST(whole AS BIGINT) AS large, CAST(text AS CHAR(30)) AS padded, CAST(day AS TIMESTAMP) AS moment",
      "FROM (SELECT *, \"te'xt ${a} \u00e9\" AS text FROM \"Odd table\") AS q"
    ))
    rows <- DBI::dbGetQuery(con, "SELECT * FROM odd")
    expect_same_model(fit_with(con, table = "odd"), fit_with(rows))
    # rows come by a cursor, in a transaction of the user's or in one of our own
    source <- sbrl:::as_source(con, "odd")
    source$chunk_size <- 77
    expect_same_model(fit_with(source), fit_with(rows))
    expect_true(DBI::dbGetQuery(con, "SELECT now() = statement_timestamp() AS x")$x)
    DBI::dbExecute(con, "BEGIN")
    DBI::dbExecute(con, "CREATE TABLE mine AS SELECT * FROM odd")
    expect_same_model(fit_with(con, table = "mine"), fit_with(rows))
    DBI::dbExecute(con, "ROLLBACK")
    expect_false(DBI::dbExistsTable(con, "mine"))
    stop_early <- \(sql, receive, n) source$stream(sql, \(chunk) stop("full"), n)
    broken <- sbrl_source(source$query, stop_early, "postgresql", "odd")
    expect_error(fit_with(broken), "full", class = "sbrl_error_source")
    expect_identical(nrow(DBI::dbGetQuery(con, "SELECT * FROM pg_cursors")), 0L)
    expect_true(DBI::dbGetQuery(con, "SELECT now() = statement_timestamp() AS x")$x)
    # a connection that somebody ends
    other <- DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = DBI::dbGetInfo(con)$host, user = "postgres",
                            dbname = "postgres")
    on.exit(try(DBI::dbDisconnect(other), silent = TRUE))
    pid <- DBI::dbGetQuery(other, "SELECT pg_backend_pid() AS pid")$pid
    DBI::dbGetQuery(con, sprintf("SELECT pg_terminate_backend(%d)", pid))
    expect_error(suppressWarnings(fit_with(other, table = "odd")), class = "sbrl_error_source")
    # the same between the two passes
    third <- DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = DBI::dbGetInfo(con)$host, user = "postgres",
                            dbname = "postgres")
    on.exit(try(DBI::dbDisconnect(third), silent = TRUE), add = TRUE)
    pid <- DBI::dbGetQuery(third, "SELECT pg_backend_pid() AS pid")$pid
    lost <- sbrl_source(\(sql) sbrl:::get_query(third, sql), function(sql, receive, n) {
      DBI::dbGetQuery(con, sprintf("SELECT pg_terminate_backend(%d)", pid))
      sbrl:::fetch_chunks(third, sql, receive, n)
    }, "postgresql", "odd")
    expect_error(suppressWarnings(fit_with(lost)), class = "sbrl_error_source")
    expect_identical(nrow(DBI::dbGetQuery(con, "SELECT * FROM pg_tables WHERE schemaname LIKE 'pg_temp%'")), 0L)
    DBI::dbExecute(con, "CREATE ROLE nobody; GRANT USAGE ON SCHEMA public TO nobody; SET ROLE nobody")
    expect_error(fit_with(con, table = "odd"), "permission denied", class = "sbrl_error_source")
  })
})

test_that("an interrupt ends the fit and the query", {
  skip_on_os("windows")
  data <- sqlite_rows(every_type(seed = 9))
  with_sqlite(data, function(con) {
    source <- sbrl_source(\(sql) DBI::dbGetQuery(con, sql), function(sql, receive, n) {
      sbrl:::fetch_chunks(con, sql, function(chunk) {
        tools::pskill(Sys.getpid(), tools::SIGINT)
        receive(chunk)
      }, 50)
    }, "sqlite", "t")
    ended <- tryCatch(fit_with(source), interrupt = \(e) "interrupted")
    expect_identical(ended, "interrupted")
    # a query that is still open would give a warning
    expect_warning(DBI::dbGetQuery(con, "SELECT 1"), NA)
  })
})

test_that("a certificate of a fit to a source is that of the rows", {
  fields <- c("status", "log_posterior", "upper_bound", "gap", "max_length_proved", "by_length", "nodes")
  data <- sqlite_rows(as.data.frame(Titanic))
  names(data)[names(data) == "Survived"] <- "label"
  settings <- list(weights = "Freq", rule_maxlen = 3, minsupport = 0.05, certify_nodes = 1e5)
  expected <- do.call(fit_with, c(list(data[names(data) != "Freq"]), replace(settings, "weights", list(data$Freq))))
  expect_identical(expected$certificate$status, "optimal")
  with_sqlite(data, function(con) {
    found <- do.call(fit_with, c(list(con, table = "t"), settings))
    expect_identical(unclass(found$certificate)[fields], unclass(expected$certificate)[fields])
    expect_output(print(summary(found)), "Proof:")
  })
  found <- do.call(fit_with, c(list(chunk_source(data, 5)), settings))
  expect_identical(unclass(found$certificate)[fields], unclass(expected$certificate)[fields])
  # rows in chunks have no positions in a table; what was proved must be true of them in memory, too
  proof <- sbrl_certify(found, data, weights = data$Freq, progress = FALSE)
  expect_identical(proof$status, "optimal")
  expect_equal(proof$log_posterior, found$certificate$log_posterior)
})

test_that("functions that need rows in memory say so", {
  skip_if_not_installed("dbplyr")
  with_sqlite(tictactoe, function(con) {
    tbl <- dplyr::tbl(con, "t")
    model <- fit_with(tbl)
    for (wrong in list(\() cv_sbrl(tbl), \() cv_sbrl(label ~ ., data = tbl), \() sbrl_bag(tbl),
                       \() sbrl_bag(model, tbl), \() sbrl_certify(model, tbl), \() refit(model, tbl),
                       \() explain(model, tbl), \() predict(model, con), \() cv_sbrl(con))) {
      expect_error(wrong(), "in memory.*beyond-memory", class = "sbrl_error_argument")
    }
    expect_error(sbrl_performance(model, con), "dplyr::tbl", class = "sbrl_error_argument")
  })
})

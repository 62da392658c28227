# What a database may do with a column that R's own data frames cannot: keep several types in one, or lose it.

skip_if_not_installed("DBI")
skip_if_not_installed("RSQLite")

with_statements <- function(statements, use) {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  for (sql in statements) DBI::dbExecute(con, sql)
  use(con)
}

with_sqlite_table <- function(data, use) {
  with_statements(character(), function(con) {
    DBI::dbWriteTable(con, "t", data)
    use(con)
  })
}

with_fewest_pairs <- function(code) {
  old <- options(sbrl.max_pairs = 1500)
  on.exit(options(old))
  code
}

# 400 rows; `y` is 1 where x >= 20. Nothing is declared, so SQLite keeps each value as it is written.
loose_table <- c(
  "CREATE TABLE t (x, z, y)",
  "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
   INSERT INTO t SELECT i % 40, CASE i % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' END, i % 40 >= 20 FROM n"
)

query_source <- function(con) {
  sbrl_source(query = \(sql) DBI::dbGetQuery(con, sql), dialect = "sqlite", table = "t")
}

test_that("whole numbers and fractions in one column of SQLite are numbers, whichever come first", {
  changes <- c("UPDATE t SET x = x + 0.5 WHERE x > 5", "UPDATE t SET y = 1.0 WHERE y = 1 AND z = 'b'")
  with_statements(c(loose_table, changes), function(con) {
    rows <- DBI::dbGetQuery(con, "SELECT CAST(x AS REAL) AS x, z, CAST(y AS REAL) AS y FROM t")
    expected <- fit_with(rows, label = "y")
    expect_no_warning(found <- fit_with(con, table = "t", label = "y"))
    expect_same_model(found, expected)
    source <- sbrl_source(query = \(sql) suppressWarnings(DBI::dbGetQuery(con, sql)), dialect = "sqlite", table = "t")
    expect_equal(sbrl_performance(found, source), sbrl_performance(expected, rows))
  })
})

test_that("numbers and text in one column of SQLite are refused by its name", {
  changes <- c(x = "UPDATE t SET x = 'twenty' WHERE x = 20", x = "UPDATE t SET x = '20' WHERE rowid = 399",
               z = "UPDATE t SET z = 7 WHERE rowid = 399", y = "UPDATE t SET y = '1' WHERE z = 'b' AND y = 1",
               y = "UPDATE t SET y = 'no' WHERE rowid = 300")
  for (j in seq_along(changes)) {
    with_statements(c(loose_table, changes[j]), function(con) {
      kind <- if (names(changes)[j] == "y") "sbrl_error_label" else "sbrl_error_column"
      words <- sprintf("`%s` has numbers in some rows and text in others", names(changes)[j])
      expect_no_warning(expect_error(fit_with(con, table = "t", label = "y"), words, class = kind))
      # what is not used may hold anything
      others <- setdiff(c("x", "z"), names(changes)[j])
      formula <- stats::reformulate(others, if (names(changes)[j] == "y") "x" else "y")
      if (names(changes)[j] != "y") expect_no_warning(fit_with(formula, data = query_source(con)))
    })
  }
})

test_that("a label or a value that occurs only in rows without a label is no sign of a change", {
  changes <- c("UPDATE t SET y = NULL WHERE z = 'c' AND x < 10", "UPDATE t SET z = 'only here' WHERE y IS NULL")
  with_statements(c(loose_table, changes), function(con) {
    rows <- DBI::dbReadTable(con, "t")
    expected <- suppressWarnings(fit_with(rows, label = "y"))
    expect_same_model(suppressWarnings(fit_with(con, table = "t", label = "y")), expected)
  })
})

test_that("a column that disappears from a table of SQLite is an error, not the text of its name", {
  with_statements(loose_table, function(con) {
    model <- fit_with(con, table = "t", label = "y")
    n_queries <- 0
    for (lost in c("x", "z", "y")) {
      for (after in 1:4) {
        DBI::dbExecute(con, "CREATE TABLE s AS SELECT * FROM t")
        n_queries <- 0
        query <- function(sql) {
          n_queries <<- n_queries + 1
          if (n_queries == after + 1) DBI::dbExecute(con, sprintf("ALTER TABLE s DROP COLUMN %s", lost))
          DBI::dbGetQuery(con, sql)
        }
        source <- sbrl_source(query = query, dialect = "sqlite", table = "s")
        expect_error(fit_with(source, label = "y"), "no such column", class = "sbrl_error_source")
        DBI::dbExecute(con, "DROP TABLE s")
      }
    }
    DBI::dbExecute(con, "CREATE TABLE s AS SELECT z, y FROM t")
    for (output in c("prob", "class", "rule")) {
      sql <- sprintf("SELECT %s FROM s", as_sql(model, "sqlite", output = output))
      expect_error(DBI::dbGetQuery(con, sql), "no such column")
    }
    expect_error(DBI::dbGetQuery(con, as_sql(model, "sqlite", table = "s")), "no such column")
  })
})

test_that("a query may return a tibble, and what are no counts is refused", {
  with_statements(loose_table, function(con) {
    changed <- function(change) {
      sbrl_source(query = \(sql) change(DBI::dbGetQuery(con, sql)), dialect = "sqlite", table = "t")
    }
    as_tibble <- \(d) structure(d, class = c("tbl_df", "tbl", "data.frame"))
    expect_same_model(fit_with(changed(as_tibble), label = "y"), fit_with(con, table = "t", label = "y"))
    for (column in c("n", "p1")) {
      for (bad in list(NaN, NA, -1, Inf, "x", Sys.Date(), 0.5, 1e18)) {
        spoil <- function(d) {
          if (column %in% names(d)) d[[column]] <- c(list(bad)[[1]], d[[column]])[seq_len(nrow(d))]
          d
        }
        expect_no_warning(expect_error(fit_with(changed(spoil), label = "y"), class = "sbrl_error"))
      }
    }
  })
})

test_that("numbers of rules and sums of weights that no query gives are refused", {
  with_statements(loose_table, function(con) {
    model <- fit_with(con, table = "t", label = "y")
    spoilt <- function(names, bad) {
      sbrl_source(dialect = "sqlite", table = "t", query = function(sql) {
        d <- DBI::dbGetQuery(con, sql)
        if (identical(names(d), names)) d[[1]] <- rep_len(bad, nrow(d))
        d
      })
    }
    counts <- c("x", "y", "n")
    expect_s3_class(sbrl_performance(model, spoilt(counts, 0L)), "data.frame")
    for (bad in list(1e20, -1, 0.5, 99, "x", Inf, Sys.Date())) {
      expect_no_warning(expect_error(sbrl_performance(model, spoilt(counts, bad)), class = "sbrl_error_source"))
    }
    for (bad in list(NaN, NA_real_, Inf)) {
      source <- spoilt(c("a", "b", "c", "d"), bad)
      expect_error(fit_with(source, label = "y", weights = "x"), class = "sbrl_error")
    }
  })
})

test_that("numbers beyond 1e16 have cut points like others, also where there are very many", {
  set.seed(1)
  data <- data.frame(x = stats::runif(3000) * 1e20, label = rep(0:1, 1500))
  data$label[data$x < 4e19] <- 1L
  with_sqlite_table(data, function(con) {
    expected <- fit_with(data)
    expect_no_warning(found <- with_fewest_pairs(fit_with(con, table = "t", label = "label")))
    expect_same_model(found, expected)
  })
})

test_that("a table whose columns have other types in each query is refused, and no level becomes code", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  d <- two_factor_data()
  d$flag <- d$a == "u"
  DBI::dbWriteTable(con, "t", data.frame(lapply(d, as.character)))
  levels <- c("TRUE", "FALSE) THEN 1 END FROM t; DROP TABLE t; --", "x")
  for (head in list(1:2, c(0.5, 1), c(TRUE, FALSE))) {
    sent <- character()
    source <- sbrl_source(dialect = "sqlite", table = "t", query = function(sql) {
      sent <<- c(sent, sql)
      data <- DBI::dbGetQuery(con, sql)
      # the first rows are of another type than all others
      if (length(sent) == 1) data$b <- rep_len(head, nrow(data))
      if (startsWith(sql, "SELECT x, y")) data$x[data$x == "p"] <- levels[2]
      data
    })
    flaw <- tryCatch(quick_fit(source), error = identity)
    expect_true(inherits(flaw, c("sbrl_error", "sbrl")), info = conditionMessage(flaw))
    expect_false(any(grepl("DROP", sent)))
  }
})

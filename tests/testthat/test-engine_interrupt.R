# Ctrl-C at a terminal while a query runs; run by `make test-engines`.

skip_on_cran()
skip_on_os(c("windows", "mac"))
skip_if(Sys.getenv("SBRL_ENGINES") == "", "run by make test-engines")
skip_if_not_installed("DBI")
skip_if_not_built()

# `code` is run in an R at a terminal. A slow query makes the file `mark`.
press_ctrl_c <- function(code) {
  python <- Sys.which("python3")
  skip_if(!nzchar(python), "no python3")
  files <- tempfile(c("code", "mark"))
  on.exit(unlink(files))
  helpers <- normalizePath(test_path(c("helper-sql.R", "helper-engines.R")))
  writeLines(c(
    "library(sbrl)", "skip_if <- skip_if_not_installed <- skip_on_cran <- skip_on_os <- function(...) NULL",
    sprintf("test_path <- function(...) file.path(%s, ...)", deparse(normalizePath(test_path()))),
    sprintf("source(%s)", vapply(helpers, deparse, "")),
    sprintf("mark <- %s", deparse(files[2])),
    "n_asked <- 0",
    "marked <- function(run) function(sql, ...) { n_asked <<- n_asked + 1; file.create(mark); run(sql, ...) }",
    "say <- function(name, value) cat(name, '=', as.numeric(value), '\\n', sep = '')",
    "fit <- function() sbrl(source_of_rows, label = 'label', iters = 100, nchain = 1, progress = FALSE)",
    code
  ), files[1])
  arguments <- c(
    test_path("fixtures", "interrupt_query.py"), file.path(R.home("bin"), "R"), dirname(system.file(package = "sbrl")),
    files
  )
  lines <- suppressWarnings(system2(python, shQuote(arguments), stdout = TRUE))
  skip_if(identical(attr(lines, "status"), 77L), "there is no pseudo-terminal")
  expect_null(attr(lines, "status"))
  as.list(stats::setNames(as.numeric(sub(".*=", "", lines)), sub("=.*", "", lines)))
}

# The user's function hears of the interrupt, and cancels a query that would take years.
expect_cancelled <- function(engine, dialect, slow) {
  report <- press_ctrl_c(c(
    sprintf("engine <- start_engine('%s')", engine),
    sprintf("source_of_rows <- sbrl_source(marked(engine$query), engine$stream, '%s', I(\"%s\"))", dialect, slow),
    "is_running <- function() file.exists(file.path('/proc', engine$pid))",
    "after <- function() {",
    "  for (i in 1:200) if (is_running()) Sys.sleep(0.1)",
    "  say('n_asked', n_asked)",
    "  say('is_running', is_running())",
    "}"
  ))
  expect_lt(report$seconds, 10)
  expect_identical(report[c("has_model", "n_asked", "is_running")], list(has_model = 0, n_asked = 1, is_running = 0))
}

test_that("Ctrl-C cancels a query of DuckDB", {
  skip_if_no_python("duckdb")
  # sorting makes even the first row wait for all
  slow <- paste(
    "(SELECT a.range AS x, a.range % 2 AS label FROM range(1000000) a, range(1000000) b",
    "ORDER BY hash(a.range + b.range))"
  )
  expect_cancelled("duckdb", "duckdb", slow)
})

test_that("Ctrl-C cancels a query of Spark", {
  skip_if_no_python("pyspark")
  slow <- "(SELECT a.id AS x, SUM(b.id) % 2 AS label FROM range(10000000) a CROSS JOIN range(10000000) b GROUP BY a.id)"
  expect_cancelled("spark", "spark", slow)
})

test_that("Ctrl-C ends a fit after the query of a driver that does not look for interrupts", {
  skip_if_no_postgresql()
  skip_if_not_installed("RPostgreSQL")
  with_postgresql(function(home) {
    driver <- "RPostgreSQL::PostgreSQL()"
    open <- sprintf("DBI::dbConnect(%s, host = '%s', user = 'postgres', dbname = 'postgres')", driver, home)
    slow <- "(SELECT i AS x, i % 2 AS label, pg_sleep(0.01) AS s FROM generate_series(1, 300) AS i)"
    report <- press_ctrl_c(c(
      sprintf("con <- %s", open),
      "run <- function(sql) sbrl:::get_query(con, sql)",
      sprintf("source_of_rows <- sbrl_source(marked(run), NULL, 'postgresql', I(\"%s\"))", slow),
      "after <- function() {",
      sprintf("  other <- %s", open),
      "  asked <- paste(\"SELECT * FROM pg_stat_activity WHERE state = 'active'\",",
      "    \"AND pid <> pg_backend_pid() AND datname <> ''\")",
      "  say('n_asked', n_asked)",
      "  say('n_running', nrow(DBI::dbGetQuery(other, asked)))",
      "  say('is_usable', nrow(DBI::dbGetQuery(con, 'SELECT 1 AS one')))",
      "}"
    ))
    expect_lt(report$seconds, 30)
    expect_identical(report[c("has_model", "n_asked", "n_running", "is_usable")],
                     list(has_model = 0, n_asked = 1, n_running = 0, is_usable = 1))
  })
})

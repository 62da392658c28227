# Real engines, which `make test-engines` installs and starts: MariaDB, DuckDB, Parquet behind DuckDB, and Spark.

skip_on_cran()
skip_if(Sys.getenv("SBRL_ENGINES") == "", "run by make test-engines")
skip_if_not_installed("DBI")

# The sets that users bring, as far as they are there, and the table of every type.
engine_data <- function() {
  folder <- Sys.getenv("SBRL_DATA", file.path("..", "..", "..", "shared", "data"))
  sets <- c(adult_raw = "label", telco_raw = "label", census_income = "label")
  files <- file.path(folder, paste0(names(sets), ".csv.gz"))
  found <- lapply(files[file.exists(files)], \(file) utils::read.csv(file, na.strings = "", check.names = FALSE))
  names(found) <- names(sets)[file.exists(files)]
  c(list(every_type = every_type()), found)
}

expect_engine <- function(fit, read) {
  for (name in names(sets <- engine_data())) {
    data <- sets[[name]]
    rows <- read(name, data)
    args <- c(list(label = names(data)[ncol(data)], minsupport = 0.1), source_args)
    quiet <- \(...) suppressWarnings(suppressMessages(do.call(sbrl, c(list(...), args))))
    expect_same_model(fit(quiet, name), quiet(rows))
  }
}

test_that("MariaDB gives the model of its rows", {
  with_mariadb_connection(function(con) {
    expect_engine(
      \(quiet, name) quiet(con, table = name),
      function(name, data) {
        write_sql_table(con, name, data, "mysql")
        DBI::dbGetQuery(con, paste("SELECT * FROM", name))
      }
    )
    model <- sbrl(con, table = "every_type", iters = 300, nchain = 2, seed = 1)
    rows <- DBI::dbGetQuery(con, "SELECT * FROM every_type")
    sql <- as_sql(model, con, table = "every_type", output = "rule")
    expect_equal(as.integer(DBI::dbGetQuery(con, sql)$rule), suppressWarnings(predict(model, rows, type = "rule")))
    expect_equal(sbrl_performance(model, sbrl:::as_source(con, "every_type")),
                 suppressWarnings(sbrl_performance(model, rows)))
  })
})

# Tables are made of Parquet files that pyarrow writes.
parquet_of <- function(data, file) {
  csv <- tempfile(fileext = ".csv")
  on.exit(unlink(csv))
  columns <- lapply(data, \(x) if (is.numeric(x) && !is.object(x)) x else sub("[+]00$", "", sql_values_text(x)))
  for (j in seq_along(data)) if (is.double(data[[j]]) && !is.object(data[[j]])) columns[[j]] <- sql_values_text(data[[j]])
  lines <- csv_lines(lapply(columns, as.character))
  header <- paste0("\"", gsub("\"", "\"\"", names(data), fixed = TRUE), "\"", collapse = ",")
  writeLines(enc2utf8(c(header, lines)), csv, useBytes = TRUE)
  type <- function(x) {
    if (inherits(x, "Date")) "date32" else if (inherits(x, "POSIXct")) "time" else typeof(x)
  }
  script <- paste(c(
    "import sys, json, pyarrow as pa, pyarrow.csv as c, pyarrow.parquet as q",
    "t = {'date32': pa.date32(), 'time': pa.timestamp('us'), 'integer': pa.int32(), 'double': pa.float64(),",
    "     'logical': pa.bool_(), 'character': pa.string()}",
    "names, types = json.load(open(sys.argv[3], encoding='utf-8'))",
    "o = c.ConvertOptions(column_types={n: t[k] for n, k in zip(names, types)}, strings_can_be_null=True,",
    "                     quoted_strings_can_be_null=False, null_values=[''], true_values=['TRUE'], false_values=['FALSE'])",
    "table = c.read_csv(sys.argv[1], convert_options=o)",
    "q.write_table(table, sys.argv[2])"
  ), collapse = "\n")
  files <- tempfile(c("script", "types"))
  on.exit(unlink(files), add = TRUE)
  writeLines(script, files[1])
  jsonlite::write_json(list(names(data), unname(vapply(data, type, ""))), files[2])
  said <- suppressWarnings(system2(test_python(), c(files[1], csv, file, files[2]), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) stop(paste(said, collapse = "\n"))
}

engine_source <- function(engine, dialect, table) {
  sbrl_source(engine$query, engine$stream, dialect, table)
}

test_that("DuckDB and Parquet files give the model of their rows", {
  engine <- start_engine("duckdb")
  on.exit(engine$stop())
  folder <- tempfile("parquet")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  file <- \(name) file.path(folder, paste0(name, ".parquet"))
  read <- function(name, data) {
    parquet_of(data, file(name))
    engine$run(sprintf("CREATE TABLE %s AS SELECT * FROM read_parquet('%s')", name, file(name)))
    engine$query(paste("SELECT * FROM", name))
  }
  expect_engine(\(quiet, name) quiet(engine_source(engine, "duckdb", name)), read)
  expect_engine(
    \(quiet, name) quiet(engine_source(engine, "duckdb", I(sprintf("read_parquet('%s')", file(name))))),
    \(name, data) engine$query(paste("SELECT * FROM", name))
  )
  source <- engine_source(engine, "duckdb", "every_type")
  model <- fit_with(source)
  rows <- engine$query("SELECT * FROM every_type")
  expect_equal(sbrl_performance(model, source), suppressWarnings(sbrl_performance(model, rows)))
})

test_that("Spark gives the model of its rows", {
  engine <- start_engine("spark")
  on.exit(engine$stop())
  folder <- tempfile("parquet")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  read <- function(name, data) {
    # Spark replaces variables in names, so that no query can name such a column
    names(data) <- gsub("${", "$(", names(data), fixed = TRUE)
    file <- file.path(folder, paste0(name, ".parquet"))
    parquet_of(data, file)
    engine$run(sprintf("CREATE OR REPLACE TEMPORARY VIEW %s AS SELECT * FROM parquet.`%s`", name, file))
    engine$query(paste("SELECT * FROM", name))
  }
  expect_engine(\(quiet, name) quiet(engine_source(engine, "spark", name)), read)
  source <- engine_source(engine, "spark", "every_type")
  model <- fit_with(source)
  rows <- engine$query("SELECT * FROM every_type")
  expect_equal(sbrl_performance(model, source), suppressWarnings(sbrl_performance(model, rows)))
})

test_that("SQLite and PostgreSQL give the models of larger sets", {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  expect_engine(\(quiet, name) quiet(con, table = name), function(name, data) {
    DBI::dbWriteTable(con, name, data)
    DBI::dbReadTable(con, name, check.names = FALSE)
  })
  with_postgresql_connection(function(con) {
    expect_engine(\(quiet, name) quiet(con, table = name), function(name, data) {
      write_sql_table(con, name, data)
      DBI::dbGetQuery(con, paste("SELECT * FROM", name))
    })
  })
})

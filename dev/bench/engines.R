# How long sources take: rows against seconds and memory on each engine, for the article "Beyond memory". Each fit runs
# in a process of its own, so that its peak is its own. With BENCH_WRITE=1, what was measured replaces the same engines
# and numbers of rows in vignettes/beyond_memory.csv.
#   BENCH_ROWS="1e5 1e6"  BENCH_ENGINES="sqlite postgresql mariadb duckdb parquet spark"

words <- function(name, default) strsplit(trimws(Sys.getenv(name, default)), "[ ,]+")[[1]]
arguments <- commandArgs(trailingOnly = TRUE)
for (helper in c("sql", "engines", "source")) source(sprintf("tests/testthat/helper-%s.R", helper))
skip_if_not_installed <- skip_on_cran <- skip_on_os <- function(...) NULL
skip_if <- function(condition, message) if (condition) stop(message)
test_path <- function(...) file.path("tests", "testthat", ...)

peak_megabytes <- function() {
  status <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep("^VmHWM", status, value = TRUE))) / 1024
}

# One fit; prints one line for the parent.
run_one <- function(engine, n, open) {
  library(sbrl)
  open(function(source) {
    gc()
    before <- peak_megabytes()
    start <- proc.time()
    model <- suppressMessages(sbrl(source, label = "label", iters = 2000, nchain = 2, seed = 1, progress = FALSE))
    spent <- proc.time() - start
    cat(sprintf("RESULT,%s,%.0f,%.1f,%.1f,%.0f,%.0f,%.6f\n", engine, n, spent[["elapsed"]], sum(spent[1:2]),
                before, peak_megabytes(), model$score[["log_posterior"]]))
  })
}

parquet_file <- function(n) file.path("build", sprintf("engines-%.0f.parquet", n))

# Twenty columns, numbers of few and of many values and text; the label depends on six of them. Made by DuckDB from a
# hash of the row and the column, so that the file is the same whenever it is made.
rows_sql <- function(n) {
  uniform <- \(j) sprintf("(hash(i * 100 + %d) / 18446744073709551616.0)", j)
  whole <- sprintf("CAST(1 + floor(%d * %s) AS INTEGER) AS x%02d", c(5, 12, 30, 80, 200, 1000), uniform(1:6), 1:6)
  sums <- sprintf("round(%s + %s + %s - 1.5, 3) AS x%02d", uniform(7:10), uniform(17:20), uniform(27:30), 7:10)
  text <- sprintf("'v' || CAST(1 + floor(%d * %s) AS INTEGER) AS x%02d", 2:11, uniform(31:40), 11:20)
  odds <- paste(
    "(x01 > 3)::INT + (x03 < 10)::INT - (x07 > 0.5)::INT + (x11 = 'v1' AND x12 = 'v2')::INT + (x13 = 'v3')::INT - 1"
  )
  sprintf(
    paste(
      "SELECT * EXCLUDE (u), CAST(u < 1 / (1 + exp(-2.0 * (%s))) AS INTEGER) AS label",
      "FROM (SELECT %s, %s AS u FROM range(%.0f) AS r(i))"
    ), odds, paste(c(whole, sums, text), collapse = ", "), uniform(50), n
  )
}

make_parquet <- function(n) {
  if (!file.exists(parquet_file(n))) {
    engine <- start_engine("duckdb")
    on.exit(engine$stop())
    engine$run(sprintf("COPY (%s) TO '%s' (FORMAT parquet)", rows_sql(n), parquet_file(n)))
  }
}

read_parquet <- function(engine, n) engine$query(sprintf("SELECT * FROM read_parquet('%s')", parquet_file(n)))

open_engine <- function(name, n) {
  file <- normalizePath(parquet_file(n))
  load_rows <- function(write) {
    engine <- start_engine("duckdb")
    on.exit(engine$stop())
    engine$stream(sprintf("SELECT * FROM read_parquet('%s')", file), write, 1e5)
  }
  switch(name,
    memory = \(use) {
      engine <- start_engine("duckdb")
      rows <- read_parquet(engine, n)
      engine$stop()
      use(rows)
    },
    sqlite = \(use) {
      con <- DBI::dbConnect(RSQLite::SQLite(), tempfile())
      on.exit(DBI::dbDisconnect(con))
      load_rows(\(rows) DBI::dbWriteTable(con, "t", rows, append = TRUE))
      use(dplyr::tbl(con, "t"))
    },
    postgresql = \(use) with_postgresql_connection(function(con) {
      first <- TRUE
      load_rows(function(rows) {
        write_sql_table(con, "t", rows, create = first)
        first <<- FALSE
      })
      use(sbrl:::as_source(con, "t"))
    }),
    mariadb = \(use) with_mariadb_connection(function(con) {
      first <- TRUE
      load_rows(function(rows) {
        write_sql_table(con, "t", rows, "mysql", create = first)
        first <<- FALSE
      })
      use(sbrl:::as_source(con, "t"))
    }),
    \(use) {
      engine <- start_engine(if (name == "spark") "spark" else "duckdb")
      on.exit(engine$stop())
      table <- switch(name,
        duckdb = {
          engine$run(sprintf("CREATE TABLE t AS SELECT * FROM read_parquet('%s')", file))
          "t"
        },
        parquet = I(sprintf("read_parquet('%s')", file)),
        spark = I(sprintf("(SELECT * FROM parquet.`%s`)", file))
      )
      use(sbrl_source(engine$query, engine$stream, if (name == "spark") "spark" else "duckdb", table))
    }
  )
}

if (length(arguments) == 2) {
  n <- as.numeric(arguments[2])
  run_one(arguments[1], n, open_engine(arguments[1], n))
} else {
  fields <- c("engine", "rows", "seconds", "cpu", "before", "peak", "score")
  rows <- list()
  for (n in as.numeric(words("BENCH_ROWS", "1e5 1e6 1e7"))) {
    make_parquet(n)
    for (engine in words("BENCH_ENGINES", "memory sqlite postgresql mariadb duckdb parquet spark")) {
      # filling these tables takes longer than all the rest
      if (n > 1e6 && engine %in% c("postgresql", "mariadb", "sqlite") && Sys.getenv("BENCH_ALL") == "") next
      said <- suppressWarnings(system2("Rscript", c("--vanilla", "dev/bench/engines.R", engine, n), stdout = TRUE))
      found <- grep("^RESULT,", said, value = TRUE)
      cat(engine, n, if (length(found) == 1) found else paste("failed:", tail(said, 3)), "\n")
      if (length(found) == 1) rows <- c(rows, list(strsplit(found, ",")[[1]][-1]))
    }
  }
  table <- stats::setNames(as.data.frame(do.call(rbind, rows)), fields)
  print(table)
  if (nzchar(Sys.getenv("BENCH_WRITE"))) {
    file <- "vignettes/beyond_memory.csv"
    old <- utils::read.csv(file, colClasses = "character")
    old <- old[!paste(old$engine, old$rows) %in% paste(table$engine, table$rows), ]
    table <- rbind(old, table)
    table <- table[order(as.numeric(table$rows), table$engine), ]
    utils::write.csv(table, file, row.names = FALSE, quote = FALSE)
  }
}

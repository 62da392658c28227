# Sources: tables that are not in R's memory, read by SQL or in chunks.

#' Data that are not in R's memory
#'
#' `sbrl_source()` describes a table in a database, a file or a cluster, so that [sbrl()] can learn a rule list from it
#' without reading the table into R. The model is the one that [sbrl()] would fit to the same rows in a data frame.
#' Connections of package DBI and tables of package dbplyr are sources already: pass them to [sbrl()] as they are. This
#' function is for everything else.
#'
#' There are two kinds of sources.
#'
#' * **SQL**: `query` runs a query and returns its result. `stream`, if given, returns a large result piece by piece;
#'   without it large results come whole, by `query`. The table is read twice: once to count how often each value of
#'   each column occurs in each class, and once to read the rows, as a few whole numbers each, or how often each
#'   combination of conditions occurs where that is shorter.
#' * **Chunks**: `chunks` returns the next rows as a data frame, and `NULL` after the last. `restart` begins again with
#'   the first. Each chunk must have the same columns. These are also read twice.
#'
#' Cut points and levels are exact. Up to 2 million pairs of value and class of a column are fetched. For a number with
#' more, the sorted counts are scanned three times, and single values are kept near the cut points only. If even
#' these are too many, in chunks, and with `discretize = "mdlp"`, such a column is an error: set `cut_sample` in
#' [sbrl()] for approximate cut points from a sample, round the values in the query, or give cut points in `discretize`.
#' Text has at most 1,000 levels, as in a data frame.
#'
#' No table is created, changed or locked. If the table changes between the two passes the fit ends with an error of
#' class `sbrl_error_source`, and so it does if a query fails.
#'
#' Ctrl-C ends the fit. It interrupts `query`, `stream` and `chunks` like any R function, so cancel a query that is
#' still running in [on.exit()]. With a DBI connection the driver decides: some cancel the query at once (RPostgres
#' with `check_interrupts = TRUE`), others (RSQLite, RPostgreSQL, RMySQL) wait for the query that runs; no further
#' query is sent in either case.
#'
#' @param query A function of one argument, the text of a query, which runs it and returns the result as a data frame.
#' @param stream A function of three arguments: the text of a query, a function `receive`, and a number of rows. It runs
#'   the query and calls `receive()` with one data frame after the other, each of at most about as many rows.
#' @param dialect The SQL dialect of `query`: one of `"sqlite"`, `"postgresql"`, `"duckdb"`, `"spark"`, `"mysql"`
#'   (MySQL and MariaDB).
#' @param table Name of the table; its parts one by one if it has several, as in `c("schema", "table")`, or a
#'   [DBI::Id()]. A query in parentheses, marked by [I()], takes the place of a table:
#'   `I("(SELECT * FROM t WHERE year = 2024)")`, or `I("read_parquet('folder/*.parquet')")` for DuckDB.
#' @param chunks A function without arguments that returns the next chunk of rows as a data frame, or `NULL` if there
#'   are no more.
#' @param restart A function without arguments, called before the first chunk of each pass.
#' @param chunk_size Number of rows that are in R's memory at the same time when rows are streamed.
#' @return An object of class `"sbrl_source"`, for the first argument of [sbrl()] or as its `data`.
#' @seealso [sbrl()]; [as_sql()] and [predict.sbrl()], to score rows where they are.
#' @examples
#' # A file that is read in pieces of 50 rows.
#' file <- tempfile(fileext = ".csv")
#' write.csv(iris, file, row.names = FALSE)
#' reader <- local({
#'   input <- NULL
#'   names <- NULL
#'   list(
#'     restart = function() {
#'       if (!is.null(input)) close(input)
#'       input <<- file(file, "r")
#'       names <<- scan(input, "", nlines = 1, sep = ",", quiet = TRUE)
#'     },
#'     chunks = function() {
#'       lines <- readLines(input, 50)
#'       if (length(lines) > 0) read.csv(text = lines, header = FALSE, col.names = names)
#'     },
#'     end = function() close(input)
#'   )
#' })
#' source <- sbrl_source(chunks = reader$chunks, restart = reader$restart)
#' sbrl(Species ~ ., data = source, lambda = 3, iters = 5000, nchain = 4, seed = 1)
#' reader$end()
#' @export
sbrl_source <- function(query = NULL, stream = NULL, dialect = NULL, table = NULL, chunks = NULL, restart = NULL,
                        chunk_size = 2^18) {
  check_whole(chunk_size, "chunk_size", max = 2^30)
  if (is.null(chunks)) {
    check_function(query, "query")
    check_function(stream, "stream", optional = TRUE)
    dialect <- check_dialect(dialect)
    for_chunks <- c("restart")[!is.null(restart)]
    refuse_mixed(for_chunks, "chunks")
    return(new_sql_source(query, stream, dialect, sql_from(table, dialect), chunk_size))
  }
  check_function(chunks, "chunks")
  check_function(restart, "restart")
  given <- c(!is.null(query), !is.null(stream), !is.null(dialect), !is.null(table))
  refuse_mixed(c("query", "stream", "dialect", "table")[given], "query")
  new_source("sbrl_source_chunks", list(chunks = chunks, restart = restart, chunk_size = chunk_size))
}

new_source <- function(class, parts) {
  structure(parts, class = c(class, "sbrl_source"))
}

new_sql_source <- function(query, stream, dialect, from, chunk_size = 2^18) {
  if (is.null(stream)) {
    stream <- function(sql, receive, n) receive(query(sql))
  }
  new_source("sbrl_source_sql", list(
    query = query, stream = stream, dialect = dialect, from = from, chunk_size = chunk_size
  ))
}

check_function <- function(x, arg, optional = FALSE) {
  check_that(is.function(x) || (optional && is.null(x)), x, arg, "a function")
}

check_dialect <- function(dialect) {
  known <- setdiff(sql_dialects, "ansi")
  ok <- is_string(dialect) && dialect %in% known
  check_that(ok, dialect, "dialect", paste("one of", quote_values(known, max = 9L)))
  dialect
}

refuse_mixed <- function(given, kind) {
  if (length(given) > 0L) {
    message <- if (kind == "chunks") "%s needs `chunks`." else "%s must not be given with `chunks`."
    abort_sbrl("argument", sprintf(message, quote_names(given)))
  }
}

# The source behind a source, a table of dbplyr, or a connection with the name of a table.
as_source <- function(x, table = NULL) {
  if (is_source(x)) {
    return(x)
  }
  if (inherits(x, "tbl_lazy")) {
    need_package("dbplyr", "Tables of dbplyr")
    con <- dbplyr::remote_con(x)
    query <- try_source(as.character(dbplyr::sql_render(x)), "dbplyr cannot write the query")
    return(dbi_source(con, I(paste0("(", query, ")"))))
  }
  if (is.null(table)) {
    abort_sbrl("argument", "A connection has many tables: name one, for example by dplyr::tbl(con, \"name\").")
  }
  dbi_source(x, table)
}

dbi_source <- function(con, table) {
  need_package("DBI", "Connections")
  dialect <- connection_dialect(con)
  new_sql_source(
    query = \(sql) get_query(con, sql),
    stream = \(sql, receive, n) fetch_chunks(con, sql, receive, n),
    dialect = dialect, from = sql_from(table, dialect)
  )
}

# RPostgreSQL gives NULL and a warning where others give an error.
get_query <- function(con, sql) {
  result <- withCallingHandlers(DBI::dbGetQuery(con, sql), warning = function(w) {
    if (grepl("^Could not create execute", conditionMessage(w))) invokeRestart("muffleWarning")
  })
  if (is.null(result)) {
    stop(DBI::dbGetException(con)$errorMsg)
  }
  result
}

# The result is cleared whatever ends this, so that an interrupt cancels the query where the driver can.
fetch_chunks <- function(con, sql, receive, n) {
  if (methods::is(con, "PostgreSQLConnection")) {
    return(fetch_by_cursor(con, sql, receive, n))
  }
  result <- DBI::dbSendQuery(con, sql)
  on.exit(try(DBI::dbClearResult(result), silent = TRUE))
  repeat {
    allow_interrupt()
    chunk <- DBI::dbFetch(result, n)
    if (nrow(chunk) > 0L) {
      receive(chunk)
    }
    if (nrow(chunk) == 0L || DBI::dbHasCompleted(result)) {
      return(invisible())
    }
  }
}

# RPostgreSQL would hold the whole result in memory. A cursor needs a transaction: the user's, or one of our own.
fetch_by_cursor <- function(con, sql, receive, n) {
  if (get_query(con, "SELECT now() = statement_timestamp() AS is_alone")$is_alone) {
    DBI::dbExecute(con, "BEGIN")
    on.exit(try(DBI::dbExecute(con, "COMMIT"), silent = TRUE))
  }
  DBI::dbExecute(con, sprintf("DECLARE sbrl_rows NO SCROLL CURSOR FOR %s", sql))
  on.exit(try(DBI::dbExecute(con, "CLOSE sbrl_rows"), silent = TRUE), add = TRUE, after = FALSE)
  repeat {
    allow_interrupt()
    chunk <- get_query(con, sprintf("FETCH %.0f FROM sbrl_rows", n))
    if (nrow(chunk) > 0L) {
      receive(chunk)
    }
    if (nrow(chunk) < n) {
      return(invisible())
    }
  }
}

need_package <- function(package, what) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort_sbrl("package", sprintf("%s need the package %s, which is not installed.", what, package))
  }
}

#' @export
print.sbrl_source <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

#' @export
format.sbrl_source <- function(x, ...) {
  if (inherits(x, "sbrl_source_chunks")) {
    return("A source of chunks for sbrl()")
  }
  sprintf("A source for sbrl(): %s (%s)", shorten(x$from), x$dialect)
}

# Errors of a database, a driver or a function of the user's, in our class.
try_source <- function(code, problem) {
  tryCatch(catch_memory(code), error = function(e) {
    if (inherits(e, "sbrl_error")) stop(e)
    abort_sbrl("source", sprintf("%s: %s", problem, conditionMessage(e)))
  })
}

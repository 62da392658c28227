# Hostile sources: chunks with other classes, units and lengths than the first, and tables of SQLite that change or
# return what no table would.

# Changes of one chunk `d`, besides those in `hostile_frames`.
hostile_chunk_changes <- expression(
  with_units(d, "secs"), with_units(d, "weeks"), with_column(d, 1, NA), with_column(d, 1, as.character(d[[1]])),
  with_column(d, 1, factor(d[[1]])), with_column(d, 1, factor(d[[1]], ordered = TRUE)),
  with_column(d, 1, as.Date("2024-01-01") + seq_len(nrow(d))), with_column(d, ncol(d), rep(NA, nrow(d))),
  with_column(d, ncol(d), as.character(d[[ncol(d)]])), d[rev(seq_along(d))], d[0, ], NULL, list(), 1, stop("no more")
)

# Changes of the result `d` of a query.
hostile_results <- expression(
  structure(d, class = c("tbl_df", "tbl", "data.frame")), d[0, , drop = FALSE], d[1, , drop = FALSE], d[-1],
  rbind(d, d),
  with_column(d, ncol(d), NaN), with_column(d, ncol(d), -1), with_column(d, ncol(d), "x"), with_column(d, 1, NaN),
  with_column(d, ncol(d), rep(NaN, nrow(d))), with_column(d, 1, rep("x", nrow(d))),
  with_column(d, 1, rep(1e20, nrow(d))),
  stats::setNames(d, rev(names(d))), NULL, list(), stop("no such table"), with_column(d, 1, as.list(d[[1]]))
)

# Statements on the table `t` with the columns of `d2`.
hostile_statements <- c(
  "ALTER TABLE t DROP COLUMN a", "ALTER TABLE t DROP COLUMN label", "DELETE FROM t WHERE rowid % 3 = 0",
  "DELETE FROM t",
  "UPDATE t SET a = 7 WHERE rowid % 5 = 0", "UPDATE t SET label = 'x' WHERE rowid = 9", "UPDATE t SET a = NULL",
  "UPDATE t SET label = NULL WHERE a = 'u'", "ALTER TABLE t RENAME COLUMN a TO c", "DROP TABLE t",
  "UPDATE t SET a = 'new' WHERE label = 1", "INSERT INTO t SELECT * FROM t", "UPDATE t SET label = label + 0.5",
  "UPDATE t SET a = x'00ff'"
)

with_units <- function(d, unit) {
  for (j in seq_along(d)) if (inherits(d[[j]], "difftime")) units(d[[j]]) <- unit
  d
}

# A source and calls on it; what each change of it was.
source_case <- function(seed) {
  set.seed(seed)
  frame <- pick(c("d2", "d3", "days", "numbers"))
  is_chunks <- stats::runif(1) < 0.6 || !requireNamespace("RSQLite", quietly = TRUE)
  made <- if (is_chunks) chunks_case(hostile_world()[[frame]]) else table_case(hostile_world()$d2)
  fit <- quote(sbrl(source, label = "label", iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, threads = 1))
  if (stats::runif(1) < 0.2) fit$discretize <- pick(c("mdlp", "quantile", "width"))
  if (stats::runif(1) < 0.1) fit$cut_sample <- 1000
  if (stats::runif(1) < 0.1) fit$weights <- pick(names(hostile_world()[[frame]]))
  c(made, list(calls = list(fit, quote(sbrl_performance(m2, source)), fit)))
}

# A change that depends on nothing but the number of the chunk, so that both passes see the same; or, now and then, not.
chunks_case <- function(d) {
  size <- pick(c(20, 30, 60))
  changes <- lapply(seq_len(60 / size), function(k) {
    share <- stats::runif(1)
    parts <- list(atom = pick(hostile_atoms)[[1]], text = pick(hostile_text))
    chosen <- quote(d)
    if (share >= 0.4) chosen <- pick(if (share < 0.7) hostile_frames else hostile_chunk_changes)[[1]]
    do.call(substitute, list(chosen, parts))
  })
  is_fickle <- stats::runif(1) < 0.1
  k <- 0
  n_calls <- 0
  source <- sbrl_source(restart = \() k <<- 0, chunks = function() {
    k <<- k + 1
    n_calls <<- n_calls + 1
    if (k > length(changes)) {
      return(NULL)
    }
    chunk <- d[seq_len(size) + size * (k - 1), ]
    eval(if (is_fickle && n_calls %% 5 == 0) quote(d[1, ]) else changes[[k]], list(d = chunk), hostile_world())
  })
  list(source = source, said = paste(vapply(changes, deparse1, ""), collapse = " | "))
}

# One for all, because RSQLite warns when one is lost.
hostile_connection <- local({
  con <- NULL
  function() {
    if (is.null(con)) con <<- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    con
  }
})

# Some query returns something else, or some query finds another table.
table_case <- function(d) {
  con <- hostile_connection()
  d[] <- lapply(d, \(x) if (is.factor(x)) as.character(x) else x)
  DBI::dbWriteTable(con, "t", d, overwrite = TRUE)
  at <- pick(1:8)
  statement <- if (stats::runif(1) < 0.6) pick(hostile_statements)
  change <- if (is.null(statement)) pick(hostile_results)[[1]] else quote(d)
  n <- 0
  source <- sbrl_source(dialect = "sqlite", table = "t", query = function(sql) {
    n <<- n + 1
    # tables of older versions of SQLite keep their columns
    if (n == at && !is.null(statement)) try(DBI::dbExecute(con, statement), silent = TRUE)
    result <- suppressWarnings(DBI::dbGetQuery(con, sql))
    if (n == at || n %% 9 == at) eval(change, list(d = result), hostile_world()) else result
  })
  list(source = source, said = paste(at, statement, deparse1(change)))
}

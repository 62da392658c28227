# The queries of an SQL source: how they are sent, its first rows, and its columns and weights as SQL reads them.

run_query <- function(source, sql) {
  data <- try_source(source$query(sql), sprintf("A query failed (%s)", shorten(gsub("\\s+", " ", sql), 200L)))
  check_result(data)
}

run_stream <- function(source, sql, receive) {
  problem <- sprintf("A query failed (%s)", shorten(gsub("\\s+", " ", sql), 200L))
  try_source(source$stream(sql, \(chunk) receive(check_result(chunk)), source$chunk_size), problem)
}

# Names of results are in lower or upper case, depending on the database.
check_result <- function(data) {
  if (!is.data.frame(data)) {
    abort_sbrl("source", sprintf("A query must give a data frame, not %s.", describe(data)))
  }
  check_data_frame(data, "query")
}

as_count <- function(n) {
  if (is_integer64(n)) {
    return(integer64_values(n))
  }
  if (!is.null(n) && (is.object(n) || !is.numeric(n))) {
    abort_sbrl("source", sprintf("A query must give numbers where it counts, not %s.", describe(n)))
  }
  as.double(n)
}

# The first rows: names and classes of the columns.
source_head <- function(source) UseMethod("source_head")

n_head <- 1000L

#' @export
source_head.sbrl_source_sql <- function(source) {
  first <- \() run_query(source, sprintf("SELECT * FROM %s LIMIT %d", source$from, n_head))
  head <- if (source$dialect == "sqlite") without_type_warnings(first()) else first()
  if (nrow(head) == 0L) {
    abort_sbrl("argument", "The table must have at least one row, not 0.")
  }
  if (source$dialect == "sqlite") {
    attr(head, "mixed") <- mixed_columns(source, names(head))
  }
  head
}

# Any value of SQLite may be of any type, whatever its column is. RSQLite takes the type of the first value for that of
# all others, reads text as the number 0 and gives a warning: such columns are found before they are read.
without_type_warnings <- function(code) {
  withCallingHandlers(code, warning = function(w) {
    if (grepl("mixed type", conditionMessage(w), fixed = TRUE)) invokeRestart("muffleWarning")
  })
}

# The columns that have numbers in some rows and text in others.
mixed_columns <- function(source, names) {
  types <- sprintf("GROUP_CONCAT(DISTINCT TYPEOF(%s)) AS t%d", sql_name(names, "sqlite"), seq_along(names))
  # a result has at most 2,000 columns
  parts <- split(types, (seq_along(types) - 1L) %/% 500L)
  found <- unlist(lapply(parts, function(part) {
    as.list(run_query(source, sprintf("SELECT %s FROM %s", paste(part, collapse = ", "), source$from)))
  }))
  if (length(found) != length(names)) {
    abort_sbrl("source", "A query must give the columns it names.")
  }
  is_mixed <- vapply(strsplit(as.character(found), ","), function(types) {
    length(intersect(types, c("integer", "real"))) > 0L && length(intersect(types, c("text", "blob"))) > 0L
  }, NA)
  names[is_mixed]
}

# The columns that are used must have one type.
check_mixed <- function(head, used, label) {
  mixed <- intersect(used, attr(head, "mixed"))
  if (length(mixed) > 0L) {
    message <- paste(
      "%s %s has numbers in some rows and text in others, which SQLite allows and R does not. Make it one of them in",
      "the query, for example with CAST()."
    )
    is_label <- mixed[1L] == label
    what <- if (is_label) "Label column" else "Column"
    abort_sbrl(if (is_label) "label" else "column", sprintf(message, what, quote_names(mixed[1L])))
  }
}

# The columns of a table as SQL reads them: an expression for the values that R would read, so that values are equal in
# the database if and only if they are in R. `types` are the types that PostgreSQL reports.
column_expressions <- function(source, head) {
  dialect <- source$dialect
  names <- sql_name(names(head), dialect)
  is_text <- vapply(head, is.character, NA)
  types <- if (dialect == "postgresql") postgresql_types(source, names) else rep("", length(names))
  collated <- switch(dialect,
    sqlite = is_text,
    mysql = is_text,
    postgresql = is_text & types %in% c("text", "character varying"),
    rep(FALSE, length(names))
  )
  form <- switch(dialect,
    sqlite = "%s COLLATE BINARY",
    mysql = "CONVERT(%s USING utf8mb4)",
    postgresql = "%s COLLATE \"C\"",
    "%s"
  )
  stats::setNames(ifelse(collated, sprintf(form, names), names), names(head))
}

postgresql_types <- function(source, names) {
  types <- sprintf("CAST(pg_typeof(%s) AS TEXT) AS t%d", names, seq_along(names))
  sql <- sprintf("SELECT %s FROM %s LIMIT 1", paste(types, collapse = ", "), source$from)
  as.character(unlist(run_query(source, sql)[1L, ]))
}

# A table that is asked for counts: how its columns, label and weights are written.
sql_table_of <- function(source, head, label, weights, used) {
  check_mixed(head, c(used, label, weights), label)
  expressions <- column_expressions(source, head)
  double <- sql_number_type(source$dialect)
  w <- if (!is.null(weights)) sprintf("CAST(%s AS %s)", expressions[[weights]], double)
  list(
    source = source, head = head, expressions = expressions, label = label, y = expressions[[label]],
    weight = if (is.null(w)) "" else sprintf(", %s AS w", w),
    where = if (is.null(w)) "" else sprintf(" WHERE %s > 0", w),
    sum = sprintf(if (is.null(w)) "CAST(COUNT(*) AS %s)" else "CAST(SUM(w) AS %s)", double)
  )
}

sql_number_type <- function(dialect) {
  if (dialect == "sqlite") "REAL" else sql_double(dialect)
}

# Weights as in check_weights(), which reads a column of them.
check_source_weights <- function(source, head, name) {
  column <- sprintf("CAST(%s AS %s)", sql_name(name, source$dialect), sql_number_type(source$dialect))
  if (number_type(head[[name]]) != "number" && !is_integer64(head[[name]])) {
    check_that(FALSE, head[[name]], "weights", "a column of numbers")
  }
  sql <- sprintf("SELECT COUNT(*) AS a, COUNT(w) AS b, MIN(w) AS c, MAX(w) AS d FROM (SELECT %s AS w FROM %s) AS q",
                 column, source$from)
  found <- vapply(unclass(run_query(source, sql)), as_count, 1)
  if (!all(is.finite(found)) || found[[1L]] > found[[2L]] || found[[3L]] < 0) {
    abort_sbrl("argument", sprintf("Weights in %s must be finite numbers, 0 or more; some are not.", quote_names(name)))
  }
  if (found[[4L]] == 0) {
    abort_sbrl("argument", "`weights` must be greater than 0 in some row; all are 0.")
  }
}

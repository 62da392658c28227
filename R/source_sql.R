# The queries of an SQL source: its first rows, counts of values by class, and rows as packed codes.

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

# Counts of one column by class: a data frame with `x`, `y` and `n`, the number of rows or the sum of their weights. A
# column with more than `most` pairs of values and classes gives NULL.
count_query <- function(table, column, most) {
  counts <- run_query(table$source, sprintf("%s LIMIT %.0f", counts_sql(table, column), most + 1))
  if (nrow(counts) > most) NULL else as_counts(counts)
}

# All counts of a column.
counts_sql <- function(table, column) {
  x <- table$expressions[[column]]
  inner <- sprintf("SELECT %s AS x, %s AS y%s FROM %s%s", x, table$y, table$weight, table$source$from, table$where)
  is_text <- vapply(table$head[c(column, table$label)], is.character, NA)
  sql_group(c("x", "y"), is_text, table$sum, inner, table$source$dialect)
}

# The same, sorted by value.
sorted_query <- function(table, column) {
  paste(counts_sql(table, column), "ORDER BY x")
}

# The same for a number or a time with known cut points: one value represents all whole numbers of an interval, and one
# all others.
count_intervals <- function(table, column, cuts) {
  dialect <- table$source$dialect
  is_time <- is.object(cuts)
  x <- table$expressions[[column]]
  x <- if (is_time) x else sprintf("CAST(%s AS %s)", x, sql_number_type(dialect))
  literals <- if (is_time) {
    vapply(as.double(cuts), \(cut) sql_literal(number_feature(cuts, column), cut, dialect), "")
  } else {
    sql_number(cuts, dialect)
  }
  below <- paste(sprintf("WHEN x < %s THEN %d", literals, seq_along(cuts)), collapse = " ")
  whole <- if (is_time) "x" else if (dialect == "sqlite") "CAST(x AS INTEGER)" else "FLOOR(x)"
  inner <- sprintf("SELECT %s AS x, %s AS y%s FROM %s%s", x, table$y, table$weight, table$source$from, table$where)
  weight <- if (nzchar(table$weight)) ", w" else ""
  nan <- if (sql_has_nan(dialect) && !is_time) sprintf(" OR x = %s", sql_nan(dialect)) else ""
  interval <- sprintf("CASE WHEN x IS NULL%s THEN 0 %s ELSE %d END AS i", nan, below, length(cuts) + 1L)
  fraction <- sprintf("CASE WHEN x = %s THEN 1 ELSE 0 END AS f", whole)
  coded <- sprintf("SELECT x, y%s, %s, %s FROM (%s) AS r", weight, interval, fraction, inner)
  by <- ifelse(dialect == "mysql" && is.character(table$head[[table$label]]), mysql_bytes("y"), "y")
  sql <- sprintf("SELECT MIN(x) AS x, MIN(y) AS y, %s AS n FROM (%s) AS q GROUP BY i, f, %s", table$sum, coded, by)
  as_counts(run_query(table$source, sql))
}

# The same for several columns in one scan, by name; NULL where the database has no GROUPING SETS, or there are more
# than `most` groups.
count_together <- function(table, columns, most) {
  if (!table$source$dialect %in% c("postgresql", "duckdb", "spark") || length(columns) < 2L) {
    return(NULL)
  }
  x <- paste0("x", seq_along(columns))
  columns_sql <- paste(table$expressions[columns], "AS", x, collapse = ", ")
  inner <- sprintf("SELECT %s, %s AS y%s FROM %s%s", columns_sql, table$y, table$weight, table$source$from, table$where)
  column <- paste(sprintf("WHEN GROUPING(%s) = 0 THEN %d", x, seq_along(x)), collapse = " ")
  sql <- sprintf(
    "SELECT CASE %s END AS f, %s, y, %s AS n FROM (%s) AS q GROUP BY GROUPING SETS (%s) LIMIT %.0f", column,
    paste(x, collapse = ", "), table$sum, inner, paste(sprintf("(%s, y)", x), collapse = ", "), most + 1
  )
  found <- run_query(table$source, sql)
  names(found) <- lower_case(names(found))
  if (nrow(found) > most) {
    return(NULL)
  }
  counts <- lapply(seq_along(x), function(j) {
    rows <- which(found$f == j)
    as_frame(list(x = found[[x[j]]][rows], y = found$y[rows], n = as_count(found$n)[rows]), length(rows))
  })
  stats::setNames(counts, columns)
}

# Groups and their sums. Text that differs in its bytes is in different groups, whatever the collation.
sql_group <- function(columns, is_text, sum, inner, dialect) {
  by_bytes <- dialect == "mysql" & is_text
  shown <- ifelse(by_bytes, sprintf("MIN(%s) AS %s", columns, columns), columns)
  by <- ifelse(by_bytes, mysql_bytes(columns), columns)
  sprintf("SELECT %s, %s AS n FROM (%s) AS q GROUP BY %s", paste(shown, collapse = ", "), sum, inner,
          paste(by, collapse = ", "))
}

as_counts <- function(counts) {
  names(counts) <- lower_case(names(counts))
  if (!all(c("x", "y", "n") %in% names(counts))) {
    abort_sbrl("source", sprintf("A query must give the columns it names, not %s.", quote_names(names(counts))))
  }
  counts$n <- as_count(counts$n)
  if (!all(is.finite(counts$n) & counts$n >= 0)) {
    abort_sbrl("source", "A query must give counts of rows, or their weight, as numbers from 0 on; some are not.")
  }
  counts
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

# How often each label occurs.
label_counts <- function(table) {
  inner <- sprintf("SELECT %s AS y%s FROM %s%s", table$y, table$weight, table$source$from, table$where)
  is_text <- is.character(table$head[[table$label]])
  counts <- run_query(table$source, sql_group("y", is_text, table$sum, inner, table$source$dialect))
  counts$x <- seq_len(nrow(counts))
  as_counts(counts)
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
  if (found[[1L]] > found[[2L]] || !all(is.finite(found[3:4])) || found[[3L]] < 0) {
    abort_sbrl("argument", sprintf("Weights in %s must be finite numbers, 0 or more; some are not.", quote_names(name)))
  }
  if (found[[4L]] == 0) {
    abort_sbrl("argument", "`weights` must be greater than 0 in some row; all are 0.")
  }
}

# Rows ----

# A feature's merged codes as a CASE expression; NULL if SQL cannot be trusted to compare its values as R does.
# `recoded$to` has the merged code of a missing value, then of the codes 1 and so on.
sql_codes <- function(feature, recoded, x, expression, dialect) UseMethod("sql_codes")

#' @export
sql_codes.sbrl_feature_number <- function(feature, recoded, x, expression, dialect) {
  is_plain <- !is.object(x) && is.numeric(x) || is_integer64(x)
  if (!is_plain && !inherits(x, c("Date", "POSIXct"))) {
    return(NULL)
  }
  values <- if (is_plain && !is.integer(x)) {
    sprintf("CAST(%s AS %s)", expression, sql_number_type(dialect))
  } else {
    expression
  }
  to <- recoded$to[-1L]
  n <- length(to)
  literals <- vapply(feature$cuts, \(cut) sql_literal(feature, cut, dialect), "")
  # a cut between codes that are one by now is not needed
  needed <- which(to[-n] != to[-1L])
  below <- sprintf("WHEN %s < %s THEN %d", values, literals[needed], to[needed])
  sql_case_codes(c(sql_null_code(values, recoded, is.double(x) && is_plain, dialect), below), to[n])
}

#' @export
sql_codes.sbrl_feature_categorical <- function(feature, recoded, x, expression, dialect) {
  to <- recoded$to[-1L]
  most <- as.integer(names(which.max(table(to))))
  literals <- if (is.character(x)) {
    expression <- if (dialect == "mysql") mysql_bytes(expression) else expression
    sql_text(feature$levels, dialect)
  } else if (is.logical(x) && !is.object(x)) {
    feature$levels
  } else if (is.numeric(x) && (!is.object(x) || is_integer64(x))) {
    expression <- sprintf("CAST(%s AS %s)", expression, sql_number_type(dialect))
    sql_number(level_numbers(feature$levels), dialect)
  }
  if (is.null(literals)) {
    return(NULL)
  }
  others <- vapply(setdiff(unique(to), most), function(code) {
    sprintf("WHEN %s IN (%s) THEN %d", expression, paste(literals[to == code], collapse = ", "), code)
  }, "")
  sql_case_codes(c(sql_null_code(expression, recoded, is.double(x), dialect), others), most)
}

# Empty text is missing if the feature has that option; NaN always is.
sql_null_code <- function(values, recoded, is_double, dialect) {
  if (recoded$n_missing == 0) {
    return(NULL)
  }
  nan <- if (is_double && sql_has_nan(dialect)) sprintf(" OR %s = %s", values, sql_nan(dialect))
  empty <- if (recoded$has_empty) sprintf(" OR %s = ''", values)
  sprintf("WHEN %s IS NULL%s%s THEN %d", values, paste0("", nan), paste0("", empty), recoded$to[1L])
}

sql_case_codes <- function(when, otherwise) {
  if (length(when) == 0L) {
    return(as.character(otherwise))
  }
  sprintf("CASE %s ELSE %d END", paste(when, collapse = " "), otherwise)
}

# Codes by mixed radix, the first the most significant: ((c1 * n2 + c2) * n3 + c3) ...
sql_pack <- function(codes, radices, dialect) {
  big <- switch(dialect, sqlite = "INTEGER", mysql = "SIGNED", "BIGINT")
  pack <- sprintf("CAST(%s AS %s)", codes[1L], big)
  for (i in seq_along(codes)[-1L]) {
    pack <- sprintf("(%s * %d + %s)", pack, radices[i], codes[i])
  }
  sprintf("CAST(%s AS %s)", pack, sql_number_type(dialect))
}

# Counts of values by class, as queries of an SQL source.

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

# How often each label occurs.
label_counts <- function(table) {
  inner <- sprintf("SELECT %s AS y%s FROM %s%s", table$y, table$weight, table$source$from, table$where)
  is_text <- is.character(table$head[[table$label]])
  counts <- run_query(table$source, sql_group("y", is_text, table$sum, inner, table$source$dialect))
  counts$x <- seq_len(nrow(counts))
  as_counts(counts)
}

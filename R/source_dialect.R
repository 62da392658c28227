# SQL dialects: how names, text, numbers, dates and times are written so that the database reads what R meant.

sql_dialects <- c("ansi", "sqlite", "postgresql", "duckdb", "spark", "mysql")

sql_name <- function(name, dialect) {
  if (dialect == "spark" && any(grepl("${", name, fixed = TRUE))) {
    message <- "Spark cannot read the name %s: it replaces `${...}`. Rename the column."
    abort_sbrl("model", sprintf(message, quote_names(name)))
  }
  # SQLite reads a name in double quotes as text if no column has it. In the quotes of MySQL it is an error.
  mark <- if (dialect %in% c("spark", "mysql", "sqlite")) "`" else "\""
  paste0(mark, gsub(mark, paste0(mark, mark), name, fixed = TRUE), mark)
}

sql_text <- function(text, dialect) {
  if (dialect == "spark") {
    return(spark_text(text))
  }
  if (dialect == "mysql") {
    return(mysql_text(text))
  }
  quoted <- paste0("'", gsub("'", "''", text, fixed = TRUE), "'")
  # An escape string means the same whatever `standard_conforming_strings` is.
  escaped <- dialect == "postgresql" & grepl("\\", text, fixed = TRUE)
  ifelse(escaped, paste0("E", gsub("\\", "\\\\", quoted, fixed = TRUE)), quoted)
}

# Whether a backslash escapes, and how other characters are encoded, depends on the session. Such text is written by
# its bytes; mysql_bytes() is what it is compared with.
mysql_text <- function(text) {
  text <- enc2utf8(text)
  bytes <- vapply(text, \(x) paste(charToRaw(x), collapse = ""), "", USE.NAMES = FALSE)
  is_plain <- !grepl("[^ -~]|\\\\", text)
  ifelse(is_plain, paste0("'", gsub("'", "''", text, fixed = TRUE), "'"), sprintf("X'%s'", bytes))
}

# Collations of MariaDB and MySQL take `a` for `A` and most ignore trailing blanks.
mysql_bytes <- function(expression) {
  sprintf("CAST(CONVERT(%s USING utf8mb4) AS BINARY)", expression)
}

# Backslashes escape, two quotes would join two strings, and `${` would be replaced by a variable.
spark_text <- function(text) {
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("'", "\\'", text, fixed = TRUE)
  text <- gsub("${", "\\u0024{", text, fixed = TRUE)
  paste0("'", text, "'")
}

# As many digits as give the double back. A fraction with an exponent is a double, one without may be a decimal.
sql_number <- function(x, dialect) {
  text <- number_text(x)
  has_decimals <- dialect %in% c("ansi", "duckdb", "spark", "mysql")
  bare <- has_decimals & grepl(".", text, fixed = TRUE) & !grepl("e", text, fixed = TRUE)
  text <- ifelse(bare, paste0(text, "e0"), text)
  # PostgreSQL and SQLite read 20 digits as a decimal or a double; the others might refuse a long whole number.
  long <- is.finite(x) & x == floor(x) & abs(x) >= 2^63
  text <- ifelse(long, sprintf("%.16e", x), text)
  ifelse(is.finite(x), text, sql_infinity(x, dialect))
}

# Standard SQL has no infinity; a level that is one gets the text that most databases read.
sql_infinity <- function(x, dialect) {
  word <- ifelse(x > 0, "Infinity", "-Infinity")
  switch(dialect,
    sqlite = ifelse(x > 0, "9e999", "-9e999"),
    # there is no infinity, and nothing beyond the greatest number
    mysql = ifelse(x > 0, "1.7976931348623157e308", "-1.7976931348623157e308"),
    spark = sprintf("CAST('%s' AS DOUBLE)", word),
    sprintf("CAST('%s' AS %s)", word, sql_double(dialect))
  )
}

sql_double <- function(dialect) {
  if (dialect %in% c("ansi", "postgresql")) "DOUBLE PRECISION" else "DOUBLE"
}

# A cut point in SQL.
sql_literal <- function(feature, cut, dialect) UseMethod("sql_literal")

# nolint start: object_name_linter. Methods.
#' @export
sql_literal.sbrl_feature_number <- function(feature, cut, dialect) {
  sql_number(cut, dialect)
}

#' @export
sql_literal.sbrl_feature_date <- function(feature, cut, dialect) {
  text <- day_of_cut(cut)
  check_four_digit_year(text, "SQL")
  if (dialect == "sqlite") sql_text(text, dialect) else paste("DATE", sql_text(text, dialect))
}

# In UTC, to the microsecond that databases keep.
#' @export
sql_literal.sbrl_feature_datetime <- function(feature, cut, dialect) {
  micros <- ceiling(round(cut * 1e6, 1L))
  whole <- floor(micros / 1e6)
  text <- format(structure(whole, class = c("POSIXct", "POSIXt"), tzone = "UTC"), "%Y-%m-%d %H:%M:%S")
  check_four_digit_year(text, "SQL")
  rest <- micros - whole * 1e6
  text <- if (rest > 0) sprintf("%s.%06.0f", text, rest) else text
  switch(dialect,
    sqlite = sql_text(text, dialect),
    ansi = sprintf("TIMESTAMP '%s+00:00'", text),
    spark = sprintf("TIMESTAMP '%s+00:00'", text),
    mysql = sprintf("TIMESTAMP '%s'", text),
    sprintf("TIMESTAMPTZ '%s+00'", text)
  )
}
# nolint end

# PostgreSQL, DuckDB and Spark have a number that is none and order it after all others; for R it is missing.
sql_has_nan <- function(dialect) {
  dialect %in% c("postgresql", "duckdb", "spark")
}

sql_nan <- function(dialect) {
  sprintf("CAST('NaN' AS %s)", sql_double(dialect))
}

# Rows as packed codes, in SQL.

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
    ifelse(feature$levels %in% c("FALSE", "TRUE"), feature$levels, NA_character_)
  } else if (is.numeric(x) && (!is.object(x) || is_integer64(x))) {
    expression <- sprintf("CAST(%s AS %s)", expression, sql_number_type(dialect))
    numbers <- level_numbers(feature$levels)
    if (!anyNA(numbers)) sql_number(numbers, dialect)
  }
  # levels that the first rows have no type for: the table changed, or its columns have other names in each query
  if (is.null(literals) || anyNA(literals)) {
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

# as_sql(): the rule list as a CASE expression or a query.

#' A rule list as SQL
#'
#' `as_sql()` writes a rule list as a `CASE` expression, or as a whole query, that gives in a database what
#' [predict()] gives in R.
#'
#' The columns of the table must have the names and the kinds of values of the training data. `NULL` is a missing value:
#' it matches no condition except `feature=NA`. Unseen levels fall through to a later rule. Probabilities and cut points
#' have enough digits to be exact.
#'
#' Names and text are quoted as the dialect requires; `"ansi"` is standard SQL. For SQLite, names are in the quotes of
#' MySQL: SQLite would read `"age"` as text where the table has no such column, without an error.
#'
#' * *Levels* are written as text. PostgreSQL, DuckDB and Spark read `'1'` as a number and `'TRUE'` as a logical
#'   value where the column is of that type. For SQLite, levels that look like numbers or logical values are compared
#'   in both spellings, `IN (1, 'TRUE')`, since a logical value is 0 or 1 there. In `"ansi"` they are written as
#'   numbers or as `TRUE` and `FALSE`, and in `"mysql"` as numbers. Use `columns` where that guess is wrong.
#'   For MariaDB and MySQL, text is compared by its bytes, because their collations take `a` for `A`.
#' * *Dates and times* are written as `DATE` literals and as timestamps with time zone, in UTC. SQLite has neither:
#'   there they are text, `'2024-01-31'` and `'2024-01-31 12:00:00'` (UTC), or, with `columns`, numbers, as the
#'   package RSQLite writes them.
#'   A database compares a timestamp that has no zone in the zone of the session.
#' * *Empty text* is missing if the model was fitted with `empty_as_missing = TRUE`.
#' * *Spans of time* are numbers in the unit of the training data.
#' * *Whole numbers beyond 2^53* of a 64-bit column are compared exactly by most databases. R, and a model that learnt
#'   from them, rounds them to the nearest number that it can represent.
#' * *Not a number* is missing in R but the greatest number in PostgreSQL, DuckDB and Spark. The SQL takes it as
#'   missing, unless `nan = FALSE`, which is shorter and right if no column contains it.
#'
#' A rule on a transformed variable of a formula, such as `log(x)`, is an error: the functions of R and SQL
#' differ in special cases. Fit the model to a column with the transformed values instead.
#'
#' @param model A model made by [sbrl()].
#' @param dialect The database: one of `"ansi"`, `"sqlite"`, `"postgresql"`, `"duckdb"`, `"spark"`, `"mysql"` (MariaDB
#'   and MySQL), or a connection of package DBI to one of these.
#' @param table Name of a table; its parts one by one if it has several, as in `c("schema", "table")`, or a
#'   [DBI::Id()]. With it, the result is a query that gives all columns of the table, and then the prediction.
#' @param output What to compute: `"prob"`, the probability of the positive class (for more than two classes, of each
#'   class); `"class"`, the most probable class, as text; `"rule"`, the position of the rule that captures the row, 0
#'   for the default rule.
#' @param columns Types of columns, named by feature, where the guess is wrong: `"text"`, `"number"` or
#'   `"logical"` for features with levels; `"number"` for dates (days since 1970) and times (seconds since 1970).
#' @param nan Whether numeric columns may contain "not a number".
#' @param missing What a row gets if a missing value leaves open whether a rule matches, see [predict.sbrl()]:
#'   `"fallthrough"` or `"base_rate"` (and then `NULL` as its rule). SQL cannot refuse a row, so `"error"` is an error.
#' @return Text of class `"sbrl_text"`, which prints as it is. Without `table` one expression; for the probabilities
#'   of more than two classes one per class. With `table` one query. The names of the expressions, and of the new
#'   columns of a query, are `prob` (of more than two classes `prob_<class>`), `class` or `rule`.
#' @seealso [predict.sbrl()], which adds predictions to a dbplyr table; [as_r_function()], [sbrl_write_json()].
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' as_sql(model, "postgresql")
#' as_sql(model, "sqlite", table = "passengers", output = "class")
#' @export
as_sql <- function(model, dialect = c("ansi", "sqlite", "postgresql", "duckdb", "spark", "mysql"), table = NULL,
                   output = c("prob", "class", "rule"), columns = NULL, nan = TRUE,
                   missing = c("fallthrough", "error", "base_rate")) {
  model <- check_model(model, "model", pool = TRUE)
  dialect <- if (is_connection(dialect)) connection_dialect(dialect) else check_choice(dialect, "dialect", sql_dialects)
  output <- check_choice(output, "output", c("prob", "class", "rule"))
  check_flag(nan, "nan")
  table <- table_parts(table)
  check_table(table)
  missing <- check_exported_missing(missing, model, "SQL")
  program <- column_program(model, missing, columns)
  context <- list(dialect = dialect, columns = program$columns, nan = nan && sql_has_nan(dialect),
                  prefix = if (dialect == "sqlite") sql_table(table, dialect), missing = program$missing)
  when <- join_rules(program, vapply(program$conditions, sql_item, "", context = context), " AND ")
  cases <- vapply(sql_values(program$answers, output, dialect), sql_case, "", when = when, program = program)
  if (output == "prob" && dialect == "postgresql") {
    cases[] <- sprintf("CAST(%s AS DOUBLE PRECISION)", cases)
  }
  new_text(if (is.null(table)) cases else sql_query(cases, table, dialect), "sql")
}

# One vector of values per column of the answer: one value per rule, then those of the default rule and the base rate.
sql_values <- function(answers, output, dialect) {
  switch(output,
    prob = apply(answers$reported, 2L, sql_number, dialect, simplify = FALSE),
    class = list(class = sql_text(answers$class, dialect)),
    rule = list(rule = ifelse(is.na(answers$rule), "NULL", answers$rule))
  )
}

# A list without rules needs no CASE, which must have a WHEN. A condition on a missing value is NULL, and so is a
# conjunction that no other condition makes false: that is when a missing value leaves the rule open.
sql_case <- function(values, when, program) {
  m <- length(when)
  if (m == 0L) {
    return(values[1L])
  }
  lines <- sprintf("  WHEN %s THEN %s", when, values[seq_len(m)])
  if (program$missing == "base_rate") {
    lines <- paste0(lines, sprintf("\n  WHEN (%s) IS NULL THEN %s", when, values[m + 2L]))
  }
  note <- if (!is.null(program$note)) sprintf(" /* %s */", program$note)
  paste(c("CASE", lines, paste0("  ELSE ", values[m + 1L], note), "END"), collapse = "\n")
}

sql_query <- function(cases, table, dialect) {
  new <- sprintf("%s AS %s", cases, sql_name(names(cases), dialect))
  name <- sql_table(table, dialect)
  # In standard SQL a bare star stands alone.
  star <- if (dialect == "ansi") paste0(name, ".*") else "*"
  sprintf("SELECT %s,\n%s\nFROM %s", star, paste(new, collapse = ",\n"), name)
}

sql_item <- function(item, context) {
  name <- paste(c(context$prefix, sql_name(item$feature$name, context$dialect)), collapse = ".")
  if (is_missing_item(item)) {
    return(sql_missing(name, item$feature, context))
  }
  if (is_present_item(item) && is_number_feature(item$feature)) {
    return(sprintf("NOT %s", sql_missing(name, item$feature, context)))
  }
  if (context$missing == "fallthrough") {
    return(sql_condition(item$feature, item, name, context))
  }
  # The rules have learnt what a missing value means if training had some: the condition fails.
  present <- if (!item$may_be_open) sprintf("NOT %s AND ", sql_missing(name, item$feature, context))
  # NaN counts as missing, and so does empty text if the model was fitted that way.
  may_be_missing <- may_be_nan(item$feature, context) || may_be_empty(item$feature, context)
  if (may_be_missing && item$may_be_open) {
    name <- sql_null_if_missing(name, item$feature, context)
    context$nan <- FALSE
  }
  paste0(present, sql_condition(item$feature, item, name, context))
}

sql_condition <- function(feature, item, name, context) UseMethod("sql_condition")

sql_missing <- function(name, feature, context) {
  absent <- sprintf("%s IS NULL", name)
  texts <- c(if (may_be_nan(feature, context)) c("'NaN'", "'nan'"), if (may_be_empty(feature, context)) "''")
  if (length(texts) == 0L) {
    return(absent)
  }
  if (context$dialect %in% c("ansi", "sqlite")) {
    return(sprintf("(%s OR %s = '')", absent, name))
  }
  # As text, because a flag may be kept in a type that has no such value.
  text <- switch(context$dialect, spark = "STRING", mysql = "BINARY", "TEXT")
  sprintf("(%s OR CAST(%s AS %s) IN (%s))", absent, name, text, paste(texts, collapse = ", "))
}

# Empty text that is to be missing. In standard SQL, levels that look like numbers are compared with numbers.
may_be_empty <- function(feature, context) {
  may_be_text <- context$dialect != "ansi" || column_type(feature, context$columns) == "text"
  !is.null(feature$empty_as_missing) && !is_number_feature(feature) && may_be_text
}

sql_null_if_missing <- function(name, feature, context) {
  if (is_number_feature(feature)) {
    return(sprintf("NULLIF(%s, %s)", name, sql_nan(context$dialect)))
  }
  sprintf("CASE WHEN %s THEN NULL ELSE %s END", sql_missing(name, feature, context), name)
}

may_be_nan <- function(feature, context) {
  context$nan && column_type(feature, context$columns) == "number"
}

#' @export
sql_condition.sbrl_feature_number <- function(feature, item, name, context) {
  # What is no number comes after all numbers.
  has_no_end <- is.null(item_bounds(item)$to) && may_be_nan(feature, context)
  paste(c(
    bound_tests(item, name, \(cut) sql_cut(cut, feature, context)),
    if (has_no_end) sprintf("%s <> %s", name, sql_nan(context$dialect))
  ), collapse = " AND ")
}

sql_cut <- function(cut, feature, context) {
  if (feature$name %in% names(context$columns)) {
    return(sql_number(cut, context$dialect))
  }
  sql_literal(feature, cut, context$dialect)
}

#' @export
sql_condition.sbrl_feature_categorical <- function(feature, item, name, context) {
  literals <- unique(unlist(lapply(item_levels(item), sql_level, feature, context)))
  if (context$dialect == "mysql" && column_type(feature, context$columns) == "text") {
    name <- mysql_bytes(name)
  }
  if (length(literals) == 1L) {
    return(sprintf("%s = %s", name, literals))
  }
  sprintf("%s IN (%s)", name, paste(literals, collapse = ", "))
}

# The spellings of one level: as given in `columns`, else a guess from all levels of the feature.
sql_level <- function(level, feature, context) {
  dialect <- context$dialect
  spell <- function(type) {
    switch(type,
      text = sql_text(level, dialect),
      number = sql_number(level_numbers(level), dialect),
      logical = if (dialect %in% c("sqlite", "mysql")) as.character(as.integer(level == "TRUE")) else level
    )
  }
  type <- context$columns[feature$name]
  if (!is.na(type)) {
    return(spell(type))
  }
  guess <- stored_type(feature)
  switch(dialect,
    ansi = spell(guess),
    mysql = spell(guess),
    sqlite = unique(c(spell(guess), spell("text"))),
    spell("text")
  )
}

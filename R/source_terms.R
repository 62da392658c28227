# Computed terms of a formula, such as I(a + b), for tables that are not in memory. R computes them in chunks. Databases
# compute those for which they give R's numbers: sums, differences, products, comparisons. Others, such as log(x), may
# differ in their last digit from one database to the next, so they are refused.

# The source with a column for each of the calls `computed`, named as model.frame() would.
add_terms <- function(source, head, computed, env) {
  if (length(computed) == 0L) {
    return(source)
  }
  force(env)
  if (inherits(source, "sbrl_source_chunks")) {
    chunks <- source$chunks
    source$chunks <- function() {
      chunk <- chunks()
      if (is.data.frame(chunk)) compute_terms(chunk, computed, env) else chunk
    }
    return(source)
  }
  added <- term_columns(source, head, computed, env)
  columns <- paste(added, "AS", sql_name(names(added), source$dialect), collapse = ", ")
  source$from <- sprintf("(SELECT *, %s FROM %s) AS sbrl_table", columns, source$from)
  source
}

# The calls among the variables that the table does not have as columns.
computed_terms <- function(variables, names) {
  variables[vapply(variables, is.call, NA) & !expression_names(variables) %in% names]
}

# Those of the columns `needed` that a model must compute before it can score a table with the columns `names`.
terms_to_compute <- function(model, needed, names) {
  if (is.null(model$terms)) {
    return(list())
  }
  variables <- variables_of(model$terms)
  computed_terms(variables[expression_names(variables) %in% needed], names)
}

# A model that takes computed terms for columns.
without_terms <- function(model) {
  model["terms"] <- list(NULL)
  model
}

compute_terms <- function(chunk, computed, env) {
  data <- plain_frame(chunk)
  names <- expression_names(computed)
  for (i in seq_along(computed)) {
    value <- try_formula(eval(computed[[i]], data, env))
    if (length(value) != nrow(data)) {
      message <- "%s must give each row a value of its own, not %d values for %d rows."
      abort_sbrl("argument", sprintf(message, short_code(computed[[i]]), length(value), nrow(data)))
    }
    # I() marks its value
    chunk[[names[i]]] <- if (inherits(value, "AsIs")) unmark(value) else value
  }
  chunk
}

unmark <- function(x) {
  oldClass(x) <- setdiff(oldClass(x), "AsIs")
  x
}

# Does the database compute what R computes from the same rows? `head` has columns and computed terms.
check_terms_of_head <- function(head, source, computed, env) {
  if (inherits(source, "sbrl_source_chunks")) {
    return(invisible())
  }
  names <- expression_names(computed)
  expected <- compute_terms(head[setdiff(names(head), names)], computed, env)
  for (i in seq_along(computed)) {
    found <- head[[names[i]]]
    wanted <- expected[[names[i]]]
    wanted <- if (is.logical(wanted)) as.character(wanted) else as.double(wanted)
    if (!identical(is.na(found), is.na(wanted)) || any(found != wanted, na.rm = TRUE)) {
      abort_term(computed[[i]], "the database computes other values than R from the first rows")
    }
  }
}

# In SQL ----

# Names of columns are shorter than this in PostgreSQL and MySQL.
longest_name <- 63L

term_columns <- function(source, head, computed, env) {
  check_mixed(head, unlist(lapply(computed, all.vars)), "")
  table <- list(head = head, expressions = column_expressions(source, head), dialect = source$dialect, env = env)
  names <- expression_names(computed)
  long <- nchar(names, "bytes") > longest_name
  if (any(long)) {
    abort_term(computed[[which(long)[1L]]], "its text is too long for the name of a column")
  }
  columns <- vapply(computed, function(term) {
    found <- settle(translate_term(term, table, term))
    if (found$type == "logical") {
      return(sprintf("CASE WHEN %s THEN 'TRUE' WHEN NOT %s THEN 'FALSE' END", found$sql, found$sql))
    }
    found$sql
  }, "")
  stats::setNames(columns, names)
}

abort_term <- function(term, why) {
  message <- paste(
    "%s cannot be computed by the database as R computes it: %s. Compute it in the query, for example with",
    "dplyr::mutate(), and name the column."
  )
  abort_sbrl("argument", sprintf(message, short_code(term), why))
}

# SQL and type ("number", "integer", "logical" or "text") of an expression that is part of `term`. `guards` are
# conditions without which its value is missing, kept apart so that SQL does not repeat each part.
translate_term <- function(x, table, term) {
  if (is.symbol(x) && as.character(x) %in% names(table$head)) {
    return(translate_column(as.character(x), table, term))
  }
  if (!is.call(x)) {
    value <- if (is.symbol(x)) try_formula(eval(x, table$env)) else x
    return(translate_constant(value, table$dialect, term))
  }
  name <- if (is.symbol(x[[1L]])) as.character(x[[1L]]) else ""
  arguments <- function() lapply(as.list(x)[-1L], translate_term, table, term)
  switch(name,
    "(" = , I = arguments()[[1L]],
    "+" = , "-" = , "*" = translate_arithmetic(name, arguments(), term),
    "/" = , "^" = translate_by_constant(name, x, table, term),
    "<" = , "<=" = , ">" = , ">=" = , "==" = , "!=" = translate_comparison(name, arguments(), term),
    "&" = , "|" = translate_logic(c("&" = "AND", "|" = "OR")[[name]], arguments(), term),
    "!" = list(sql = sprintf("(NOT %s)", need_type(arguments()[[1L]], "logical", term)$sql), type = "logical"),
    is.na = list(sql = sprintf("(%s IS NULL)", settle(arguments()[[1L]])$sql), type = "logical"),
    abs = translate_abs(arguments(), term),
    abort_term(term, sprintf("%s() may give other digits there, or SQL does not have it", name))
  )
}

# NaN is missing, as it is for R's rules.
translate_column <- function(name, table, term) {
  x <- table$head[[name]]
  sql <- table$expressions[[name]]
  if (is.character(x)) {
    return(list(sql = if (table$dialect == "mysql") mysql_bytes(sql) else sql, type = "text"))
  }
  if (is.logical(x) && !is.object(x)) {
    return(list(sql = sql, type = "logical"))
  }
  if (!is.numeric(x) || (is.object(x) && !is_integer64(x))) {
    abort_term(term, sprintf("%s is neither a number, nor text, nor TRUE or FALSE", quote_names(name)))
  }
  sql <- sprintf("CAST(%s AS %s)", sql, sql_number_type(table$dialect))
  if (is.integer(x)) {
    return(list(sql = sql, type = "integer"))
  }
  nan <- sql_has_nan(table$dialect) && !is_integer64(x)
  list(sql = if (nan) sprintf("NULLIF(%s, %s)", sql, sql_nan(table$dialect)) else sql, type = "number")
}

translate_constant <- function(x, dialect, term) {
  if (length(x) != 1L || is.object(x) || !is.atomic(x) || is.na(x) || (is.numeric(x) && !is.finite(x))) {
    abort_term(term, "only single finite numbers, texts, TRUE and FALSE can be combined with columns")
  }
  if (is.character(x)) {
    return(list(sql = sql_text(enc2utf8(x), dialect), type = "text"))
  }
  if (is.logical(x)) {
    return(list(sql = if (x) "(1 = 1)" else "(1 = 0)", type = "logical"))
  }
  sql <- sprintf("CAST(%s AS %s)", sql_number(x, dialect), sql_number_type(dialect))
  list(sql = sql, type = if (is.integer(x)) "integer" else "number")
}

need_type <- function(x, types, term) {
  if (!x$type %in% types) {
    abort_term(term, sprintf("it has %s where SQL needs %s", x$type, paste(types, collapse = " or ")))
  }
  x
}

# Doubles everywhere, whose sums and products are exactly defined. R's integers overflow to missing values.
translate_arithmetic <- function(operator, arguments, term) {
  lapply(arguments, need_type, c("number", "integer"), term)
  type <- if (all(vapply(arguments, `[[`, "", "type") == "integer")) "integer" else "number"
  sql <- if (length(arguments) == 1L) {
    sprintf("(%s%s)", operator, arguments[[1L]]$sql)
  } else {
    sprintf("(%s %s %s)", arguments[[1L]]$sql, operator, arguments[[2L]]$sql)
  }
  guards <- unlist(lapply(arguments, `[[`, "guards"))
  if (type == "integer" && length(arguments) == 2L) {
    guards <- c(guards, sprintf("ABS(%s) <= 2147483647", sql))
  }
  list(sql = sql, type = type, guards = guards)
}

# With its guards.
settle <- function(x) {
  if (length(x$guards) > 0L) {
    x$sql <- sprintf("(CASE WHEN %s THEN %s END)", paste(unique(x$guards), collapse = " AND "), x$sql)
  }
  x["guards"] <- list(NULL)
  x
}

# Division by a number that is not 0, and squares. Databases differ on the rest.
translate_by_constant <- function(operator, x, table, term) {
  left <- need_type(translate_term(x[[2L]], table, term), c("number", "integer"), term)
  right <- tryCatch(eval(x[[3L]], baseenv()), error = \(e) NULL)
  if (!is_number(right) || !is.finite(right) || (operator == "/" && right == 0) || (operator == "^" && right != 2)) {
    why <- c("/" = "only division by a constant other than 0", "^" = "only the power of 2")[[operator]]
    abort_term(term, paste(why, "is the same everywhere"))
  }
  if (operator == "^") {
    return(list(sql = sprintf("(%s * %s)", left$sql, left$sql), type = "number", guards = left$guards))
  }
  divisor <- translate_constant(as.double(right), table$dialect, term)$sql
  list(sql = sprintf("(%s / %s)", left$sql, divisor), type = "number", guards = left$guards)
}

translate_abs <- function(arguments, term) {
  x <- need_type(arguments[[1L]], c("number", "integer"), term)
  list(sql = sprintf("ABS(%s)", x$sql), type = x$type, guards = x$guards)
}

translate_comparison <- function(operator, arguments, term) {
  arguments <- lapply(arguments, settle)
  types <- vapply(arguments, `[[`, "", "type")
  are_numbers <- all(types %in% c("number", "integer"))
  are_texts <- all(types == "text") && operator %in% c("==", "!=")
  if (!are_numbers && !are_texts) {
    abort_term(term, "SQL compares numbers with numbers, and text with text for equality only")
  }
  operator <- switch(operator, "==" = "=", "!=" = "<>", operator)
  list(sql = sprintf("(%s %s %s)", arguments[[1L]]$sql, operator, arguments[[2L]]$sql), type = "logical")
}

translate_logic <- function(operator, arguments, term) {
  lapply(arguments, need_type, "logical", term)
  list(sql = sprintf("(%s %s %s)", arguments[[1L]]$sql, operator, arguments[[2L]]$sql), type = "logical")
}

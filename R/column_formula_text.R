# Formulas as text in a model file. A file may come from anywhere, so its formula may call the functions listed here and
# no others; code exported by as_r_function() may call the same ones.

# Functions of base R that compute a value from values: they run no other code, and open no file or connection.
harmless_functions <- c(
  "(", "+", "-", "*", "/", "^", "%%", "%/%", "<", ">", "<=", ">=", "==", "!=", "!", "&", "|", "%in%", ":", "[", "[[",
  "$", "c", "I", "xor", "is.element", "identity",
  "abs", "sign", "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
  "atan2", "sinh", "cosh", "tanh", "floor", "ceiling", "round", "signif", "trunc", "pmin", "pmax", "findInterval",
  "is.na", "is.nan", "is.finite", "is.infinite", "ifelse", "match",
  "factor", "ordered", "as.factor", "as.ordered", "droplevels", "cut", "interaction",
  "as.numeric", "as.double", "as.integer", "as.character", "as.logical", "as.vector", "unclass",
  "paste", "paste0", "nchar", "substr", "substring", "startsWith", "endsWith", "toupper", "tolower", "trimws", "grepl",
  "sub", "gsub", "chartr", "sprintf", "format",
  "as.Date", "as.POSIXct", "as.difftime", "difftime", "ISOdate", "julian", "months", "weekdays", "quarters"
)

harmless_constants <- c("pi", "T", "F", "letters", "LETTERS", "month.abb", "month.name")

# How deep calls may be nested in a file: R's own functions for formulas overflow the stack on text nested without end.
max_depth <- 100L

# The functions that an expression calls and that are not on the list; what is called without being a name, as in
# `f(1)(2)`, is given as code. Level by level, not by recursion, and no deeper than `max_depth`.
foreign_functions <- function(expression) {
  foreign <- character()
  parts <- list(expression)
  for (depth in seq_len(max_depth)) {
    calls <- parts[vapply(parts, is.call, NA)]
    heads <- lapply(calls, \(part) part[[1L]])
    named <- vapply(heads, is.symbol, NA)
    names <- vapply(heads[named], as.character, "")
    foreign <- union(foreign, c(setdiff(names, harmless_functions), vapply(heads[!named], short_code, "")))
    parts <- unlist(lapply(calls, \(part) as.list(part)[-1L]), recursive = FALSE)
    if (length(parts) == 0L) {
      return(foreign)
    }
  }
  abort_sbrl("model", sprintf("A variable of the formula has calls nested more than %d deep.", max_depth))
}

# The free variables of the features, computed or not, that are neither columns nor among the constants.
record_external_names <- function(terms, columns) {
  features <- variables_of(terms)[-1L]
  used <- unlist(lapply(features[vapply(features, is.call, NA)], all.vars))
  outside <- setdiff(used, c(columns, harmless_constants))
  # No attribute where there is nothing to note: terms then equal those that come back from a file.
  attr(terms, "outside") <- if (length(outside) > 0L) enc2utf8(outside)
  terms
}

# What is wrong with a formula for somebody who gets the file: its environment does not travel with it.
warn_external_names <- function(terms) {
  if (is.null(terms)) {
    return(invisible())
  }
  problem <- tryCatch(formula_problem(variables_of(terms)), sbrl_error = conditionMessage)
  if (!is.null(problem)) {
    warn_sbrl("file", paste(problem, "sbrl_read_json() will refuse the file."))
  }
  outside <- attr(terms, "outside")
  if (length(outside) > 0L) {
    message <- "The formula uses %s, which a file does not contain: the model read from it may not be able to predict."
    warn_sbrl("file", sprintf(message, quote_names(outside)))
  }
}

# NULL, or why a file with these variables is refused.
formula_problem <- function(variables) {
  foreign <- unique(unlist(lapply(variables, foreign_functions)))
  if (length(foreign) > 0L) {
    sprintf("The formula calls %s, which a file may not do.", quote_names(foreign))
  }
}

formula_text <- function(terms) {
  if (is.null(terms)) {
    return("")
  }
  control <- c("keepNA", "keepInteger", "digits17")
  enc2utf8(with_point(deparse1(stats::formula(terms), collapse = " ", control = control)))
}

# The terms of a formula from a file, whose label and features must be those of the rest of the file.
terms_from_text <- function(text, label, features) {
  if (text == "") {
    return(NULL)
  }
  formula <- parse_formula(text)
  variables <- c(list(formula[[2L]]), summands(formula[[3L]]))
  problem <- formula_problem(variables)
  if (!is.null(problem)) {
    abort_sbrl("file", problem)
  }
  check_same_variables(variables, label, features)
  class(formula) <- "formula"
  environment(formula) <- harmless_environment()
  stored_terms(stats::terms(formula, keep.order = TRUE))
}

parse_formula <- function(text) {
  formula <- tryCatch(str2lang(text), error = function(e) NULL)
  if (!is.call(formula) || !identical(formula[[1L]], quote(`~`)) || length(formula) != 3L) {
    abort_sbrl("file", "its formula is damaged.")
  }
  formula
}

# `a + b + c` as a list; none for `1`. Not by recursion, for there may be thousands.
summands <- function(expression) {
  found <- list()
  while (is.call(expression) && identical(expression[[1L]], quote(`+`)) && length(expression) == 3L) {
    found[length(found) + 1L] <- list(expression[[3L]])
    expression <- expression[[2L]]
  }
  rev(c(found, if (!identical(expression, 1)) list(expression)))
}

check_same_variables <- function(variables, label, features) {
  # Where the locale has no characters for a name, R has changed it in the formula.
  comparable <- !any(is_lost_name(c(label, features)))
  same <- length(variables) == length(features) + 1L
  if (same && comparable) {
    names <- expression_names(variables)
    same <- identical(names[1L], label) && setequal(names[-1L], features)
  }
  if (!same) {
    abort_sbrl("file", "its formula does not agree with its label and features.")
  }
}

# Nothing but the list can be found from here.
harmless_environment <- function() {
  list2env(mget(c(harmless_functions, harmless_constants), baseenv()), parent = emptyenv())
}

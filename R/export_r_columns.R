# The columns that written R code reads: their classes, their values, and variables that a formula computes.

r_column_helper <- c(
  "column <- function(name, type = \"any type\", ok = is.atomic) {",
  "  x <- data[[name]]",
  "  if (is.null(x) || !ok(x)) stop(\"`data` needs a column `\", name, \"` of \", type, \".\", call. = FALSE)",
  "  x",
  "}"
)

r_columns <- function(features, variables, terms) {
  one <- function(feature, variable) {
    expression <- feature_expression(feature, terms)
    if (is.null(expression)) {
      test <- r_column_test(feature)
      column <- sprintf("column(%s, %s, %s)", r_text(feature$name), r_text(test$words), test$code)
      return(sprintf("%s <- %s", variable, r_column_values(feature, column)))
    }
    check_harmless(expression, feature$name)
    c(
      sprintf("%s <- %s", variable, r_column_values(feature, r_expression(expression))),
      sprintf("if (length(%s) != nrow(data)) stop(\"A variable has the wrong length.\", call. = FALSE)", variable)
    )
  }
  unlist(Map(one, features, variables))
}

# A computed variable: columns become calls of column(), and I(), whose class nothing here needs, a bracket.
r_expression <- function(expression) {
  code <- with_point(deparse1(replace_variables(expression), collapse = " ", control = c("keepNA", "digits17")))
  # What is beyond ASCII now can only be inside strings.
  r_escape(code, escaped = "")
}

replace_variables <- function(expression) {
  if (is.symbol(expression)) {
    return(replace_variable(as.character(expression)))
  }
  if (!is.call(expression)) {
    return(expression)
  }
  # what is called is no variable, even where it shares a name
  first <- if (is.symbol(expression[[1L]])) expression[[1L]] else replace_variables(expression[[1L]])
  first <- if (identical(first, quote(I))) quote(`(`) else first
  arguments <- as.list(expression)[-1L]
  # An argument may be left out, as in x[, 1].
  given <- !vapply(arguments, \(part) identical(part, substitute()), NA)
  arguments[given] <- lapply(arguments[given], replace_variables)
  as.call(c(list(first), arguments))
}

# A column takes precedence over a constant of its name.
replace_variable <- function(name) {
  column <- call("column", enc2utf8(name))
  if (!name %in% harmless_constants) {
    return(column)
  }
  call("(", call("if", call("%in%", name, quote(names(data))), column, as.name(name)))
}

# The list of a file's formula: a model may come from a file, and its code is evaluated where all of base R is found.
check_harmless <- function(expression, name) {
  foreign <- foreign_functions(expression)
  if (length(foreign) > 0L) {
    message <- "The rules use %s, which calls %s; R code may use R's common functions only, see ?sbrl_write_json."
    abort_sbrl("model", sprintf(message, quote_names(name), quote_names(foreign)))
  }
}

# Which columns are read for a feature, as code and in words.
r_column_test <- function(feature) UseMethod("r_column_test")

# nolint start: object_name_linter. Methods.
#' @export
r_column_test.sbrl_feature_categorical <- function(feature) {
  list(code = "function(x) is.factor(x) || (is.atomic(x) && !is.object(x))", words = "text, a factor or plain values")
}

#' @export
r_column_test.sbrl_feature_number <- function(feature) {
  list(code = "function(x) (is.numeric(x) && !is.object(x)) || all(is.na(x))", words = "numbers")
}

#' @export
r_column_test.sbrl_feature_date <- function(feature) {
  list(code = "function(x) inherits(x, \"Date\")", words = "class Date")
}

#' @export
r_column_test.sbrl_feature_datetime <- function(feature) {
  list(code = "function(x) inherits(x, \"POSIXct\")", words = "class POSIXct")
}

#' @export
r_column_test.sbrl_feature_difftime <- function(feature) {
  list(code = "function(x) inherits(x, \"difftime\")", words = "class difftime")
}

# The code of their values.
r_column_values <- function(feature, column) UseMethod("r_column_values")

#' @export
r_column_values.sbrl_feature_categorical <- function(feature, column) {
  if (is.null(feature$empty_as_missing)) column else sprintf("(function(x) replace(x, x %%in%% \"\", NA))(%s)", column)
}

#' @export
r_column_values.sbrl_feature_number <- function(feature, column) {
  column
}

#' @export
r_column_values.sbrl_feature_date <- function(feature, column) {
  sprintf("floor(as.numeric(%s))", column)
}

#' @export
r_column_values.sbrl_feature_datetime <- function(feature, column) {
  sprintf("as.numeric(%s)", column)
}

#' @export
r_column_values.sbrl_feature_difftime <- function(feature, column) {
  sprintf("as.numeric(%s, units = %s)", column, r_text(feature$unit))
}
# nolint end

# The columns that exported rules read: their types where the rules run, and that each is a column of the data.

column_types <- c("text", "number", "logical")

# Types by feature name; every name must be a feature, or a typing error would go unseen.
check_column_types <- function(columns, model, features) {
  if (is.null(columns)) {
    return(character())
  }
  expected <- paste("types named by feature, each one of", quote_values(column_types))
  ok <- is.character(columns) && !is.null(attr(columns, "names")) && all(unclass(columns) %in% column_types)
  check_that(ok, columns, "columns", expected)
  columns <- unclass(columns)
  names(columns) <- enc2utf8(names(columns))
  known <- feature_names(model$features)
  unknown <- setdiff(names(columns), known)
  if (length(unknown) > 0L) {
    message <- "`columns` names %s, which is not a feature; the features are %s."
    abort_sbrl("argument", sprintf(message, quote_names(unknown), quote_names(known)))
  }
  Map(check_column_type, features, list(columns))
  columns
}

check_column_type <- function(feature, columns) {
  type <- columns[feature$name]
  if (is.na(type)) {
    return(invisible())
  }
  if (!fits_type(feature, type)) {
    message <- "`columns` declares %s as \"%s\", but in training it contained %s."
    abort_sbrl("argument", sprintf(message, quote_names(feature$name), type, value_words(feature)))
  }
}

# Could a column of this feature have this type?
fits_type <- function(feature, type) UseMethod("fits_type")

#' @export
fits_type.sbrl_feature_categorical <- function(feature, type) {
  all(level_fits(feature$levels, type))
}

#' @export
fits_type.sbrl_feature_number <- function(feature, type) {
  type == "number"
}

# The type that the user gave for a column, or a guess.
column_type <- function(feature, columns) {
  type <- columns[feature$name]
  if (is.na(type)) stored_type(feature) else type[[1L]]
}

check_plain_columns <- function(features, terms) {
  for (feature in features) {
    if (!is.null(feature_expression(feature, terms))) {
      message <- "The rules use %s, which is computed by R. Fit the model to a column that contains the result."
      abort_sbrl("model", sprintf(message, quote_names(feature$name)))
    }
  }
}

# The expression of a formula behind a feature, NULL for a plain column.
feature_expression <- function(feature, terms) {
  if (is.null(terms)) {
    return(NULL)
  }
  variable <- variables_of(terms)[[match(feature$name, variable_names(terms))]]
  if (is.call(variable)) variable
}

# The program for a language that reads columns of a table and computes no variables of a formula. `columns` are types
# that the user gave.
column_program <- function(model, missing, columns = NULL) {
  program <- rule_program(model, missing)
  program$columns <- check_column_types(columns, model, program$features)
  check_plain_columns(program$features, model$terms)
  program
}

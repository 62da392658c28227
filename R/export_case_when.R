# The rule list as an expression of dplyr, for the packages tidypredict and orbital.

#' Models in tidypredict and orbital
#'
#' With the package tidypredict or orbital loaded, its functions write models made by [sbrl()], on their own or in a fit
#' of parsnip or a workflow, as expressions of dplyr and, through dbplyr, as SQL.
#'
#' `tidypredict_fit(model)` is a `case_when()` expression of the probability of the positive class; for more than two
#' classes it is a list with one expression per class. `orbital(fit, type = c("class", "prob"))` has the class and the
#' probabilities. Expressions give what [predict()] gives. A rule on a transformed variable of a formula is an error. If
#' the model was read from a file whose policy for missing values is `"base_rate"`, rows that a missing value leaves
#' undecided get the base rate; `"error"` is an error here.
#'
#' In a data frame, columns must have the types of the training data. In a database, dates are compared as dates, and
#' times and spans of time as numbers; [as_sql()] writes SQL that knows how each database compares values.
#' @seealso [as_sql()], [as_r_function()], [model-methods]
#' @name tidypredict-methods
NULL

register_tidypredict <- function() {
  register_methods("tidypredict", "sbrl", list(tidypredict_fit = tidypredict_sbrl))
}

register_orbital <- function() {
  register_methods("orbital", "sbrl", list(orbital = orbital_sbrl))
}

tidypredict_sbrl <- function(model, ...) {
  model <- check_model(model, "model", pool = TRUE)
  program <- case_when_program(model)
  reported <- program$answers$reported
  expressions <- lapply(seq_len(ncol(reported)), \(j) case_when_expression(program, unname(reported[, j])))
  if (length(expressions) == 1L) expressions[[1L]] else stats::setNames(expressions, model$classes)
}

# One expression per class of `lvl`, the levels of the outcome, under the names that orbital replaces.
orbital_sbrl <- function(x, ..., type = NULL, lvl = NULL) {
  model <- check_model(x, "x", pool = TRUE)
  program <- case_when_program(model)
  answers <- program$answers
  write <- \(values) with_point(deparse1(case_when_expression(program, values), control = "digits17"))
  type <- type %||% "class"
  levels <- lvl %||% answers$classes
  share <- function(level) {
    if (level %in% answers$classes) write(unname(answers$probs[, match(level, answers$classes)])) else "0"
  }
  c(
    if ("class" %in% type) c(orbital_tmp_class_name = write(answers$class)),
    if ("prob" %in% type) {
      stats::setNames(vapply(levels, share, ""), paste0("orbital_tmp_prob_name", seq_along(levels)))
    }
  )
}

case_when_program <- function(model) {
  missing <- check_exported_missing(missing_policies, model, "An expression of dplyr")
  program <- column_program(model, missing)
  check_nameable(feature_names(program$features))
  program
}

# `values`: one for each rule, the default rule and the base rate.
case_when_expression <- function(program, values) {
  m <- length(program$rules)
  if (m == 0L) {
    return(call("(", values[1L]))
  }
  holds <- lapply(program$conditions, item_expression)
  either <- Map(function(item, holds) {
    if (item$may_be_open) call("(", call("|", absent_expression(item$feature), holds)) else holds
  }, program$conditions, holds)
  case <- function(tests, value) call("~", Reduce(\(a, b) call("&", a, b), tests), value)
  one <- function(rule, value, has_open_test) {
    list(case(holds[rule], value), if (has_open_test) case(either[rule], values[m + 2L]))
  }
  cases <- unlist(Map(one, program$rules, values[seq_len(m)], has_open_test(program)), recursive = FALSE)
  as.call(c(quote(case_when), Filter(Negate(is.null), cases), call("~", TRUE, values[m + 1L])))
}

# `...` and `..1` are no variables, whatever the columns are called.
check_nameable <- function(names) {
  odd <- grepl("^[.][.]([.]|[0-9]+)$", names)
  if (any(odd)) {
    abort_sbrl("model", sprintf("An expression of R cannot name the column %s; rename it.", quote_names(names[odd])))
  }
}

item_expression <- function(item) {
  if (is_missing_item(item)) absent_expression(item$feature) else condition_expression(item$feature, item)
}

absent_expression <- function(feature) {
  absent <- call("is.na", as.name(feature$name))
  is_text <- !is_number_feature(feature) && stored_type(feature) == "text"
  if (is.null(feature$empty_as_missing) || !is_text) {
    return(absent)
  }
  call("(", call("|", absent, call("==", as.name(feature$name), "")))
}

condition_expression <- function(feature, item) UseMethod("condition_expression")

# nolint start: object_name_linter. Methods.
#' @export
condition_expression.sbrl_feature_number <- function(feature, item) {
  if (is_present_item(item)) {
    return(call("!", absent_expression(feature)))
  }
  column <- column_expression(feature)
  bounds <- lapply(item_bounds(item), \(cut) if (!is.null(cut)) cut_expression(feature, cut))
  tests <- list(
    if (!is.null(bounds$from)) call(">=", column, bounds$from), if (!is.null(bounds$to)) call("<", column, bounds$to)
  )
  Reduce(\(a, b) call("&", a, b), Filter(Negate(is.null), tests))
}

#' @export
condition_expression.sbrl_feature_categorical <- function(feature, item) {
  levels <- item_levels(item)
  values <- switch(stored_type(feature), number = level_numbers(levels), logical = levels == "TRUE", levels)
  column <- as.name(feature$name)
  if (length(values) == 1L) call("==", column, values) else call("%in%", column, as.call(c(quote(c), as.list(values))))
}

# The numbers of a column.
column_expression <- function(feature) UseMethod("column_expression")

#' @export
column_expression.sbrl_feature <- function(feature) {
  as.name(feature$name)
}

#' @export
column_expression.sbrl_feature_datetime <- function(feature) {
  call("as.numeric", as.name(feature$name))
}

#' @export
column_expression.sbrl_feature_difftime <- function(feature) {
  call("as.numeric", as.name(feature$name), units = feature$unit)
}

cut_expression <- function(feature, cut) UseMethod("cut_expression")

#' @export
cut_expression.sbrl_feature <- function(feature, cut) {
  cut
}

#' @export
cut_expression.sbrl_feature_date <- function(feature, cut) {
  call("as.Date", day_of_cut(cut))
}
# nolint end

# as_r_function(): the rule list as R code that needs no package.

#' A rule list as an R function
#'
#' `as_r_function()` writes a rule list as an R function of one data frame that needs no package, sbrl included.
#'
#' The function gives what [predict()] gives, whatever the types of the columns, but does not warn: a value not seen
#' in training matches no item of its column. A missing value matches no item but `feature=NA`. Missing columns are an
#' error. Transformed variables of a formula, such as `log(x)`, are computed; they must use columns of the data and the
#' functions that [sbrl_write_json()] lists, and no others, so that the code of a model from a file does no more than
#' [predict()].
#'
#' The code is plain ASCII, so it can be pasted into any script: `writeLines(format(f), "score.R")`, and there
#' `score <- dget("score.R")`, or write `score <- ` before it.
#'
#' @param model A model made by [sbrl()].
#' @param output What the function returns for each row: `"prob"`, the probability of the positive class (for more
#'   than two classes as `"matrix"`); `"matrix"`, the probability of each class, columns named by class; `"class"`, a
#'   factor, the most probable class; `"rule"`, the position of the rule that captures the row, 0 for the default
#'   rule.
#' @return A function of one argument, `data`. Its class `"sbrl_function"` lets `print()` and `format()` show the
#'   code.
#' @seealso [as_sql()], [sbrl_write_json()]
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' score <- as_r_function(model)
#' identical(score(tictactoe), predict(model, tictactoe)$V2)
#' cat(format(score)[1:12], sep = "\n")
#' @export
as_r_function <- function(model, output = c("prob", "matrix", "class", "rule")) {
  model <- check_model(model, "model")
  output <- check_choice(output, "output", c("prob", "matrix", "class", "rule"))
  source <- r_source(model, output)
  # The base environment: the function must not lean on this package.
  made <- tryCatch(
    eval(parse(text = source, keep.source = FALSE), baseenv()),
    error = function(e) abort_sbrl("model", sprintf("The rules cannot be written as R code: %s", conditionMessage(e)))
  )
  structure(made, source = source, class = c("sbrl_function", "function"))
}

#' @export
format.sbrl_function <- function(x, ...) {
  show_result(x, "sbrl_function", "as_r_function()", enc2utf8(attr(x, "source")))
}

#' @export
print.sbrl_function <- function(x, ...) {
  writeLines(format.sbrl_function(x))
  invisible(x)
}

r_source <- function(model, output) {
  parts <- rule_items(model)
  features <- parts$features
  variables <- sprintf("x%d", seq_along(features))
  c(
    "# A rule list, written by sbrl; it needs no package.",
    "function(data) {",
    paste0("  ", c(
      "if (!is.data.frame(data)) stop(\"`data` must be a data frame.\", call. = FALSE)",
      r_helpers(features),
      r_columns(features, variables, model$terms),
      "rule <- rep(0L, nrow(data))",
      r_rules(parts$rules, rule_antecedents(model), stats::setNames(variables, feature_names(features))),
      r_answer(model, output)
    )),
    "}"
  )
}

# The helpers are functions of this package (see r_runtime.R), copied as code.
r_helpers <- function(features) {
  used <- unique(unlist(lapply(features, r_reader_uses)))
  needed <- c(if (length(features) > 0L) c("integer64_values", "runtime_column", "runtime_plain"), sort(used))
  unlist(lapply(needed, function(name) {
    code <- deparse(get(name), control = c("keepNA", "keepInteger", "niceNames", "showAttributes"))
    code[1L] <- paste(name, "<-", code[1L])
    code
  }))
}

r_columns <- function(features, variables, terms) {
  one <- function(feature, variable) {
    sprintf("%s <- %s", variable, r_reader(feature, r_column(feature, terms)))
  }
  unlist(Map(one, features, variables))
}

r_column <- function(feature, terms) {
  expression <- feature_expression(feature, terms)
  if (is.null(expression)) {
    return(sprintf("runtime_column(data, %s)", r_text(feature$name)))
  }
  check_harmless(expression, feature$name)
  variables <- all.vars(expression)
  code <- deparse1(replace_variables(expression, variables), collapse = " ", control = c("keepNA", "digits17"))
  # What is beyond ASCII now can only be inside strings.
  sprintf("runtime_column(data, %s, quote(%s))", r_text(variables), r_escape(code, escaped = ""))
}

# Variables become v1, v2, ..., so that no odd name is left; what is called is no variable, even where it shares a name.
replace_variables <- function(expression, variables) {
  if (is.symbol(expression)) {
    position <- match(as.character(expression), variables)
    return(if (is.na(position)) expression else as.name(paste0("v", position)))
  }
  if (!is.call(expression)) {
    return(expression)
  }
  first <- if (is.symbol(expression[[1L]])) expression[[1L]] else replace_variables(expression[[1L]], variables)
  arguments <- as.list(expression)[-1L]
  # An argument may be left out, as in x[, 1].
  given <- !vapply(arguments, \(part) identical(part, substitute()), NA)
  arguments[given] <- lapply(arguments[given], replace_variables, variables = variables)
  as.call(c(list(first), arguments))
}

# The list of a file's formula: a model may come from a file, and its code is evaluated where all of base R is found.
check_harmless <- function(expression, name) {
  foreign <- foreign_functions(expression)
  if (length(foreign) > 0L) {
    message <- "The rules use %s, which calls %s; R code may use R's common functions only, see ?sbrl_write_json."
    abort_sbrl("model", sprintf(message, quote_names(name), quote_names(foreign)))
  }
}

# Later rules may only take what earlier ones left.
r_rules <- function(rules, antecedents, variables) {
  one <- function(items, position) {
    conditions <- vapply(items, \(item) r_condition(item$feature, item, variables[[item$feature$name]]), "")
    c(
      paste("#", r_comment(antecedents[position])),
      sprintf("rule[which(rule == 0L & %s)] <- %dL", paste(conditions, collapse = " & "), position)
    )
  }
  unlist(Map(one, rules, seq_along(rules)))
}

# Levels are codes, 0 if missing; numbers are numbers, NA if missing and NaN if they could not be read.
r_condition <- function(feature, item, variable) UseMethod("r_condition")

#' @export
r_condition.sbrl_feature_categorical <- function(feature, item, variable) {
  if (item$lo == item$hi) {
    return(sprintf("%s == %dL", variable, item$lo))
  }
  sprintf("%s >= %dL & %s <= %dL", variable, item$lo, variable, item$hi)
}

#' @export
r_condition.sbrl_feature_number <- function(feature, item, variable) {
  if (is_missing_item(item)) {
    return(sprintf("is.na(%s) & !is.nan(%s)", variable, variable))
  }
  bounds <- item_bounds(item)
  paste(c(
    if (!is.null(bounds$from)) sprintf("%s >= %s", variable, number_text(bounds$from)),
    if (!is.null(bounds$to)) sprintf("%s < %s", variable, number_text(bounds$to))
  ), collapse = " & ")
}

r_answer <- function(model, output) {
  m <- nrow(model$probs) - 1L
  vector_code <- function(x) sprintf("c(%s)", paste(x, collapse = ", "))
  # `rule + 1` finds the default rule first.
  from_default <- c(m + 1L, seq_len(m))
  classes <- r_text(model$classes)
  if (output == "rule") {
    return("rule")
  }
  if (output == "class") {
    codes <- likeliest_class(model$probs)[from_default]
    return(sprintf("factor(%s[%s[rule + 1L]], levels = %s)", classes, vector_code(paste0(codes, "L")), classes))
  }
  if (output == "prob" && length(model$classes) == 2L) {
    return(sprintf("%s[rule + 1L]", vector_code(number_text(model$probs[from_default, 2L]))))
  }
  by_class <- lapply(seq_along(model$classes), \(class) number_text(model$probs[from_default, class]))
  columns <- sprintf("%s[rule + 1L]", vapply(by_class, vector_code, ""))
  c(
    "probs <- cbind(", paste0("  ", columns, c(rep(",", length(columns) - 1L), "")), ")",
    sprintf("dimnames(probs) <- list(NULL, %s)", classes),
    "probs"
  )
}

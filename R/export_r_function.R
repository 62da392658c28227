# as_r_function(): the rule list as R code that needs no package.

#' A rule list as an R function
#'
#' `as_r_function()` writes a rule list as an R function of one data frame that needs no package, not even sbrl.
#'
#' The code contains only what the list needs, so that a person can read it. It gives what [predict()] gives, but
#' does not warn: a value not seen in training matches no condition on its column. Columns must have the types of the
#' training data: numbers where it had numbers, a `Date` where it had dates, text, factors, logicals or plain numbers
#' where it had levels. A missing column or one of another type is an error. Transformed variables of a formula, such as
#' `log(x)`, are computed; they must use columns of the data and the functions that [sbrl_write_json()] lists, and no
#' others, so that the code of a model from a file does no more than [predict()].
#'
#' The code is plain ASCII, so it can be pasted into any script: `writeLines(format(f), "score.R")`, and there
#' `score <- dget("score.R")`, or write `score <- ` before it.
#'
#' @inheritParams as_sql
#' @param output What the function returns for each row: `"prob"`, the probability of the positive class (for more
#'   than two classes as `"matrix"`); `"matrix"`, the probability of each class, columns named by class; `"class"`, a
#'   factor, the most probable class; `"rule"`, the position of the rule that captures the row, 0 for the default
#'   rule.
#' @param missing What a row gets if a missing value leaves open whether a rule matches, see [predict.sbrl()].
#' @return A function of one argument, `data`. Its class `"sbrl_function"` lets `print()` and `format()` show the
#'   code.
#' @seealso [as_sql()], [as_javascript()], [sbrl_write_json()]
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' score <- as_r_function(model)
#' identical(score(people), predict(model, people)$V2)
#' score
#' @export
as_r_function <- function(model, output = c("prob", "matrix", "class", "rule"),
                          missing = c("fallthrough", "error", "base_rate")) {
  model <- check_model(model, "model")
  output <- check_choice(output, "output", c("prob", "matrix", "class", "rule"))
  missing <- check_missing(missing, model)
  source <- r_source(model, output, missing)
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

# `x1`, `x2`, ... are the columns that the rules use.
r_source <- function(model, output, missing) {
  program <- rule_program(model, missing)
  features <- program$features
  variables <- stats::setNames(sprintf("x%d", seq_along(features)), feature_names(features))
  c(
    "# A rule list, written by sbrl; it needs no package.",
    "function(data) {",
    paste0("  ", c(
      "if (!is.data.frame(data)) stop(\"`data` must be a data frame.\", call. = FALSE)",
      if (length(features) > 0L) r_column_helper,
      r_columns(features, variables, model$terms),
      "rule <- rep(0L, nrow(data))",
      r_rules(program, variables),
      if (!is.null(program$note)) paste("#", program$note),
      r_answer(program, output)
    )),
    "}"
  )
}

# Later rules may only take what earlier ones left. A rule that a missing value leaves open is NA.
r_rules <- function(program, variables) {
  holds <- vapply(program$conditions, r_item, "", variables = variables)
  if (program$missing != "fallthrough") {
    holds <- ifelse(may_be_open(program), holds, sprintf("(%s) %%in%% TRUE", holds))
  }
  one <- function(words, condition, position) {
    c(paste("#", r_comment(words)), r_capture(condition, position, length(program$rules), program$missing))
  }
  unlist(Map(one, program$words, join_rules(program, holds, " & "), seq_along(program$rules), USE.NAMES = FALSE))
}

r_capture <- function(condition, position, n_rules, missing) {
  if (missing == "fallthrough") {
    return(sprintf("rule[which(rule == 0L & %s)] <- %dL", condition, position))
  }
  open <- "rule == 0L & is.na(holds)"
  c(
    sprintf("holds <- %s", condition),
    sprintf("rule[which(rule == 0L & holds)] <- %dL", position),
    if (missing == "error") {
      sprintf("if (any(%s)) stop(\"A value that a rule needs is missing.\", call. = FALSE)", open)
    } else {
      sprintf("rule[%s] <- %dL # the base rate", open, n_rules + 1L)
    }
  )
}

r_item <- function(item, variables) {
  variable <- variables[[item$feature$name]]
  if (is_missing_item(item)) sprintf("is.na(%s)", variable) else r_condition(item$feature, item, variable)
}

r_condition <- function(feature, item, variable) UseMethod("r_condition")

#' @export
r_condition.sbrl_feature_categorical <- function(feature, item, variable) {
  tests <- vapply(item$codes, \(code) r_level_test(feature$levels, code, variable), "")
  if (length(tests) == 1L) tests else sprintf("(%s)", paste(tests, collapse = " | "))
}

# R compares a number with text as as.character() writes it. Where a level is that number in another spelling, it is
# compared as a number, too; of two spellings of one number the one that R writes counts.
r_level_test <- function(levels, code, variable) {
  test <- sprintf("%s == %s", variable, r_text(levels[code]))
  numbers <- level_numbers(levels)
  if (is.na(numbers[code])) {
    return(test)
  }
  if (sum(numbers %in% numbers[code]) == 1L && with_point(as.character(numbers[code])) == levels[code]) {
    return(test)
  }
  value <- level_value(levels, code)
  number <- if (length(value) == 1L) sprintf("%s == %s", variable, number_text(value)) else "FALSE"
  sprintf("(if (is.numeric(%s)) %s else %s)", variable, number, test)
}

#' @export
r_condition.sbrl_feature_number <- function(feature, item, variable) {
  if (is_present_item(item)) {
    return(sprintf("!is.na(%s)", variable))
  }
  paste(bound_tests(item, variable, number_text), collapse = " & ")
}

# Values for `rule + 1`: the default rule, the rules, and the base rate if a row may get that.
r_answer <- function(program, output) {
  answers <- program$answers
  m <- length(program$rules)
  has_base <- program$missing == "base_rate" && m > 0L
  if (output == "rule") {
    return(c(if (has_base) sprintf("rule[rule == %dL] <- NA", m + 1L), "rule"))
  }
  rows <- c(m + 1L, seq_len(m), if (has_base) m + 2L)
  vector_code <- function(x) sprintf("c(%s)", paste(x, collapse = ", "))
  classes <- r_text(answers$classes)
  if (output == "class") {
    codes <- vector_code(paste0(match(answers$class[rows], answers$classes), "L"))
    return(sprintf("factor(%s[%s[rule + 1L]], levels = %s)", classes, codes, classes))
  }
  probs <- if (output == "prob") answers$reported else answers$probs
  columns <- apply(probs[rows, , drop = FALSE], 2L, \(share) sprintf("%s[rule + 1L]", vector_code(number_text(share))))
  if (length(columns) == 1L) {
    return(unname(columns))
  }
  c(
    "probs <- cbind(", paste0("  ", columns, c(rep(",", length(columns) - 1L), "")), ")",
    sprintf("dimnames(probs) <- list(NULL, %s)", classes),
    "probs"
  )
}

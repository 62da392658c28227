# explain(): why a row got its probability, as data; the words are in predict_explain_text.R.

#' Explain a prediction
#'
#' `explain()` gives the reason for the probability of a row: which rule decides and by which values, why the rules
#' above it do not match, and the training rows behind the deciding rule.
#'
#' Rules are tried from the top. For each rule that does not match, the explanation has the first of its conditions that
#' fails and the value that the row has instead. A missing value fails every condition except `is missing`, and a level
#' that no training row had fails every condition; the explanation mentions this, so there is no warning.
#'
#' The method also belongs to the generic functions `explain()` of the packages generics and dplyr, so it does not
#' matter which of the packages is loaded last.
#'
#' @inheritParams rules
#' @param ... Must be empty.
#' @inheritParams predict.sbrl
#' @inheritParams summary.sbrl
#' @param row A data frame with the features that the rules use, usually of one row.
#' @param x An explanation.
#' @param row.names,optional Ignored.
#' @return For one row an object of class `"sbrl_explanation"`, which prints as text; for another number of rows a list
#'   of these, of class `"sbrl_explanations"`. An explanation is a list with the parts
#' \describe{
#'   \item{position, antecedent}{the deciding rule; position 0 is the default rule, `NA` the base rate}
#'   \item{class, prob, lower, upper}{the positive class (of more than two: the likeliest), its probability and the ends
#'     of the credible interval}
#'   \item{n, share, n_rows}{training rows that the rule captured (or their weight), their share and the number of all}
#'   \item{conditions}{data frame: the conditions of the deciding rule and the values that match them}
#'   \item{passed}{data frame, one row per rule that was skipped: `position`, `antecedent`, the first `condition` that
#'     fails, its `feature`, the `value` of the row and the `reason`: `"value"`, `"missing"` or `"unseen"`}
#'   \item{evidence}{data frame, one row per class: training rows captured, probability and credible interval}
#' }
#' `format()` gives the text; `as.data.frame()` the rules that were tried, one per row, the deciding one last.
#' @seealso [predict.sbrl()] with `type = "rule"`, which only gives the number of the rule; [rules()] for the evidence
#'   behind all rules.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' someone <- data.frame(Class = "1st", Sex = "Male", Age = "Adult")
#' why <- explain(model, someone)
#' why
#' why$passed
#' as.data.frame(why)
#' @export
explain <- function(object, ...) {
  UseMethod("explain")
}

#' @rdname explain
#' @export
#' @rawNamespace export(explain.sbrl)
#' @rawNamespace S3method(generics::explain, sbrl)
explain.sbrl <- function(object, row, ..., level = 0.95, missing = c("fallthrough", "error", "base_rate")) {
  check_dots_empty(...)
  object <- check_model(object)
  if (base::missing(row)) {
    abort_sbrl("argument", "`row` is missing: give the row to explain as a data frame.")
  }
  missing <- check_missing(missing, object)
  row <- check_data_frame(row, "row")
  check_level(level)
  input <- catch_memory(read_explained(object, row, missing))
  found <- lapply(seq_len(nrow(row)), \(i) explain_row(object, input, i, level))
  if (length(found) == 1L) {
    return(found[[1L]])
  }
  structure(found, class = "sbrl_explanations")
}

#' @export
explain.default <- function(object, ...) {
  refuse_lists(object, "object")
  check_that(FALSE, object, "object", "a model made by sbrl()")
}

# The program, with codes and plain values of the features that it reads: everything but the row's number.
read_explained <- function(model, row, missing) {
  program <- rule_program(model, missing)
  features <- program$features
  names <- feature_names(features)
  columns <- Map(as_new_column, take_columns(row, names, model$terms, "row"), features)
  read <- Map(match_new_column, features, columns)
  # What matched nothing is explained, not warned about.
  warn_new(NULL, unlist(lapply(read, \(column) column$converted)))
  feature <- match(vapply(program$conditions, \(condition) condition$feature$name, ""), names)
  codes <- lapply(read, \(column) codes_of(column$column))
  c(program, list(columns = unname(columns)[feature], codes = unname(codes)[feature]))
}

explain_row <- function(model, input, i, level) {
  codes <- vapply(input$codes, \(code) code[i], 1L)
  is_met <- as.logical(Map(\(condition, code) code %in% condition$codes, input$conditions, codes))
  # The first condition of each rule that the row does not match; NA for a rule that matches.
  failing <- vapply(input$rules, \(rule) rule[!is_met[rule]][1L], 1L)
  position <- c(which(is.na(failing)), 0L)[1L]
  passed <- if (position == 0L) seq_along(failing) else seq_len(position - 1L)
  # Rules that hold but for values that are missing, and were never missing in training.
  may_hold <- is_met | codes == 0L & may_be_open(input)
  open <- if (input$missing != "fallthrough") Filter(\(rule) all(may_hold[input$rules[[rule]]]), passed)
  if (length(open) > 0L) {
    if (input$missing == "error") {
      meet_missing(1L, 1L, character(), input$missing)
    }
    position <- NA_integer_
    passed <- seq_len(open[1L])
  }
  decides <- prediction_row(model, position)
  shown <- prediction_interval(model, level)[decides, ]
  n <- c(rowSums(model$counts), sum(model$counts))
  structure(
    list(
      position = position,
      antecedent = c(input$words, default_rule_text, "(base rate)")[decides],
      class = model$classes[reported_class(model, prediction_table(model))[decides]],
      prob = shown[["prob"]], lower = shown[["lower"]], upper = shown[["upper"]],
      n = n[decides], share = n[decides] / sum(model$counts), n_rows = sum(model$counts),
      conditions = met_conditions(input, if (position %in% seq_along(failing)) input$rules[[position]], i),
      passed = passed_rules(input, passed, failing[passed], i),
      evidence = rule_evidence(model, decides, level),
      label = model$settings$label, words = explanation_words(model, input), level = level,
      weighted = is_weighted(model), simplified = model$settings$simplify == 1, n_rules = length(failing)
    ),
    class = "sbrl_explanation"
  )
}

# What people call the label, the classes, the features of the rules and their levels.
explanation_words <- function(model, input) {
  names <- feature_names(input$features)
  list(
    label = stats::setNames(shown_label(model), model$settings$label),
    classes = stats::setNames(shown_class(model), model$classes),
    features = stats::setNames(shown_feature(model, names), names),
    levels = unlist(lapply(input$features, function(feature) {
      words <- shown_levels(model, feature)
      if (!is.null(words)) stats::setNames(words, level_names(feature))
    }))
  )
}

# For the given conditions: words, feature, value of row i in words, and what is special about it.
condition_values <- function(input, which, i) {
  code <- vapply(input$codes[which], \(codes) codes[i], 1L)
  data.frame(
    condition = vapply(input$conditions[which], \(condition) condition$words, ""),
    feature = vapply(input$conditions[which], \(condition) condition$feature$name, ""),
    value = vapply(input$columns[which], row_value, "", i = i),
    reason = ifelse(code == 0L, "missing", ifelse(code < 0L, "unseen", "value"))
  )
}

met_conditions <- function(input, which, i) {
  condition_values(input, which, i)[c("condition", "feature", "value")]
}

passed_rules <- function(input, positions, failing, i) {
  cbind(
    data.frame(position = positions, antecedent = input$words[positions]),
    condition_values(input, failing, i)
  )
}

# One value as a person writes it; "NA" if it is missing.
row_value <- function(x, i) {
  value <- x[i]
  if (is.na(value)) {
    return("NA")
  }
  if (number_type(value) == "") enc2utf8(as.character(value)) else value_text(number_feature(value), value)
}

# What the training rows say of one rule, or of the base rate, class by class.
rule_evidence <- function(model, row, level) {
  counts <- rbind(model$counts, model$settings$class_counts)[row, ]
  ends <- lapply(estimate_ends(model, level), \(end) end[row, ])
  data.frame(
    class = model$classes, n = unname(counts), prob = unname(prediction_table(model)[row, ]),
    lower = ends$lower, upper = ends$upper
  )
}

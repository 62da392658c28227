# as_pmml(): the rule list in the Predictive Model Markup Language.

#' A rule list as PMML
#'
#' `as_pmml()` writes a rule list as a `TreeModel` of PMML 4.4, the XML that scoring engines read.
#'
#' The rules are the children of the root in their order, and the default rule is the last child; the first one whose
#' conditions are met decides. Each has its class counts and class probabilities (`ScoreDistribution`). The outputs are
#' `class`, the most probable class; `rule`, the position of the rule that decided, 0 for the default rule; and `prob`,
#' the probability of the positive class, or, for more than two classes, one output `prob_<class>` each. An output whose
#' name is that of a feature gets a number at its end. Labels of [relabel()] become display names.
#'
#' Features with levels are text, unless all their levels look like numbers or like logical values; use `columns`
#' where that guess is wrong. Numbers are of type double. So are dates (days since 1970), times (seconds
#' since 1970, UTC) and spans of time (in the unit of the training data). A missing value matches no condition except
#' `feature=NA`, and "not a number" must come as a missing value. Unseen levels fall through to a later rule. With
#' `missing = "base_rate"` a row that a missing value leaves undecided gets a rule called `base_rate_<position>`.
#'
#' The tests run the documents in JPMML and in PMML4S; the article `vignette("production", "sbrl")` has the versions.
#'
#' A rule on a transformed variable of a formula, such as `log(x)`, is an error, and so is a control character, U+FFFE
#' or U+FFFF in a name or level, which XML cannot contain.
#'
#' @inheritParams as_sql
#' @param columns Types of columns with levels, named by feature, where the guess is wrong: `"text"`, `"number"` or
#'   `"logical"`.
#' @param missing What a row gets if a missing value leaves open whether a rule matches, see [predict.sbrl()]:
#'   `"fallthrough"` or `"base_rate"`. PMML cannot refuse a row, so `"error"` is an error.
#' @return One string of class `"sbrl_text"`, which prints as it is.
#' @seealso [as_dmn()], [as_sql()], [sbrl_write_json()]
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' file <- tempfile(fileext = ".pmml")
#' writeLines(as_pmml(model), file, useBytes = TRUE)
#' unlink(file)
#' @export
as_pmml <- function(model, columns = NULL, missing = c("fallthrough", "error", "base_rate")) {
  model <- check_model(model, "model", pool = TRUE)
  missing <- check_exported_missing(missing, model, "PMML")
  program <- column_program(model, missing, columns)
  features <- program$features
  type_of <- stats::setNames(vapply(features, pmml_type, "", columns = program$columns), feature_names(features))
  lines <- c(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">",
    sprintf("<Header><Application name=\"sbrl\" version=\"%s\"/></Header>", escape_xml(model$version)),
    pmml_dictionary(model, type_of),
    paste("<TreeModel functionName=\"classification\" algorithmName=\"Bayesian rule list\"",
          "splitCharacteristic=\"multiSplit\" missingValueStrategy=\"none\">"),
    pmml_schema(model, type_of), pmml_output(model, names(type_of)),
    pmml_nodes(program, type_of),
    "</TreeModel>", "</PMML>"
  )
  new_text(paste(lines, collapse = "\n"), "xml")
}

# Dates and times are numbers: days or seconds since 1970.
pmml_type <- function(feature, columns) {
  switch(column_type(feature, columns), text = "string", logical = "boolean", "double")
}

# No list of valid values: a level never seen is not an error.
pmml_dictionary <- function(model, type_of) {
  # PMML4S does not find a number among categories
  kind <- ifelse(type_of == "double", "continuous", "categorical")
  label <- model$settings$label
  shown <- display_name(names(type_of), in_words(model$labels, names(type_of)))
  fields <- sprintf("<DataField name=\"%s\"%s optype=\"%s\" dataType=\"%s\"/>", escape_xml(names(type_of)), shown, kind,
                    type_of)
  words <- class_words(model$labels, feature_names(model$features), label, model$classes)
  values <- sprintf("<Value value=\"%s\"%s/>", escape_xml(model$classes),
                    display_name(model$classes, words, "displayValue"))
  field <- sprintf("<DataField name=\"%s\"%s optype=\"categorical\" dataType=\"string\">%s</DataField>",
                   escape_xml(label), display_name(label, in_words(model$labels, label)), paste(values, collapse = ""))
  c("<DataDictionary>", fields, field, "</DataDictionary>")
}

# An attribute for each name that has a label.
display_name <- function(names, words, attribute = "displayName") {
  ifelse(words == names, "", sprintf(" %s=\"%s\"", attribute, escape_xml(words)))
}

pmml_schema <- function(model, type_of) {
  c(
    "<MiningSchema>",
    sprintf("<MiningField name=\"%s\" usageType=\"target\"/>", escape_xml(model$settings$label)),
    sprintf("<MiningField name=\"%s\" invalidValueTreatment=\"asIs\"/>", escape_xml(names(type_of))),
    "</MiningSchema>"
  )
}

pmml_output <- function(model, taken) {
  taken <- c(taken, model$settings$label)
  wanted <- c("class", "rule", probability_names(model))
  names <- escape_xml(make.unique(c(taken, wanted))[-seq_along(taken)])
  field <- "<OutputField name=\"%s\" optype=\"categorical\" dataType=\"string\" feature=\"%s\"/>"
  share <- "<OutputField name=\"%s\" optype=\"continuous\" dataType=\"double\" feature=\"probability\" value=\"%s\"/>"
  c(
    "<Output>", sprintf(field, names[1:2], c("predictedValue", "entityId")),
    sprintf(share, names[-(1:2)], escape_xml(model$classes[reported_classes(model)])), "</Output>"
  )
}

# One child of the root per rule. A condition on a missing value is unknown, which no child may be, so the next is
# tried.
pmml_nodes <- function(program, type_of) {
  m <- length(program$rules)
  holds <- vapply(program$conditions, pmml_item, "", type_of = type_of)
  absent <- vapply(program$conditions, \(item) pmml_missing(item$feature, type_of[[item$feature$name]]), "")
  one <- function(rule, position, has_open_test) {
    open <- if (has_open_test) pmml_open(holds[rule], absent[rule], may_be_open(program)[rule])
    c(
      pmml_node(program$answers, position, position, pmml_join(holds[rule], "and")),
      if (has_open_test) pmml_node(program$answers, m + 2L, sprintf("base_rate_%d", position), open)
    )
  }
  c(
    "<Node id=\"root\">", "<True/>", unlist(Map(one, program$rules, seq_len(m), has_open_test(program))),
    if (!is.null(program$note)) sprintf("<!-- %s -->", program$note),
    pmml_node(program$answers, m + 1L, 0L, "<True/>"), "</Node>"
  )
}

pmml_node <- function(answers, row, id, predicate) {
  counts <- unname(answers$counts[row, ])
  share <- sprintf("<ScoreDistribution value=\"%s\" recordCount=\"%s\" probability=\"%s\"/>",
                   escape_xml(answers$classes), number_text(counts), number_text(unname(answers$probs[row, ])))
  node <- sprintf("<Node id=\"%s\" score=\"%s\" recordCount=\"%s\">", id, escape_xml(answers$class[row]),
                  number_text(sum(counts)))
  c(node, predicate, share, "</Node>")
}

# A missing value leaves a rule open: some value is missing, and all conditions on the others hold.
pmml_open <- function(holds, absent, may_be_open) {
  absent <- absent[may_be_open]
  holds[may_be_open] <- vapply(Map(c, absent, holds[may_be_open]), pmml_join, "", operator = "or")
  pmml_join(c(holds, pmml_join(unique(absent), "or")), "and")
}

pmml_join <- function(predicates, operator) {
  if (length(predicates) == 1L) {
    return(predicates)
  }
  inside <- paste(predicates, collapse = "")
  sprintf("<CompoundPredicate booleanOperator=\"%s\">%s</CompoundPredicate>", operator, inside)
}

pmml_item <- function(item, type_of) {
  type <- type_of[[item$feature$name]]
  if (!is_missing_item(item)) {
    return(pmml_condition(item$feature, item, type))
  }
  pmml_missing(item$feature, type)
}

pmml_missing <- function(feature, type) {
  pmml_join(c(
    sprintf("<SimplePredicate field=\"%s\" operator=\"isMissing\"/>", escape_xml(feature$name)),
    if (!is.null(feature$empty_as_missing) && type == "string") pmml_test(feature, "equal", "")
  ), "or")
}

pmml_condition <- function(feature, item, type) UseMethod("pmml_condition")

#' @export
pmml_condition.sbrl_feature_number <- function(feature, item, type) {
  if (is_present_item(item)) {
    return(sprintf("<SimplePredicate field=\"%s\" operator=\"isNotMissing\"/>", escape_xml(feature$name)))
  }
  bounds <- item_bounds(item)
  pmml_join(c(
    if (!is.null(bounds$from)) pmml_test(feature, "greaterOrEqual", java_number(bounds$from)),
    if (!is.null(bounds$to)) pmml_test(feature, "lessThan", java_number(bounds$to))
  ), "and")
}

#' @export
pmml_condition.sbrl_feature_categorical <- function(feature, item, type) {
  levels <- item_levels(item)
  values <- switch(type, boolean = lower_case(levels), double = java_number(level_numbers(levels)), levels)
  if (length(values) > 2L && type != "boolean" && all(fits_pmml_array(values))) {
    return(pmml_set(feature, values, type))
  }
  pmml_join(vapply(values, \(value) pmml_test(feature, "equal", value), ""), "or")
}

# Blanks separate the values of an array, unless they are in quotes. How engines read quotes within quotes differs.
fits_pmml_array <- function(values) {
  nzchar(values) & !grepl("[\"\\\\[:cntrl:]]|^\\s|\\s$", values, perl = TRUE)
}

pmml_set <- function(feature, values, type) {
  is_text <- type == "string"
  values <- paste(if (is_text) sprintf("\"%s\"", escape_xml(values)) else values, collapse = " ")
  form <- paste0("<SimpleSetPredicate field=\"%s\" booleanOperator=\"isIn\"><Array type=\"%s\">%s</Array>",
                 "</SimpleSetPredicate>")
  sprintf(form, escape_xml(feature$name), if (is_text) "string" else "real", values)
}

pmml_test <- function(feature, operator, value) {
  form <- "<SimplePredicate field=\"%s\" operator=\"%s\" value=\"%s\"/>"
  sprintf(form, escape_xml(feature$name), operator, escape_xml(value))
}

# as_pmml(): the rule list in the Predictive Model Markup Language.

#' A rule list as PMML
#'
#' `as_pmml()` writes a rule list as a `RuleSetModel` of PMML 4.4, the XML that scoring engines read.
#'
#' The first rule that holds decides (`firstHit`). The outputs are `class`, the most probable class; `rule`, the
#' position of the rule that decided, missing for the default rule; and `prob`, the probability of the positive class,
#' or, for more than two classes, one output `prob_<class>` each. An output whose name is that of a feature gets a
#' number at its end.
#'
#' Features with levels are text, unless all their levels look like numbers or like logical values; `columns` says
#' otherwise where that guess is wrong. Numbers are of type double. So are dates (days since 1970), times (seconds
#' since 1970, UTC) and spans of time (in the unit of the training data). A missing value matches no item but
#' `feature=NA`, and "not a number" must come as a missing value. Levels never seen fall through to a later rule. With
#' `missing = "base_rate"` a row that a missing value leaves undecided gets a rule called `base_rate_<position>`.
#'
#' A rule on a transformed variable of a formula, such as `log(x)`, is an error, and so is a control character, U+FFFE
#' or U+FFFF in a name or level, which XML cannot hold.
#'
#' @param model A model made by [sbrl()].
#' @param columns Types of columns with levels, named by feature, where the guess is wrong: `"text"`, `"number"` or
#'   `"logical"`.
#' @param missing What a row gets if a missing value leaves open whether a rule holds, see [predict.sbrl()]:
#'   `"fallthrough"` or `"base_rate"`. PMML cannot refuse a row, so `"error"` is an error.
#' @return One string of class `"sbrl_text"`, which prints as it is.
#' @seealso [as_sql()], [sbrl_write_json()]
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' file <- tempfile(fileext = ".pmml")
#' writeLines(as_pmml(model), file, useBytes = TRUE)
#' unlink(file)
#' @export
as_pmml <- function(model, columns = NULL, missing = c("fallthrough", "error", "base_rate")) {
  model <- check_model(model, "model", pool = TRUE)
  missing <- check_exported_missing(missing, model, "PMML")
  parts <- rule_items(model)
  features <- parts$features
  columns <- check_column_types(columns, model, features)
  check_plain_columns(features, model$terms)
  type_of <- stats::setNames(vapply(features, pmml_type, "", columns = columns), feature_names(features))
  lines <- c(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<PMML xmlns=\"http://www.dmg.org/PMML-4_4\" version=\"4.4\">",
    sprintf("<Header><Application name=\"sbrl\" version=\"%s\"/></Header>", xml_text(model$version)),
    pmml_dictionary(model, features, type_of),
    "<RuleSetModel functionName=\"classification\" algorithmName=\"Bayesian rule list\">",
    pmml_schema(model, type_of), pmml_output(model, names(type_of), missing),
    pmml_rules(model, parts, type_of, missing),
    "</RuleSetModel>", "</PMML>"
  )
  new_text(paste(lines, collapse = "\n"), "xml")
}

# Dates and times are numbers: days or seconds since 1970.
pmml_type <- function(feature, columns) {
  switch(column_type(feature, columns), text = "string", logical = "boolean", "double")
}

# No list of valid values: a level never seen is not an error.
pmml_dictionary <- function(model, features, type_of) {
  kind <- ifelse(are_numbers(features), "continuous", "categorical")
  fields <- sprintf("<DataField name=\"%s\" optype=\"%s\" dataType=\"%s\"/>", xml_text(names(type_of)), kind, type_of)
  values <- paste(sprintf("<Value value=\"%s\"/>", xml_text(model$classes)), collapse = "")
  label <- sprintf("<DataField name=\"%s\" optype=\"categorical\" dataType=\"string\">%s</DataField>",
                   xml_text(model$settings$label), values)
  c("<DataDictionary>", fields, label, "</DataDictionary>")
}

pmml_schema <- function(model, type_of) {
  c(
    "<MiningSchema>",
    sprintf("<MiningField name=\"%s\" usageType=\"target\"/>", xml_text(model$settings$label)),
    sprintf("<MiningField name=\"%s\" invalidValueTreatment=\"asIs\"/>", xml_text(names(type_of))),
    "</MiningSchema>"
  )
}

# Engines know no probabilities of a rule set, so a table gives those of the rule that decided.
pmml_output <- function(model, taken, missing) {
  reported <- reported_classes(model)
  wanted <- c("class", "rule", probability_names(model))
  taken <- c(taken, model$settings$label)
  names <- xml_text(make.unique(c(taken, wanted))[-seq_along(taken)])
  tables <- vapply(
    seq_along(reported),
    \(j) pmml_probabilities(prediction_table(model)[, reported[j]], names[2L + j], names[2L], missing), ""
  )
  field <- "<OutputField name=\"%s\" optype=\"categorical\" dataType=\"string\" feature=\"%s\"/>"
  c("<Output>", sprintf(field, names[1:2], c("predictedValue", "entityId")), tables, "</Output>")
}

# `probs` are those of the rules, the default rule and the base rate.
pmml_probabilities <- function(probs, name, rule, missing) {
  text <- number_text(probs)
  last <- length(text) - 1L
  rows <- sprintf("<row><rule>%d</rule><prob>%s</prob></row>", seq_len(last - 1L), text[seq_len(last - 1L)])
  if (missing == "base_rate") {
    ids <- base_rate_id(seq_len(last - 1L))
    rows <- c(rows, sprintf("<row><rule>%s</rule><prob>%s</prob></row>", ids, text[last + 1L]))
  }
  paste(c(
    sprintf("<OutputField name=\"%s\" optype=\"continuous\" dataType=\"double\" feature=\"transformedValue\">", name),
    sprintf("<MapValues outputColumn=\"prob\" dataType=\"double\" defaultValue=\"%s\" mapMissingTo=\"%s\">",
            text[last], text[last]),
    sprintf("<FieldColumnPair field=\"%s\" column=\"rule\"/>", rule),
    "<InlineTable>", rows, "</InlineTable>", "</MapValues>", "</OutputField>"
  ), collapse = "\n")
}

base_rate_id <- function(position) {
  sprintf("base_rate_%d", position)
}

pmml_rules <- function(model, parts, type_of, missing) {
  rules <- parts$rules
  table <- prediction_table(model)
  likeliest <- likeliest_class(table)
  score <- xml_text(model$classes[likeliest])
  confidence <- number_text(table[cbind(seq_along(likeliest), likeliest)])
  last <- length(score) - 1L
  known <- feature_names(parts$features)[parts$has_missing == 1L]
  rule <- function(id, row, predicate) {
    form <- "<SimpleRule id=\"%s\" score=\"%s\" confidence=\"%s\">"
    c(sprintf(form, id, score[row], confidence[row]), predicate, "</SimpleRule>")
  }
  one <- function(items, position) {
    open <- if (missing == "base_rate") pmml_open(items, known, type_of)
    c(
      rule(position, position, pmml_join(vapply(items, pmml_item, "", type_of = type_of), "and")),
      if (!is.null(open)) rule(base_rate_id(position), last + 1L, open)
    )
  }
  c(
    sprintf("<RuleSet defaultScore=\"%s\" defaultConfidence=\"%s\">", score[last], confidence[last]),
    if (gives_base_rate(model)) sprintf("<!-- %s -->", base_rate_note),
    "<RuleSelectionMethod criterion=\"firstHit\"/>", unlist(Map(one, rules, seq_along(rules))), "</RuleSet>"
  )
}

# When missing values leave a rule open: some value is missing, and all conditions on the others hold. NULL if that
# cannot happen.
pmml_open <- function(items, known, type_of) {
  is_known <- vapply(items, \(item) item$feature$name %in% known || is_missing_item(item), NA)
  if (all(is_known)) {
    return(NULL)
  }
  absent <- \(item) pmml_missing(item$feature, type_of[[item$feature$name]])
  holds <- vapply(items, pmml_item, "", type_of = type_of)
  holds[!is_known] <- vapply(which(!is_known), \(j) pmml_join(c(absent(items[[j]]), holds[j]), "or"), "")
  pmml_join(c(holds, pmml_join(unique(vapply(items[!is_known], absent, "")), "or")), "and")
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
    sprintf("<SimplePredicate field=\"%s\" operator=\"isMissing\"/>", xml_text(feature$name)),
    if (!is.null(feature$empty_as_missing) && type == "string") pmml_test(feature, "equal", "")
  ), "or")
}

pmml_condition <- function(feature, item, type) UseMethod("pmml_condition")

#' @export
pmml_condition.sbrl_feature_number <- function(feature, item, type) {
  bounds <- item_bounds(item)
  pmml_join(c(
    if (!is.null(bounds$from)) pmml_test(feature, "greaterOrEqual", number_text(bounds$from)),
    if (!is.null(bounds$to)) pmml_test(feature, "lessThan", number_text(bounds$to))
  ), "and")
}

#' @export
pmml_condition.sbrl_feature_categorical <- function(feature, item, type) {
  levels <- item_levels(item)
  values <- if (type == "boolean") tolower(levels) else levels
  pmml_join(vapply(values, \(value) pmml_test(feature, "equal", value), ""), "or")
}

pmml_test <- function(feature, operator, value) {
  form <- "<SimplePredicate field=\"%s\" operator=\"%s\" value=\"%s\"/>"
  sprintf(form, xml_text(feature$name), operator, xml_text(value))
}

# Line ends and tabs in an attribute would become blanks; other control characters and two code points that are no
# characters are not allowed at all.
xml_text <- function(x) {
  x <- enc2utf8(x)
  control <- grepl("[\x01-\x08\x0b\x0c\x0e-\x1f]", x, perl = TRUE)
  if (any(control)) {
    abort_sbrl("model", sprintf("XML cannot contain the control character in %s.", quote_values(x[control])))
  }
  for (point in c(0xFFFE, 0xFFFF)) {
    found <- grepl(intToUtf8(point), x, fixed = TRUE)
    if (any(found)) {
      abort_sbrl("model", sprintf("XML cannot contain the code point U+%X in %s.", point, quote_values(x[found])))
    }
  }
  x <- escape_html(x)
  x <- gsub("\n", "&#10;", x, fixed = TRUE)
  x <- gsub("\t", "&#9;", x, fixed = TRUE)
  gsub("\r", "&#13;", x, fixed = TRUE)
}

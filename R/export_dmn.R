# as_dmn(): the rule list as a decision table of DMN, the Decision Model and Notation.

#' A rule list as a DMN decision table
#'
#' `as_dmn()` writes a rule list as a decision table of DMN 1.3, the XML that business rule engines and modellers read.
#' Its hit policy is `FIRST`, which is what a rule list does: the first rule that matches decides.
#'
#' The table has one input per column that the rules use and one row per rule, the default rule last. The outputs are
#' `rule`, the position of the rule, 0 for the default rule; `class`, the most probable class; and `prob`, the
#' probability of the positive class, or, for more than two classes, one output `prob_<class>` each. Conditions are
#' written in FEEL. The description of each row is the rule in words, with the labels of [relabel()].
#'
#' An input has the name of its column if FEEL allows that name, which takes letters, digits and underscores;
#' otherwise a similar one. The input's label is the name of the column, or what [relabel()] calls it, and the
#' attribute `"inputs"` of the result has the names of the inputs, named by column. Outputs are treated in the same
#' way; their labels have the name of the class.
#'
#' Features with levels are strings, unless all their levels look like numbers or like logical values; use `columns`
#' where that guess is wrong. Dates are dates. Times are numbers, seconds since 1970 (UTC), and so are spans of time,
#' in the unit of the training data. `null` is a missing value: it matches no condition except the one for missing
#' values. Unseen levels fall through to a later rule. With `missing = "base_rate"`, rows of the table for the cases
#' that a missing value leaves undecided follow each rule; their output `rule` is `null`.
#'
#' A rule on a transformed variable of a formula, such as `log(x)`, is an error, and so are characters that XML cannot
#' contain, see [as_pmml()].
#'
#' @inheritParams as_pmml
#' @param missing What a row gets if a missing value leaves open whether a rule matches, see [predict.sbrl()]:
#'   `"fallthrough"` or `"base_rate"`. A decision table cannot refuse a row, so `"error"` is an error.
#' @return One string of class `"sbrl_text"`, which prints as it is, with the attribute `"inputs"`.
#' @seealso [as_pmml()], [as_javascript()], [as_sql()]
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' table <- as_dmn(model)
#' attr(table, "inputs")
#' file <- tempfile(fileext = ".dmn")
#' writeLines(table, file, useBytes = TRUE)
#' unlink(file)
#' @export
as_dmn <- function(model, columns = NULL, missing = c("fallthrough", "error", "base_rate")) {
  model <- check_model(model, "model", pool = TRUE)
  missing <- check_exported_missing(missing, model, "DMN")
  program <- column_program(model, missing, columns)
  features <- program$features
  types <- vapply(features, dmn_type, "", columns = program$columns)
  inputs <- stats::setNames(feel_names(feature_names(features)), feature_names(features))
  lines <- c(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    paste("<definitions xmlns=\"https://www.omg.org/spec/DMN/20191111/MODEL/\" id=\"definitions\" name=\"rule list\"",
          sprintf("namespace=\"urn:sbrl\" exporter=\"sbrl\" exporterVersion=\"%s\">", escape_xml(model$version))),
    dmn_input_data(inputs, types),
    "<decision id=\"prediction\" name=\"prediction\">", "<variable name=\"prediction\"/>",
    sprintf(paste0("<informationRequirement id=\"requirement_%1$d\"><requiredInput href=\"#data_%1$d\"/>",
                   "</informationRequirement>"), seq_along(inputs)),
    "<decisionTable id=\"table\" hitPolicy=\"FIRST\">",
    dmn_inputs(model, inputs, types), dmn_outputs(program$answers), dmn_rows(program, types),
    "</decisionTable>", "</decision>", "</definitions>"
  )
  structure(new_text(paste(lines, collapse = "\n"), "xml"), inputs = inputs)
}

dmn_type <- function(feature, columns) {
  if (inherits(feature, "sbrl_feature_date") && !feature$name %in% names(columns)) {
    return("date")
  }
  switch(column_type(feature, columns), text = "string", logical = "boolean", "number")
}

feel_words <- c(
  "and", "between", "context", "date", "duration", "else", "every", "external", "false", "for", "function", "if", "in",
  "instance", "item", "list", "not", "null", "of", "or", "range", "return", "satisfies", "some", "then", "time", "true"
)

# The names that FEEL allows stay; others lose what is not a letter, digit or underscore.
feel_names <- function(names) {
  is_good <- grepl("^_*[A-Za-z][A-Za-z0-9_]*$", names, perl = TRUE) & !lower_case(names) %in% feel_words
  others <- gsub("[^A-Za-z0-9]+", "_", iconv(names[!is_good], "UTF-8", "ASCII", sub = "_"), perl = TRUE)
  good <- names[is_good]
  all_names <- make.unique(c(good, paste0("x_", others, recycle0 = TRUE)), sep = "_")
  names[!is_good] <- utils::tail(all_names, length(others))
  names
}

dmn_input_data <- function(inputs, types) {
  form <- paste0("<inputData id=\"data_%1$d\" name=\"%2$s\">",
                 "<variable id=\"variable_%1$d\" name=\"%2$s\" typeRef=\"%3$s\"/></inputData>")
  sprintf(form, seq_along(inputs), inputs, types)
}

dmn_inputs <- function(model, inputs, types) {
  labels <- as.character(in_words(model$labels, names(inputs)))
  form <- paste0("<input id=\"input_%1$d\" label=\"%2$s\"><inputExpression id=\"expression_%1$d\" typeRef=\"%3$s\">",
                 "<text>%4$s</text></inputExpression></input>")
  sprintf(form, seq_along(inputs), escape_xml(labels), types, inputs)
}

dmn_outputs <- function(answers) {
  labels <- c("rule", "class", colnames(answers$reported))
  names <- feel_names(labels)
  types <- c("number", "string", rep("number", length(labels) - 2L))
  form <- "<output id=\"output_%d\" label=\"%s\" name=\"%s\" typeRef=\"%s\"/>"
  sprintf(form, seq_along(labels), escape_xml(labels), names, types)
}

dmn_rows <- function(program, types) {
  m <- length(program$rules)
  outputs <- dmn_answers(program$answers)
  row <- function(id, cells, answer, note) {
    entry <- function(tag, text) sprintf("<%1$s><text>%2$s</text></%1$s>", tag, escape_xml(text))
    inside <- c(entry("inputEntry", cells), entry("outputEntry", outputs[answer, ]))
    form <- "<rule id=\"rule_%s\"><description>%s</description>%s</rule>"
    sprintf(form, id, escape_xml(note), paste(inside, collapse = ""))
  }
  one <- function(rule, position, words) {
    items <- program$conditions[rule]
    cells <- dmn_cells(items, program$features, types)
    open <- if (program$missing == "base_rate") dmn_open(items, cells, program$features, types)
    ids <- sprintf("%d_open_%d", position, seq_along(open))
    c(
      if (!anyNA(cells)) row(position, cells, position, words),
      unlist(Map(row, ids, open, m + 2L, paste("undecided:", words)))
    )
  }
  note <- paste(c("default rule", program$note), collapse = "; ")
  c(unlist(Map(one, program$rules, seq_len(m), program$words)), row(0L, rep("-", length(types)), m + 1L, note))
}

# The output entries, one row per answer.
dmn_answers <- function(answers) {
  rule <- ifelse(is.na(answers$rule), "null", answers$rule)
  cbind(rule, feel_text(answers$class), apply(answers$reported, 2L, feel_number))
}

# The tests of a rule, one per feature: "-" where it has no condition, NA where its conditions exclude each other.
dmn_cells <- function(items, features, types) {
  cells <- rep("-", length(features))
  used <- match(vapply(items, \(item) item$feature$name, ""), feature_names(features))
  for (j in unique(used)) {
    cells[j] <- dmn_cell(items[used == j], features[[j]], types[j])
  }
  cells
}

# The conditions of a rule on one feature are those on the codes that they share; code 0 is a missing value.
dmn_cell <- function(items, feature, type) {
  item <- list(feature = feature, codes = Reduce(intersect, lapply(items, `[[`, "codes")))
  if (length(item$codes) == 0L) {
    return(NA_character_)
  }
  if (is_missing_item(item)) dmn_missing(feature, type) else dmn_condition(feature, item, type)
}

dmn_missing <- function(feature, type) {
  if (!is.null(feature$empty_as_missing) && type == "string") "null,\"\"" else "null"
}

# Rows for the cases that missing values leave open: each of the features that may be missing is so in one of them, and
# in that row the others are missing or meet their conditions.
dmn_open <- function(items, cells, features, types) {
  open <- unlist(lapply(items, \(item) if (item$may_be_open) item$feature$name))
  may_be_open <- which(feature_names(features) %in% open)
  if (anyNA(cells[-may_be_open])) {
    return(NULL)
  }
  absent <- unlist(Map(dmn_missing, features, types))
  either <- ifelse(is.na(cells), absent, paste(absent, cells, sep = ","))
  lapply(may_be_open, function(j) {
    row <- cells
    row[may_be_open] <- either[may_be_open]
    row[j] <- absent[j]
    row
  })
}

dmn_condition <- function(feature, item, type) UseMethod("dmn_condition")

# nolint start: object_name_linter. Methods.
#' @export
dmn_condition.sbrl_feature_number <- function(feature, item, type) {
  if (is_present_item(item)) {
    return("not(null)")
  }
  bounds <- lapply(item_bounds(item), \(cut) if (!is.null(cut)) feel_cut(feature, cut, type))
  if (is.null(bounds$from)) {
    return(paste("<", bounds$to))
  }
  if (is.null(bounds$to)) paste(">=", bounds$from) else sprintf("[%s..%s)", bounds$from, bounds$to)
}

#' @export
dmn_condition.sbrl_feature_categorical <- function(feature, item, type) {
  levels <- item_levels(item)
  values <- switch(type, boolean = lower_case(levels), number = feel_number(level_numbers(levels)), feel_text(levels))
  paste(values, collapse = ",")
}
# nolint end

feel_cut <- function(feature, cut, type) {
  if (type != "date") {
    return(feel_number(cut))
  }
  text <- day_of_cut(cut)
  check_four_digit_year(text, "FEEL")
  sprintf("date(\"%s\")", text)
}

# FEEL has no exponents and no infinite numbers.
feel_number <- function(x) {
  if (!all(is.finite(x))) {
    abort_sbrl("model", "The rules use an infinite number, which FEEL cannot express.")
  }
  vapply(number_text(x), function(text) {
    if (!grepl("e", text, fixed = TRUE)) {
      return(text)
    }
    parts <- regmatches(text, regexec("^(-?)([0-9]+)[.]?([0-9]*)e([-+][0-9]+)$", text))[[1L]]
    digits <- paste0(parts[3L], parts[4L])
    point <- nchar(parts[3L]) + as.integer(parts[5L])
    before <- if (point > 0L) substr(paste0(digits, strrep("0", max(0L, point - nchar(digits)))), 1L, point) else "0"
    after <- if (point > 0L) substring(digits, point + 1L) else paste0(strrep("0", -point), digits)
    paste0(parts[2L], before, if (nzchar(after)) ".", after)
  }, "", USE.NAMES = FALSE)
}

feel_text <- function(x) {
  x <- gsub("([\"\\\\])", "\\\\\\1", x, perl = TRUE)
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  x <- gsub("\t", "\\t", x, fixed = TRUE)
  sprintf("\"%s\"", gsub("\r", "\\r", x, fixed = TRUE))
}

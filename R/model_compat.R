# For users of version 1.4 only: its remaining functions, and models it saved.

#' Which rows match which conditions (function of version 1.4)
#'
#' `get_data_feature_mat()` returns a 0/1 matrix: for each row of a data frame and each condition, such as
#' `feature=level`, whether the row matches it.
#'
#' A name is read as the longest column name that it begins with, followed by `=` and a condition. That is a level,
#' compared as text, or what the `featurenames` of a model have besides: `<5`, `[3,5)` and `>=5` of a number, a date, a
#' time or a span of time, `<=b` and `>=b` of an ordered factor, and `NA` or `<NA>` for a missing value. Times are read
#' in the time zone of the column. A level that has such a name comes first.
#'
#' Names do not have all that a model knows, such as transformed variables of a formula or `empty_as_missing`. In new
#' code, use `predict(type = "rule")` for the rule that captures each row.
#'
#' @param data A data frame.
#' @param featurenames Names of conditions, such as the `featurenames` of a model.
#' @return A matrix of 0 and 1, one row per row of `data`, one column per element of `featurenames`.
#' @seealso [predict.sbrl()] with `type = "rule"`.
#' @examples
#' head(get_data_feature_mat(tictactoe, c("c1=b", "c1=o", "c1=x")))
#' @export
get_data_feature_mat <- function(data, featurenames) {
  data <- check_data_frame(data, "data")
  if (missing(featurenames)) {
    abort_sbrl("argument", "`featurenames` is missing: give names of conditions, such as `a=u`.")
  }
  check_that(are_texts(featurenames), featurenames, "featurenames", "names of conditions")
  match_conditions(data, featurenames, matches_condition)
}

# `matches` takes a column, its name and a condition.
match_conditions <- function(data, featurenames, matches) {
  columns <- readable_names(data)
  featurenames <- enc2utf8(featurenames)
  cells <- matrix(0, nrow(data), length(featurenames))
  for (j in seq_along(featurenames)) {
    column <- find_item_column(featurenames[j], columns)
    condition <- substring(featurenames[j], nchar(columns[column]) + 2L)
    cells[, j] <- matches(read_level_column(data, column, columns[column]), columns[column], condition)
  }
  cells
}

find_item_column <- function(item, columns) {
  fits <- which(startsWith(item, paste0(columns, "=")))
  if (length(fits) == 0L) {
    # a transformed variable of a formula, which no column has
    hint <- if (grepl("(", item, fixed = TRUE)) " For the rule of each row, use predict(type = \"rule\")." else ""
    abort_sbrl("column", sprintf("No column of `data` belongs to the condition %s.%s", quote_values(item), hint))
  }
  fits[which.max(nchar(columns[fits]))]
}

read_level_column <- function(data, column, name) {
  x <- check_whole_class(readable(.subset2(data, column), name), name, codes = TRUE)
  x <- if (inherits(x, "POSIXlt")) as.POSIXct(x) else x
  x <- if (is_integer64(x)) integer64_values(x) else x
  if (is.object(x) && !is.factor(x) && number_type(x) == "") {
    x <- as_text(x, name)
  }
  if (!is.atomic(x) || has_dim(x) || length(x) != nrow(data)) {
    message <- "Column %s must have one value per row (%d), not be %s."
    abort_sbrl("column", sprintf(message, quote_names(name), nrow(data), describe(x)))
  }
  x
}

# What is wrong with such a model, in words, or NULL; see model_validate.R.
legacy_problem <- function(model) {
  n_items <- length(model$featurenames)
  n_candidates <- length(model$rulenames)
  first_failing(
    "`rs` must be a table of candidates (V1) and probabilities (V2)" = is_table(model$rs, c("V1", "V2")) &&
      min(model$rs$V2) >= 0 && max(model$rs$V2) <= 1,
    "`rulenames` must be text" = is_plain(model$rulenames, "character"),
    "`featurenames` must be text" = are_texts(model$featurenames),
    "`rs$V1` must contain different candidates and end with 0" = are_indices(list_rules(model), n_candidates) &&
      anyDuplicated(model$rs$V1) == 0L && model$rs$V1[nrow(model$rs)] == 0,
    "`mat_feature_rule` must be a matrix of items and candidates" =
      is.numeric(model$mat_feature_rule) && identical(dim(model$mat_feature_rule), c(n_items, n_candidates)),
    "`mat_feature_rule` must contain 0 and 1" = all(model$mat_feature_rule[, list_rules(model)] %in% 0:1),
    "`rulenames` must name the items in `mat_feature_rule`" = has_right_names(model)
  )
}

# 1.4 forgot the label values; its default signs stand in for them.
upgrade_legacy <- function(model) {
  classes <- c("0", "1")
  positive <- as.double(model$rs$V2)
  list(classes = classes, probs = matrix(c(1 - positive, positive), ncol = 2L, dimnames = list(NULL, classes)))
}

# Position of the first rule that each row matches, 0 for the default rule; only the items of these rules are looked up.
capture_legacy <- function(model, data) {
  chosen <- model$rs$V1[model$rs$V1 > 0]
  holds <- model$mat_feature_rule[, chosen, drop = FALSE] > 0
  needed <- which(rowSums(holds) > 0)
  data <- check_data_frame(data, "data")
  matches <- match_conditions(data, model$featurenames[needed], has_level)
  rule <- integer(nrow(data))
  for (j in rev(seq_along(chosen))) {
    items <- which(holds[needed, j])
    rule[rowSums(matches[, items, drop = FALSE]) == length(items)] <- j
  }
  rule
}

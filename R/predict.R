# Prediction: one result per row of new data, always.

#' Predict with a rule list
#'
#' `predict()` finds the first rule that each row matches and returns that rule's
#' class probabilities, or what `type` asks for.
#'
#' Only the columns that the rules use are needed; others, such as the label, are ignored. A level that was not seen in
#' training matches no condition on its column, so the row falls through to a later rule. Unseen levels give one warning
#' per call.
#'
#' **Missing values.** A missing value matches no condition on its column except `feature=NA`, which exists if the
#' feature was missing in training rows. If it was never missing in training, a missing value can leave open whether a
#' rule matches: all its other conditions are met, and this one is not known. `missing` determines what such a row
#' gets. With `"fallthrough"` it falls through to the later rules, as if the condition had failed. Unless you ask for
#' that by name, a warning counts these rows. With `"base_rate"` it gets the shares of the classes in the training
#' data, and its rule is `NA`. With `"error"` the call fails.
#'
#' **Types.** Columns may have another type than in training. Numbers match levels that are written as numbers, so
#' that `1` is the level `"1.0"`. New numbers, including infinite ones, fall into the intervals of the training data.
#' Text is read as the number, date or time that the column contained in training; other text matches no condition.
#' Dates and times are converted into each other. Everything else of another type is taken as a number, with a
#' warning.
#'
#' **Tables in a database.** For a table of package dbplyr, `predict()` adds columns to the query, which the database
#' computes when the table is read: the probability of the positive class, `prob` (of more than two classes
#' `prob_<class>`), the most probable `class`, and the position of the `rule`; or that of the three that `type` names.
#' Nothing is read before, so there are no warnings: rows with missing values fall through, or get the base
#' rate with `missing = "base_rate"`. See [as_sql()] for how values are compared.
#'
#' @param object A model made by [sbrl()], by version 1.4 or by [sbrl_read_json()].
#' @param tdata,newdata A data frame with the features that the rules use, or a table of package dbplyr; two names for
#'   the same argument.
#' @param type What to return for each row, see below.
#' @param ... Must be empty.
#' @param level Coverage of the credible interval.
#' @param missing What a row gets if a missing value leaves open whether a rule matches: `"fallthrough"`,
#'   `"base_rate"` or `"error"`, see the section on missing values of [predict.sbrl()]. If not given, `"fallthrough"`,
#'   or the choice stored in the JSON file from which the model was read.
#'
#' @return For a table of dbplyr, that table with more columns, see above. Otherwise, for n rows and K classes,
#' \describe{
#'   \item{`"prob"`}{a list of numeric vectors of length n: `V1`, the probability of the
#'     negative, and `V2`, that of the positive class; for K > 2 classes `V1` to `VK`}
#'   \item{`"matrix"`}{an n x K matrix of probabilities, columns named by class}
#'   \item{`"class"`}{a factor: the most probable class (the first of those that are equally probable)}
#'   \item{`"rule"`}{an integer vector: the position of the rule that captured the row, 0 for the default rule}
#'   \item{`"interval"`}{an n x 3 matrix: `prob` of the positive class (for K > 2, of the most probable class), and
#'     `lower` and `upper` end of its equal-tailed credible interval *given this list*: it is wide where a rule
#'     captured few rows, but does not account for the possibility that another list is right. With few data it covers
#'     far less than `level`; the interval of [sbrl_posterior()] is over lists}
#' }
#' @seealso [explain()] for the reason behind a prediction, [sbrl_performance()] for how good predictions are,
#'   [predict.sbrl_lists()] for averages of many lists, [as_sql()] and [as_r_function()] to predict without sbrl.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' some <- data.frame(Class = c("1st", "3rd", "Crew"), Sex = c("Female", "Male", "Male"),
#'                    Age = "Adult")
#' predict(model, some, type = "class")
#' predict(model, some, type = "interval")
#' predict(model, some, type = "rule")
#' str(predict(model, some))
#' @export
#' @rawNamespace export(predict.sbrl)
predict.sbrl <- function(object, tdata, type = c("prob", "matrix", "class", "rule", "interval"), ...,
                         newdata, level = 0.95, missing = c("fallthrough", "error", "base_rate")) {
  check_dots_empty(...)
  object <- check_model(object, legacy = TRUE)
  is_old_name <- !base::missing(tdata)
  if (is_old_name != base::missing(newdata)) {
    abort_sbrl("argument", if (is_old_name) {
      "Give the rows to predict as `newdata` or as `tdata`, not both."
    } else {
      "`newdata` is missing: give a data frame with the rows to predict. Models keep no training rows."
    })
  }
  data <- if (is_old_name) tdata else newdata
  arg <- if ("tdata" %in% names(sys.call())) "tdata" else "newdata"
  check_level(level)
  if (inherits(data, "tbl_lazy")) {
    return(predict_lazily(object, data, if (base::missing(type)) NULL else type, missing))
  }
  data <- check_data_frame(data, arg)
  type <- check_choice(type, "type", c(prediction_types(object), "rule", "interval"))
  policy <- if (is_legacy(object)) check_legacy_missing(missing) else check_missing(missing, object)
  catch_memory({
    model <- if (is_legacy(object)) upgrade_legacy(object) else object
    rule <- if (is_legacy(object)) {
      capture_legacy(object, data)
    } else {
      capture_rows(object, data, arg, policy, warn = identical(missing, missing_policies))
    }
    inform_one_class(model, rule, type)
    format_prediction(model, rule, type, level)
  })
}

# Position of the rule that captures each row: 0 for the default rule, NA for the base rate.
capture_rows <- function(model, data, arg, missing = model$settings$missing, warn = TRUE) {
  compact <- compact_rules(model, list_rules(model))
  names <- feature_names(compact$features)
  columns <- encode_new(take_columns(data, names, model$terms, arg), compact$features)
  rules <- list(items = compact$rule_items, lengths = compact$rule_lengths)
  found <- call_job(native_predict, columns, compact$items, rules, compact$has_missing, nrow(data))
  if (length(found$undecided) == 0L) {
    return(found$rule)
  }
  if (missing == "base_rate") {
    found$rule[found$undecided] <- NA
  } else if (missing == "error" || warn) {
    lacking <- vapply(columns, \(column) anyNA(column$values[found$undecided]), NA)
    meet_missing(length(found$undecided), nrow(data), names[lacking & compact$has_missing == 0L], missing)
  }
  found$rule
}

# One warning, or an error, about the rows whose rule a missing value leaves open.
meet_missing <- function(n_undecided, n_rows, names, missing) {
  of <- if (length(names) > 0L) paste(" of", quote_names(names)) else ""
  what <- sprintf("In %d of %s, a value%s that a rule needs is missing. No training row was without it.",
                  n_undecided, counted(n_rows, "row"), of)
  if (missing == "error") {
    abort_sbrl("missing", what)
  }
  warn_sbrl("missing", paste(
    what, "That rule was skipped, and a later one decided. Set `missing = \"fallthrough\"` if this is right;",
    "`\"base_rate\"` gives these rows the base rate, and `\"error\"` refuses them."
  ))
}

# A list whose rules all favour one class may surprise whoever asked for classes.
inform_one_class <- function(model, rule, type) {
  if (type != "class" || length(rule) < 2L) {
    return(invisible())
  }
  likeliest <- likeliest_class(prediction_table(model))
  codes <- unique(likeliest[prediction_row(model, unique(rule))])
  if (length(codes) == 1L) {
    every <- if (length(unique(likeliest)) == 1L) " Every rule of the list favours it." else ""
    inform_only_class(length(rule), model$classes[codes], every)
  }
}

inform_only_class <- function(n_rows, class, more = "") {
  inform_sbrl("one_class", sprintf(
    "All %s rows are predicted to be %s.%s `type = \"prob\"` gives their probabilities.",
    with_thousands(n_rows), quote_values(class), more
  ))
}

format_prediction <- function(model, rule, type, level) {
  if (type == "rule") {
    return(rule)
  }
  allow_interrupt(length(rule))
  row <- prediction_row(model, rule)
  if (type == "interval") {
    return(prediction_interval(model, level)[row, , drop = FALSE])
  }
  predicted_values(model, prediction_table(model), row, type)
}

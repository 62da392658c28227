# Prediction: one result per row of new data, always.

#' Predict with a rule list
#'
#' `predict()` finds the first rule that each row matches and returns that rule's
#' class probabilities, or what `type` asks for.
#'
#' The label column is not needed, nor is any column that no rule uses; other columns are ignored. A missing value
#' matches no item of its column but `feature=NA`, which exists if it was missing in training rows. A level not seen in
#' training matches no item of its column, so the row falls through to a later rule; unseen levels give one warning per
#' call.
#'
#' Columns may have another type than in training. Numbers match levels that are written as numbers, so that `1` is
#' the level `"1.0"`. Numbers never seen, infinite ones too, fall into the intervals of the training data. Text is
#' read as the number, date or time that the column held; other text matches no item. Dates and times are
#' converted into each other. Everything else of another type is taken as a number, with a warning.
#'
#' @param object A model made by [sbrl()], by version 1.4 or by [sbrl_read_json()].
#' @param tdata,newdata A data frame with the features that the rules use; two names for the same argument.
#' @param type What to return for each row, see below.
#' @param ... Must be empty.
#' @param level Coverage of the credible interval.
#'
#' @return For n rows and K classes,
#' \describe{
#'   \item{`"prob"`}{a list of numeric vectors of length n: `V1`, the probability of the
#'     negative, and `V2`, that of the positive class; for K > 2 classes `V1` to `VK`}
#'   \item{`"matrix"`}{an n x K matrix of probabilities, columns named by class}
#'   \item{`"class"`}{a factor: the most probable class (the first of those that are equally probable)}
#'   \item{`"rule"`}{an integer vector: the position of the rule that captured the row, 0 for the default rule}
#'   \item{`"interval"`}{an n x 3 matrix: `prob` of the positive class (for K > 2, of the most probable class), and
#'     `lower` and `upper` end of its equal-tailed credible interval}
#' }
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe[1:639, ], iters = 2000, rule_maxlen = 3, nchain = 4)
#' test <- tictactoe[640:958, ]
#' str(predict(model, test))
#' table(predict(model, newdata = test, type = "class"), test$label)
#' head(predict(model, test, type = "interval"))
#' @export
#' @rawNamespace export(predict.sbrl)
predict.sbrl <- function(object, tdata, type = c("prob", "matrix", "class", "rule", "interval"), ...,
                         newdata, level = 0.95) {
  check_dots_empty(...)
  object <- check_model(object, legacy = TRUE)
  if (missing(tdata) == missing(newdata)) {
    abort_sbrl("argument", "Give the rows to predict as `tdata` or as `newdata`, one of the two.")
  }
  data <- if (missing(tdata)) newdata else tdata
  arg <- if (missing(tdata)) "newdata" else "tdata"
  check_data_frame(data, arg)
  type <- check_choice(type, "type", c("prob", "matrix", "class", "rule", "interval"))
  check_level(level)
  catch_memory({
    model <- if (is_legacy(object)) upgrade_legacy(object) else object
    rule <- if (is_legacy(object)) capture_legacy(object, data) else capture_rows(object, data, arg)
    format_prediction(model, rule, type, level)
  })
}

# Position of the rule that captures each row, 0 for the default rule.
capture_rows <- function(model, data, arg) {
  compact <- compact_rules(model, list_rules(model))
  names <- feature_names(compact$features)
  columns <- encode_new(take_columns(data, names, model$terms, arg), compact$features)
  rules <- list(items = compact$rule_items, lengths = compact$rule_lengths)
  call_job(native_predict, columns, compact$items, rules, nrow(data))
}

format_prediction <- function(model, rule, type, level) {
  if (type == "rule") {
    return(rule)
  }
  allow_interrupt(length(rule))
  row <- rule
  row[rule == 0L] <- nrow(model$probs)
  switch(type,
    prob = probability_list(model$probs, row),
    matrix = model$probs[row, , drop = FALSE],
    class = as_classes(likeliest_class(model$probs)[row], model$classes),
    interval = reported_interval(model, level)[row, , drop = FALSE]
  )
}

as_classes <- function(codes, classes) {
  structure(codes, levels = classes, class = "factor")
}

# Plain vectors V1 ... VK, as 1.4 returns them.
probability_list <- function(probs, row) {
  columns <- lapply(seq_len(ncol(probs)), function(class) {
    allow_interrupt(length(row))
    unname(probs[, class])[row]
  })
  stats::setNames(columns, paste0("V", seq_along(columns)))
}

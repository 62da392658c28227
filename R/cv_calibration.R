# The calibration slope of a cross-validation, on the rows left out of each fit.

#' @export
find_calibration.cv_sbrl <- function(x, model, arg) { # nolint: object_name_linter. A method.
  check_cv(x, arg)
  setting <- like_setting(x$grid, x$one_se, model$settings)
  slope <- cv_slopes(x, setting)
  check_same_classes(x$classes, model, arg)
  check_validated_rows(model, x, arg)
  list(
    slope = slope, source = sprintf("%d folds, setting %d", length(unique(x$per_fold$fold)), setting),
    classes = x$classes
  )
}

# Were these the rows of the model? If the cross-validation has kept them, the rules must capture the same of them.
check_validated_rows <- function(model, cv, arg) {
  rows <- list(codes = as.integer(cv$truth), weights = cv$weights, n_classes = length(cv$classes))
  counted <- which(!is.na(rows$codes))
  rows <- replace(rows, c("codes", "weights"), list(rows$codes[counted], rows$weights[counted]))
  check_class_counts(model, class_weights(rows), length(counted), arg = arg)
  frame <- cv$frame
  data <- if (is.data.frame(frame$data)) check_data_frame(frame$data, "frame$data")
  model <- without_terms(model)
  if (!is.null(data) && all(c(used_columns(model), model$settings$label) %in% names(data))) {
    rules <- list_rules(model)
    rows <- suppressWarnings(encode_rows(model, compact_rules(model, rules), data, frame$weights, arg))
    check_captures(model, rows, seq_along(rules), arg)
  }
}

# The first setting that the model was fitted with; else the one that refit() takes.
like_setting <- function(grid, otherwise, settings) {
  shared <- intersect(names(grid), c("lambda", "eta", "rule_minlen", "rule_maxlen", "nchain", "iters", "bins"))
  is_same <- vapply(seq_len(nrow(grid)), function(i) {
    all(vapply(shared, \(name) is_setting_of(grid[[name]][i], settings, name), NA))
  }, NA)
  c(which(is_same), otherwise)[1L]
}

is_setting_of <- function(value, settings, name) {
  if (name == "lambda" && is_auto(value)) !is.na(settings$lambda_first) else isTRUE(value == settings[[name]])
}

# The slope of the predictions of each of these settings, all folds together.
cv_slopes <- function(cv, settings = seq_len(nrow(cv$grid))) {
  counted <- which(!is.na(cv$truth))
  weights <- if (is.null(cv$weights)) rep(1, length(cv$truth)) else cv$weights
  vapply(settings, function(setting) {
    probs <- if (is.list(cv$predictions) && setting <= length(cv$predictions)) cv$predictions[[setting]]
    if (!is_matrix_of(probs, length(cv$truth), nlevels(cv$truth)) || !is_plain(weights, "double", length(cv$truth))) {
      message <- "The cross-validation is not valid: `predictions` must contain the probabilities of all rows."
      abort_sbrl("object", message)
    }
    codes <- as.integer(cv$truth)[counted]
    calibration_measures(codes, probs[counted, , drop = FALSE], weights[counted])[["slope"]]
  }, 1)
}

is_matrix_of <- function(x, n, k) {
  is_matrix(x, c(n, k)) && all(is.na(x) | (x >= 0 & x <= 1))
}

# The calibration slope of a single list on rows that it has not seen, from a cross-validation or a bag.

# Below this many rows lists are usually too sure of themselves.
few_training_rows <- 1500

# `x` is what cv_sbrl() or sbrl_bag() returned, for the model or for others with its settings. NULL for NULL.
calibration_of <- function(x, model, arg = "calibration") {
  if (is.null(x)) {
    return(NULL)
  }
  check_that(inherits(x, c("cv_sbrl", "sbrl_bag")), x, arg, "what cv_sbrl() or sbrl_bag() returns, or NULL")
  is_bag <- inherits(x, "sbrl_bag")
  x <- if (is_bag) check_lists(x, arg) else x
  found <- if (is_bag) bag_calibration(x) else cv_calibration(x, model, arg)
  if (!identical(found$classes, model$classes)) {
    abort_sbrl("argument", sprintf("`%s` must have the classes of the model, %s.", arg, quote_values(model$classes)))
  }
  if (inherits(x, "sbrl_bag")) {
    check_class_counts(model, x$medoid$settings$class_counts, arg = arg)
  } else {
    check_validated_rows(model, x, arg)
  }
  found
}

# Were these the rows of the model? If the cross-validation has kept them, the rules must capture the same of them.
check_validated_rows <- function(model, cv, arg) {
  rows <- list(codes = as.integer(cv$truth), weights = cv$weights, n_classes = length(cv$classes))
  counted <- which(!is.na(rows$codes))
  rows <- replace(rows, c("codes", "weights"), list(rows$codes[counted], rows$weights[counted]))
  check_class_counts(model, class_weights(rows), length(counted), arg = arg)
  frame <- cv$frame
  model <- without_terms(model)
  if (is.data.frame(frame$data) && all(c(used_columns(model), model$settings$label) %in% names(frame$data))) {
    rules <- list_rules(model)
    rows <- suppressWarnings(encode_rows(model, compact_rules(model, rules), frame$data, frame$weights, arg))
    check_captures(model, rows, seq_along(rules), arg)
  }
}

# The lists of a bag: mean over those whose slope is determined.
bag_calibration <- function(bag) {
  slopes <- bag$fits$slope[is.finite(bag$fits$slope)]
  list(
    slope = if (length(slopes) > 0L) mean(slopes) else NA_real_,
    source = sprintf("out of bag, mean of %d lists", length(slopes)), classes = bag$medoid$classes
  )
}

cv_calibration <- function(cv, model, arg) {
  check_cv(cv, arg)
  setting <- like_setting(cv$grid, cv$one_se, model$settings)
  list(
    slope = cv_slopes(cv, setting), source = sprintf("%d folds, setting %d", length(unique(cv$per_fold$fold)), setting),
    classes = cv$classes
  )
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

format_calibration <- function(calibration) {
  slope <- if (is.na(calibration$slope)) "NA" else sprintf("%.2f", calibration$slope)
  sprintf("Calibration slope on rows not seen: %s (%s): %s", slope, calibration$source, slope_words(calibration$slope))
}

# The calibration slope of a single list on rows that it has not seen, from a cross-validation or a bag.

# Below this many rows lists are usually too sure of themselves.
few_training_rows <- 1500

# `x` is what cv_sbrl() or sbrl_bag() returned, for the model or for others with its settings. NULL for NULL.
calibration_of <- function(x, model, arg = "calibration") {
  if (is.null(x)) {
    return(NULL)
  }
  check_that(inherits(x, c("cv_sbrl", "sbrl_bag")), x, arg, "what cv_sbrl() or sbrl_bag() returns, or NULL")
  find_calibration(x, model, arg)
}

# The slope, where it comes from, and the classes, once it is known that `x` is whole and of the rows of the model.
find_calibration <- function(x, model, arg) UseMethod("find_calibration")

check_same_classes <- function(classes, model, arg) {
  if (!identical(classes, model$classes)) {
    abort_sbrl("argument", sprintf("`%s` must have the classes of the model, %s.", arg, quote_values(model$classes)))
  }
}

format_calibration <- function(calibration) {
  slope <- if (is.na(calibration$slope)) "NA" else sprintf("%.2f", calibration$slope)
  sprintf("Calibration slope on rows not seen: %s (%s): %s", slope, calibration$source, slope_words(calibration$slope))
}

# The calibration slope of the lists of a bag, out of bag.

# The mean over the lists whose slope is determined.
#' @export
find_calibration.sbrl_bag <- function(x, model, arg) { # nolint: object_name_linter. A method.
  x <- check_lists(x, arg)
  check_same_classes(x$medoid$classes, model, arg)
  check_class_counts(model, x$medoid$settings$class_counts, arg = arg)
  slopes <- x$fits$slope[is.finite(x$fits$slope)]
  list(
    slope = if (length(slopes) > 0L) mean(slopes) else NA_real_,
    source = sprintf("out of bag, mean of %d lists", length(slopes)), classes = x$medoid$classes
  )
}

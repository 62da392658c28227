# Predictions of classes, as predict() returns them.

# nolint start: object_name_linter. Methods.
#' @export
prediction_types.sbrl_outcome_classes <- function(model) {
  c("prob", "matrix", "class")
}

#' @export
predicted_values.sbrl_outcome_classes <- function(model, estimates, row, type) {
  if (type == "class") {
    codes <- likeliest_class(estimates)
    return(as_classes(if (missing(row)) codes else codes[row], model$classes))
  }
  estimates <- if (missing(row)) estimates else estimates[row, , drop = FALSE]
  if (type == "matrix") estimates else probability_list(estimates)
}
# nolint end

as_classes <- function(codes, classes) {
  structure(codes, levels = classes, class = "factor")
}

# Plain vectors V1 ... VK, as 1.4 returns them.
probability_list <- function(probs) {
  columns <- lapply(seq_len(ncol(probs)), \(class) as.vector(probs[, class]))
  stats::setNames(columns, paste0("V", seq_along(columns)))
}

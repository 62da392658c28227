# Predictions of classes, as predict() returns them.

# nolint start: object_name_linter. Methods.
#' @export
prediction_types.sbrl_outcome_classes <- function(model) {
  c("prob", "matrix", "class")
}

#' @export
predicted_values.sbrl_outcome_classes <- function(model, estimates, row, type) {
  pick <- if (missing(row)) identity else \(values) values[row]
  switch(type,
    prob = probability_list(estimates, pick),
    matrix = if (missing(row)) estimates else estimates[row, , drop = FALSE],
    class = as_classes(pick(likeliest_class(estimates)), model$classes)
  )
}
# nolint end

as_classes <- function(codes, classes) {
  structure(codes, levels = classes, class = "factor")
}

# Plain vectors V1 ... VK, as 1.4 returns them.
probability_list <- function(probs, pick) {
  columns <- lapply(seq_len(ncol(probs)), function(class) {
    column <- pick(unname(probs[, class]))
    allow_interrupt(length(column))
    column
  })
  stats::setNames(columns, paste0("V", seq_along(columns)))
}

# The work of a cross-validation: one fit is one setting on one fold, a row of `shared$tasks`; see fit_runs.R.

# Fit on the other folds, predict this one.
fit_fold <- function(i, shared) {
  rows <- shared$rows
  fold <- shared$tasks$fold[i]
  train <- which(shared$fold != fold)
  test <- which(shared$fold == fold)
  arguments <- c(shared$plan$arguments, setting_arguments(shared$plan$grid, shared$tasks$setting[i]))
  arguments$threads <- shared$plan$threads
  own <- list(label = rows$label, weights = rows$weights[train], seed = shared$seeds[fold], progress = FALSE)
  origin <- new_origin(by_formula = shared$plan$by_formula, max_work = work_of_one_of_many)
  model <- fit_frame(take_rows(rows$data, train), c(own, arguments), origin)
  probs <- predict.sbrl(model, newdata = take_rows(rows$data, test), type = "matrix")
  weights <- if (is.null(rows$weights)) rep(1, length(test)) else rows$weights[test]
  list(
    measures = measure_all(rows$codes[test], probs, weights), length = nrow(model$rs) - 1L,
    conditions = sum(model$pool$lengths[list_rules(model)]), n = sum(weights), probs = probs
  )
}

describe_fold <- function(i, shared) {
  task <- shared$tasks[i, ]
  sprintf("without fold %s, %s", shared$names[task$fold], setting_labels(shared$plan$grid)[task$setting])
}

# Which model has not seen a row depends on the setting only, so there is one matrix for each.
gather_predictions <- function(done, shared) {
  rows <- shared$rows
  tasks <- shared$tasks
  lapply(seq_len(nrow(shared$plan$grid)), function(setting) {
    probs <- matrix(NA_real_, rows$n_given, length(rows$classes), dimnames = list(NULL, rows$classes))
    for (i in which(tasks$setting == setting)) {
      probs[rows$position[shared$fold == tasks$fold[i]], ] <- done[[i]]$probs
    }
    probs
  })
}

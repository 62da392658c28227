# A bag as teacher: the averages over its lists that have not seen a row.

#' @export
teacher_predictions.sbrl_bag <- function(teacher, about) { # nolint: object_name_linter. A method.
  bag <- check_lists(teacher, "teacher")
  training <- keep_rows(about$training, about$kept)
  rows <- list(
    data = as_frame(stats::setNames(training$columns, training$names), length(about$outcome$codes)),
    codes = about$outcome$codes, classes = about$classes, weights = about$outcome$weights
  )
  if (!setequal(rows$classes, bag$medoid$classes)) {
    refuse_rows("bag", "data", sprintf("their classes are %s.", quote_values(rows$classes)))
  }
  # the columns are the variables of a formula already
  bag$medoid["terms"] <- list(NULL)
  probs <- out_of_bag_average(evaluate_training(bag, rows))
  probs <- probs[, match(rows$classes, bag$medoid$classes), drop = FALSE]
  # rows that all lists have seen
  unknown <- which(is.na(probs[, 1L]))
  probs[unknown, ] <- rep(base_shares(about$outcome), each = length(unknown))
  list(source = "bag", probs = probs)
}

# See evaluate_rows(). Other rows, or the same in another order, are refused: each list must capture of its own sample,
# drawn again, what it captured in training.
evaluate_training <- function(x, rows) {
  classes <- x$medoid$classes
  codes <- match(rows$classes, classes)[rows$codes]
  rows[c("codes", "classes")] <- list(codes, classes)
  outcome <- list(codes = codes, weights = rows$weights, n_classes = length(classes))
  check_class_counts(x$medoid, class_weights(outcome), length(codes), "bag")
  if (!all(vapply(x$fits$seed, is_whole, NA, min = 0, max = 2^53))) {
    abort_sbrl("model", paste(
      "The seeds of the samples, `teacher$fits$seed`, are unknown: it cannot be checked whether `data` are the",
      "training rows of the bag, nor which of them its lists have not seen."
    ))
  }
  parts <- evaluate_rows(x, rows, x$fits$seed, recount = TRUE)
  seen <- Reduce(`+`, lapply(parts, `[[`, "seen"))
  if (!are_same_counts(seen, cell_counts(x), length(codes))) {
    refuse_rows("bag", "data", paste(
      "in their order, its lists captured other rows of their samples. Or the seeds of the samples,",
      "`teacher$fits$seed`, were changed."
    ))
  }
  parts
}

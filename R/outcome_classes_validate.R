# What a model of classes must satisfy when it comes in.

# nolint start: object_name_linter. Methods.
#' @export
sums_problem.sbrl_outcome_classes <- function(model) {
  # asked for only after their class is known, because length() and NROW() call methods
  delayedAssign("k", length(model$classes))
  delayedAssign("n", NROW(model$rs))
  settings <- model$settings
  first_failing(
    "`classes` must be two different texts or more" = are_texts(model$classes) && k >= 2L &&
      anyDuplicated(model$classes) == 0L,
    "`rs` must have a column V1 and one for each class but the first" = is_table(model$rs, paste0("V", seq_len(k))),
    "`counts` must contain a number from 0 on for each rule and class" = is_rule_matrix(model$counts, n, model$classes),
    "`settings` must be a list" = is_plain(settings, "list"),
    "`settings$alpha` must contain a positive number for each class" =
      is_per_class(settings$alpha, model$classes) && min(settings$alpha) > 0,
    "`settings$class_counts` must contain the sums of `counts`" =
      is_per_class(settings$class_counts, model$classes) &&
        are_near_totals(colSums(model$counts), settings$class_counts),
    "`settings$n_rows` must be the sum of `counts`" =
      is_number(settings$n_rows) && are_near(sum(model$counts), settings$n_rows)
  )
}

#' @export
estimates_problem.sbrl_outcome_classes <- function(model) {
  first_failing(
    "`probs` must contain what `counts`, `settings$alpha` and `settings$shrinkage` give" =
      is_rule_matrix(model$probs, NROW(model$rs), model$classes) && are_near(model$probs, leaf_estimates(model)),
    "`rs` must contain the probabilities in `probs`" =
      are_near(model$probs[, -1L], unlist(model$rs[-1L], use.names = FALSE))
  )
}
# nolint end

# One row per rule, the default rule last, one named column per class.
is_rule_matrix <- function(x, n, classes) {
  is_matrix(x, c(n, length(classes))) && identical(attr(x, "dimnames"), list(NULL, classes)) &&
    all(is.finite(x)) && min(x) >= 0
}

is_per_class <- function(x, classes) {
  are_named(x, classes) && min(x) >= 0
}

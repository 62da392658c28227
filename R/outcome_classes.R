# Classes: of two the last one is positive, and its probability is reported; of more, the probabilities of all. Whoever
# must know which asks has_positive().

has_positive <- function(n_classes) {
  n_classes == 2L
}

likeliest_class <- function(probs) {
  max.col(probs, "first")
}

# nolint start: object_name_linter. Methods.
#' @export
reported_classes.sbrl_outcome_classes <- function(model) {
  k <- length(model$classes)
  if (has_positive(k)) 2L else seq_len(k)
}

# Of more than two classes: the likeliest.
#' @export
reported_class.sbrl_outcome_classes <- function(model, estimates) {
  if (has_positive(ncol(estimates))) rep(2L, nrow(estimates)) else likeliest_class(estimates)
}

# As 1.4's table of rules: of two classes the positive one.
#' @export
listed_estimates.sbrl_outcome_classes <- function(model) {
  seq_along(model$settings$class_counts)[-1L]
}

#' @export
probability_names.sbrl_outcome_classes <- function(model) {
  if (reports_several(model)) paste0("prob_", model$classes) else "prob"
}

#' @export
overall_estimate.sbrl_outcome_classes <- function(model) {
  counts <- model$settings$class_counts
  counts[[reported_classes(model)]] / sum(counts)
}

# `neg_sign` and `pos_sign` are for two classes.
#' @export
label_arguments.sbrl_outcome_classes <- function(model) {
  if (has_positive(length(model$classes))) stats::setNames(as.list(model$classes), c("neg_sign", "pos_sign"))
}

#' @export
read_outcome.sbrl_outcome_classes <- function(training, args) {
  label <- read_label(training$label, training$label_name, args$signs, args$empty_as_missing)
  kept <- label$has_label
  rows <- list(codes = label$codes[kept], weights = training$weights[kept], n_classes = length(label$classes))
  list(
    sums = stats::setNames(class_weights(rows), label$classes), kept = kept, rows = rows, n_unlabelled = sum(!kept),
    empty = label$empty
  )
}

#' @export
outcome_settings.sbrl_outcome_classes <- function(model, args) {
  list(minsupport = minsupport_for(args, model$classes), alpha = alpha_for(args$alpha, model$classes))
}
# nolint end

# With more than two classes none is positive: `minsupport_pos` then goes for all.
minsupport_for <- function(args, classes) {
  if (!is.null(args$minsupport)) {
    return(per_class(args$minsupport, "minsupport", classes))
  }
  given <- if (has_positive(length(classes))) c(args$minsupport_neg, args$minsupport_pos) else args$minsupport_pos
  per_class(unname(given), "minsupport_pos", classes)
}

# 1.4's default has two numbers, 2 in all. So have more classes by default: each has the same part of it.
alpha_for <- function(alpha, classes) {
  is_default <- !has_positive(length(classes)) && is.null(names(alpha)) && identical(as.double(alpha), c(1, 1))
  per_class(if (is_default) 2 / length(classes) else alpha, "alpha", classes)
}

# One number for all classes, one per class in class order, or named by class in any order.
per_class <- function(x, arg, classes) {
  if (!is.null(names(x)) && length(x) > 1L) {
    if (length(x) != length(classes) || !setequal(names(x), classes)) {
      message <- "The names of `%s` must be the classes %s, not %s."
      abort_sbrl("argument", sprintf(message, arg, quote_values(classes), quote_values(names(x))))
    }
    x <- x[match(classes, names(x))]
  }
  if (!length(x) %in% c(1L, length(classes))) {
    message <- "`%s` must contain one number, or one per class (%d), not %d."
    abort_sbrl("argument", sprintf(message, arg, length(classes), length(x)))
  }
  stats::setNames(rep_len(as.double(x), length(classes)), classes)
}

# Predicates on the parts of a model. Nothing here calls a method: a part may be any R object, with any class.

# The list as found: it has all rules of the list, in the same order, and perhaps some that captured no row.
is_found <- function(x, rules, n_candidates) {
  is_plain(x, "list") && is_plain(x$rules, "integer") && are_indices(x$rules, n_candidates) &&
    anyDuplicated(x$rules) == 0L && identical(x$rules[x$rules %in% rules], rules) && is_score(x$score)
}

is_score <- function(x) {
  are_named(x, score_fields) && are_near(x[[1L]] + x[[2L]], x[[3L]])
}

are_labels <- function(x) {
  are_texts(x) && (length(x) == 0L || (are_texts(names(x)) && anyDuplicated(names(x)) == 0L))
}

is_feature <- function(x) {
  if (!is_plain(x, "list") || !is_text(x$name) || !is_text(x$type) || !is_text(x$unit) || !are_texts(x$levels)) {
    return(FALSE)
  }
  # a cut may be infinite: it separates infinite values from the greatest number
  is_cuts <- is_plain(x$cuts, "double") && !anyNA(x$cuts) && !is.unsorted(x$cuts, strictly = TRUE)
  if (!is_cuts || !x$type %in% names(feature_classes)) {
    return(FALSE)
  }
  is_sound(class_features(list(x))[[1L]])
}

# `variables` is what predict() reads of terms.
is_terms <- function(x) {
  variables <- attr(x, "variables")
  typeof(x) == "language" && identical(attr(x, "class"), c("terms", "formula")) && length(x) == 3L &&
    identical(x[[1L]], quote(`~`)) && is.environment(attr(x, ".Environment")) && is.call(variables) &&
    length(variables) >= 2L && identical(variables[[1L]], quote(list))
}

is_setting <- function(settings, name) {
  x <- settings[[name]]
  may_be_missing <- name %in% c("iters", "lambda_first", "target_rules")
  is_number(x) || (may_be_missing && is_plain(x, "double", 1L) && is.na(x))
}

# A move never proposed has no rate.
is_chain_table <- function(x) {
  is_table(x, chain_fields, gaps = move_kinds) &&
    all(vapply(x[c("chain", "best_length", "iterations")], \(column) all(column >= 0), NA)) &&
    all(vapply(x[move_kinds], \(rate) all(is.na(rate) | (rate >= 0 & rate <= 1)), NA))
}

is_trace_table <- function(x, chains) {
  is_table(x, trace_fields) && all(x$chain %in% chains$chain)
}

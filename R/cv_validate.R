# The one check of a cross-validation that comes in. Its settings are also fitted again, so its tables must fit
# together.
check_cv <- function(x, arg = "x") {
  check_that(typeof(x) == "list" && inherits(x, "cv_sbrl"), x, arg, "what cv_sbrl() returns")
  x <- unclass(x)
  delayedAssign("n", nrow(x$grid))
  problem <- first_failing(
    "`grid` must be a table of settings" = is_plain_frame(x$grid) && n >= 1L && length(x$grid) >= 1L,
    "`results` must contain all measures of all settings" = is_plain_frame(x$results) &&
      are_cv_results(as.list(x$results), n),
    "`measure` must be one of the measures" = is_text(x$measure) && x$measure %in% names(more_is_better),
    "`best` must be the number of a setting" = is_whole(x$best, 1, n),
    "`one_se` must be the number of a setting" = is_whole(x$one_se, 1, n),
    "`seed` must be a whole number" = is_whole(x$seed, 0, 2^53),
    "`per_fold` must name the folds" = is_plain_frame(x$per_fold) && "fold" %in% names(x$per_fold),
    "`truth` must be the classes of the rows" = identical(oldClass(x$truth), "factor") &&
      is.null(broken_class(x$truth)),
    "`weights` must be NULL or numbers" = is.null(x$weights) || (!is.object(x$weights) && is.numeric(x$weights)),
    "`frame` must be NULL or a list" = is.null(x$frame) || is_plain(x$frame, "list"),
    "`arguments` must be a list" = is_plain(x$arguments, "list"),
    "`terms` must be NULL or the terms of a formula" = is.null(x$terms) || is_terms(x$terms)
  )
  if (!is.null(problem)) {
    abort_sbrl("object", sprintf("`%s` is not a valid cross-validation: %s.", arg, problem))
  }
}

are_cv_results <- function(results, n) {
  numbers <- results[c("mean", "se", "length")]
  all(vapply(numbers, \(x) is_plain(x, "double", n * length(more_is_better)), NA)) &&
    identical(results$measure, rep(names(more_is_better), n)) && !anyNA(results$length) && all(results$length >= 0) &&
    (is.null(results$conditions) || is_plain(results$conditions, "double", n * length(more_is_better)))
}

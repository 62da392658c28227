# The length bound: how many rules the best list can have at most.

#' The longest rule list worth considering
#'
#' `sbrl_max_length()` gives the upper bound on the number of rules in the best
#' list (the paper's Theorem 1), before any search.
#'
#' @param x A model made by [sbrl()], or the number (or weight) of the rows in each class.
#' @param ... For methods.
#' @param n_items Number of conditions, which is the number of `featurenames` of a model.
#' @inheritParams sbrl
#' @param pool If given, the number of candidates of length 1, 2, ...
#' @return A named numeric vector: `paper`, the bound for all conjunctions of `n_items` conditions, and `pool`,
#'   the bound for the candidates in the pool (`NA` if no pool is given).
#' @seealso [sbrl_score()], [sbrl_certify()].
#' @examples
#' sbrl_max_length(c(100, 100), n_items = 10, lambda = 3)
#' sbrl_max_length(c(332, 626), n_items = 27, lambda = 10, pool = c(27, 224, 140))
#' @export
sbrl_max_length <- function(x, ...) {
  UseMethod("sbrl_max_length")
}

#' @rdname sbrl_max_length
#' @export
sbrl_max_length.sbrl <- function(x, ...) {
  check_dots_empty(...)
  x <- check_model(x, "x", pool = TRUE)
  sbrl_max_length.default(
    unname(x$settings$class_counts),
    n_items = nrow(x$items), lambda = x$settings$lambda, alpha = unname(x$settings$alpha), pool = n_by_length(x$pool)
  )
}

#' @rdname sbrl_max_length
#' @export
sbrl_max_length.default <- function(x, n_items, lambda = 10, alpha = 1, pool = NULL, ...) {
  check_dots_empty(...)
  refuse_lists(x, "x")
  ok <- !is.object(x) && is.numeric(x) && length(x) >= 2L && all(is.finite(x)) && all(x >= 0) && sum(x) < 1e300
  check_that(ok, x, "x", "the number (or weight) of the rows in each of two or more classes")
  if (missing(n_items)) {
    abort_sbrl("argument", "`n_items` is missing: give the number of conditions.")
  }
  check_whole(n_items, "n_items", min = 0, max = .Machine$integer.max)
  check_positive(lambda, "lambda")
  check_alpha(alpha)
  check_that(length(alpha) %in% c(1L, length(x)), alpha, "alpha", "one number, or one per class")
  check_that(is.null(pool) || is_count_vector(pool), pool, "pool", "NULL or numbers of candidates")
  alpha <- rep_len(as.double(alpha), length(x))
  bounds <- native_max_length(as.double(x), as.double(lambda), alpha, as.integer(n_items), as.integer(pool))
  stats::setNames(call_native(bounds), c("paper", "pool"))
}

is_count_vector <- function(x) {
  !is.object(x) && is.numeric(x) && all(is.finite(x)) && all(x >= 0 & x == floor(x) & x <= .Machine$integer.max)
}

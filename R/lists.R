# Many rule lists over one set of candidates: what objects of class "sbrl_lists" are made of. Bags and posteriors are
# such objects; they share the methods in the files lists_*.R. An object is plain R data:
#   medoid  an ordinary model, the list whose predictions are nearest to the averaged ones. Its classes, labels,
#           settings, terms, features, items and pool are those of all lists
#   chosen  the number of the list that it is
#   lists   `lengths`, the number of rules in each list; `rules`, indices into the pool, one list after the other;
#           `counts` of their training rows per class, rule by rule, the default rule of each list last
#   seen    data frame, one row per candidate that occurs in a list: `candidate`, its index in the pool; `support`, the
#           share of the training rows that it covers; `group`, the first candidate of nearly equal cover
# A kind of lists adds its name to `lists_kinds`, a class of that name with `sbrl_` before it, fields of its own and the
# methods own_problem(), own_tables() and own_fields().

lists_kinds <- c("bag", "posterior")

new_lists <- function(medoid, chosen, lists, seen, own, class) {
  lists <- list(
    lengths = as.integer(lists$lengths), rules = as.integer(lists$rules), counts = as.double(lists$counts)
  )
  parts <- list(medoid = medoid, chosen = as.integer(chosen), lists = lists, seen = seen)
  structure(c(parts, own), class = c(class, "sbrl_lists"))
}

n_lists <- function(x) {
  length(x$lists$lengths)
}

# Class counts of all lists, one row per rule, the default rule of each list last.
list_counts <- function(x) {
  count_matrix(x$lists$counts, x$medoid$classes)
}

# One row per rule of each list, default rules left out: the list, the position, the candidate, and the rows captured.
list_uses <- function(x) {
  lengths <- x$lists$lengths
  is_default <- seq_len(sum(lengths + 1L)) %in% cumsum(lengths + 1L)
  data.frame(
    list = rep(seq_along(lengths), lengths), position = sequence(lengths), candidate = x$lists$rules,
    n = rowSums(list_counts(x))[!is_default]
  )
}

# One of the lists as an ordinary model. Its probabilities are those that it contributes to the average.
list_model <- function(x, i) {
  lengths <- x$lists$lengths
  rules <- x$lists$rules[sequence(lengths[i], from = sum(lengths[seq_len(i - 1L)]) + 1L)]
  counts <- list_counts(x)[sequence(lengths[i] + 1L, from = sum(lengths[seq_len(i - 1L)] + 1L) + 1L), , drop = FALSE]
  model <- x$medoid
  model$settings$class_counts <- colSums(counts)
  model$settings$n_rows <- sum(counts)
  model$settings$else_rule <- 0
  model$settings$settled <- NULL
  score <- stats::setNames(rep(NA_real_, 3L), score_fields)
  new_sbrl(c(
    unclass(model)[c("features", "items", "pool", "dropped", "labels", "settings", "seed", "terms", "version")],
    list(
      rules = rules, counts = counts, score = score, found = list(rules = rules, score = score),
      chains = model$chains[0L, ], trace = model$trace[0L, ], timing = 0 * model$timing, stopped_early = FALSE
    )
  ))
}

# The cells of a list are its rules, its default rule and its base rate; those of all lists follow each other. One row
# per cell: the parameters of its Dirichlet posterior. See engine/src/predict/lists.rs.
cell_weights <- function(x) {
  settings <- x$medoid$settings
  counts <- list_counts(x)
  n_rows <- x$lists$lengths + 1L
  list <- rep(seq_along(n_rows), n_rows)
  totals <- rowsum(counts, list, reorder = FALSE)
  totals <- base_counts(totals, settings$alpha)
  base <- sum(settings$alpha) * totals / rowSums(totals)
  weights <- counts + rep(settings$alpha, each = nrow(counts))
  default <- cumsum(n_rows)
  if (settings$simplify == 1) {
    empty <- which(rowSums(counts[default, , drop = FALSE]) == 0)
    weights[default[empty], ] <- base[empty, ]
  }
  rbind(weights, base)[order(c(list, seq_along(n_rows))), , drop = FALSE]
}

# Class counts of all cells, see cell_weights(); no training row is in the cell of a base rate.
cell_counts <- function(x) {
  counts <- list_counts(x)
  n_rows <- x$lists$lengths + 1L
  list <- rep(seq_along(n_rows), n_rows)
  rbind(counts, matrix(0, length(n_rows), ncol(counts)))[order(c(list, seq_along(n_rows))), , drop = FALSE]
}

# Of a model that was not searched for.
empty_table <- function(fields) {
  as_frame(stats::setNames(rep(list(double()), length(fields)), fields), 0L)
}

#' The list that is most like many lists
#'
#' `medoid()` picks one of many rule lists: the one whose predictions of the training rows are nearest to the averaged
#' predictions of all lists, in the mean of squares.
#'
#' It is an ordinary model: it prints, predicts, explains and exports like any other. Its counts, and with them its
#' probabilities, are those of all training rows. Nothing was searched, so `chains` and `trace` are empty. For a bag,
#' its candidates are the rules of all lists; for a posterior, those of the model.
#'
#' The medoid of a posterior is one of its draws, without the rules that capture no row. It predicts like the average,
#' but it is not a good list to show: as other draws it is usually tens of nats below the best list and has rules for
#' single rows. The model's own list and [alternatives()] are.
#'
#' @param object Many rule lists: the result of [sbrl_bag()] or [sbrl_posterior()].
#' @inheritParams predict.sbrl
#' @return A model, see [sbrl()].
#' @examples
#' bag <- sbrl_bag(Species ~ ., data = iris, times = 10, iters = 500, nchain = 2, seed = 1)
#' medoid(bag)
#' @seealso [sbrl()] with `teacher` for a list that learns from the predictions of a bag, [alternatives()] for more
#'   lists of a posterior.
#' @export
medoid <- function(object, ...) {
  UseMethod("medoid")
}

#' @rdname medoid
#' @export
medoid.sbrl_lists <- function(object, ...) {
  check_dots_empty(...)
  check_lists(object, "object")$medoid
}

#' @export
medoid.default <- function(object, ...) {
  check_that(FALSE, object, "object", "what sbrl_bag() or sbrl_posterior() returns")
}

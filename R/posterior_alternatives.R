# alternatives(): a few lists of a posterior that are about as good as the best one and really different.

#' A few good lists that differ
#'
#' `alternatives()` answers the question whether other lists are about as good as the model's. It looks for them among
#' the draws of a posterior, after taking out of each draw what the data do not support: rules that capture no row, and
#' then, one after the other, rules without which the list has a higher log posterior. Of the lists that then lie within
#' `within` nats of the best list known, it returns those whose predictions differ most from the model's and from each
#' other's.
#'
#' **What a draw is, and what it is not.** A draw is one list of the posterior, which has very many lists of about equal
#' probability. It is evidence about all of them together: averages over draws show how probable a rule, a feature or a
#' class is. A single draw is not a good list. It is typically tens of nats below the best one, and has rules that
#' capture one row or none, which reflect the prior. So do not show a draw as a finding: show the model's own list, or
#' an alternative.
#'
#' Two lists that differ by 5 nats differ by a factor of 150 in posterior probability. "None within 5 nats" means that
#' no draw became such a list; it is not a proof that there is none.
#'
#' @param object The result of [sbrl_posterior()].
#' @param n Number of lists, at most 10.
#' @inheritParams predict.sbrl
#' @param within How many nats the log posterior of a list may be below the highest one known, at most 20.
#' @return A data frame of class `"sbrl_alternatives"`, one row per list, none if no other list is as good: `draw`, the
#'   number of the draw that it comes from; `price`, how many nats its log posterior is below the highest one known;
#'   `log_loss`, its mean log loss on the training rows by leave-one-out (each row is predicted with its own label taken
#'   out of the counts; the list itself was found with it; `NA` if weights are not whole numbers); `otherwise`, the
#'   share of (at most 2000) training rows for which it predicts another class than the model; `rules`, its number of
#'   rules; and `model`, a list of ordinary models.
#' @seealso [sbrl_posterior()], [medoid()].
#' @examples
#' passengers <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = passengers, weights = Freq, seed = 1)
#' posterior <- sbrl_posterior(model, passengers, weights = passengers$Freq,
#'                             draws = 400, seed = 1)
#' alternatives(posterior, 2)
#' @export
alternatives <- function(object, n = 3, ...) {
  UseMethod("alternatives")
}

#' @rdname alternatives
#' @export
alternatives.sbrl_posterior <- function(object, n = 3, ..., within = 5) {
  check_dots_empty(...)
  x <- check_lists(object, "object")
  check_whole(n, "n", max = n_alternatives)
  widest <- max(price_levels)
  ok <- is_number(within) && within >= 0 && within <= widest
  check_that(ok, within, "within", sprintf("one number from 0 to %d", widest))
  others <- x$others
  if (are_unpruned(others)) {
    message <- "`object` comes from a development version, which did not prune draws. Call sbrl_posterior() again."
    abort_sbrl("model", message)
  }
  apart <- matrix(others$apart, length(others$draw))
  picked <- pick_different(others$price <= within, others$from_model, \(one) apart[, one], n)
  table <- as_frame(c(
    list(draw = as.integer(others$draw)[picked]),
    lapply(others[c("price", "log_loss", "otherwise")], `[`, picked),
    list(rules = as.integer(others$lengths)[picked])
  ), length(picked))
  lists <- new_lists(x$medoid, 1L, others[c("lengths", "rules", "counts")], x$seen, list(), "sbrl_posterior")
  table$model <- lapply(picked, \(i) list_model(lists, i))
  structure(table, class = c("sbrl_alternatives", "data.frame"), within = within)
}

#' @export
alternatives.default <- function(object, n = 3, ...) {
  check_that(FALSE, object, "object", "what sbrl_posterior() returns")
}

#' @export
print.sbrl_alternatives <- function(x, ...) {
  if (!all(c("draw", "price", "log_loss", "otherwise", "model") %in% names(x))) {
    print(as.data.frame(unclass(x)[setdiff(names(x), "model")]), ...)
    return(invisible(x))
  }
  if (nrow(x) == 0L) {
    within <- attr(x, "within")
    cat(if (is_number(within)) sprintf("None within %s nats", format_numbers(within)) else "None", "\n", sep = "")
  }
  for (i in seq_len(nrow(x))) {
    writeLines(c(
      if (i > 1L) "",
      alternative_title(x, i),
      format_rules(rules(x$model[[i]]))
    ))
  }
  invisible(x)
}

alternative_title <- function(x, i) {
  loss <- if (is.na(x$log_loss[i])) "" else sprintf(", log loss %.4f", x$log_loss[i])
  sprintf(
    "%d. %.1f nats below the best list known%s, another class for %s of the rows", i, x$price[i], loss,
    percent_text(x$otherwise[i])
  )
}

n_alternatives <- 10

# Lists are kept for `within` up to the last of these, chosen as they are for each of them.
price_levels <- c(1, 2, 5, 10, 20)

# The field `others` of a posterior: of the pruned draws, those that alternatives() may return.
find_alternatives <- function(model, training, pruned, draws, rows) {
  x <- draft_posterior(model, with_own_list(model, pruned))
  probs <- mean_probabilities(cell_weights(x))
  cells <- matrix(row_cells(x, training, rows), length(rows))
  # the first is the model's own
  from <- remember(\(one) list_distances(model, cells, probs, one)[-1L])
  from_model <- from(1L)
  best <- max(draws$log_posterior, model$score[["log_posterior"]], model$found$score[["log_posterior"]],
              pruned$log_posterior)
  price <- best - pruned$log_posterior
  apart <- \(one) from(one + 1L)
  kept <- lapply(price_levels, \(within) pick_different(price <= within, from_model, apart, n_alternatives))
  kept <- sort(unique(unlist(kept)))
  classes <- matrix(likeliest_class(probs)[cells], nrow(cells))
  c(
    list(
      draw = as.double(pruned$draw[kept]), price = price[kept], log_loss = list_log_loss(x)[-1L][kept],
      otherwise = colMeans(classes[, kept + 1L, drop = FALSE] != classes[, 1L]), from_model = from_model[kept],
      apart = unlist(lapply(kept, \(one) apart(one)[kept])) %||% double()
    ),
    take_lists(x, kept + 1L)
  )
}

# The model's own list and then those of `lists`.
with_own_list <- function(model, lists) {
  rules <- list_rules(model)
  list(
    lengths = c(length(rules), lists$lengths), rules = c(rules, lists$rules),
    counts = c(flat_by_row(model$counts), lists$counts)
  )
}

# Some of the lists, as numbers.
take_lists <- function(x, which) {
  lengths <- x$lists$lengths
  list <- rep(seq_along(lengths), lengths)
  row <- rep(seq_along(lengths), lengths + 1L)
  list(
    lengths = as.double(lengths[which]), rules = as.double(x$lists$rules[list %in% which]),
    counts = flat_by_row(list_counts(x)[row %in% which, , drop = FALSE])
  )
}

other_fields <- c(
  "draw", "price", "log_loss", "otherwise", "from_model", "apart", "lengths", "rules", "counts"
)

# Of a development version, whose alternatives were draws as they are: they are kept, but no longer returned.
unpruned_fields <- c("list", "price", "log_loss", "otherwise")

are_unpruned <- function(x) {
  is_frame(x, unpruned_fields) && all(vapply(x, is.double, NA))
}

read_others <- function(table) {
  fields <- if ("other_list" %in% names(table)) unpruned_fields else other_fields
  others <- stats::setNames(table[paste0("other_", fields)], fields)
  if ("list" %in% fields) list2DF(others) else others
}

are_others <- function(x, n_draws, medoid) {
  if (are_unpruned(x)) {
    return(all(x$list %in% seq_len(n_draws)))
  }
  if (!is_plain(x, "list") || !identical(names(x), other_fields) ||
        !all(vapply(x, \(part) is.double(part) && !is.object(part), NA))) {
    return(FALSE)
  }
  n <- length(x$draw)
  known <- unlist(x[c("price", "otherwise", "from_model", "apart", "counts")])
  all(lengths(x[c("price", "log_loss", "otherwise", "from_model", "lengths")]) == n) && length(x$apart) == n^2 &&
    all(is.finite(known)) && all(known >= 0) && are_indices(x$draw, n_draws) &&
    are_indices(x$lengths + 1, .Machine$integer.max) && length(x$rules) == sum(x$lengths) &&
    are_indices(x$rules, length(medoid$rulenames)) &&
    length(x$counts) == (length(x$rules) + n) * length(medoid$classes)
}

# One after the other, of the lists that are `good`, the one that is farthest from the model's and from all before.
# `apart` gives the distances of all lists from one.
pick_different <- function(good, from_model, apart, n) {
  picked <- integer()
  nearest <- from_model
  while (length(picked) < n && any(nearest[good] > 1e-12)) {
    farthest <- which.max(ifelse(good, nearest, -1))
    picked <- c(picked, farthest)
    nearest <- pmin(nearest, apart(farthest))
  }
  picked
}

# `compute`, which is asked for each number once.
remember <- function(compute) {
  known <- list()
  function(number) {
    key <- sprintf("%d", number)
    if (is.null(known[[key]])) known[[key]] <<- compute(number)
    known[[key]]
  }
}

# Mean squared distance of all lists' predictions from those of one, or else from their average.
list_distances <- function(model, cells, probs, one = NULL) {
  Reduce(`+`, lapply(reported_classes(model), function(class) {
    predicted <- matrix(probs[cells, class], nrow(cells))
    centre <- if (is.null(one)) rowMeans(predicted) else predicted[, one]
    colMeans((predicted - centre)^2)
  }))
}

# Mean log loss of each list when each row is predicted by the counts without it. Counts of whole rows are enough: all
# rows of a class that a rule captures are predicted alike.
list_log_loss <- function(x) {
  counts <- list_counts(x)
  alpha <- x$medoid$settings$alpha
  if (any(counts != round(counts))) {
    return(rep(NA_real_, n_lists(x)))
  }
  # a class without rows has no row to be predicted
  others <- pmax(counts - 1, 0) + rep(alpha, each = nrow(counts))
  loss <- ifelse(counts > 0, -counts * log(others / (rowSums(counts) - 1 + sum(alpha))), 0)
  list <- rep(seq_len(n_lists(x)), x$lists$lengths + 1L)
  as.vector(rowsum(rowSums(loss), list)) / sum(x$medoid$settings$class_counts)
}

without_empty_rules <- function(model) {
  active <- rowSums(model$counts)[-nrow(model$counts)] > 0
  parts <- unclass(model)
  parts$rules <- list_rules(model)[active]
  parts$found <- list(rules = parts$rules, score = parts$found$score)
  parts$counts <- model$counts[c(active, TRUE), , drop = FALSE]
  new_sbrl(parts)
}

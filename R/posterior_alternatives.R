# alternatives(): a few lists of a posterior that are good and really different.

#' A few good lists that differ
#'
#' `alternatives()` picks lists of a posterior that predict about as well as the best ones, but by other rules: first
#' the [medoid()], then those whose predictions differ most from the lists picked before. Lists are picked among the
#' half of the draws with the lower log loss by leave-one-out. They are shown, and priced, without the rules that
#' capture no row.
#'
#' @param object The result of [sbrl_posterior()].
#' @param n Number of lists, at most 10.
#' @inheritParams predict.sbrl
#' @return A data frame of class `"sbrl_alternatives"`, one row per list: `draw`, its number; `price`, how many nats its
#'   log posterior lies below the highest one known; `log_loss`, its mean log loss on the training rows by leave-one-out
#'   (each row is predicted with its own label taken out of the counts; the list itself was drawn with it; `NA` if
#'   weights are not whole numbers); `otherwise`, the share of (at most 2000) training rows for which it predicts
#'   another class than the medoid; `active`, its number of active rules; and `model`, a list of ordinary models.
#' @seealso [medoid()], [sbrl_posterior()].
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
alternatives.sbrl_posterior <- function(object, n = 3, ...) {
  check_dots_empty(...)
  x <- check_lists(object, "object")
  check_whole(n, "n", max = n_alternatives)
  picked <- utils::head(x$others, n)
  table <- data.frame(
    draw = as.integer(picked$list), price = picked$price, log_loss = picked$log_loss, otherwise = picked$otherwise,
    active = x$draws$active[picked$list]
  )
  table$model <- lapply(table$draw, \(draw) without_empty_rules(list_model(x, draw)))
  structure(table, class = c("sbrl_alternatives", "data.frame"))
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
  for (i in seq_len(nrow(x))) {
    writeLines(c(
      if (i > 1L) "",
      alternative_title(x, i),
      format_rules(rules(x$model[[i]]))
    ))
  }
  invisible(x)
}

# The first is the medoid, which the others are compared with.
alternative_title <- function(x, i) {
  other <- if (i == 1L) "the medoid" else sprintf("another class for %s of the rows", percent_text(x$otherwise[i]))
  loss <- if (is.na(x$log_loss[i])) "" else sprintf("log loss %.4f, ", x$log_loss[i])
  sprintf("%d. Draw %d: %.1f nats below the best, %s%s", i, x$draw[i], x$price[i], loss, other)
}

n_alternatives <- 10

# The table `others`: the medoid first, then the farthest from those before. `log_posterior` scores a list.
find_alternatives <- function(x, draws, cells, probs, chosen, log_posterior) {
  log_loss <- list_log_loss(x)
  is_good <- is.na(log_loss) | log_loss <= stats::median(log_loss, na.rm = TRUE)
  classes <- matrix(likeliest_class(probs)[cells], nrow(cells))
  distance <- \(one) list_distances(x$medoid, cells, probs, one)
  picked <- chosen
  nearest <- distance(chosen)
  while (length(picked) < n_alternatives && any(nearest[is_good] > 1e-12)) {
    farthest <- which.max(ifelse(is_good, nearest, -1))
    picked <- c(picked, farthest)
    nearest <- pmin(nearest, distance(farthest))
  }
  scores <- vapply(picked, \(i) log_posterior(list_rules(without_empty_rules(list_model(x, i)))), 1)
  best <- max(draws$log_posterior, x$medoid$score[["log_posterior"]], scores)
  data.frame(
    list = as.double(picked), price = best - scores, log_loss = log_loss[picked],
    otherwise = colMeans(classes[, picked, drop = FALSE] != classes[, chosen])
  )
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
  others <- counts - 1 + rep(alpha, each = nrow(counts))
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

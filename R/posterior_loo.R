# Leave-one-out: how well the average of a posterior predicts rows that it has not seen.

#' Leave-one-out log loss of a posterior
#'
#' `sbrl_loo()` estimates how well the averaged predictions of a posterior would predict each training row if that row
#' had not been there. Nothing is sampled again.
#'
#' In each draw the row's label is taken out of the counts of the rule that captures it, and the draws are weighted by
#' how much less probable they would be without the row: p(y | rest) = 1 / mean(1 / p(y | list, rest)). The list itself
#' is integrated out exactly in this form, and no label predicts itself. For a row of weight w, p is the probability of
#' the whole weight.
#'
#' The estimate is conditional on candidates and cut points, which were chosen with all labels. The harmonic mean from
#' few draws is somewhat optimistic. If few draws carry most of the weight of a row, there is a warning.
#'
#' @param x The result of [sbrl_posterior()].
#' @param data Its training rows. Other rows are refused.
#' @param weights Their weights, if the model has any.
#' @inheritParams predict.sbrl
#' @return An object of class `"sbrl_loo"`: `elpd`, the expected log predictive density summed over rows, with its
#'   standard error `se`; `log_loss`, minus its mean; and `pointwise`, a data frame with the `row` of `data`, its
#'   `elpd`, and `share`, the effective share of the draws. With the package loo, `loo::loo(x, data = )` does the same
#'   with its smoothed weights and their diagnostics.
#' @seealso [sbrl_posterior()], [cv_sbrl()] for a measure that includes the choice of candidates and cut points.
#' @examples
#' passengers <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = passengers, weights = Freq, seed = 1)
#' posterior <- sbrl_posterior(model, passengers, weights = passengers$Freq,
#'                             draws = 400, seed = 1)
#' sbrl_loo(posterior, passengers, passengers$Freq)
#' @export
sbrl_loo <- function(x, data, weights = NULL, ...) {
  check_dots_empty(...)
  rows <- loo_rows(x, data, weights)
  catch_memory({
    parts <- loo_in_chunks(rows, function(log_density) {
      # log of 1 / mean(1 / p), and the effective number of draws behind it
      lowest <- apply(-log_density, 1L, max)
      ratios <- exp(-log_density - lowest)
      list(elpd = -(lowest + log(rowMeans(ratios))), share = rowSums(ratios)^2 / rowSums(ratios^2) / ncol(ratios))
    })
  })
  elpd <- unlist(lapply(parts, `[[`, "elpd"))
  share <- unlist(lapply(parts, `[[`, "share"))
  n <- length(elpd)
  warn_degenerate(share, rows$x)
  structure(
    list(
      elpd = sum(elpd), se = sqrt(n) * stats::sd(elpd),
      log_loss = -sum(elpd) / sum(rows$weights %||% rep(1, n)),
      pointwise = data.frame(row = rows$kept, elpd = elpd, share = share)
    ),
    class = "sbrl_loo"
  )
}

#' @export
print.sbrl_loo <- function(x, ...) {
  show_result(x, "sbrl_loo", "sbrl_loo()", writeLines(c(
    sprintf("Leave-one-out: log loss %.4f", x$log_loss),
    sprintf("Expected log predictive density %.2f (standard error %.2f), %s rows", x$elpd, x$se,
            with_thousands(nrow(x$pointwise)))
  )))
  invisible(x)
}

# Fewer effective draws than this for a row, and its weights say little.
fewest_effective <- 20

warn_degenerate <- function(share, x) {
  n <- sum(share * n_lists(x) < fewest_effective)
  if (n > 0L) {
    message <- "For %d of %s fewer than %d of %d draws carry most of the weight: the estimate may be optimistic."
    warn_sbrl("loo", sprintf(message, n, counted(length(share), "row"), fewest_effective, n_lists(x)))
  }
}

# What leave-one-out needs of the training rows.
loo_rows <- function(x, data, weights) {
  x <- check_lists(x, "x")
  check_that(inherits(x, "sbrl_posterior"), x, "x", "what sbrl_posterior() returns")
  if (missing(data)) {
    abort_sbrl("argument", "A posterior keeps no training rows: give them as `data`.")
  }
  data <- check_data_frame(data, "data")
  rows <- training_rows(x$medoid, data, weights)
  c(rows, list(x = x, weights = rows$training$weights))
}

# `see` gets, for some thousand rows at a time, the log probability of each row's label in each draw without the row.
loo_in_chunks <- function(rows, see) {
  x <- rows$x
  alpha <- x$medoid$settings$alpha
  counts <- cell_counts(x)
  codes <- rows$training$codes
  size <- max(1, floor(2e6 / n_lists(x)))
  chunks <- split(seq_along(codes), (seq_along(codes) - 1) %/% size)
  refuse <- \() refuse_rows("posterior", "data", "some draws captured other rows.")
  parts <- lapply(unname(chunks), function(chunk) {
    cells <- matrix(row_cells(x, rows, chunk), length(chunk))
    weight <- if (is.null(rows$weights)) rep(1, length(chunk)) else rows$weights[chunk]
    own <- matrix(counts[cbind(as.vector(cells), rep(codes[chunk], ncol(cells)))], length(chunk))
    all <- matrix(rowSums(counts)[cells], length(chunk))
    # each row is among those that its rule captured
    if (!all(own >= weight * (1 - 1e-6))) refuse()
    allow_interrupt()
    list(
      seen = count_cells(cells, codes[chunk], rep(weight, ncol(cells)), dim(counts)),
      answer = see(log_left_out(own, all, weight, alpha[codes[chunk]], sum(alpha)))
    )
  })
  seen <- Reduce(`+`, lapply(parts, `[[`, "seen"))
  if (!are_same_counts(seen, counts, length(codes))) refuse()
  lapply(parts, `[[`, "answer")
}

# log of Gamma(a + w) Gamma(b) / (Gamma(a) Gamma(b + w)), a and b the counts without the row plus pseudo-counts.
log_left_out <- function(own, all, weight, alpha, total) {
  a <- own - weight + alpha
  b <- all - weight + total
  if (all(weight == 1)) {
    return(log(a / b))
  }
  lgamma(a + weight) - lgamma(a) - (lgamma(b + weight) - lgamma(b))
}

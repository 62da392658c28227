# What is known of a list whose search ended by itself: the numbers in `settings$settled`, and what they say.

# `verdict` is 0 for open, 1 for settled, 2 for proved; `n_chains` of `chains` found the list, and so did `n_others` of
# `others` searches of another kind.
settled_fields <- c("verdict", "n_chains", "chains", "n_others", "others")

settled_numbers <- function(numbers) {
  if (!is.null(numbers)) stats::setNames(numbers, settled_fields)
}

is_settled <- function(x) {
  is.null(x) || (are_named(x, settled_fields) && x[[1L]] %in% 0:2 && all(x >= 0) && x[[2L]] <= x[[3L]] &&
                   x[[4L]] <= x[[5L]])
}

# One sentence; NULL where nothing is known but that the search is over.
settled_sentence <- function(model) {
  known <- model$settings$settled
  # without candidates there was nothing to search
  if (is.null(known) || length(model$rulenames) == 0L) {
    return(NULL)
  }
  known <- as.list(known)
  chains <- sprintf("%.0f of %s", known$n_chains, counted(known$chains, "independent chain"))
  if (known$verdict == 2) {
    return(sprintf("Proved: no list of these %s is better.", counted(length(model$rulenames), "candidate")))
  }
  if (known$verdict == 1 && known$others <= 2) {
    message <- "Search settled: found by %s; %.0f searches of another kind found nothing better."
    return(sprintf(message, chains, known$others))
  }
  if (known$verdict == 1) {
    message <- "Search settled: found by %.0f of %.0f searches of another kind and %s; the others found nothing better."
    return(sprintf(message, known$n_others, known$others, chains))
  }
  if (isTRUE(model$stopped_early)) {
    return("Search not settled: the time limit stopped it.")
  }
  sprintf(paste(
    "Search not settled: another seed may give another list (found by %s). For a longer search:",
    "iters = 1e6, method = \"map\"."
  ), chains)
}

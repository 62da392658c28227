# How the lists of a bag predict the training rows: each list, and their average, on the rows that it has not seen.

# `distance` of each list from the average; measures of each list (`fits`) and of the average (`out_of_bag`); `spread`.
evaluate_bag <- function(x, rows, seeds) {
  probs <- mean_probabilities(cell_weights(x))
  weights <- rows$weights %||% rep(1, length(rows$codes))
  parts <- evaluate_rows(x, rows, seeds)
  average <- out_of_bag_average(parts)
  known <- which(!is.na(average[, 1L]))
  sd <- unlist(lapply(parts, `[[`, "sd"))
  share <- weights / sum(weights)
  list(
    distance = Reduce(`+`, lapply(parts, `[[`, "distance")),
    fits = measure_lists(x, probs, Reduce(`+`, lapply(parts, `[[`, "table"))),
    out_of_bag = all_measures(rows$codes[known], average[known, , drop = FALSE], weights[known]),
    spread = c(
      sd = sum(share * sd), sd_median = weighted_quantile(sd, share, 0.5), sd_90 = weighted_quantile(sd, share, 0.9),
      other_class = sum(share * unlist(lapply(parts, `[[`, "other_class")))
    )
  )
}

# With `recount`, each part also has what the lists captured of their own samples.
evaluate_rows <- function(x, rows, seeds, recount = FALSE) {
  probs <- mean_probabilities(cell_weights(x))
  weights <- rows$weights %||% rep(1, length(rows$codes))
  times <- vapply(seeds, \(seed) draw_sample(rows, seed), integer(length(weights)))
  input <- list_input(x, rows$data, "data")
  lapply(row_chunks(length(weights), n_lists(x)), function(chunk) {
    allow_interrupt()
    part <- replace(input, c("columns", "n_rows"), list(take_values(input$columns, chunk), length(chunk)))
    cells <- matrix(call_job(native_list_cells, part)$cells, length(chunk), n_lists(x))
    drawn <- times[chunk, , drop = FALSE]
    codes <- rows$codes[chunk]
    c(
      evaluate_chunk(x, cells, probs, drawn == 0L, codes, weights[chunk]),
      if (recount) list(seen = count_cells(cells, codes, weights[chunk] * drawn, dim(probs)))
    )
  })
}

# Class probabilities of each row, averaged over the lists that have not seen it; missing if all have.
out_of_bag_average <- function(parts) {
  do.call(rbind, lapply(parts, `[[`, "average"))
}

# Rows in parts, so that what is known of all lists fits into memory.
row_chunks <- function(n_rows, n_lists, most = 5e6) {
  starts <- seq(1, n_rows, by = max(1, floor(most / n_lists)))
  Map(seq.int, starts, c(starts[-1L] - 1, n_rows))
}

evaluate_chunk <- function(x, cells, probs, outside, codes, weights) {
  n_outside <- rowSums(outside)
  of_class <- lapply(seq_len(ncol(probs)), \(class) matrix(probs[cells, class], nrow(cells)))
  means <- vapply(of_class, rowMeans, double(length(codes)))
  means <- matrix(means, length(codes))
  average <- vapply(of_class, \(p) rowSums(p * outside) / n_outside, double(length(codes)))
  average <- matrix(average, length(codes))
  average[n_outside == 0, ] <- NA
  squares <- Map(\(p, class) (p - means[, class])^2, of_class, seq_along(of_class))
  reported <- reported_class(x$medoid, means)
  variance <- vapply(squares, rowMeans, double(length(codes)))
  list(
    average = average, distance = colSums(weights * Reduce(`+`, squares)),
    sd = sqrt(matrix(variance, length(codes))[cbind(seq_along(codes), reported)]),
    other_class = rowMeans(likeliest_of(of_class) != likeliest_class(means)),
    table = count_cells(cells, codes, weights * outside, dim(probs))
  )
}

# The class that each list predicts for each row: the first of those that are equally probable.
likeliest_of <- function(of_class) {
  best <- of_class[[1L]]
  code <- matrix(1L, nrow(best), ncol(best))
  for (class in seq_along(of_class)[-1L]) {
    better <- of_class[[class]] > best
    code[better] <- class
    best[better] <- of_class[[class]][better]
  }
  code
}

# All that a list predicts is in its cells: the measures follow from their weights by class.
measure_lists <- function(x, probs, table) {
  list <- rep(seq_len(n_lists(x)), x$lists$lengths + 2L)
  measures <- lapply(split(seq_along(list), list), function(cells) {
    at <- which(table[cells, , drop = FALSE] > 0, arr.ind = TRUE)
    rows <- cells[at[, 1L]]
    all_measures(at[, 2L], probs[rows, , drop = FALSE], table[cbind(rows, at[, 2L])])
  })
  measures <- as.data.frame(do.call(rbind, measures))
  rownames(measures) <- NULL
  measures
}

bag_measures <- c("auc", "log_loss", "accuracy", "brier", "slope", "slope_se", "intercept", "n")

all_measures <- function(codes, probs, weights) {
  if (length(codes) == 0L) {
    return(stats::setNames(c(rep(NA_real_, 7L), 0), bag_measures))
  }
  c(measure_all(codes, probs, weights), calibration_measures(codes, probs, weights), n = sum(weights))
}

weighted_quantile <- function(x, share, p) {
  order <- order(x)
  x[order][which(cumsum(share[order]) >= p - 1e-12)[1L]]
}

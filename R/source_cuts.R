# Numbers with very many values: counts of groups of neighbouring values instead, such that the cut points stay exact.
#
# The engine's search for cut points (engine/src/cuts/modl.rs) forms at most 128 groups of neighbouring values, chooses
# cuts between groups, and moves each cut to the best value within the two groups that it separates. So it is enough to
# know single values near the cuts. Three scans of the counts, sorted by value:
#
# 1. the total weight, and whether there are more places for a cut than groups;
# 2. the groups, formed as the engine forms them; the engine then cuts the table of groups;
# 3. the single values of the groups next to these cuts, and of the first and the last group.
#
# One value stands for all values of any other group. The engine forms the same groups from the result and finds the
# same cuts as it would from all values. Quantiles and equal widths need no more than these values, either.

max_groups <- 128

# Counts of a column: a data frame with `x`, `n` and the `codes` of the classes.
count_groups <- function(table, column, coder, discretisation, n_classes) {
  x <- table$head[[column]]
  is_number <- number_type(x) != "" && (!is.object(x) || inherits(x, c("Date", "POSIXct")))
  if (!is_number || discretisation$method == "mdlp") {
    abort_pairs(column)
  }
  scan <- \(use) scan_sorted(table, column, coder, n_classes, use)
  all <- sum_up(scan)
  least <- if (all$n_places < max_groups) 0 else all$total / max_groups
  groups <- form_groups(scan, least)
  cuts <- cut_groups(groups, all$range, discretisation, n_classes)
  kept <- sort(unique(c(1L, nrow(groups$weights), outer(cuts, -2:0, `+`))))
  counts <- mixed_counts(scan, groups, kept[kept >= 1L & kept <= nrow(groups$weights)], column)
  if (is.null(all$missing)) {
    return(counts)
  }
  rbind(counts, as_frame(list(x = all$missing$x, codes = coder(all$missing$y), n = all$missing$n), nrow(all$missing)))
}

# Calls `use` with distinct values in rising order, chunk by chunk: values, the weights of their classes, and `pure`,
# the class of all rows of a value or 0. Rows without a value come as `missing`, those without a label not at all.
scan_sorted <- function(table, column, coder, n_classes, use) {
  rest <- NULL
  pass <- function(rows) {
    value <- as.double(unclass(rows$x))
    first <- c(TRUE, value[-1L] != value[-length(value)])
    place <- cumsum(first)
    weights <- matrix(0, place[length(place)], n_classes)
    sums <- rowsum(rows$n, place + (rows$code - 1) * nrow(weights))
    weights[as.integer(rownames(sums))] <- sums
    has <- weights > 0
    pure <- ifelse(rowSums(has) == 1L, max.col(has, "first"), 0L)
    use(list(x = rows$x[first], weights = weights, pure = pure))
  }
  run_stream(table$source, sorted_query(table, column), function(chunk) {
    rows <- as_counts(chunk)
    rows$x <- if (is_integer64(rows$x)) integer64_values(rows$x) else rows$x
    rows$code <- coder(rows$y)
    rows <- rows[!is.na(rows$code), , drop = FALSE]
    is_missing <- is.na(rows$x)
    if (any(is_missing)) {
      use(list(missing = rows[is_missing, c("x", "y", "n")]))
    }
    rows <- rbind(rest, rows[!is_missing, c("x", "y", "n", "code")])
    if (nrow(rows) == 0L) {
      return()
    }
    # the rows of the last value may not all be here yet
    is_last <- rows$x == rows$x[nrow(rows)]
    rest <<- rows[is_last, , drop = FALSE]
    if (!all(is_last)) pass(rows[!is_last, , drop = FALSE])
  })
  if (!is.null(rest) && nrow(rest) > 0L) pass(rest)
}

sum_up <- function(scan) {
  all <- list(total = 0, n_places = 0, missing = NULL)
  last <- -1L
  scan(function(part) {
    all$missing <<- rbind(all$missing, part$missing)
    if (!is.null(part$x)) {
      before <- c(last, part$pure[-length(part$pure)])
      is_place <- part$pure == 0L | part$pure != before
      all$n_places <<- all$n_places + sum(is_place) - (last == -1L)
      all$total <<- all$total + sum(part$weights)
      value <- as.double(unclass(part$x))
      if (any(is.finite(value))) all$range <<- range(all$range, value[is.finite(value)])
      last <<- part$pure[length(part$pure)]
    }
  })
  all
}

# The first value and the class weights of each group, formed as Groups::new() in modl.rs does.
form_groups <- function(scan, least) {
  starts <- NULL
  weights <- list()
  current <- NULL
  last <- -1L
  scan(function(part) {
    if (is.null(part$x)) {
      return()
    }
    n <- length(part$pure)
    can_start <- part$pure == 0L | part$pure != c(last, part$pure[-n])
    below <- cumsum(c(0, rowSums(part$weights)))
    from <- 1L
    if (is.null(current)) {
      starts <<- part$x[1L]
      current <<- 0 * part$weights[1L, ]
    }
    repeat {
      # below[i] is the weight of the values before i
      candidates <- which(can_start & sum(current) + below[seq_len(n)] - below[from] >= least & seq_len(n) >= from)
      # the first value of all begins the first group, and none begins two
      candidates <- candidates[candidates > from | (from == 1L & last != -1L & candidates == 1L)]
      to <- if (length(candidates) > 0L) candidates[1L] else n + 1L
      rows <- seq_len(to - from) + from - 1L
      current <<- current + colSums(part$weights[rows, , drop = FALSE])
      if (to > n) break
      weights <<- c(weights, list(current))
      starts <<- c(starts, part$x[to])
      current <<- 0 * current
      from <- to
      last <<- -1L
    }
    last <<- part$pure[n]
  })
  list(starts = starts, weights = do.call(rbind, c(weights, list(current))))
}

# The numbers of the groups that begin with a cut, as the engine cuts a table with one value per group.
cut_groups <- function(groups, range, discretisation, n_classes) {
  n <- nrow(groups$weights)
  value <- as.double(unclass(groups$starts))
  cells <- which(groups$weights > 0, arr.ind = TRUE)
  training <- list(
    codes = as.integer(cells[, 2L]), weights = groups$weights[cells], n_classes = n_classes,
    columns = list(value[cells[, 1L]])
  )
  if (discretisation$method == "width" && !is.null(range)) {
    training[c("codes", "weights", "columns")] <- list(c(1L, 1L), c(1, 1), list(range))
  }
  settings <- list(discretize = discretisation$method, bins = discretisation$bins, threads = discretisation$threads)
  cuts <- call_job(native_cut_points, training, settings)[[1L]]$cuts
  pmin(findInterval(cuts, value, left.open = TRUE) + 1L, n)
}

# Single values of the groups `kept`, and one value for all values of each of the others.
mixed_counts <- function(scan, groups, kept, column) {
  start <- as.double(unclass(groups$starts))
  pieces <- list()
  n_pairs <- 0
  is_shown <- logical(length(start))
  scan(function(part) {
    if (is.null(part$x)) {
      return()
    }
    group <- findInterval(as.double(unclass(part$x)), start)
    # a value that is not whole stands for its group, so that the feature is not taken for whole numbers
    is_kept <- group %in% kept
    cells <- which(part$weights > 0 & is_kept, arr.ind = TRUE)
    n_pairs <<- n_pairs + nrow(cells)
    if (n_pairs > max_pairs()) {
      abort_pairs(column)
    }
    pieces <<- c(pieces, list(list(x = part$x[cells[, 1L]], code = cells[, 2L], n = part$weights[cells])))
    value <- as.double(unclass(part$x))
    # not by %%, which warns of large numbers
    fraction <- is.finite(value) & value != trunc(value)
    for (g in setdiff(unique(group[fraction & !is_kept]), which(is_shown))) {
      groups$starts[g] <<- part$x[which(group == g & fraction)[1L]]
      is_shown[g] <<- TRUE
    }
  })
  others <- setdiff(seq_along(start), kept)
  cells <- which(groups$weights[others, , drop = FALSE] > 0, arr.ind = TRUE)
  merged <- list(
    x = groups$starts[others][cells[, 1L]], code = cells[, 2L], n = groups$weights[others, , drop = FALSE][cells]
  )
  pieces <- c(pieces, list(merged))
  join <- \(name) do.call(c, lapply(pieces, `[[`, name))
  as_frame(list(x = join("x"), codes = as.integer(join("code")), n = join("n")), length(join("n")))
}

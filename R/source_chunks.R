# Sources of chunks: values are counted, and rows encoded, in R.

# More pairs of values and classes than this are not fetched for one column.
max_pairs <- function() {
  getOption("sbrl.max_pairs", 2e6)
}

# Calls `use` with each chunk in turn.
for_each_chunk <- function(source, use) {
  try_source(source$restart(), "`restart` failed")
  repeat {
    allow_interrupt()
    chunk <- try_source(source$chunks(), "`chunks` failed")
    if (is.null(chunk)) {
      return(invisible())
    }
    if (!is.data.frame(chunk)) {
      abort_sbrl("source", sprintf("`chunks` must return a data frame or NULL, not %s.", describe(chunk)))
    }
    use(check_data_frame(chunk, "chunks"))
  }
}

#' @export
source_head.sbrl_source_chunks <- function(source) { # nolint: object_name_linter. A method.
  try_source(source$restart(), "`restart` failed")
  head <- try_source(source$chunks(), "`chunks` failed")
  if (is.null(head) || !is.data.frame(head) || nrow(head) == 0L) {
    abort_sbrl("source", sprintf("`chunks` must return a data frame with rows, not %s.", describe(head)))
  }
  head <- check_data_frame(head, "chunks")
  n <- min(nrow(head), n_head)
  as_frame(lapply(head, some_values, seq_len(n)), n)
}

# Counts of the values of each column by label, in one pass: for each column a data frame with `x`, `y` and `n`. `own`
# has the user's cut points. Numbers with too many values are named in `sampled` if they may be cut by a sample.
count_chunks <- function(source, table, own, most, may_sample = FALSE) {
  names <- table$names
  labels <- distinct_values(table$label_name, "label")
  columns <- lapply(names, \(name) list(distinct = distinct_values(name), sums = new_sums()))
  totals <- new_sums()
  sampled <- character()
  n_rows <- 0
  for_each_chunk(source, function(chunk) {
    rows <- chunk_rows(chunk, c(names, table$label_name, table$weights), table$label_name, table$weights)
    y <- labels$add(rows$y)
    totals$add(rep(1L, length(y)), y, rows$w)
    n_rows <<- n_rows + length(y)
    for (j in which(!names %in% sampled)) {
      allow_interrupt(length(y))
      x <- represent(.subset2(rows$data, names[j]), own[[names[j]]])
      columns[[j]]$sums$add(columns[[j]]$distinct$add(x), y, rows$w)
      if (columns[[j]]$sums$size() > most) {
        if (!may_sample || !is_cut_by_sample(x)) abort_pairs(names[j])
        sampled <<- c(sampled, names[j])
        columns[[j]] <<- list(distinct = distinct_values(names[j]), sums = new_sums())
      }
    }
  })
  as_table <- function(sums, x) {
    found <- sums$get()
    as_frame(list(x = x[found$x], y = labels$values()[found$y], n = found$n), length(found$n))
  }
  counts <- lapply(columns, \(column) as_table(column$sums, column$distinct$values()))
  list(label = as_table(totals, 1L), columns = stats::setNames(counts, names), sampled = sampled, n_rows = n_rows)
}

# With known cut points, one value represents all whole numbers of an interval, and one all others. Cut points of
# another kind are refused when the feature is made.
represent <- function(x, cuts) {
  if (is_integer64(x)) {
    x <- integer64_values(x)
  }
  type <- number_type(x)
  if (is.null(cuts) || type == "" || type != number_type(cuts) || !is.null(broken_class(cuts))) {
    return(x)
  }
  if (is.object(x)) {
    feature <- number_feature(x)
    key <- findInterval(column_values(feature, x), sort(column_values(feature, cuts)))
  } else {
    key <- 2 * findInterval(x, sort(cuts)) + (x == trunc(x))
  }
  x[match(key, key)]
}

abort_pairs <- function(name) {
  message <- paste(
    "Column %s has too many different values for exact cut points: more than %s pairs of value and class. Set",
    "`cut_sample`, the number of rows of a sample, for approximate ones; or round its values in the query, or give its",
    "cut points in `discretize`."
  )
  abort_sbrl("column", sprintf(message, quote_names(name), with_thousands(max_pairs())))
}

# Which columns have cut points that a sample could give?
is_cut_by_sample <- function(x) {
  number_type(x) != "" || is_integer64(x)
}

# Sums of weights by pairs of numbers.
new_sums <- function() {
  x <- y <- integer()
  n <- double()
  list(
    add = function(more_x, more_y, w) {
      x <<- c(x, more_x)
      y <<- c(y, more_y)
      n <<- c(n, w)
      key <- x + (y - 1) * (max(x, 0L) + 1)
      first <- !duplicated(key)
      n <<- as.vector(rowsum(n, match(key, key[first]), reorder = TRUE))
      x <<- x[first]
      y <<- y[first]
    },
    size = \() length(n),
    get = \() list(x = x, y = y, n = n)
  )
}

# The rows of a chunk that count, with the columns `needed`, and their labels and weights.
chunk_rows <- function(chunk, needed, label, weights) {
  places <- find_columns(chunk, needed, "chunks")
  kinds <- ifelse(needed == label, "label", "column")
  columns <- Map(\(place, name, kind) check_column(.subset2(chunk, place), name, kind = kind), places, needed, kinds)
  names(columns) <- needed
  w <- if (is.null(weights)) rep(1, nrow(chunk)) else check_chunk_weights(columns[[weights]], weights)
  if (any(w == 0)) {
    rows <- which(w > 0)
    columns <- lapply(columns, some_values, rows)
    w <- w[rows]
  }
  list(data = as_frame(columns, length(w)), y = columns[[label]], w = w)
}

check_chunk_weights <- function(w, name) {
  ok <- !is.object(w) && is.numeric(w) && !has_dim(w) && all(is.finite(w)) && all(w >= 0)
  if (!ok) {
    abort_sbrl("argument", sprintf("Weights in %s must be finite numbers, 0 or more; some are not.", quote_names(name)))
  }
  as.double(w)
}

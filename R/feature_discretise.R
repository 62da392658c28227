# Cut points: numbers become intervals, learnt on the training rows; the same cuts again on new data.

cut_methods <- c("modl", "mdlp", "quantile", "width")

check_discretize <- function(discretize, bins) {
  ok <- if (is.list(discretize) && !is.object(discretize)) {
    names <- names(discretize)
    length(discretize) == 0L || (!is.null(names) && all(nzchar(names)) && anyDuplicated(names) == 0L)
  } else {
    is_string(discretize) && discretize %in% cut_methods
  }
  check_that(ok, discretize, "discretize", paste(
    "one of", quote_values(cut_methods), "or a list of cut points named by column"
  ))
  check_whole(bins, "bins", min = 2, max = max_levels)
}

# How numbers are to be cut: a method, a cap on the number of intervals, and the user's own cut points.
# `by_formula`: whether the cut points of numbers are to be as round as the data allow. Equal steps stay equal.
read_discretisation <- function(args, by_formula) {
  own <- if (is.list(args$discretize)) args$discretize else list()
  names(own) <- enc2utf8(as.character(names(own)))
  list(
    method = if (is.list(args$discretize)) "modl" else args$discretize, bins = args$bins, own = own,
    threads = args$threads, sample = args$cut_sample, roundest = by_formula && !identical(args$discretize, "width"),
    is_rich = args$conditions == "rich"
  )
}

check_own_columns <- function(own, names) {
  unknown <- names(own)[!names(own) %in% names]
  if (length(unknown) > 0L) {
    message <- "`discretize` has cut points for %s, which is not a feature; the features are %s."
    abort_sbrl("argument", sprintf(message, quote_names(unknown), quote_names(names)))
  }
}

# A number with at most two values is a flag; dates and times are never flags.
is_cut <- function(x, own) {
  type <- number_type(x)
  if (type == "" || all_missing(x)) {
    return(FALSE)
  }
  is.object(x) || !is.null(own) || has_three_values(x)
}

# Most columns show three values in their first rows already.
has_three_values <- function(x) {
  n_distinct <- function(x) length(unique(x[!is.na(x)]))
  n_distinct(utils::head(x, 1000L)) > 2L || n_distinct(x) > 2L
}

cut_feature <- function(x, name, own) {
  feature <- number_feature(x, name)
  feature$cuts <- if (is.null(own)) double() else own_cuts(own, feature)
  feature
}

# `features` with the cut points of their columns. `outcome`: codes of the rows' classes, weights or NULL, and the
# number of classes.
learn_cuts <- function(columns, features, outcome, discretisation) {
  values <- Map(column_values, features, columns)
  how <- discretisation
  settings <- list(discretize = how$method, bins = how$bins, threads = how$threads)
  cuts <- call_job(native_cut_points, c(outcome, list(columns = values)), settings)
  Map(finish_cuts, features, cuts, values, isTRUE(how$roundest))
}

# `found`: the `cuts`, and the observed values next `below` and `above` each.
finish_cuts <- function(feature, found, values, roundest) {
  if (length(found$cuts) == 0L) {
    found <- last_resort(values)
  }
  feature$cuts <- round_cuts(feature, found, roundest)
  feature
}

# Nearly all rows have the greatest value, or there is one value only: separate it from the rest, and gaps from both.
last_resort <- function(values) {
  finite <- values[is.finite(values)]
  greatest <- if (length(finite) == 0L) 0 else as.double(max(finite))
  below <- finite[finite < greatest]
  list(cuts = greatest, below = if (length(below) == 0L) -Inf else as.double(max(below)), above = greatest)
}

own_cuts <- function(cuts, feature) {
  values <- if (number_type(cuts) == "" || !is.null(broken_class(cuts))) NA else read_numbers(cuts, feature)$values
  if (length(values) == 0L || !all(is.finite(values))) {
    message <- "`discretize` must contain finite numbers as cut points of %s, not %s."
    abort_sbrl("argument", sprintf(message, quote_names(feature$name), describe(cuts)))
  }
  if (length(values) >= max_levels) {
    message <- "`discretize` contains %d cut points for %s; at most %d are allowed."
    abort_sbrl("argument", sprintf(message, length(values), quote_names(feature$name), max_levels - 1L))
  }
  as.double(sort(unique(values)))
}

# Cut points: numbers become intervals, learnt on the training rows; the same cuts again on new data.

cut_methods <- c("mdlp", "quantile", "width")

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
read_cutting <- function(args) {
  own <- if (is.list(args$discretize)) args$discretize else list()
  names(own) <- enc2utf8(as.character(names(own)))
  list(
    method = if (is.list(args$discretize)) "mdlp" else args$discretize, bins = args$bins, own = own,
    threads = as_engine_integer(args$threads)
  )
}

check_own_columns <- function(own, names) {
  unknown <- names(own)[!names(own) %in% names]
  if (length(unknown) > 0L) {
    message <- "`discretize` has cut points for %s, which is no feature; the features are %s."
    abort_sbrl("argument", sprintf(message, quote_names(unknown), quote_names(names)))
  }
}

# A number with at most two values is a flag; dates and times are never flags.
is_cut <- function(x, own) {
  kind <- number_kind(x)
  if (kind == "" || all_missing(x)) {
    return(FALSE)
  }
  kind != "number" || !is.null(own) || has_three_values(x)
}

# Most columns show three values in their first rows already.
has_three_values <- function(x) {
  n_distinct <- function(x) length(unique(x[!is.na(x)]))
  n_distinct(utils::head(x, 1000L)) > 2L || n_distinct(x) > 2L
}

number_feature <- function(x, name, own) {
  feature <- list(
    name = name, type = number_kind(x), unit = number_unit(x), levels = character(), cuts = double()
  )
  feature$cuts <- if (is.null(own)) double() else own_cuts(own, feature)
  feature
}

# `features` with the cut points of their columns. `target`: codes of the rows' classes, weights or NULL, and the number
# of classes.
learn_cuts <- function(columns, features, target, cutting) {
  values <- lapply(columns, number_values)
  cuts <- call_job(native_cut_points, values, target, cutting$method, cutting$bins, cutting$threads)
  Map(finish_cuts, features, cuts, values)
}

finish_cuts <- function(feature, cuts, values) {
  if (length(cuts) == 0L) {
    cuts <- last_resort(values)
  }
  feature$cuts <- if (feature$type %in% c("date", "datetime")) round_times(cuts, values, feature) else cuts
  feature
}

# Nearly all rows have the greatest value, or there is one value only: tell it from the rest, and gaps from both.
last_resort <- function(values) {
  finite <- values[is.finite(values)]
  if (length(finite) == 0L) 0 else as.double(max(finite))
}

own_cuts <- function(cuts, feature) {
  values <- if (number_kind(cuts) == "" || !is.null(broken_class(cuts))) NA else read_numbers(cuts, feature)$values
  if (length(values) == 0L || !all(is.finite(values))) {
    message <- "`discretize` must hold finite numbers as cut points of %s, not %s."
    abort_sbrl("argument", sprintf(message, quote_names(feature$name), describe(cuts)))
  }
  if (length(values) >= max_levels) {
    message <- "`discretize` holds %d cut points for %s; at most %d are allowed."
    abort_sbrl("argument", sprintf(message, length(values), quote_names(feature$name), max_levels - 1L))
  }
  as.double(sort(unique(values)))
}

# The roundest date or time that parts the observed values in the same way.
round_times <- function(cuts, values, feature) {
  values <- values[is.finite(values)]
  vapply(cuts, \(cut) round_time(cut, values, feature), 1)
}

round_time <- function(cut, values, feature) {
  below <- suppressWarnings(max(values[values < cut]))
  above <- suppressWarnings(min(values[values >= cut]))
  if (!is.finite(above)) {
    return(cut)
  }
  is_date <- feature$type == "date"
  time <- as_times(above, feature)
  for (step in c("years", "months", "days", if (!is_date) c("hours", "mins", "secs"))) {
    rounded <- trunc(time, step)
    rounded <- if (is_date) as.double(as.Date(rounded)) else as.double(as.POSIXct(rounded))
    if (isTRUE(rounded > below && rounded <= above)) {
      return(rounded)
    }
  }
  cut
}

# Encoding: a column, of training or of new data, becomes codes of its feature's levels or intervals.

# A column as the engine reads it, in place: its `values`, and what they mean. Values are factor numbers with a `table`
# of the codes of 0, 1, ...; or numbers with `cuts`, or with `levels` and the `table` of their codes. Codes are 1 and so
# on for levels or intervals, 0 for a missing value, -1 for what is no level. A million rows must cost next to nothing.
read_column <- function(feature, x) UseMethod("read_column")

#' @export
read_column.sbrl_feature_number <- function(feature, x) {
  list(values = column_values(feature, x), cuts = .subset2(feature, "cuts"))
}

#' @export
read_column.sbrl_feature_categorical <- function(feature, x) {
  if (is.factor(x)) {
    return(list(values = x, table = c(-1L, level_codes(levels(x), .subset2(feature, "levels")))))
  }
  if (is.logical(x)) {
    return(list(values = as.integer(x), table = match(c("FALSE", "TRUE"), feature$levels, nomatch = -1L)))
  }
  numbers <- number_levels(feature$levels)
  list(values = x, levels = numbers$values, table = numbers$codes)
}

# The codes of a factor's levels.
level_codes <- function(from, levels) {
  if (identical(from, levels)) {
    return(seq_along(levels))
  }
  codes <- match(enc2utf8(from), levels, nomatch = -1L)
  codes[is.na(from)] <- 0L
  codes
}

# Numbers match levels as numbers: 1 is the level "1" and, failing that, the level "1.0".
number_levels <- function(levels) {
  values <- level_numbers(levels)
  codes <- which(!is.na(values))
  values <- values[codes]
  if (!is.unsorted(values, strictly = TRUE)) {
    return(list(values = values, codes = codes))
  }
  written_alike <- levels[codes] == number_text(values)
  rank <- order(values, !written_alike)
  rank <- rank[!duplicated(values[rank])]
  list(values = values[rank], codes = codes[rank])
}

# The codes themselves, for few rows.
codes_of <- function(column) {
  values <- column$values
  codes <- if (!is.null(column$cuts)) {
    findInterval(values, column$cuts) + 1L
  } else if (!is.null(column$levels)) {
    column$table[match(values, column$levels)]
  } else {
    column$table[as.integer(values) + 1L]
  }
  codes[is.na(codes)] <- -1L
  codes[is.na(values)] <- 0L
  codes
}

# The same columns of fewer rows.
take_values <- function(columns, rows) {
  lapply(columns, \(column) replace(column, "values", list(column$values[rows])))
}

# The number of levels or intervals.
n_codes <- function(feature) UseMethod("n_codes")

#' @export
n_codes.sbrl_feature_number <- function(feature) {
  length(.subset2(feature, "cuts")) + 1L
}

#' @export
n_codes.sbrl_feature_categorical <- function(feature) {
  length(.subset2(feature, "levels"))
}

# How many rows are unknown and missing, and how many have each code.
count_codes <- function(column, feature) {
  call_native(native_count_codes(column, n_codes(feature)))
}

# Values of a new column as numbers of its feature; `note` describes what was converted, or is NULL.
read_numbers <- function(x, feature) {
  type <- number_type(x)
  if (type == read_type(feature)) {
    return(list(values = column_values(feature, x)))
  }
  values <- convert_values(feature, x)
  if (!is.null(values)) {
    return(list(values = values))
  }
  own <- if (type != "") number_feature(x)
  note <- if (!all(is.na(x))) {
    sprintf("%s taken as %s", if (is.null(own)) "logical values" else value_words(own), value_words(feature))
  }
  list(values = if (is.null(own)) as.double(x) else column_values(own, x), note = note)
}

# The values in conditions that people write, and what a comparison with one is as codes or bounds of its feature.

# A condition is the number of a `feature` and either its `codes` or, of a number, what it is at least (`from`) and less
# than (`to`).
levels_condition <- function(feature, codes) list(feature = feature, codes = as.integer(codes))

range_condition <- function(feature, from = -Inf, to = Inf) list(feature = feature, from = from, to = to)

abort_written <- function(...) {
  abort_sbrl("argument", sprintf(...))
}

is_call_of <- function(code, names, length) {
  is.call(code) && is.symbol(code[[1L]]) && as.character(code[[1L]]) %in% names && length(code) == length
}

# A constant, a negative number, or a date or time that is written as text.
is_value <- function(code) {
  is_constant <- is.character(code) || is.numeric(code) || is.logical(code)
  is_constant || (is_call_of(code, "-", 2L) && is.numeric(code[[2L]])) || is_written_time(code)
}

is_written_time <- function(code) {
  is.call(code) && is.symbol(code[[1L]]) && as.character(code[[1L]]) %in% c("as.Date", "as.POSIXct") &&
    all(vapply(as.list(code)[-1L], is.character, NA)) && length(code) %in% 2:3 &&
    (length(code) == 2L || identical(names(code)[3L], "tz"))
}

read_value <- function(code) {
  while (is_call_of(code, "(", 2L)) code <- code[[2L]]
  if (!is_value(code)) {
    said <- if (is.symbol(code)) "a variable" else "code"
    message <- "%s is %s, which is not evaluated: write the value itself, as in `age >= 65`."
    abort_written(message, short_code(code), said)
  }
  value <- if (is_written_time(code)) read_time(code) else if (is.call(code)) -code[[2L]] else code
  if (length(value) != 1L || is.na(value)) {
    abort_written("A condition needs a value that is not missing; use `is.na()` for missing values.")
  }
  value
}

read_time <- function(code) {
  text <- code[[2L]]
  value <- tryCatch(
    if (identical(code[[1L]], quote(as.Date))) {
      as.Date(text, format = "%Y-%m-%d")
    } else {
      as.POSIXct(text, tz = if (length(code) == 3L) code[[3L]] else "")
    },
    error = \(e) NA
  )
  if (is.na(value)) abort_written("%s is not a date or time such as \"2024-01-31\".", short_code(code))
  value
}

# `feature` has the number `j` in the model; `value` is code.
compare_feature <- function(feature, j, sign, value) UseMethod("compare_feature")

# nolint start: object_name_linter. Methods.
#' @export
compare_feature.sbrl_feature_categorical <- function(feature, j, sign, value) {
  if (!sign %in% c("==", "!=")) {
    abort_written("The levels of %s have no order, so `%s` cannot compare them.", quote_names(feature$name), sign)
  }
  compare_levels(feature, j, sign, value)
}

#' @export
compare_feature.sbrl_feature_ordered <- function(feature, j, sign, value) {
  compare_levels(feature, j, sign, value)
}

#' @export
compare_feature.sbrl_feature_number <- function(feature, j, sign, value) {
  x <- number_value(feature, read_value(value))
  # the least value that is greater
  after <- next_value(feature, x)
  switch(sign,
    "<" = range_condition(j, to = x),
    "<=" = range_condition(j, to = after),
    ">" = range_condition(j, from = after),
    ">=" = range_condition(j, from = x),
    "==" = range_condition(j, x, after),
    abort_written("%s is a number, of which `!=` leaves two intervals: write one of them.", quote_names(feature$name))
  )
}
# nolint end

compare_levels <- function(feature, j, sign, value) {
  code <- level_code(feature, read_value(value))
  codes <- seq_along(feature$levels)
  levels_condition(j, codes[do.call(sign, list(codes, code))])
}

# The code of a level, given as text, a number or a logical value.
level_code <- function(feature, value) {
  if (is.object(value)) value <- format(value)
  text <- if (is.numeric(value)) number_text(value) else enc2utf8(as.character(value))
  code <- match(text, feature$levels)
  if (is.na(code) && is.numeric(value)) {
    numbers <- number_levels(feature$levels)
    code <- numbers$codes[match(value, numbers$values)]
  }
  if (is.na(code)) {
    meant <- nearest_name(text, feature$levels)
    hint <- if (is.null(meant)) sprintf("Its levels are %s.", quote_values(feature$levels, 10L)) else
      sprintf("Did you mean %s?", quote_values(meant))
    abort_written("%s has no level %s. %s", quote_names(feature$name), quote_values(text), hint)
  }
  code
}

number_value <- function(feature, value) {
  x <- if (is.character(value)) {
    if (number_text_is_value(feature)) parse_values(feature, value) else NA
  } else if (is.object(value)) {
    type <- number_type(value)
    if (type == read_type(feature)) column_values(feature, value) else convert_values(feature, value) %||% NA
  } else if (is.numeric(value)) {
    as.double(value)
  } else {
    NA
  }
  if (is.na(x)) {
    abort_written("%s contains %s; %s is not a value of it.", quote_names(feature$name), value_words(feature),
                  if (is.object(value)) format(value) else short_code(value))
  }
  x
}

# Dates and times may be written as text alone.
number_text_is_value <- function(feature) {
  inherits(feature, "sbrl_feature_time")
}

# The least number greater than `x` that a feature can have.
next_value <- function(feature, x) {
  if (are_whole_values(feature)) {
    return(floor(x) + 1)
  }
  if (!is.finite(x)) {
    return(x)
  }
  step <- if (x == 0) 2^-1074 else 2^(floor(log2(abs(x))) - 53)
  while (x + step <= x) step <- 2 * step
  x + step
}

are_whole_values <- function(feature) {
  feature$type %in% c("integer", "date")
}

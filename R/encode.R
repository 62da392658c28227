# Encoding: a column, of training or of new data, becomes codes of its feature's levels or intervals.

# 1, 2, ... for the levels or intervals, 0 for a missing value, -1 for what is no level. A million rows must be cheap.
encode_column <- function(x, feature) {
  if (is_number_feature(feature)) {
    return(encode_cuts(number_values(x, feature$unit), feature$cuts))
  }
  codes <- encode_levels(x, feature$levels)
  codes[is.na(codes)] <- 0L
  codes
}

is_number_feature <- function(feature) {
  !feature$type %in% c("categorical", "ordered")
}

# NA for a missing value.
encode_levels <- function(x, levels) {
  if (is.factor(x)) {
    return(encode_factor(x, levels))
  }
  if (is.logical(x)) {
    return(match(c("FALSE", "TRUE"), levels, nomatch = -1L)[x + 1L])
  }
  codes <- if (is.numeric(x)) encode_numbers(x, levels) else match(enc2utf8(x), levels, nomatch = -1L)
  if (anyNA(x)) {
    codes[is.na(x)] <- NA_integer_
  }
  codes
}

encode_factor <- function(x, levels) {
  if (identical(levels(x), levels)) {
    return(as.integer(x))
  }
  codes <- match(enc2utf8(levels(x)), levels, nomatch = -1L)
  codes[is.na(levels(x))] <- NA_integer_
  codes[as.integer(x)]
}

# Numbers match levels as numbers: 1 is the level "1" and, failing that, the level "1.0".
encode_numbers <- function(x, levels) {
  values <- level_numbers(levels)
  usable <- which(!is.na(values))
  written_alike <- levels[usable] == number_text(values[usable])
  usable <- usable[order(!written_alike)]
  c(usable, -1L)[match(x, values[usable], nomatch = length(usable) + 1L)]
}

level_numbers <- function(levels) {
  suppressWarnings(as.numeric(levels))
}

# Codes of new data for `features`, one vector each. At most one warning says what matched nothing.
encode_new <- function(columns, features) {
  read <- Map(encode_new_column, columns, features)
  warn_new(
    unlist(lapply(read, \(column) column$unmatched)),
    unlist(lapply(read, \(column) column$converted))
  )
  unname(lapply(read, \(column) column$codes))
}

encode_new_column <- function(x, feature) {
  x <- as_new_column(x, feature)
  if (is_number_feature(feature)) {
    return(encode_new_number(x, feature))
  }
  codes <- encode_column(x, feature)
  list(codes = codes, unmatched = describe_unmatched(x, codes, feature))
}

encode_new_number <- function(x, feature) {
  read <- read_numbers(x, feature)
  codes <- encode_cuts(read$values, feature$cuts)
  if (any(read$unread)) {
    codes[read$unread] <- -1L
  }
  list(
    codes = codes,
    unmatched = describe_unmatched(x, codes, feature),
    converted = if (!is.null(read$note)) sprintf("%s (%s)", quote_names(feature$name), read$note)
  )
}

find_columns <- function(data, names, arg) {
  given <- enc2utf8(as.character(names(data)))
  absent <- setdiff(names, given)
  if (length(absent) > 0L) {
    message <- "`%s` lacks %s, which the rules use."
    abort_sbrl("column", sprintf(message, arg, quote_names(absent)))
  }
  twice <- intersect(names, given[duplicated(given)])
  if (length(twice) > 0L) {
    abort_sbrl("column", sprintf("`%s` has more than one column %s.", arg, quote_names(twice)))
  }
  match(names, given)
}

# New data may come in classes that training data may not: what is no number is compared as text.
as_new_column <- function(x, feature) {
  atomic <- is.atomic(x) && is.null(dim(x)) && !is.null(x)
  known <- is.factor(x) || inherits(x, "AsIs") || is_integer64(x)
  known <- known || (number_kind(x) != "" && is_number_feature(feature))
  if (atomic && is.object(x) && !known) {
    x <- as.character(x)
  }
  x <- as_plain_column(x, feature$name)
  if (is.character(x)) {
    check_text(unique(x), feature$name)
  }
  x
}

# One phrase for a column some of whose values match no level, or nothing.
describe_unmatched <- function(x, codes, feature) {
  unmatched <- unmatched_values(x, codes)
  if (length(unmatched) == 0L) {
    return(NULL)
  }
  if (!is_number_feature(feature) && has_other_type(x, feature$levels)) {
    kind <- if (is.logical(x)) "logical values" else "numbers"
    return(sprintf("%s (%s, but its levels are text)", quote_names(feature$name), kind))
  }
  sprintf("%s (%s)", quote_names(feature$name), quote_values(unmatched))
}

unmatched_values <- function(x, codes) {
  missed <- codes < 0L
  if (!any(missed)) {
    return(NULL)
  }
  as.character(unique(x[missed]))
}

has_other_type <- function(x, levels) {
  if (is.logical(x)) {
    return(!any(c("FALSE", "TRUE") %in% levels))
  }
  is.numeric(x) && all(is.na(level_numbers(levels)))
}

warn_new <- function(unmatched, converted) {
  parts <- c(
    if (length(unmatched) > 0L) "Values not seen in training obey no item of their column: %s.",
    if (length(converted) > 0L) "Columns of another type than in training: %s."
  )
  if (length(parts) == 0L) {
    return(invisible())
  }
  phrases <- list(unmatched, converted)[lengths(list(unmatched, converted)) > 0L]
  text <- Map(\(form, phrase) sprintf(form, paste(phrase, collapse = "; ")), parts, phrases)
  warn_sbrl("column", paste(unlist(text), collapse = " "))
}

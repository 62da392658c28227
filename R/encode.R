# Encoding: a column, of training or of new data, becomes codes of its feature's levels.

# 1, 2, ... for the levels; 0 or NA for a missing value and for one that is no level. A million rows must be cheap.
encode_column <- function(x, feature) {
  if (is.factor(x)) {
    return(encode_factor(x, feature$levels))
  }
  if (is.logical(x)) {
    return(match(c("FALSE", "TRUE"), feature$levels, nomatch = 0L)[x + 1L])
  }
  if (is.numeric(x)) {
    return(encode_numbers(x, feature$levels))
  }
  match(enc2utf8(x), feature$levels, nomatch = 0L)
}

encode_factor <- function(x, levels) {
  if (identical(levels(x), levels)) {
    return(as.integer(x))
  }
  match(enc2utf8(levels(x)), levels, nomatch = 0L)[as.integer(x)]
}

# Numbers match levels as numbers: 1 is the level "1" and, failing that, the level "1.0".
encode_numbers <- function(x, levels) {
  values <- level_numbers(levels)
  usable <- which(!is.na(values))
  written_alike <- levels[usable] == number_text(values[usable])
  usable <- usable[order(!written_alike)]
  c(usable, 0L)[match(x, values[usable], nomatch = length(usable) + 1L)]
}

level_numbers <- function(levels) {
  suppressWarnings(as.numeric(levels))
}

# Codes of new data for `features`, one vector each. At most one warning says what matched nothing.
encode_frame <- function(data, features, arg = "tdata") {
  names <- vapply(features, \(feature) feature$name, "")
  columns <- lapply(find_columns(data, names, arg), \(position) data[[position]])
  columns <- Map(as_new_column, columns, features)
  codes <- Map(encode_column, columns, features)
  warn_unmatched(unlist(Map(describe_unmatched, columns, codes, features)))
  codes
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
  if (atomic && is.object(x) && !is.factor(x) && !inherits(x, "AsIs")) {
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
  if (has_other_type(x, feature$levels)) {
    kind <- if (is.logical(x)) "logical values" else "numbers"
    return(sprintf("%s (%s, but its levels are text)", quote_names(feature$name), kind))
  }
  sprintf("%s (%s)", quote_names(feature$name), quote_values(unmatched))
}

unmatched_values <- function(x, codes) {
  missed <- codes == 0L
  if (!any(missed, na.rm = TRUE)) {
    return(NULL)
  }
  values <- as.character(unique(x[which(missed)]))
  values[!is.na(values)]
}

has_other_type <- function(x, levels) {
  if (is.logical(x)) {
    return(!any(c("FALSE", "TRUE") %in% levels))
  }
  is.numeric(x) && all(is.na(level_numbers(levels)))
}

warn_unmatched <- function(phrases) {
  if (length(phrases) == 0L) {
    return(invisible())
  }
  message <- "Values not seen in training obey no item of their column: %s."
  warn_sbrl("column", sprintf(message, paste(phrases, collapse = "; ")))
}

# Encoding: a column, of training or of new data, becomes codes of its feature's levels or intervals.

# A column as the engine reads it, in place: its `values`, and what they mean. Values are factor numbers with a `table`
# of the codes of 0, 1, ...; or numbers with `cuts`, or with `levels` and the `table` of their codes. Codes are 1 and so
# on for levels or intervals, 0 for a missing value, -1 for what is no level. A million rows must cost next to nothing.
read_column <- function(x, feature) {
  if (is_number_feature(feature)) {
    return(list(values = number_values(x, feature$unit), cuts = feature$cuts))
  }
  if (is.factor(x)) {
    return(list(values = x, table = c(-1L, level_codes(levels(x), feature$levels))))
  }
  if (is.logical(x)) {
    return(list(values = as.integer(x), table = match(c("FALSE", "TRUE"), feature$levels, nomatch = -1L)))
  }
  numbers <- number_levels(feature$levels)
  list(values = x, levels = numbers$values, table = numbers$codes)
}

is_number_feature <- function(feature) {
  feature$type != "categorical" && feature$type != "ordered"
}

are_numbers <- function(features) {
  !vapply(features, `[[`, "", "type") %in% c("categorical", "ordered")
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

level_numbers <- function(levels) {
  suppressWarnings(as.numeric(levels))
}

# Text as a factor with its levels as they come. R keeps each text once, so telling them apart takes no comparing.
as_text_factor <- function(x, name) {
  found <- call_native(native_text_codes(x))
  texts <- check_text(x[found$first], name)
  levels <- unique(texts)
  codes <- found$codes
  if (length(levels) < length(texts)) {
    # one text in two encodings
    codes <- match(texts, levels)[codes]
  }
  structure(codes, levels = levels, class = c("sbrl_levels", "factor"))
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

# How many rows are unknown and missing, and how many have each code.
count_codes <- function(column, feature) {
  n <- if (is_number_feature(feature)) length(feature$cuts) + 1L else length(feature$levels)
  call_native(native_count_codes(column, n))
}

# New data for `features`, as the engine reads it. At most one warning says what matched nothing.
read_new <- function(columns, features) {
  read <- Map(read_new_column, columns, features)
  warn_new(
    unlist(lapply(read, \(column) column$unmatched)),
    unlist(lapply(read, \(column) column$converted))
  )
  unname(lapply(read, \(column) column$column))
}

read_new_column <- function(x, feature) {
  allow_interrupt(bare_length(x))
  x <- as_new_column(x, feature)
  if (is_number_feature(feature)) {
    return(read_new_number(x, feature))
  }
  column <- read_column(x, feature)
  list(column = column, unmatched = describe_unmatched(x, column, feature))
}

read_new_number <- function(x, feature) {
  if (is.factor(x)) {
    column <- list(values = x, table = c(-1L, number_codes(levels(x), feature)))
    return(list(column = column, unmatched = describe_unmatched(x, column, feature)))
  }
  read <- read_numbers(x, feature)
  list(
    column = list(values = read$values, cuts = feature$cuts),
    converted = if (!is.null(read$note)) sprintf("%s (%s)", quote_names(feature$name), read$note)
  )
}

find_columns <- function(data, names, arg) {
  given <- readable_names(data)
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
  check_whole_class(x, feature$name, codes = TRUE)
  atomic <- is.atomic(x) && is.null(dim(x)) && !is.null(x)
  known <- is.factor(x) || inherits(x, "AsIs") || is_integer64(x)
  known <- known || (number_kind(x) != "" && is_number_feature(feature))
  if (atomic && is.object(x) && !known) {
    x <- as_text(x, feature$name)
  }
  as_plain_column(x, feature$name)
}

# A class of the user's may have a method that fails.
as_text <- function(x, name) {
  text <- tryCatch(as.character(x), error = \(e) NULL)
  if (!is.character(text) || length(text) != length(x)) {
    message <- "Column %s has class %s, which cannot be read as text."
    abort_sbrl("column", sprintf(message, quote_names(name), quote_values(class(x)[1L])))
  }
  text
}

# One phrase for a column some of whose values match no level, or nothing.
describe_unmatched <- function(x, column, feature) {
  unmatched <- unmatched_values(x, column, feature)
  if (length(unmatched) == 0L) {
    return(NULL)
  }
  if (!is_number_feature(feature) && has_other_type(x, feature$levels)) {
    kind <- if (is.logical(x)) "logical values" else "numbers"
    return(sprintf("%s (%s, but its levels are text)", quote_names(feature$name), kind))
  }
  sprintf("%s (%s)", quote_names(feature$name), quote_values(unmatched))
}

# In the order of their first rows. Whether there are any is asked first, because looking for them takes time.
unmatched_values <- function(x, column, feature) {
  all_known <- is.null(column$levels) && !any(column$table[-1L] < 0L)
  if ((is.factor(x) && all_known) || count_codes(column, feature)[1L] == 0) {
    return(NULL)
  }
  distinct <- unique(x[!is.na(x)])
  if (is.null(column$levels)) {
    return(as.character(distinct[column$table[as.integer(distinct) + 1L] %in% -1L]))
  }
  as.character(distinct[!distinct %in% column$levels])
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

# Columns that come in pieces, such as the chunks of a source: all pieces are of one kind, whatever class each has.

# `read()` gives the values of a piece such that they can be compared with those of other pieces: of dates, times and
# spans of time the numbers, in the zone and unit of the first piece that has a value. `restore()` makes such values a
# column again.
column_pieces <- function(name, kind = "column") {
  feature <- NULL
  others <- NULL
  list(
    read = function(x) {
      x <- check_column(x, name, codes = TRUE, kind = kind)
      plain <- as_plain_column(x, name)
      if (is.character(x)) {
        # each text as it is: as_plain_column() has seen that it is valid
        x <- enc2utf8(as.vector(unclass(x)))
      } else {
        x <- plain
      }
      if (all_missing(x)) {
        return(if (is.factor(x)) x else rep(NA, length(x)))
      }
      if (is.object(x) && number_type(x) != "") {
        feature <<- if (is.null(feature)) number_feature(x, name) else feature
        check_one_kind(c(others, value_words(number_feature(x))), feature, name)
        return(column_values(feature, x))
      }
      others <<- unique(c(others, plain_words(x)))
      check_one_kind(others, feature, name)
      x
    },
    restore = \(values) if (is.null(feature)) values else as_times(feature, values)
  )
}

plain_words <- function(x) {
  if (is.numeric(x)) "numbers" else if (is.logical(x)) "logical values" else "text"
}

# Numbers and text, or logical values, can be read as one column. Dates, times and spans of time go with nothing else.
check_one_kind <- function(words, feature, name) {
  words <- unique(c(if (!is.null(feature)) value_words(feature), words))
  if (!is.null(feature) && length(words) > 1L) {
    message <- "Column %s must have values of one kind in all chunks, not %s in one and %s in another."
    abort_sbrl("column", sprintf(message, quote_names(name), words[1L], words[2L]))
  }
}

# A growing set of distinct values: `add()` gives the number of each value, `values()` all of them.
distinct_values <- function(name, kind = "column") {
  pieces <- column_pieces(name, kind)
  known <- NULL
  levels <- NULL
  class <- NULL
  list(
    add = function(x) {
      x <- pieces$read(x)
      if (is.factor(x)) {
        class <<- if (is.null(class)) oldClass(x) else intersect(class, oldClass(x))
        levels <<- merge_levels(levels, levels(x), is.ordered(x), name)
        x <- as.character(x)
      }
      x <- comparable(x, known)
      new <- unique(x)
      known <<- comparable(known, x)
      known <<- c(known, new[!new %in% known])
      match(x, known)
    },
    n = \() length(known),
    values = function() {
      if (is.null(levels)) {
        return(pieces$restore(known))
      }
      all <- merge_levels(levels, unique(c(levels, known[!is.na(known)])), "ordered" %in% class, name)
      structure(match(known, all), levels = all, class = class)
    }
  )
}

# Numbers as text where the other values are text: as the package writes them, not with 1e+05 for 100000.
comparable <- function(x, others) {
  if (!is.character(others) || is.character(x) || is.null(x)) {
    return(x)
  }
  text <- if (is.numeric(x)) number_text(x) else as.character(x)
  replace(text, is.na(x), NA)
}

# The levels of a factor in all chunks. Only one order of ordered ones makes sense.
merge_levels <- function(levels, more, is_ordered, name) {
  if (is_ordered && !is.null(levels) && !identical(levels, more)) {
    message <- "The levels of the ordered factor %s must be the same in all chunks."
    abort_sbrl("column", sprintf(message, quote_names(name)))
  }
  unique(c(levels, more))
}

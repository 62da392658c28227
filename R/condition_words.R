# Conditions in words, `28 <= age < 36`: made from codes, never from names of items.

# For text of any kind; for pages that can show every character.
ascii_signs <- c(at_most = "<=", at_least = ">=")
typeset_signs <- c(at_most = "\u2264", at_least = "\u2265")

# One condition per item of a table.
describe_items <- function(items, features, signs = ascii_signs) {
  one <- function(feature, codes) describe_item(features[[feature]], codes, signs)
  as.character(unlist(Map(one, items$feature, item_codes(items))))
}

describe_item <- function(feature, codes, signs = ascii_signs) {
  name <- feature$shown %||% shown_text(feature$name)
  if (identical(codes, 0L)) {
    paste(name, "is missing")
  } else if (has_all_codes(feature, codes)) {
    paste(name, "is not missing")
  } else {
    describe_codes(feature, name, codes, signs)
  }
}

# Codes that are not all there are; of numbers and ordered levels they follow one another.
describe_codes <- function(feature, name, codes, signs) UseMethod("describe_codes")

#' @export
describe_codes.sbrl_feature_number <- function(feature, name, codes, signs) {
  cuts <- cut_text(feature)
  from <- codes[1L] - 1L
  to <- codes[length(codes)]
  words <- if (from == 0L) {
    c(name, "<", cuts[to])
  } else if (to > length(cuts)) {
    c(name, signs[["at_least"]], cuts[from])
  } else {
    c(cuts[from], signs[["at_most"]], name, "<", cuts[to])
  }
  paste0(paste(words, collapse = " "), unit_text(feature))
}

#' @export
describe_codes.sbrl_feature_categorical <- function(feature, name, codes, signs) {
  if (length(codes) > 1L) {
    return(describe_set(feature, name, codes))
  }
  paste(name, "=", level_text(feature, codes))
}

#' @export
describe_codes.sbrl_feature_ordered <- function(feature, name, codes, signs) { # nolint: object_name_linter. A method.
  levels <- level_text(feature, codes)
  n <- length(codes)
  if (n > 1L && codes[1L] > 1L && codes[n] < length(feature$levels)) {
    return(paste(levels[1L], signs[["at_most"]], name, signs[["at_most"]], levels[n]))
  }
  sign <- if (n == 1L) "=" else if (codes[1L] == 1L) signs[["at_most"]] else signs[["at_least"]]
  paste(name, sign, levels[if (codes[1L] == 1L) n else 1L])
}

# Whole numbers are described by values they can have, as `visits >= 1` for a cut at 0.5. Names of items keep the cut.
#' @export
describe_codes.sbrl_feature_integer <- function(feature, name, codes, signs) { # nolint: object_name_linter. A method.
  bounds <- item_bounds(list(feature = feature, codes = codes))
  first <- if (!is.null(bounds$from)) ceiling(bounds$from)
  last <- if (!is.null(bounds$to)) ceiling(bounds$to) - 1
  if (is.null(first)) {
    return(paste(name, "<", number_text(last + 1)))
  }
  if (is.null(last)) {
    return(paste(name, signs[["at_least"]], number_text(first)))
  }
  if (first > last || is.infinite(first)) {
    # no whole number is there: a cut of the user's own
    return(NextMethod())
  }
  if (first == last) {
    return(paste(name, "=", number_text(first)))
  }
  end <- if (isTRUE(feature$ends_with_cut)) c("<", number_text(last + 1)) else c(signs[["at_most"]], number_text(last))
  paste(c(number_text(first), signs[["at_most"]], name, end), collapse = " ")
}

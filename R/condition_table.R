# The item table of a model: one row per item, with its feature, its codes and its name. How the codes are stored is
# known here and in model_portable.R; everything else asks for codes. They are a range from `lo` to `hi`; if some item
# has codes with a gap, there is a column `codes` with all codes of such items, and nothing for the others.

# `feature`: a number per item; `codes`: an integer vector per item, increasing.
new_item_table <- function(feature, codes, name) {
  lo <- vapply(codes, \(x) x[1L], 1L, USE.NAMES = FALSE)
  hi <- vapply(codes, \(x) x[length(x)], 1L, USE.NAMES = FALSE)
  table <- list(feature = feature, lo = lo, hi = hi, name = name)
  has_gap <- hi - lo >= lengths(codes)
  if (any(has_gap)) {
    codes[!has_gap] <- list(integer())
    table$codes <- unname(codes)
  }
  as_frame(table, length(lo))
}

# The tables of one feature each as a table of all of them; or those of several features, which are numbered alike.
bind_items <- function(tables, feature = rep.int(seq_along(tables), vapply(tables, nrow, 1L))) {
  codes <- unlist(lapply(tables, item_codes), recursive = FALSE)
  name <- c(character(), unlist(lapply(tables, `[[`, "name"), use.names = FALSE))
  new_item_table(feature, codes, name)
}

# The items `chosen`, without names, of features that may be numbered anew: what the engine matches rows with.
pick_items <- function(items, chosen, feature = items$feature[chosen]) {
  picked <- list(feature = feature, lo = items$lo[chosen], hi = items$hi[chosen])
  picked$codes <- items$codes[chosen]
  picked
}

# For each group of the items `chosen`, all of one feature: the codes that all of them match. Groups are 1, 2, ...
# An item with a gap has a group of its own.
shared_codes <- function(items, chosen, group) {
  of_group <- \(x, get) unname(vapply(split(x[chosen], group), get, 1L))
  first <- chosen[!duplicated(group)]
  shared <- list(feature = items$feature[first], lo = of_group(items$lo, max), hi = of_group(items$hi, min))
  shared$codes <- items$codes[first]
  shared
}

# The codes of each item.
item_codes <- function(items) {
  codes <- .mapply(seq.int, unname(items[c("lo", "hi")]), NULL)
  sets <- which_sets(items)
  codes[sets] <- items$codes[sets]
  codes
}

# The items whose codes have a gap.
which_sets <- function(items) {
  if (is.null(items$codes)) integer() else which(lengths(items$codes) > 0L)
}

# Whether each item matches its code; `code` has one for all items or one per item.
has_code <- function(items, code) {
  matches <- items$lo <= code & code <= items$hi
  sets <- intersect(which_sets(items), which(matches))
  matches[sets] <- as.logical(Map(`%in%`, rep_len(code, length(matches))[sets], items$codes[sets]))
  matches
}

# Whether no value matches both of the items `one` and `other`, element by element.
are_exclusive <- function(items, one, other) {
  is_apart <- items$lo[one] > items$hi[other] | items$lo[other] > items$hi[one]
  if (!is.null(items$codes)) {
    codes <- item_codes(items)
    is_apart[] <- lengths(Map(intersect, codes[one], codes[other])) == 0L
  }
  items$feature[one] == items$feature[other] & is_apart
}

# Text that two items share if they have the same feature and the same codes.
item_keys <- function(items) {
  keys <- paste(items$feature, items$lo, items$hi)
  sets <- which_sets(items)
  keys[sets] <- paste(keys[sets], vapply(items$codes[sets], paste, "", collapse = " "))
  keys
}

# The order by feature, then by codes, a missing value last.
code_order <- function(items) {
  sets <- character(length(items$lo))
  with_gap <- which_sets(items)
  sets[with_gap] <- vapply(items$codes[with_gap], \(codes) paste(sprintf("%07d", codes), collapse = " "), "")
  order(items$feature, items$lo == 0L, items$lo, items$hi, sets, method = "radix")
}

is_item_table <- function(x) {
  columns <- c("feature", "lo", "hi", "name")
  is_table <- typeof(x) == "list" && identical(attr(x, "class"), "data.frame")
  if (is_table && identical(attr(x, "names"), c(columns, "codes"))) {
    sets <- .subset2(x, "codes")
    is_sets <- is_plain(sets, "list") && all(vapply(sets, is_plain, NA, "integer"))
    others <- as_frame(unclass(x)[columns], .row_names_info(x, 2L))
    return(is_sets && length(sets) == length(.subset2(x, "name")) && is_item_table(others))
  }
  is_frame(x, columns) && is.integer(x$feature) && is.integer(x$lo) && is.integer(x$hi) && is.character(x$name)
}

# Conditions that fits did not make before `conditions = "rich"`: sets, levels between two others, "is not missing". A
# number has always had any interval, in merged lists.
is_rich_item <- function(items, features) {
  last <- vapply(features, n_codes, 1L)[items$feature]
  is_whole <- items$lo == 1L & items$hi == last & last > 1L
  is_inner <- items$lo < items$hi & !xor(items$lo == 1L, items$hi == last)
  may_span <- vapply(features, has_ranges, NA)[items$feature]
  has_levels <- !are_numbers(features)[items$feature]
  is_whole | (has_levels & (is_inner | (items$lo < items$hi & !may_span)))
}

# Are the codes of items next to each other, so that they can be a range?
has_ranges <- function(feature) UseMethod("has_ranges")

#' @export
has_ranges.sbrl_feature <- function(feature) {
  TRUE
}

#' @export
has_ranges.sbrl_feature_categorical <- function(feature) {
  FALSE
}

#' @export
has_ranges.sbrl_feature_ordered <- function(feature) {
  TRUE
}

# How many words it takes to say each item: an interval between two cut points has two bounds, a set its levels.
item_words <- function(items, features) {
  n_cuts <- vapply(features, \(feature) length(feature$cuts), 1L)[items$feature]
  words <- 1L + as.integer(n_cuts > 0L & items$lo > 1L & items$hi <= n_cuts)
  sets <- which_sets(items)
  words[sets] <- lengths(items$codes[sets])
  words
}

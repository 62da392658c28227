# The item table of a model: one row per item, with its feature, its codes and its name. How the codes are stored, as a
# range from `lo` to `hi`, is known here and in model_portable.R; everything else asks for codes.

# `feature`: a number per item; `codes`: an integer vector per item, neighbours in increasing order.
new_item_table <- function(feature, codes, name) {
  lo <- vapply(codes, \(x) x[1L], 1L, USE.NAMES = FALSE)
  hi <- vapply(codes, \(x) x[length(x)], 1L, USE.NAMES = FALSE)
  as_frame(list(feature = feature, lo = lo, hi = hi, name = name), length(lo))
}

# The tables of one feature each as a table of all of them.
bind_items <- function(tables) {
  columns <- Map(\(name, empty) c(empty, unlist(lapply(tables, `[[`, name), use.names = FALSE)),
                 c("lo", "hi", "name"), list(integer(), integer(), character()))
  n <- vapply(tables, nrow, 1L)
  as_frame(c(list(feature = rep.int(seq_along(tables), n)), columns), sum(n))
}

# The items `chosen`, without names, of features that may be numbered anew: what the engine matches rows with.
pick_items <- function(items, chosen, feature = items$feature[chosen]) {
  list(feature = feature, lo = items$lo[chosen], hi = items$hi[chosen])
}

# For each group of the items `chosen`, all of one feature: the codes that all of them match. Groups are 1, 2, ...
shared_codes <- function(items, chosen, group) {
  of_group <- \(x, get) unname(vapply(split(x[chosen], group), get, 1L))
  first <- chosen[!duplicated(group)]
  list(feature = items$feature[first], lo = of_group(items$lo, max), hi = of_group(items$hi, min))
}

# The codes of each item.
item_codes <- function(items) {
  .mapply(seq.int, unname(items[c("lo", "hi")]), NULL)
}

# Whether each item matches its code; `code` has one for all items or one per item.
has_code <- function(items, code) {
  items$lo <= code & code <= items$hi
}

# Whether no value matches both of the items `one` and `other`, element by element.
are_exclusive <- function(items, one, other) {
  items$feature[one] == items$feature[other] & (items$lo[one] > items$hi[other] | items$lo[other] > items$hi[one])
}

# Text that two items share if they have the same feature and the same codes.
item_keys <- function(items) {
  paste(items$feature, items$lo, items$hi)
}

# The order by feature, then by codes, a missing value last.
code_order <- function(items) {
  order(items$feature, items$lo == 0L, items$lo, items$hi)
}

is_item_table <- function(x) {
  is_frame(x, c("feature", "lo", "hi", "name")) && is.integer(x$feature) && is.integer(x$lo) && is.integer(x$hi) &&
    is.character(x$name)
}

# Ranges of codes: of levels as items_of() makes them, of numbers any between two cut points, as merged lists have them.
# The name of an item of levels lists them.
are_items <- function(items, features) {
  if (!are_texts(items$name) || anyNA(items$lo) || anyNA(items$hi)) {
    return(FALSE)
  }
  last <- vapply(features, n_codes, 1L)[items$feature]
  lo <- items$lo
  hi <- items$hi
  is_missing <- lo == 0L & hi == 0L
  is_half <- xor(lo == 1L, hi == last)
  may_span <- vapply(features, has_ranges, NA)[items$feature]
  is_whole <- lo == 1L & hi == last
  is_span <- lo < hi & may_span & (is_half | (are_numbers(features)[items$feature] & !is_whole))
  is_range <- lo >= 1L & hi <= last & (lo == hi | is_span)
  begins <- paste0(feature_names(features), "=")[items$feature]
  all(is_missing | is_range) && all(startsWith(items$name, begins)) && are_level_names(items, features, begins)
}

are_level_names <- function(items, features, begins) {
  levels <- lapply(features, `[[`, "levels")
  first <- (cumsum(lengths(levels)) - lengths(levels))[items$feature]
  checked <- which(!are_numbers(features)[items$feature] & items$lo > 0L)
  lo <- items$lo[checked]
  hi <- items$hi[checked]
  is_most <- lo < hi & lo == 1L
  sign <- c("", ">=", "<=")[1L + (lo < hi) + is_most]
  text <- unlist(levels, use.names = FALSE)[first[checked] + ifelse(is_most, hi, lo)]
  all(items$name[checked] == paste0(begins[checked], sign, text))
}

# May an item take in several codes?
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

# How many words it takes to say each item: an interval between two cut points has two bounds.
item_words <- function(items, features) {
  n_cuts <- vapply(features, \(feature) length(feature$cuts), 1L)[items$feature]
  1L + as.integer(n_cuts > 0L & items$lo > 1L & items$hi <= n_cuts)
}

# Are the items of a model sound: are their codes those of their features, and do their names say so?

# Codes of features: of ordered levels and of numbers ranges, of other levels any. The name of an item of levels lists
# them.
are_items <- function(items, features) {
  if (!are_texts(items$name) || anyNA(items$lo) || anyNA(items$hi)) {
    return(FALSE)
  }
  last <- vapply(features, n_codes, 1L)[items$feature]
  is_missing <- items$lo == 0L & items$hi == 0L
  is_range <- items$lo >= 1L & items$lo <= items$hi & items$hi <= last
  begins <- paste0(feature_names(features), "=")[items$feature]
  all(is_missing | is_range) && are_sets(items, features) && all(startsWith(items$name, begins)) &&
    are_level_names(items, features, begins)
}

# Only levels without an order have sets with a gap.
are_sets <- function(items, features) {
  sets <- which_sets(items)
  has_sets <- !vapply(features, has_ranges, NA)[items$feature[sets]]
  is_set <- function(codes, lo, hi) {
    !anyNA(codes) && !is.unsorted(codes, strictly = TRUE) && codes[1L] == lo && codes[length(codes)] == hi &&
      hi - lo >= length(codes)
  }
  all(has_sets) && all(as.logical(Map(is_set, items$codes[sets], items$lo[sets], items$hi[sets])))
}

are_level_names <- function(items, features, begins) {
  levels <- lapply(features, `[[`, "levels")
  first <- (cumsum(lengths(levels)) - lengths(levels))[items$feature]
  is_rich <- is_rich_item(items, features)
  checked <- which(!are_numbers(features)[items$feature] & items$lo > 0L & !is_rich)
  lo <- items$lo[checked]
  hi <- items$hi[checked]
  is_most <- lo < hi & lo == 1L
  sign <- c("", ">=", "<=")[1L + (lo < hi) + is_most]
  text <- unlist(levels, use.names = FALSE)[first[checked] + ifelse(is_most, hi, lo)]
  others <- which(is_rich)
  codes <- item_codes(lapply(items, `[`, others))
  rich <- as.character(Map(\(feature, codes) item_name(feature, item_text(feature, codes)),
                           features[items$feature[others]], codes))
  all(items$name[checked] == paste0(begins[checked], sign, text)) && all(items$name[others] == rich)
}

# Items: the yes/no conditions a blueprint gives, and the candidates written with them.

# An item is a range lo..hi of its feature's codes. Code 0 is a missing value, an item where training rows have it.
items_of <- function(features, has_missing, has_own_cuts) {
  each <- seq_along(features)
  tables <- lapply(each, \(j) items_of_feature(features[[j]], has_missing[j], has_own_cuts[j]))
  column <- function(name, empty) {
    c(empty, unlist(lapply(tables, `[[`, name), use.names = FALSE))
  }
  lo <- column("lo", integer())
  feature <- rep.int(each, lengths(lapply(tables, `[[`, "lo")))
  names <- feature_names(features)
  as_frame(list(
    feature = feature,
    lo = lo,
    hi = column("hi", integer()),
    name = enc2utf8(paste0(names[feature], "=", column("text", character()), recycle0 = TRUE))
  ), length(lo))
}

items_of_feature <- function(feature, has_missing, has_own_cuts) {
  ranges <- feature_ranges(feature, has_own_cuts)
  if (!has_missing) {
    return(ranges)
  }
  list(lo = c(ranges$lo, 0L), hi = c(ranges$hi, 0L), text = c(ranges$text, missing_item_text(feature)))
}

# A level may have this name; R distinguishes a missing value from it in the same way.
missing_item_text <- function(feature) {
  if ("NA" %in% feature$levels) "<NA>" else "NA"
}

# The text of one range, which need not be among those that a fit makes.
range_text <- function(feature, lo, hi, own = FALSE) UseMethod("range_text")

#' @export
range_text.sbrl_feature_number <- function(feature, lo, hi, own = FALSE) {
  text <- cut_text(feature, own)
  words <- if (lo == 1L) {
    paste0("<", text[hi])
  } else if (hi > length(text)) {
    paste0(">=", text[lo - 1L])
  } else {
    paste0("[", text[lo - 1L], ",", text[hi], ")")
  }
  paste0(words, unit_text(feature))
}

#' @export
range_text.sbrl_feature_categorical <- function(feature, lo, hi, own = FALSE) {
  sign <- if (lo == hi) "" else if (lo == 1L) "<=" else ">="
  paste0(sign, feature$levels[if (lo == 1L) hi else lo])
}

# The ranges that are items, and the text of each: one method for each way to combine codes.
feature_ranges <- function(feature, own = FALSE) UseMethod("feature_ranges")

#' @export
feature_ranges.sbrl_feature_categorical <- function(feature, own = FALSE) {
  levels <- feature$levels
  list(lo = seq_along(levels), hi = seq_along(levels), text = levels)
}

# Levels first, then what is at most, then what is at least a level; the ends would repeat a level or hold for all.
#' @export
feature_ranges.sbrl_feature_ordered <- function(feature, own = FALSE) {
  levels <- feature$levels
  n <- length(levels)
  inner <- seq_len(n)[-c(1L, n)]
  list(
    lo = c(seq_len(n), rep(1L, length(inner)), inner),
    hi = c(seq_len(n), inner, rep(n, length(inner))),
    text = c(levels, paste0("<=", levels[inner], recycle0 = TRUE), paste0(">=", levels[inner], recycle0 = TRUE))
  )
}

# What is below each cut, what lies between neighbours, what is not below each cut.
#' @export
feature_ranges.sbrl_feature_number <- function(feature, own = FALSE) {
  text <- cut_text(feature, own)
  unit <- unit_text(feature)
  n <- length(text)
  inner <- seq_len(n)[-1L]
  list(
    lo = c(rep(1L, n), inner, seq_len(n) + 1L),
    hi = c(seq_len(n), inner, rep(n + 1L, n)),
    text = paste0(c(
      paste0("<", text),
      paste0("[", text[inner - 1L], ",", text[inner], ")", recycle0 = TRUE),
      paste0(">=", text)
    ), unit)
  )
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

# Items in the order of 1.4's `featurenames`: by bytes, whatever the locale.
item_order <- function(items) {
  order(items$name, method = "radix")
}

# 1.4's matrix, one row per item and one column per candidate. It looks and works like any other matrix, but its cells
# are made when something first reads them all: see src/item_matrix.c.
item_matrix <- function(items, pool, order = item_order(items)) {
  place <- integer(length(order))
  place[order] <- seq_along(order)
  rows <- place[pool$items]
  .External(external_item_matrix, rows, cumsum(pool$lengths), nrow(items))
}

# The candidates' names, such as `{a=u,b=p}`, made when something first reads one: see src/rule_names.c.
rule_names <- function(items, pool) {
  .External(external_rule_names, pool$items, pool$lengths, items$name)
}

# Items: the yes/no conditions a blueprint gives, and the candidates written with them.

# An item is a set of codes of one feature. Code 0 is a missing value, an item where training rows have it. `rich` has
# for each feature what find_level_groups() found, or is NULL for plain conditions.
items_of <- function(features, has_missing, has_own_cuts, rich = NULL) {
  parts <- lapply(seq_along(features), function(j) {
    items_of_feature(features[[j]], has_missing[j], has_own_cuts[j], rich[[j]])
  })
  codes <- lapply(parts, `[[`, "codes")
  new_item_table(
    rep.int(seq_along(parts), lengths(codes)), unlist(codes, recursive = FALSE),
    c(character(), unlist(lapply(parts, `[[`, "name"), use.names = FALSE))
  )
}

# The codes of each item, and its name.
items_of_feature <- function(feature, has_missing, has_own_cuts, rich = NULL) {
  ranges <- feature_ranges(feature, has_own_cuts)
  more <- if (!is.null(rich)) rich_codes(feature, rich)
  text <- c(ranges$text, if (has_missing) missing_item_text(feature))
  text <- c(text, vapply(more, \(codes) item_text(feature, codes, has_own_cuts), ""))
  list(codes = c(ranges$codes, if (has_missing) list(0L), more), name = item_name(feature, text))
}

item_name <- function(feature, text) {
  enc2utf8(paste0(feature$name, "=", text, recycle0 = TRUE))
}

# The text of one item, which need not be among those that a fit makes.
item_text <- function(feature, codes, own = FALSE) {
  if (identical(codes, 0L)) {
    missing_item_text(feature)
  } else if (has_all_codes(feature, codes)) {
    paste0("!", missing_item_text(feature))
  } else {
    range_text(feature, codes, own)
  }
}

# A level may have this name; R distinguishes a missing value from it in the same way.
missing_item_text <- function(feature) {
  if ("NA" %in% feature$levels) "<NA>" else "NA"
}

# The text of codes that are not all there are; of numbers and ordered levels they follow one another.
range_text <- function(feature, codes, own = FALSE) UseMethod("range_text")

#' @export
range_text.sbrl_feature_number <- function(feature, codes, own = FALSE) {
  text <- cut_text(feature, own)
  from <- codes[1L] - 1L
  to <- codes[length(codes)]
  words <- if (from == 0L) {
    paste0("<", text[to])
  } else if (to > length(text)) {
    paste0(">=", text[from])
  } else {
    paste0("[", text[from], ",", text[to], ")")
  }
  paste0(words, unit_text(feature))
}

#' @export
range_text.sbrl_feature_categorical <- function(feature, codes, own = FALSE) {
  if (length(codes) == 1L) feature$levels[codes] else set_text(feature$levels[codes])
}

#' @export
range_text.sbrl_feature_ordered <- function(feature, codes, own = FALSE) {
  n <- length(codes)
  if (n > 1L && codes[1L] > 1L && codes[n] < length(feature$levels)) {
    return(span_text(feature$levels[codes[c(1L, n)]]))
  }
  sign <- if (n == 1L) "" else if (codes[1L] == 1L) "<=" else ">="
  paste0(sign, feature$levels[if (codes[1L] == 1L) codes[n] else codes[1L]])
}

# The codes of each item but that of missing values, and its text: one method for each way to combine codes.
feature_ranges <- function(feature, own = FALSE) UseMethod("feature_ranges")

#' @export
feature_ranges.sbrl_feature_categorical <- function(feature, own = FALSE) {
  list(codes = as.list(seq_along(feature$levels)), text = feature$levels)
}

# Levels first, then what is at most, then what is at least a level; the ends would repeat a level or hold for all.
#' @export
feature_ranges.sbrl_feature_ordered <- function(feature, own = FALSE) {
  levels <- feature$levels
  n <- length(levels)
  inner <- seq_len(n)[-c(1L, n)]
  list(
    codes = c(as.list(seq_len(n)), lapply(inner, seq_len), lapply(inner, `:`, n)),
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
    codes = c(lapply(seq_len(n), seq_len), as.list(inner), lapply(seq_len(n) + 1L, `:`, n + 1L)),
    text = paste0(c(
      paste0("<", text),
      paste0("[", text[inner - 1L], ",", text[inner], ")", recycle0 = TRUE),
      paste0(">=", text)
    ), unit)
  )
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

is_missing_item <- function(item) {
  identical(item$codes, 0L)
}

# "is not missing": all codes there are. Where there is one, this is the level itself.
is_present_item <- function(item) {
  has_all_codes(item$feature, item$codes)
}

has_all_codes <- function(feature, codes) {
  length(codes) > 1L && length(codes) == n_codes(feature)
}

item_levels <- function(item) {
  item$feature$levels[item$codes]
}

# The cuts that bound an item of a number: at least `from`, less than `to`; NULL where there is no bound.
item_bounds <- function(item) {
  cuts <- item$feature$cuts
  first <- item$codes[1L]
  last <- item$codes[length(item$codes)]
  list(from = if (first > 1L) cuts[first - 1L], to = if (last <= length(cuts)) cuts[last])
}

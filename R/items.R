# Items: the yes/no conditions a blueprint gives, and the candidates written with them.

# An item is a range lo..hi of its feature's codes; for a level both ends are that level.
items_of <- function(features) {
  n_levels <- vapply(features, \(feature) length(feature$levels), 1L)
  code <- sequence(n_levels)
  name <- lapply(features, \(feature) paste0(feature$name, "=", feature$levels))
  list2DF(list(
    feature = rep(seq_along(features), n_levels),
    lo = code,
    hi = code,
    name = enc2utf8(as.character(unlist(name)))
  ))
}

# Items in the order of 1.4's `featurenames`: by bytes, whatever the locale.
item_order <- function(items) {
  order(items$name, method = "radix")
}

# 1.4's matrix, one row per item and one column per candidate, is kept up to this many cells (160 MB).
max_matrix_cells <- 2e7

item_matrix <- function(items, pool) {
  n_candidates <- length(pool$lengths)
  if (as.double(nrow(items)) * n_candidates > max_matrix_cells) {
    return(NULL)
  }
  cells <- matrix(0, nrow(items), n_candidates)
  row <- match(pool$items, item_order(items))
  cells[cbind(row, rep(seq_len(n_candidates), pool$lengths))] <- 1
  cells
}

# What it takes to apply the candidates `rules` (indices into the pool): their features and items, numbered anew.
applied_rules <- function(model, rules) {
  lengths <- model$pool$lengths[rules]
  first <- cumsum(model$pool$lengths)[rules] - lengths + 1L
  flat <- model$pool$items[sequence(lengths, from = first)]
  kept <- sort(unique(flat))
  items <- model$items[kept, ]
  used <- sort(unique(items$feature))
  list(
    features = model$features[used],
    items = list(feature = match(items$feature, used), lo = items$lo, hi = items$hi),
    rule_items = match(flat, kept),
    rule_lengths = lengths
  )
}

n_by_length <- function(pool) {
  tabulate(pool$lengths)
}

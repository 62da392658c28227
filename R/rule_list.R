# The rules of a list taken apart: which feature, which of its codes.

# What belongs to the items of all rules, one after the other, as one element per rule.
split_by_rule <- function(compact, x) {
  rule <- factor(rep(seq_along(compact$rule_lengths), compact$rule_lengths), seq_along(compact$rule_lengths))
  unname(split(x, rule))
}

# Candidate indices of the rules in order, the default rule left out.
list_rules <- function(model) {
  model$rs$V1[-nrow(model$rs)]
}

# What it takes to apply the candidates `rules` (indices into the pool): their features and items, numbered anew.
compact_rules <- function(model, rules) {
  rules <- as.integer(rules)
  lengths <- model$pool$lengths[rules]
  flat <- model$pool$items[sequence(lengths, from = pool_places(model$pool$lengths, rules) + 1)]
  kept <- sort(unique(flat))
  feature <- model$items$feature[kept]
  used <- sort(unique(feature))
  list(
    features = readable_features(model, used),
    items = pick_items(model$items, kept, match(feature, used)),
    has_missing = were_missing(model, used),
    rule_items = match(flat, kept),
    rule_lengths = lengths
  )
}

# The same as people read it: with a formula, several conditions on one number are one interval.
readable_rules <- function(model, rules) {
  compact <- compact_rules(model, rules)
  if (is.null(model$terms)) compact else join_intervals(compact)
}

join_intervals <- function(compact) {
  rule <- rep(seq_along(compact$rule_lengths), compact$rule_lengths)
  items <- compact$items
  feature <- items$feature[compact$rule_items]
  may_join <- are_numbers(compact$features)[feature] & !has_code(items, 0L)[compact$rule_items]
  group <- paste(rule, ifelse(may_join, feature, -seq_along(feature)))
  first <- !duplicated(group)
  if (all(first)) {
    return(compact)
  }
  joined <- shared_codes(items, compact$rule_items, match(group, group[first]))
  keys <- item_keys(joined)
  compact$items <- pick_items(joined, which(!duplicated(keys)))
  compact$rule_items <- match(keys, unique(keys))
  compact$rule_lengths <- tabulate(rule[first], length(compact$rule_lengths))
  compact
}

# The same for all candidates, with the features and items that no candidate uses.
whole_pool <- function(model) {
  used <- seq_along(model$features)
  list(
    features = readable_features(model, used), items = as.list(model$items), has_missing = were_missing(model, used),
    rule_items = model$pool$items, rule_lengths = model$pool$lengths
  )
}

# 1 for features that were missing in training rows.
were_missing <- function(model, used) {
  as.integer(used %in% model$items$feature[has_code(model$items, 0L)])
}

# The features `used`, each with whether empty text is missing.
readable_features <- function(model, used) {
  features <- class_features(model$features[used])
  if (!takes_empty_as_missing(model)) {
    return(features)
  }
  lapply(features, function(feature) {
    feature$empty_as_missing <- TRUE
    feature
  })
}

takes_empty_as_missing <- function(model) {
  model$settings$empty_as_missing == 1
}

# How many items the pool holds before those of each of the candidates `rules`: see src/item_matrix.c.
pool_places <- function(lengths, rules) {
  .External(external_pool_places, lengths, rules)
}

# The rows of `mat_feature_rule` that the candidates `rules` have, one behind the other, and how many each has.
candidate_rows <- function(cells, rules) {
  .External(external_candidate_rows, cells, rules)
}

n_by_length <- function(pool) {
  tabulate(pool$lengths)
}

# The names of the rules. Somebody may have written better ones, but none may say that a rule is another one.
rule_texts <- function(model) {
  if (!has_right_names(model)) {
    abort_sbrl("model", "The model is not valid: `rulenames` must name the items of the rules.")
  }
  model$rulenames[list_rules(model)]
}

# What the default rule, which has no conditions, is called next to them.
default_rule_text <- "(default rule)"

has_right_names <- function(model) {
  rules <- list_rules(model)
  names <- model$rulenames[rules]
  if (!are_texts(names)) {
    return(FALSE)
  }
  items <- strsplit(gsub("^[{]|[}]$", "", names), ",", fixed = TRUE)
  held <- lapply(rules, \(rule) model$featurenames[model$mat_feature_rule[, rule] == 1])
  is_right <- \(named, held) setequal(named, held) || !all(named %in% model$featurenames)
  all(unlist(Map(is_right, items, held)))
}

# The columns that the rules use.
used_columns <- function(model) {
  feature_names(compact_rules(model, list_rules(model))$features)
}

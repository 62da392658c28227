# The rules of a list taken apart: which feature, which of its codes. Every export in another language starts here.

# One element per rule, the default rule left out; each is a list of items: feature, lo, hi (see items_of()).
list_items <- function(model) {
  applied <- applied_rules(model, list_rules(model))
  items <- Map(
    \(feature, lo, hi) list(feature = applied$features[[feature]], lo = lo, hi = hi),
    applied$items$feature, applied$items$lo, applied$items$hi
  )
  ends <- cumsum(applied$rule_lengths)
  Map(\(n, end) items[applied$rule_items[seq_len(n) + end - n]], applied$rule_lengths, ends)
}

# The features that the rules use, each once.
list_features <- function(model) {
  applied_rules(model, list_rules(model))$features
}

is_missing_item <- function(item) {
  item$lo == 0L
}

item_levels <- function(item) {
  item$feature$levels[item$lo:item$hi]
}

# The cuts that bound an item of a number: at least `from`, less than `to`; NULL where there is no bound.
item_bounds <- function(item) {
  cuts <- item$feature$cuts
  list(
    from = if (item$lo > 1L) cuts[item$lo - 1L],
    to = if (item$hi <= length(cuts)) cuts[item$hi]
  )
}

# The expression of a formula behind a feature, NULL for a plain column.
feature_expression <- function(feature, terms) {
  if (is.null(terms)) {
    return(NULL)
  }
  variable <- variables_of(terms)[[match(feature$name, variable_names(terms))]]
  if (is.call(variable)) variable
}

# Words for a person: `age < 40`, `colour = red`.
item_text <- function(item) {
  feature <- item$feature
  name <- visible_text(feature$name)
  if (is_missing_item(item)) {
    return(paste(name, "is missing"))
  }
  if (!is_number_feature(feature)) {
    return(level_text(item, name))
  }
  text <- cut_text(feature)
  unit <- unit_text(feature)
  from <- if (item$lo > 1L) text[item$lo - 1L]
  to <- if (item$hi <= length(text)) text[item$hi]
  if (is.null(from)) {
    return(paste0(name, " < ", to, unit))
  }
  if (is.null(to)) paste0(name, " \u2265 ", from, unit) else paste0(from, " \u2264 ", name, " < ", to, unit)
}

level_text <- function(item, name) {
  levels <- visible_level(item$feature$levels)
  if (item$lo == item$hi) {
    return(paste(name, "=", levels[item$lo]))
  }
  if (item$lo == 1L) paste(name, "\u2264", levels[item$hi]) else paste(name, "\u2265", levels[item$lo])
}

antecedent_text <- function(items) {
  paste(vapply(items, item_text, ""), collapse = " and ")
}

# Candidate indices of the rules in order, the default rule left out.
list_rules <- function(model) {
  model$rs$V1[-nrow(model$rs)]
}

# What it takes to apply the candidates `rules` (indices into the pool): their features and items, numbered anew.
applied_rules <- function(model, rules) {
  rules <- as.integer(rules)
  lengths <- model$pool$lengths[rules]
  flat <- model$pool$items[sequence(lengths, from = pool_places(model$pool$lengths, rules) + 1)]
  kept <- sort(unique(flat))
  feature <- model$items$feature[kept]
  used <- sort(unique(feature))
  list(
    features = model$features[used],
    items = list(feature = match(feature, used), lo = model$items$lo[kept], hi = model$items$hi[kept]),
    rule_items = match(flat, kept),
    rule_lengths = lengths
  )
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

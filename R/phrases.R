# Phrases: items and antecedents as a person writes them, `28 <= age < 36 and sex = Male`; made from structure, never
# from names.

# One phrase per row of an item table (see items_of()).
item_phrases <- function(items, features) {
  phrase <- function(feature, lo, hi) item_phrase(features[[feature]], lo, hi)
  as.character(unlist(Map(phrase, items$feature, items$lo, items$hi)))
}

item_phrase <- function(feature, lo, hi) {
  name <- shown_text(feature$name)
  if (lo == 0L) {
    return(paste(name, "is missing"))
  }
  if (is_number_feature(feature)) number_phrase(feature, name, lo, hi) else level_phrase(feature, name, lo, hi)
}

number_phrase <- function(feature, name, lo, hi) {
  cuts <- paste0(cut_text(feature), unit_text(feature))
  if (lo == 1L) {
    return(sprintf("%s < %s", name, cuts[hi]))
  }
  if (hi > length(cuts)) {
    return(sprintf("%s >= %s", name, cuts[lo - 1L]))
  }
  sprintf("%s <= %s < %s", cuts[lo - 1L], name, cuts[hi])
}

level_phrase <- function(feature, name, lo, hi) {
  levels <- shown_text(feature$levels)
  sign <- if (lo == hi) "=" else if (lo == 1L) "<=" else ">="
  paste(name, sign, levels[if (sign == "<=") hi else lo])
}

# The phrases of each rule of the list in order, the default rule left out: a list of character vectors.
rule_phrases <- function(model) {
  applied <- applied_rules(model, list_rules(model))
  phrases <- item_phrases(applied$items, applied$features)
  position <- factor(rep(seq_along(applied$rule_lengths), applied$rule_lengths), seq_along(applied$rule_lengths))
  unname(split(phrases[applied$rule_items], position))
}

join_phrases <- function(phrases) {
  vapply(phrases, paste, "", collapse = " and ")
}

# Conditions and antecedents in words, `28 <= age < 36 and sex = Male`: made from structure, never from names. Every
# picture, explanation and export that people read takes its words from here; print() alone shows the names of 1.4.

# For text of any kind; for pages that can show every character.
ascii_signs <- c(at_most = "<=", at_least = ">=")
typeset_signs <- c(at_most = "\u2264", at_least = "\u2265")

# The conditions of each rule in order, the default rule left out, or of other candidates: a list of character vectors.
rule_conditions <- function(model, signs = ascii_signs, rules = list_rules(model)) {
  compact <- compact_rules(model, rules)
  features <- name_features(compact$features, model)
  split_by_rule(compact, describe_items(compact$items, features, signs)[compact$rule_items])
}

rule_antecedents <- function(model, signs = ascii_signs, rules = list_rules(model)) {
  join_conditions(rule_conditions(model, signs, rules))
}

join_conditions <- function(conditions) {
  vapply(conditions, paste, "", collapse = " and ")
}

# Features with the names that people read.
name_features <- function(features, model) {
  lapply(features, function(feature) {
    feature$shown <- shown_feature(model, feature$name)
    feature
  })
}

# One condition per row of an item table (see items_of()).
describe_items <- function(items, features, signs = ascii_signs) {
  one <- function(feature, lo, hi) describe_item(features[[feature]], lo, hi, signs)
  as.character(unlist(Map(one, items$feature, items$lo, items$hi)))
}

describe_item <- function(feature, lo, hi, signs = ascii_signs) {
  name <- feature$shown %||% shown_text(feature$name)
  if (lo == 0L) paste(name, "is missing") else describe_range(feature, name, lo, hi, signs)
}

# The codes `lo` to `hi`, which are not all codes there are.
describe_range <- function(feature, name, lo, hi, signs) UseMethod("describe_range")

#' @export
describe_range.sbrl_feature_number <- function(feature, name, lo, hi, signs) {
  cuts <- cut_text(feature)
  words <- if (lo == 1L) {
    c(name, "<", cuts[hi])
  } else if (hi > length(cuts)) {
    c(name, signs[["at_least"]], cuts[lo - 1L])
  } else {
    c(cuts[lo - 1L], signs[["at_most"]], name, "<", cuts[hi])
  }
  paste0(paste(words, collapse = " "), unit_text(feature))
}

#' @export
describe_range.sbrl_feature_categorical <- function(feature, name, lo, hi, signs) {
  sign <- if (lo == hi) "=" else if (lo == 1L) signs[["at_most"]] else signs[["at_least"]]
  paste(name, sign, shown_text(feature$levels[if (lo == 1L) hi else lo]))
}

# The numbers of `n` rules and of the default rule, which has none.
rule_number_text <- function(n) {
  c(sprintf("%d", seq_len(n)), "")
}

# The words before each of `n` rules; what comes before the default rule is up to the page.
rule_keywords <- function(n) {
  rep_len(c("if", rep("else if", n)), n)
}

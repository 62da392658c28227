# Conditions and antecedents in words, `28 <= age < 36 and sex = Male`: made from structure, never from names. Every
# picture, explanation and export that people read takes its words from here; print() alone shows the names of 1.4.

# For text of any kind; for pages that can show every character.
ascii_signs <- c(at_most = "<=", at_least = ">=")
typeset_signs <- c(at_most = "\u2264", at_least = "\u2265")

# The conditions of each rule in order, the default rule left out, or of other candidates: a list of character vectors.
rule_conditions <- function(model, signs = ascii_signs, rules = list_rules(model)) {
  compact <- readable_rules(model, rules)
  features <- name_features(compact$features, model)
  split_by_rule(compact, describe_items(compact$items, features, signs)[compact$rule_items])
}

rule_antecedents <- function(model, signs = ascii_signs, rules = list_rules(model)) {
  join_conditions(rule_conditions(model, signs, rules))
}

join_conditions <- function(conditions) {
  vapply(conditions, paste, "", collapse = " and ")
}

# Features with the names that people read. Of models fitted with a formula, intervals of whole numbers end with the
# cut point, as all others do, since it is round: `36 <= age < 55`, not `36 <= age <= 54`.
name_features <- function(features, model) {
  lapply(features, function(feature) {
    feature$shown <- shown_feature(model, feature$name)
    feature$ends_with_cut <- !is.null(model$terms)
    feature
  })
}

# One condition per item of a table.
describe_items <- function(items, features, signs = ascii_signs) {
  one <- function(feature, codes) describe_item(features[[feature]], codes, signs)
  as.character(unlist(Map(one, items$feature, item_codes(items))))
}

describe_item <- function(feature, codes, signs = ascii_signs) {
  name <- feature$shown %||% shown_text(feature$name)
  if (identical(codes, 0L)) paste(name, "is missing") else describe_codes(feature, name, codes, signs)
}

# Codes that follow one another, and are not all codes there are.
describe_codes <- function(feature, name, codes, signs) UseMethod("describe_codes")

#' @export
describe_codes.sbrl_feature_number <- function(feature, name, codes, signs) {
  cuts <- cut_text(feature)
  from <- codes[1L] - 1L
  to <- codes[length(codes)]
  words <- if (from == 0L) {
    c(name, "<", cuts[to])
  } else if (to > length(cuts)) {
    c(name, signs[["at_least"]], cuts[from])
  } else {
    c(cuts[from], signs[["at_most"]], name, "<", cuts[to])
  }
  paste0(paste(words, collapse = " "), unit_text(feature))
}

#' @export
describe_codes.sbrl_feature_categorical <- function(feature, name, codes, signs) {
  n <- length(codes)
  sign <- if (n == 1L) "=" else if (codes[1L] == 1L) signs[["at_most"]] else signs[["at_least"]]
  paste(name, sign, shown_text(feature$levels[if (codes[1L] == 1L) codes[n] else codes[1L]]))
}

# The numbers of `n` rules and of the default rule, which has none.
rule_number_text <- function(n) {
  c(sprintf("%d", seq_len(n)), "")
}

# The words before each of `n` rules; what comes before the default rule is up to the page.
rule_keywords <- function(n) {
  rep_len(c("if", rep("else if", n)), n)
}

# Antecedents in words, `28 <= age < 36 and sex = Male`: made from structure, never from names. Every
# picture, explanation and export that people read takes its words from here; print() alone shows the names of 1.4.

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

# Features and levels with the names that people read. Of models fitted with a formula, intervals of whole numbers end
# with the cut point, as all others do, since it is round: `36 <= age < 55`, not `36 <= age <= 54`.
name_features <- function(features, model) {
  lapply(features, function(feature) {
    feature$shown <- shown_feature(model, feature$name)
    feature$shown_levels <- shown_levels(model, feature)
    feature$ends_with_cut <- !is.null(model$terms)
    feature
  })
}

# The numbers of `n` rules and of the default rule, which has none.
rule_number_text <- function(n) {
  c(sprintf("%d", seq_len(n)), "")
}

# The words before each of `n` rules; what comes before the default rule is up to the page.
rule_keywords <- function(n) {
  rep_len(c("if", rep("else if", n)), n)
}

# The rule list as a program, in plain data: all exports, explain() and the tables for readers print from it. A format
# decides how a condition and an answer are written, and nothing else.

# `features`: those that the rules use, each once.
# `conditions`, each once: its feature, its codes (see items_of()), its words, and `may_be_open`: a missing value leaves
# open whether the condition holds, because no training row was without the value.
# `rules`: the numbers of the conditions of each rule; `words`: each rule in words; `note`: what there is to say about
# the default rule. What a row gets if a rule is open is up to `missing`, see model_missing.R.
rule_program <- function(model, missing = "fallthrough", signs = ascii_signs) {
  compact <- readable_rules(model, list_rules(model))
  features <- compact$features
  words <- describe_items(compact$items, name_features(features, model), signs)
  condition <- function(feature, codes, words) {
    may_be_open <- compact$has_missing[feature] == 0L
    list(feature = features[[feature]], codes = codes, words = words, may_be_open = may_be_open)
  }
  rules <- split_by_rule(compact, compact$rule_items)
  list(
    features = features,
    conditions = Map(condition, compact$items$feature, item_codes(compact$items), words, USE.NAMES = FALSE),
    rules = rules, words = join_conditions(lapply(rules, \(rule) words[rule])), answers = rule_answers(model),
    missing = missing, note = if (gives_base_rate(model)) base_rate_note else default_note(model)
  )
}

# What the rules, the default rule and the base rate answer, in this order: the position of the rule, the likeliest of
# the `classes`, the probabilities of all of them, those that are reported on their own, as exports name them, and the
# training rows behind them.
rule_answers <- function(model) {
  probs <- prediction_table(model)
  reported <- probs[, reported_classes(model), drop = FALSE]
  colnames(reported) <- probability_names(model)
  list(
    classes = model$classes, rule = c(seq_len(nrow(probs) - 2L), 0L, NA),
    class = model$classes[likeliest_class(probs)], probs = probs, reported = reported,
    counts = rbind(model$counts, model$settings$class_counts)
  )
}

may_be_open <- function(program) {
  vapply(program$conditions, \(condition) condition$may_be_open, NA)
}

# Which rules need a second test: does a missing value leave this rule open? It does if the row would match were each
# missing value the right one; rows that match are taken by then.
has_open_test <- function(program) {
  open <- may_be_open(program)
  program$missing != "fallthrough" & vapply(program$rules, \(rule) any(open[rule]), NA)
}

# One text per rule from one per condition.
join_rules <- function(program, texts, by) {
  vapply(program$rules, \(rule) paste(texts[rule], collapse = by), "")
}

# The tests of a number, in all languages that write them alike; `write` writes a cut point.
bound_tests <- function(item, name, write) {
  bounds <- item_bounds(item)
  c(
    if (!is.null(bounds$from)) sprintf("%s >= %s", name, write(bounds$from)),
    if (!is.null(bounds$to)) sprintf("%s < %s", name, write(bounds$to))
  )
}

# A number as Java and JavaScript read it.
java_number <- function(x) {
  sub("Inf", "Infinity", number_text(x), fixed = TRUE)
}

# Rules that people name or write, as candidates of a model, or as candidates of their own next to them.

# The rules in order: the `index` of each in the pool, NA for one that the pool does not have, and the `conditions` of
# the latter. Rules are names or numbers of candidates, rules in words, formulas, or a list of these.
resolve_list <- function(rules, model) {
  if (is_written(rules)) rules <- list(rules)
  if (is.character(rules) && all(is_valid_text(rules))) {
    rules <- as.vector(unclass(rules))
    if (!all(enc2utf8(rules) %in% model$rulenames)) rules <- as.list(rules)
  }
  if (typeof(rules) != "list" || is.object(rules)) {
    return(list(index = resolve_rules(rules, model), conditions = rep(list(NULL), bare_length(rules))))
  }
  each <- lapply(rules, resolve_rule, model = model)
  index <- vapply(each, \(rule) if (is.list(rule)) NA_integer_ else rule, 1L)
  conditions <- lapply(each, \(rule) if (is.list(rule)) rule)
  check_different(index, conditions, model)
  list(index = index, conditions = conditions)
}

resolve_rule <- function(rule, model) {
  if (is_written(rule)) {
    return(in_pool(read_written(rule, model), model))
  }
  is_one <- is.atomic(rule) && length(rule) == 1L
  check_that(is_one, rule, "rules", paste(
    "names of candidates, their indices, rules in words, or formulas such as `~ age >= 65`"
  ))
  if (is.character(rule)) rule_by_text(as.vector(unclass(rule)), model) else rules_by_index(rule, model$rulenames)
}

check_different <- function(index, conditions, model) {
  known <- index[!is.na(index)]
  keys <- vapply(conditions[is.na(index)], condition_key, "")
  if (anyDuplicated(known) > 0L || anyDuplicated(keys) > 0L) {
    twice <- model$rulenames[known[duplicated(known)]]
    what <- if (length(twice) > 0L) quote_values(twice) else "a rule that is written"
    abort_sbrl("argument", sprintf("`rules` must differ; %s occurs more than once.", what))
  }
}

condition_key <- function(conditions) {
  paste(vapply(conditions, \(x) paste(x$feature, paste(sprintf("%a", c(x$codes, x$from, x$to)), collapse = " ")), ""),
        collapse = ", ")
}

# A candidate by its name, or by the words that are printed: its index, or the conditions of one that is not mined.
rule_by_text <- function(text, model) {
  check_that(is_valid_text(text), text, "rules", "text in a valid encoding")
  text <- enc2utf8(text)
  index <- if (text %in% model$rulenames) rules_by_name(text, model) else find_reordered(text, model)
  if (!is.na(index)) {
    return(index)
  }
  conditions <- read_words(text, model)
  if (is.null(conditions)) {
    message <- paste(
      "`rules` must be elements of `model$rulenames`, rules in words, or formulas such as `~ age >= 65`, not %s."
    )
    abort_sbrl("argument", sprintf(message, quote_values(text)))
  }
  in_pool(conditions, model)
}

# The candidate with the same codes, the shortest one if there are several; otherwise the conditions, each with the cut
# points of its feature, or with its own.
in_pool <- function(conditions, model) {
  features <- class_features(model$features)
  conditions <- lapply(conditions, with_codes, features = features)
  has_own <- vapply(conditions, \(condition) !is.null(condition$cuts), NA)
  index <- if (!any(has_own)) find_by_codes(conditions, model)
  if (length(index) > 0L) index[which.min(model$pool$lengths[index])] else conditions
}

# Turns bounds into codes. If a bound is not a cut point of the feature, the condition gets cut points of its own.
with_codes <- function(condition, features) {
  if (!is.null(condition$codes)) {
    return(condition)
  }
  feature <- features[[condition$feature]]
  bounds <- c(condition$from, condition$to)
  value <- if (are_whole_values(feature)) ceiling else identity
  at <- match(value(bounds), value(feature$cuts))
  at[bounds == -Inf] <- 0L
  at[bounds == Inf] <- length(feature$cuts) + 1L
  # a cut at infinity
  is_cut <- is.infinite(bounds) & bounds %in% feature$cuts & sign(bounds) == c(1, -1)
  at[is_cut] <- match(bounds[is_cut], feature$cuts)
  if (!anyNA(at)) {
    condition$codes <- seq.int(at[1L] + 1L, length.out = max(0L, at[2L] - at[1L]))
    return(condition)
  }
  condition$cuts <- as.double(bounds[is.finite(bounds)])
  condition$codes <- if (condition$from > -Inf) 2L else 1L
  condition
}

# The candidates whose conditions match the same codes.
find_by_codes <- function(conditions, model) {
  wanted <- vapply(conditions, `[[`, 1L, "feature")
  pool <- model$pool
  if (length(pool$lengths) == 0L) {
    return(integer())
  }
  rule <- rep.int(seq_along(pool$lengths), pool$lengths)
  feature <- model$items$feature[pool$items]
  n_right <- tabulate(rule[feature %in% wanted], length(pool$lengths))
  may_be <- which(n_right == pool$lengths & pool$lengths >= length(wanted))
  codes <- item_codes(model$items)
  is_same <- function(candidate) {
    items <- pool$items[sequence(pool$lengths[candidate], from = pool_places(pool$lengths, candidate) + 1)]
    of_feature <- lapply(conditions, \(x) Reduce(intersect, codes[items[model$items$feature[items] == x$feature]]))
    all(lengths(of_feature) > 0L) && all(unlist(Map(\(x, own) setequal(x$codes, own), conditions, of_feature)))
  }
  may_be[vapply(may_be, is_same, NA)]
}

# Scoring ----

# What it takes to apply the rules of a list, see compact_rules(); conditions that are not mined have features of their
# own. For the prior, such a rule is as long as the candidates whose length is nearest.
compact_list <- function(model, listed) {
  own <- which(is.na(listed$index))
  compact <- compact_rules(model, listed$index[!is.na(listed$index)])
  compact$prior_lengths <- compact$rule_lengths
  if (length(own) == 0L) {
    return(compact)
  }
  conditions <- unlist(listed$conditions[own], recursive = FALSE)
  used <- vapply(conditions, `[[`, 1L, "feature")
  added <- Map(\(feature, condition) {
    if (!is.null(condition$cuts)) feature$cuts <- condition$cuts
    feature
  }, readable_features(model, used), conditions)
  n <- c(length(compact$features), length(compact$items$lo))
  codes <- c(item_codes(compact$items), lapply(conditions, `[[`, "codes"))
  n_items <- length(codes)
  lengths <- integer(length(listed$index))
  lengths[-own] <- compact$rule_lengths
  lengths[own] <- lengths(listed$conditions[own])
  rule_items <- integer(sum(lengths))
  is_own <- rep.int(seq_along(lengths) %in% own, lengths)
  rule_items[!is_own] <- compact$rule_items
  rule_items[is_own] <- n[2L] + seq_along(conditions)
  mined <- sort(unique(model$pool$lengths))
  prior_lengths <- lengths
  if (length(mined) > 0L) {
    prior_lengths[own] <- vapply(lengths[own], \(length) mined[which.min(abs(mined - length))], 1L)
  }
  list(
    features = c(compact$features, unname(added)),
    items = as.list(new_item_table(c(compact$items$feature, n[1L] + seq_along(conditions)), codes, character(n_items))),
    has_missing = c(compact$has_missing, were_missing_each(model, used)),
    rule_items = rule_items, rule_lengths = lengths, prior_lengths = prior_lengths, own = own
  )
}

were_missing_each <- function(model, used) {
  each <- unique(used)
  were_missing(model, each)[match(used, each)]
}

# The numbers of candidates by length, with the rules that are none.
n_by_length_with <- function(pool, lengths) {
  n <- max(pool$lengths, lengths, 0L)
  tabulate(pool$lengths, n) + tabulate(lengths, n)
}

# A condition that all rows meet, or none, shows nothing.
warn_useless <- function(compact, rows) {
  if (length(compact$own) == 0L) {
    return(invisible())
  }
  codes <- lapply(rows$training$columns, codes_of)
  matches <- item_codes(compact$items)
  items <- split_by_rule(compact, compact$rule_items)
  for (rule in compact$own) {
    covered <- Reduce(`&`, lapply(items[[rule]], \(item) codes[[compact$items$feature[item]]] %in% matches[[item]]))
    if (all(covered) || !any(covered)) {
      message <- "Rule %d of `rules` matches %s of the rows."
      warn_sbrl("rule", sprintf(message, rule, if (any(covered)) "all" else "none"))
    }
  }
}

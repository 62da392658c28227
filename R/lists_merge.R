# Lists that were fitted to different samples become lists over one set of features, items and candidates: the cut points
# of a number are the union of those of all fits, and an item is the same range of values as before.

# The part of a model that is merged.
trim_model <- function(model) {
  rules <- list_rules(model)
  lengths <- model$pool$lengths[rules]
  flat <- model$pool$items[sequence(lengths, from = pool_places(model$pool$lengths, rules) + 1)]
  used <- sort(unique(c(flat, which(model$items$lo == 0L))))
  list(
    features = model$features, items = take_rows(model$items, used), rule_items = match(flat, used),
    rule_lengths = lengths, counts = flat_by_row(model$counts), dropped = model$dropped, labels = model$labels,
    settings = model$settings, score = model$score, n_candidates = length(model$rulenames)
  )
}

# `levels` has those of each column of the training data in their order, named by column; columns with cut points of the
# user's are `own`.
merge_fits <- function(fits, levels, own = character()) {
  features <- merge_features(fits, levels)
  tables <- lapply(fits, common_items, features = features)
  all <- unique(do.call(rbind, tables))
  all <- all[order(all$feature, all$lo == 0L, all$lo, all$hi), ]
  each <- Map(\(fit, table) match_items(table, all)[fit$rule_items], fits, tables)
  antecedents <- merge_antecedents(each, lapply(fits, `[[`, "rule_lengths"))
  has_own_cuts <- feature_names(features) %in% own
  name <- unlist(Map(
    \(feature, lo, hi) item_name(features[[feature]], lo, hi, has_own_cuts[feature]), all$feature, all$lo, all$hi
  ))
  list(
    features = features,
    items = as_frame(list(feature = all$feature, lo = all$lo, hi = all$hi, name = as.character(name)), nrow(all)),
    pool = antecedents$pool,
    lists = list(
      lengths = lengths(lapply(fits, `[[`, "rule_lengths")), rules = antecedents$rules,
      counts = unlist(lapply(fits, `[[`, "counts"))
    ),
    dropped = setdiff(unique(unlist(lapply(fits, `[[`, "dropped"))), feature_names(features))
  )
}

merge_features <- function(fits, levels) {
  all <- unlist(lapply(fits, `[[`, "features"), recursive = FALSE)
  names <- feature_names(all)
  lapply(intersect(names(levels), names), function(name) {
    same <- all[names == name]
    types <- unique(vapply(same, `[[`, "", "type"))
    feature <- same[[1L]]
    # a number is whole if it is in all samples
    type <- if (length(types) > 1L) "number" else types
    cuts <- sort(unique(unlist(lapply(same, `[[`, "cuts"))))
    new_feature(name, type, feature$unit, if (length(cuts) == 0L) levels[[name]] else character(), as.double(cuts))
  })
}

# The items of a fit as ranges of the common codes, one row each.
common_items <- function(fit, features) {
  place <- match(feature_names(fit$features), feature_names(features))
  one <- function(feature, lo, hi) common_range(features[[place[feature]]], fit$features[[feature]], lo, hi)
  ranges <- Map(one, fit$items$feature, fit$items$lo, fit$items$hi)
  data.frame(
    feature = place[fit$items$feature], lo = vapply(ranges, `[`, 1L, 1L), hi = vapply(ranges, `[`, 1L, 2L)
  )
}

# A half-line stays one, also where the common feature has more levels or cut points beyond those of the fit.
common_range <- function(feature, own, lo, hi) {
  if (lo == 0L) {
    return(c(0L, 0L))
  }
  if (is_number_feature(feature)) {
    from <- if (lo == 1L) 1L else match(own$cuts[lo - 1L], feature$cuts) + 1L
    to <- if (hi > length(own$cuts)) length(feature$cuts) + 1L else match(own$cuts[hi], feature$cuts)
    return(c(from, to))
  }
  codes <- match(own$levels[c(lo, hi)], feature$levels)
  if (lo < hi && lo == 1L) codes[1L] <- 1L
  if (lo < hi && lo > 1L) codes[2L] <- length(feature$levels)
  codes
}

match_items <- function(table, all) {
  key <- function(x) paste(x$feature, x$lo, x$hi)
  match(key(table), key(all))
}

# Each distinct antecedent once, shorter ones first: the pool, and the lists as indices into it.
merge_antecedents <- function(items, lengths) {
  sizes <- unlist(lengths)
  rule <- rep(seq_along(sizes), sizes)
  flat <- unlist(items)
  flat <- flat[order(rule, flat)]
  rules <- split(flat, factor(rule, seq_along(sizes)))
  key <- vapply(rules, paste, "", collapse = " ")
  first <- which(!duplicated(key))
  padded <- vapply(rules[first], \(items) paste(formatC(items, width = 9L, flag = "0"), collapse = " "), "")
  first <- first[order(sizes[first], padded, method = "radix")]
  list(
    pool = new_pool(unlist(rules[first]), sizes[first], length(first)), rules = match(key, key[first])
  )
}

# As items_of() names it.
item_name <- function(feature, lo, hi, own = FALSE) {
  text <- if (lo == 0L) missing_item_text(feature) else range_text(feature, lo, hi, own)
  enc2utf8(paste0(feature$name, "=", text))
}

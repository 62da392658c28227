# Lists that were fitted to different samples become lists over one set of features, items and candidates: the cut
# points of a number are the union of those of all fits, and an item is the same range of values as before.

# The part of a model that is merged.
trim_model <- function(model) {
  rules <- list_rules(model)
  lengths <- model$pool$lengths[rules]
  flat <- model$pool$items[sequence(lengths, from = pool_places(model$pool$lengths, rules) + 1)]
  used <- sort(unique(c(flat, which(has_code(model$items, 0L)))))
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
  all <- bind_items(tables, unlist(lapply(tables, `[[`, "feature")))
  all <- take_rows(all, which(!duplicated(item_keys(all))))
  all <- take_rows(all, code_order(all))
  each <- Map(\(fit, table) match(item_keys(table), item_keys(all))[fit$rule_items], fits, tables)
  antecedents <- merge_antecedents(each, lapply(fits, `[[`, "rule_lengths"))
  list(
    features = features,
    items = name_items(all, features, feature_names(features) %in% own),
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

# The items of a fit as items of the common features, without names.
common_items <- function(fit, features) {
  place <- match(feature_names(fit$features), feature_names(features))
  own <- class_features(fit$features)
  one <- function(feature, codes) common_codes(features[[place[feature]]], own[[feature]], codes)
  codes <- Map(one, fit$items$feature, item_codes(fit$items))
  new_item_table(place[fit$items$feature], codes, character(length(codes)))
}

# A half-line stays one, also where the common feature has more levels or cut points beyond those of the fit.
common_codes <- function(feature, own, codes) {
  if (identical(codes, 0L)) {
    return(codes)
  }
  if (has_all_codes(own, codes)) {
    return(seq_len(n_codes(feature)))
  }
  first <- codes[1L]
  last <- codes[length(codes)]
  if (is_number_feature(feature)) {
    from <- if (first == 1L) 1L else match(own$cuts[first - 1L], feature$cuts) + 1L
    to <- if (last > length(own$cuts)) length(feature$cuts) + 1L else match(own$cuts[last], feature$cuts)
    return(from:to)
  }
  if (!has_ranges(feature)) {
    # a level that the fit did not see was in none of its sets
    return(sort(match(own$levels[codes], feature$levels)))
  }
  ends <- match(own$levels[c(first, last)], feature$levels)
  if (first < last && first == 1L) ends[1L] <- 1L
  if (first < last && first > 1L) ends[2L] <- length(feature$levels)
  ends[1L]:ends[2L]
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

# As items_of() names them.
name_items <- function(items, features, has_own_cuts) {
  one <- function(j, codes) item_name(features[[j]], item_text(features[[j]], codes, has_own_cuts[j]))
  items$name <- as.character(unlist(Map(one, items$feature, item_codes(items))))
  items
}

# The one check of a model that comes in. A model is plain R data that anybody can edit, and a file may be damaged, so
# every function that takes a model calls this first. What the rule list uses is looked at always, in time that does not
# grow with the pool; all candidates (`pool`) and the account of the search (`report`) only where they are used. Returns
# the model in today's format, see model_upgrade.R.
check_model <- function(x, arg = "object", pool = FALSE, report = FALSE, legacy = FALSE) {
  # Read once: a garbage collection may make R forget it at any moment.
  last <- last_checked$entry
  if (was_checked(last, x, pool, report, legacy)) {
    return(invisible(last$model))
  }
  refuse_lists(x, arg)
  check_that(typeof(x) == "list" && inherits(x, "sbrl"), x, arg, "a model made by sbrl()")
  model <- without_other_classes(upgrade_model(x, sprintf("`%s`", arg)), "sbrl")
  if (is_legacy(model) && !legacy) {
    message <- "`%s` was fitted by sbrl 1.4, which kept no counts or score. Fit it again to use this function."
    abort_sbrl("model", sprintf(message, arg))
  }
  problem <- model_problem(model, pool, report)
  if (!is.null(problem)) {
    abort_sbrl("model", sprintf("`%s` is not a valid model: %s.", arg, problem))
  }
  note_checked(x, model, pool, report)
  invisible(model)
}

# The same of a model or of many lists.
check_predictor <- function(x, arg) UseMethod("check_predictor")

#' @export
check_predictor.default <- function(x, arg) {
  check_model(x, arg)
}

# What can be done with one list only, cannot be done with the average of many.
refuse_lists <- function(x, arg) {
  if (inherits(x, "sbrl_lists")) {
    message <- "`%s` must be one rule list, but this is the average of many: use medoid(), which returns one of them."
    abort_sbrl(c("lists", "argument"), sprintf(message, arg))
  }
}

# The model that was checked last, as it was given and in today's format, and how thoroughly, so that predictions of
# single rows in a loop check it once. R copies what two places hold before it changes one of them: as long as the model
# is kept here, the same object means the same contents.
last_checked <- new.env(parent = emptyenv())

was_checked <- function(last, x, pool, report, legacy) {
  is_same_object(last$given, x) && typeof(x) == "list" && inherits(x, "sbrl") &&
    last$pool >= pool && last$report >= report && (legacy || !is_legacy(x))
}

# Memory that the user gave up must not stay in use, so the next garbage collection, which takes the environment made
# here, forgets the model.
note_checked <- function(given, model, pool, report) {
  last_checked$entry <- list(given = given, model = model, pool = pool, report = report)
  reg.finalizer(new.env(parent = emptyenv()), forget_checked)
}

forget_checked <- function(unused) {
  last_checked$entry <- NULL
}

is_same_object <- function(x, y) {
  .External(external_same_object, x, y)
}

# What is wrong with a model, in words, or NULL.
model_problem <- function(model, pool = TRUE, report = TRUE) {
  model <- unclass(model)
  problem <- if (is_legacy(model)) legacy_problem(model) else list_problem(model)
  if (is.null(problem) && pool) {
    problem <- pool_problem(model)
  }
  if (is.null(problem) && report) {
    problem <- report_problem(model)
  }
  problem
}

list_problem <- function(model) {
  settings <- model$settings
  sums_problem(model) %||% first_failing(
    "`settings$label` must be one text" = is_text(settings$label),
    "`settings$weighted` must be 0 or 1" = is_number(settings$weighted) && settings$weighted %in% 0:1,
    "`settings$simplify` must be 0 or 1" = is_number(settings$simplify) && settings$simplify %in% 0:1,
    "`settings$shrinkage` must be a number from 0 on" = is_number(settings$shrinkage) && settings$shrinkage >= 0 &&
      is.finite(settings$shrinkage),
    "`settings$missing` must be a way to treat missing values" =
      is_text(settings$missing) && settings$missing %in% missing_policies,
    "`labels` must be texts with different names" = are_labels(model$labels),
    "`approximate` must contain numbers of rows named by features" = are_sample_sizes(model$approximate),
    "`settings$empty_as_missing` must be 0 or 1" =
      is_number(settings$empty_as_missing) && settings$empty_as_missing %in% 0:1,
    "`terms` must be NULL or the terms of a formula" = is.null(model$terms) || is_terms(model$terms),
    "`call` must be NULL or a call" = is.null(model$call) || (is.call(model$call) && !is.object(model$call)),
    "`version` must be one text" = is_text(model$version)
  ) %||% estimates_problem(model) %||% rules_problem(model)
}

# The rules, their candidates, their items and their features must fit together.
rules_problem <- function(model) {
  rules <- list_rules(model)
  pool <- model$pool
  delayedAssign("n_candidates", length(model$rulenames))
  problem <- first_failing(
    "`rulenames` must be text" = is.character(model$rulenames) && !is.object(model$rulenames),
    "`rs$V1` must contain different candidates and end with 0" =
      is.integer(rules) && are_indices(rules, n_candidates) && anyDuplicated(rules) == 0L &&
      model$rs$V1[length(rules) + 1L] == 0,
    "`settings$else_rule` must be a candidate, or 0" = is_whole(replaced_rule(model), 0, n_candidates),
    "`items` must be a table of items" = is_item_table(model$items),
    "`features` must be a list" = is_plain(model$features, "list"),
    "`featurenames` must be text, one per item" = is_plain(model$featurenames, "character", nrow(model$items)),
    "`mat_feature_rule` must be a matrix of items and candidates" =
      is_matrix(model$mat_feature_rule, c(nrow(model$items), n_candidates)),
    "`pool` must contain the items and the lengths of the candidates" = is_plain(pool, "list") &&
      is_plain(pool$items, "integer") && is_plain(pool$lengths, "integer", n_candidates)
  )
  problem %||% slices_problem(model, rules)
}

# `pool` and `mat_feature_rule` must agree on the items of each rule, and these items and their features must be sound.
slices_problem <- function(model, rules) {
  lengths <- model$pool$lengths[rules]
  places <- pool_places(model$pool$lengths, rules)
  known <- candidate_rows(model$mat_feature_rule, rules)
  flat <- NULL
  problem <- first_failing(
    "`pool$lengths` must contain the lengths of the candidates" =
      identical(known$lengths, lengths) && all(lengths > 0L) &&
      all(places >= 0 & places + lengths <= length(model$pool$items)),
    "`pool$items` must contain the numbers of items" = {
      flat <- model$pool$items[sequence(lengths, from = places + 1)]
      are_indices(flat, nrow(model$items))
    },
    "`pool` and `mat_feature_rule` must contain the same candidates" =
      are_same_items(model$items$name[flat], model$featurenames[known$rows], lengths)
  )
  problem %||% items_problem(model, unique(flat))
}

# In the same order as a rule; a matrix that was written to has lost it.
are_same_items <- function(names, known, lengths) {
  if (identical(names, known)) {
    return(TRUE)
  }
  rule <- rep(seq_along(lengths), lengths)
  identical(names[order(rule, names)], known[order(rule, known)])
}

items_problem <- function(model, chosen) {
  items <- lapply(model$items, \(column) column[chosen])
  if (!are_indices(items$feature, length(model$features))) {
    return("`items$feature` must contain the numbers of features")
  }
  used <- unique(items$feature)
  unsound <- used[!vapply(model$features[used], is_feature, NA)]
  if (length(unsound) > 0L) {
    return(sprintf("`features[[%d]]` must have a name, a type, a unit, levels and rising cuts", unsound[1L]))
  }
  items$feature <- match(items$feature, used)
  if (!are_items(items, class_features(model$features[used]))) {
    return("`items` must contain levels or intervals of their features")
  }
  NULL
}

# What is asked of all candidates, items and features.
pool_problem <- function(model) {
  pool <- model$pool
  settings <- model$settings
  n <- length(model$rulenames)
  problem <- first_failing(
    "`settings$lambda` must be a positive number" = is_positive(settings$lambda),
    "`settings$eta` must be a positive number" = is_positive(settings$eta),
    "`pool$lengths` must contain the lengths of the candidates" = n == 0L ||
      (are_indices(pool$lengths, nrow(model$items)) && sum(as.double(pool$lengths)) == length(pool$items)),
    "`pool$items` must contain the numbers of items" = are_indices(pool$items, nrow(model$items)),
    "`pool$n_distinct` must be a number of candidates" = is_whole(pool$n_distinct, min(n, 1), n),
    "`featurenames` must contain the sorted names of `items`" =
      identical(model$featurenames, model$items$name[item_order(model$items)])
  )
  problem %||% items_problem(model, seq_len(nrow(model$items))) %||% names_problem(model)
}

names_problem <- function(model) {
  if (!all(vapply(model$features, is_feature, NA))) {
    return("`features` must each have a name, a type, a unit, levels and rising cuts")
  }
  names <- feature_names(model$features)
  first_failing(
    "`features` must have different names" = anyDuplicated(names) == 0L,
    "`terms` must contain the label and the features" = is.null(model$terms) ||
      all(c(model$settings$label, names) %in% variable_names(model$terms))
  )
}

# The account of the search is only read by people, but it must not be nonsense.
report_problem <- function(model) {
  settings <- model$settings
  first_failing(
    "`score` must contain log_prior, log_likelihood and log_posterior" = is_score(model$score),
    "`found` must contain the rules and the score of the list as it was found" =
      is_found(model$found, list_rules(model), length(model$rulenames)),
    "`settings` must contain the numbers of the fit" =
      all(vapply(setdiff(plain_settings, "else_rule"), \(name) is_setting(settings, name), NA)),
    "`settings$settled` must contain what is known of the list" = is_settled(settings$settled),
    "`settings$method` must be \"mcmc\" or \"map\"" =
      is_text(settings$method) && settings$method %in% c("mcmc", "map"),
    "`settings$minsupport` must contain a share for each class" =
      is_per_class(settings$minsupport, model$classes) && all(settings$minsupport <= 1),
    "`dropped` must be names of columns" = are_texts(model$dropped),
    "`chains` must contain one row per chain" = is_chain_table(model$chains),
    "`trace` must contain the course of the chains" = is_trace_table(model$trace, model$chains),
    "`timing` must contain seconds" = are_named(model$timing, timing_fields) && min(model$timing) >= 0,
    "`stopped_early` must be TRUE or FALSE" = is_flag(model$stopped_early),
    "`seed` must be a whole number" = is_whole(model$seed, 0, 2^53),
    "`approximate` must name features with cut points" = are_cut_features(names(model$approximate), model$features),
    "`teacher` must be what a fit with `teacher` keeps" = is_teacher(model$teacher),
    "`certificate` must be one that sbrl_certify() made for this model" = is_certificate(model$certificate, model)
  )
}

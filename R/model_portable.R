# The portable list: the form in which a model crosses to the engine's JSON writer and comes back.

# What a file can contain has a method of both; `missing` is the policy that it is to have there.
as_portable <- function(model, missing) UseMethod("as_portable")

from_portable <- function(portable) UseMethod("from_portable")

# The file of many lists has them among the tables of its report.
class_portable <- function(portable) {
  if (is.list(portable$report$lists)) structure(portable, class = "sbrl_lists") else portable
}

#' @export
as_portable.default <- function(model, missing) {
  model <- check_model(model, "model", pool = TRUE, report = TRUE)
  missing <- check_missing(missing, model)
  warn_external_names(model$terms)
  settings <- model$settings
  list(
    format = model$format,
    package_version = model$version,
    label = settings$label,
    formula = formula_text(model$terms),
    classes = model$classes,
    features = list(
      name = feature_names(model$features),
      type = vapply(model$features, \(feature) feature$type, ""),
      unit = vapply(model$features, \(feature) feature$unit, ""),
      levels = lapply(model$features, \(feature) feature$levels),
      cuts = lapply(model$features, \(feature) feature$cuts)
    ),
    dropped = model$dropped,
    items = as.list(model$items),
    pool = model$pool[c("items", "lengths")],
    rules = list_rules(model),
    counts = flat_by_row(model$counts),
    probs = flat_by_row(model$probs),
    prior = list(lambda = settings$lambda, eta = settings$eta, alpha = unname(settings$alpha)),
    score = unname(model$score),
    found = list(rules = model$found$rules, score = unname(model$found$score)),
    label_names = as.character(names(model$labels)),
    label_texts = as.character(model$labels),
    shrinkage = settings$shrinkage,
    missing = missing,
    class_counts = unname(settings$class_counts),
    report = portable_report(model)
  )
}

flat_by_row <- function(x) {
  as.vector(t(x))
}

# Tables of numbers. JSON has no infinity: no time limit is a missing one, and so is no limit on the length.
portable_report <- function(model) {
  settings <- model$settings[intersect(plain_settings, names(model$settings))]
  settings <- lapply(settings, \(x) if (is.finite(x)) x else NA_real_)
  c(list(
    chains = as.list(model$chains),
    trace = as.list(model$trace),
    timing = as.list(model$timing),
    settings = settings,
    support = list(minsupport = unname(model$settings$minsupport)),
    search = list(
      seed = model$seed, map = as.double(model$settings$method == "map"),
      stopped_early = as.double(model$stopped_early), n_distinct = as.double(model$pool$n_distinct)
    )
  ), list(approximate = portable_approximate(model))[!is.null(model$approximate)],
  list(settled = as.list(model$settings$settled))[!is.null(model$settings$settled)],
  portable_teacher(model$teacher), portable_certificate(model$certificate))
}

#' @export
from_portable.default <- function(portable) {
  report <- portable$report
  classes <- portable$classes
  model <- new_sbrl(list(
    features = features_from_portable(portable$features),
    items = list2DF(portable$items[intersect(c("feature", "lo", "hi", "name", "codes"), names(portable$items))]),
    pool = new_pool(portable$pool$items, portable$pool$lengths, as_whole(report$search$n_distinct)),
    rules = as_whole(portable$rules),
    counts = count_matrix(portable$counts, classes),
    score = portable$score,
    found = portable$found,
    labels = labels_from_portable(portable),
    settings = settings_from_portable(portable),
    dropped = as.character(portable$dropped),
    chains = list2DF(report$chains[chain_fields]),
    trace = list2DF(report$trace[trace_fields]),
    timing = unlist(report$timing[timing_fields]),
    stopped_early = report$search$stopped_early == 1,
    seed = report$search$seed,
    version = portable$package_version,
    approximate = approximate_from_portable(report$approximate, portable$features),
    teacher = teacher_from_portable(report$teacher),
    certificate = certificate_from_portable(report, settings_from_portable(portable)),
    terms = terms_from_text(portable$formula, portable$label, c(portable$features$name, portable$dropped)),
    format = portable$format
  ))
  model <- upgrade_model(model, "The file", "file")
  problem <- model_problem(model)
  if (!is.null(problem)) {
    abort_sbrl("file", sprintf("%s.", problem))
  }
  model
}

labels_from_portable <- function(portable) {
  if (length(portable$label_names) == 0L) {
    return(character())
  }
  stats::setNames(portable$label_texts, portable$label_names)
}

features_from_portable <- function(features) {
  unknown <- setdiff(features$type, names(feature_classes))
  if (length(unknown) > 0L) {
    abort_sbrl("file", sprintf("a feature has the unknown type %s.", quote_values(unknown)))
  }
  unname(Map(
    \(name, type, unit, levels, cuts) list(name = name, type = type, unit = unit, levels = levels, cuts = cuts),
    features$name, features$type, features$unit, features$levels, features$cuts
  ))
}

# JSON objects have no order, so the columns are picked by name.
settings_from_portable <- function(portable) {
  classes <- portable$classes
  plain <- portable$report$settings
  settings <- list(
    iters = if (is.null(plain$iters)) NULL else as.double(plain$iters),
    rule_minlen = plain$rule_minlen,
    rule_maxlen = plain$rule_maxlen,
    minsupport = stats::setNames(portable$report$support$minsupport, classes),
    lambda = portable$prior$lambda,
    eta = portable$prior$eta,
    alpha = stats::setNames(portable$prior$alpha, classes),
    nchain = plain$nchain,
    method = if (isTRUE(portable$report$search$map == 1)) "map" else "mcmc",
    max_length = if (isTRUE(is.na(plain$max_length))) Inf else plain$max_length,
    threads = plain$threads,
    time_limit = if (isTRUE(is.na(plain$time_limit))) Inf else plain$time_limit,
    target_rules = plain$target_rules,
    max_rules = plain$max_rules,
    bins = plain$bins,
    lambda_first = plain$lambda_first,
    # a file of the first format
    simplify = if (is.null(plain$simplify)) 0 else plain$simplify,
    else_rule = if (is.null(plain$else_rule)) 0 else plain$else_rule,
    shrinkage = portable$shrinkage,
    missing = portable$missing,
    empty_as_missing = if (is.null(plain$empty_as_missing)) 0 else plain$empty_as_missing,
    weighted = plain$weighted,
    label = portable$label,
    n_rows = plain$n_rows,
    class_counts = stats::setNames(portable$class_counts, classes),
    settled = unlist(portable$report$settled)[settled_fields]
  )
  # what the file does not have
  settings[lengths(settings) > 0L]
}

# The model: the only place that builds an object of class "sbrl". What comes in from outside is checked in
# model_validate.R.

# The format of the models and JSON files that this version writes, raised whenever an older version could not use them:
#   0  version 1.4: no number, and too little of the fit is kept to go on from there (see model_compat.R)
#   1  release 2.0.0: `format` in JSON files only
#   2  the number itself, as the field `format`; the list as `found`, `labels`, the settings `simplify`,
#      `shrinkage`, `missing` and `empty_as_missing`, features of type "integer"
#   3  sets of levels, ranges within an order, "is not missing"; format 2 is written as long as a model has none of them
model_format <- 2L
newest_format <- 3L

# 1.4's four fields come first, because published code reads them. Everything is plain R data.
new_sbrl <- function(parts) {
  probs <- leaf_estimates(parts)
  order <- item_order(parts$items)
  model <- list(
    rs = list_table(parts$rules, probs[, listed_estimates(parts), drop = FALSE]),
    rulenames = rule_names(parts$items, parts$pool),
    featurenames = parts$items$name[order],
    mat_feature_rule = item_matrix(parts$items, parts$pool, order),
    classes = names(parts$settings$class_counts),
    counts = parts$counts,
    probs = probs,
    score = named_score(parts$score),
    found = list(rules = as.integer(parts$found$rules), score = named_score(parts$found$score)),
    settings = parts$settings,
    features = lapply(parts$features, unclass),
    items = parts$items,
    pool = parts$pool,
    dropped = parts$dropped,
    labels = if (is.null(parts$labels)) character() else parts$labels,
    chains = parts$chains,
    trace = parts$trace,
    timing = parts$timing,
    stopped_early = parts$stopped_early,
    seed = parts$seed,
    version = if (is.null(parts$version)) package_version_text() else parts$version,
    terms = parts$terms,
    call = parts$call,
    format = if (is.null(parts$format)) format_of_items(parts$items, parts$features) else parts$format
  )
  # only where there is one
  model$approximate <- parts$approximate
  model$certificate <- parts$certificate
  model$teacher <- parts$teacher
  structure(model, class = "sbrl")
}

format_of_items <- function(items, features) {
  if (any(is_rich_item(items, class_features(features)))) newest_format else model_format
}

# 1.4's table: candidate index and estimates.
list_table <- function(rules, estimates) {
  columns <- c(list(c(rules, 0L)), lapply(seq_len(ncol(estimates)), \(j) unname(estimates[, j])))
  names(columns) <- paste0("V", seq_along(columns))
  as_frame(columns, length(columns$V1))
}

named_score <- function(score) {
  stats::setNames(as.double(score), score_fields)
}

package_version_text <- function() {
  getNamespaceVersion("sbrl")[["version"]]
}

score_fields <- c("log_prior", "log_likelihood", "log_posterior")
# The moves of the chains, as the engine names them.
move_kinds <- c("add", "remove", "swap", "replace")
chain_fields <- c("chain", "best_log_posterior", "best_length", "iterations", move_kinds)
trace_fields <- c("chain", "iteration", "log_posterior", "length")
timing_fields <- c("binarise", "mine", "search")

# The engine's answer in the model's words.
parts_from_result <- function(result, settings) {
  list(
    pool = new_pool(result$pool$items, result$pool$lengths, result$n_distinct),
    rules = as.integer(result$rules),
    counts = count_matrix(result$counts, names(settings$class_counts)),
    score = result$score,
    found = result$found,
    settings = settings,
    chains = as_frame(result$chains[chain_fields], length(result$chains$chain)),
    trace = as_frame(result$trace[trace_fields], length(result$trace$chain)),
    timing = stats::setNames(result$timing, timing_fields),
    stopped_early = result$stopped_early
  )
}

new_pool <- function(items, lengths, n_distinct) {
  list(items = as.integer(items), lengths = as.integer(lengths), n_distinct = as.integer(n_distinct))
}

# One row per rule, the default rule last, one column per class.
count_matrix <- function(flat, classes) {
  matrix(as.double(flat), ncol = length(classes), byrow = TRUE, dimnames = list(NULL, classes))
}

# Settings that are one number each, in the order in which the model keeps them.
plain_settings <- c(
  "iters", "rule_minlen", "rule_maxlen", "nchain", "max_length", "threads", "time_limit", "target_rules", "max_rules",
  "bins", "lambda_first", "simplify", "else_rule", "shrinkage", "empty_as_missing", "weighted", "n_rows"
)

# All settings in that order, as settings_for() makes them.
setting_fields <- c(
  "iters", "rule_minlen", "rule_maxlen", "minsupport", "lambda", "eta", "alpha", "nchain", "method", "max_length",
  "threads", "time_limit", "target_rules", "max_rules", "bins", "lambda_first", "simplify", "else_rule", "shrinkage",
  "missing", "empty_as_missing", "weighted", "label", "n_rows", "class_counts"
)

# The best log posterior of all chains, before that list was polished. Under a time limit some may not have had their
# turn.
best_of_chains <- function(model) {
  reached <- model$chains$best_log_posterior[model$chains$iterations > 0]
  if (length(reached) == 0L) NA_real_ else max(reached)
}

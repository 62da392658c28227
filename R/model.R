# The model: the only place that builds and checks an object of class "sbrl".

# 1.4's four fields come first, because published code reads them. Everything is plain R data.
new_sbrl <- function(parts) {
  probs <- class_probabilities(parts$counts, parts$settings$alpha)
  order <- item_order(parts$items)
  model <- list(
    rs = list_table(parts$rules, probs),
    rulenames = rule_names(parts$items, parts$pool),
    featurenames = parts$items$name[order],
    mat_feature_rule = item_matrix(parts$items, parts$pool, order),
    classes = names(parts$settings$class_counts),
    counts = parts$counts,
    probs = probs,
    score = stats::setNames(as.double(parts$score), c("log_prior", "log_likelihood", "log_posterior")),
    settings = parts$settings,
    features = parts$features,
    items = parts$items,
    pool = parts$pool,
    dropped = parts$dropped,
    chains = parts$chains,
    trace = parts$trace,
    timing = parts$timing,
    stopped_early = parts$stopped_early,
    seed = parts$seed,
    version = if (is.null(parts$version)) package_version_text() else parts$version,
    terms = parts$terms,
    call = parts$call
  )
  # a list without a class is read sooner
  validate_sbrl(model)
  structure(model, class = "sbrl")
}

# A data frame of columns that are known to have `n` values each; data.frame() would ask them first.
as_frame <- function(columns, n) {
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}

# 1.4's table: candidate index and probability of the positive class; for K classes, those of all but the first.
list_table <- function(rules, probs) {
  columns <- c(list(c(rules, 0L)), lapply(seq_len(ncol(probs))[-1L], \(class) unname(probs[, class])))
  names(columns) <- paste0("V", seq_along(columns))
  as_frame(columns, length(columns$V1))
}

package_version_text <- function() {
  getNamespaceVersion("sbrl")[["version"]]
}

chain_fields <- c("chain", "best_log_posterior", "best_length", "iterations", "add", "remove", "swap", "replace")
trace_fields <- c("chain", "iteration", "log_posterior", "length")
timing_fields <- c("binarise", "mine", "search")

# The engine's answer in the model's words.
parts_from_result <- function(result, settings) {
  list(
    pool = new_pool(result$pool$items, result$pool$lengths, result$n_distinct),
    rules = as.integer(result$rules),
    counts = count_matrix(result$counts, names(settings$class_counts)),
    score = result$score,
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

# Posterior mean of each rule's class probabilities.
class_probabilities <- function(counts, alpha) {
  weights <- counts + rep(alpha, each = nrow(counts))
  probs <- weights / rowSums(weights)
  if (ncol(probs) == 2L) {
    # As in 1.4, the two sum to one exactly.
    probs[, 1L] <- 1 - probs[, 2L]
  }
  probs
}

# What must hold for every model, however it was made.
validate_sbrl <- function(model) {
  m <- nrow(model$rs) - 1L
  k <- length(model$classes)
  n_candidates <- length(model$rulenames)
  rules <- model$rs$V1[seq_len(m)]
  ok <- c(
    "classes" = k >= 2L && !anyNA(model$classes) && anyDuplicated(model$classes) == 0L,
    "counts" = identical(dim(model$counts), c(m + 1L, k)) && all(is.finite(model$counts)) && all(model$counts >= 0),
    "probabilities" = all(is.finite(model$probs)) && all(model$probs >= 0 & model$probs <= 1),
    "rules" = are_indices(rules, n_candidates) && anyDuplicated(rules) == 0L && model$rs$V1[m + 1L] == 0L,
    "candidates" = length(model$pool$lengths) == n_candidates && sum(model$pool$lengths) == length(model$pool$items),
    "items" = are_indices(model$pool$items, nrow(model$items)),
    "features" = are_indices(model$items$feature, length(model$features)),
    "score" = length(model$score) == 3L && all(is.finite(model$score)),
    "seed" = is_whole(model$seed, 0, 2^53)
  )
  if (!all(ok)) {
    abort_sbrl("model", sprintf("Not a valid model: its %s do not fit together.", names(ok)[!ok][1L]))
  }
  model
}

# Whole numbers from 1 to n. Pools may hold millions.
are_indices <- function(x, n) {
  within <- length(x) == 0L || (is.numeric(x) && !anyNA(x) && min(x) >= 1 && max(x) <= n)
  within && (is.integer(x) || all(x == floor(x)))
}

# The door of every function that takes a model fitted by this version.
check_model <- function(x, arg = "object") {
  check_that(inherits(x, "sbrl"), x, arg, "a model made by sbrl()")
  if (is_legacy(x)) {
    message <- "`%s` was fitted by sbrl 1.4, which kept no counts or score. Fit it again to use this function."
    abort_sbrl("model", sprintf(message, arg))
  }
  invisible(x)
}

# Settings of a fit: every argument but the data and the label, checked and typed.

# Far more chains than make sense; a typing error must not exhaust the memory.
max_chains <- 1e5

check_settings <- function(args) {
  check_whole(args$iters, "iters")
  check_whole(args$rule_minlen, "rule_minlen")
  check_whole(args$rule_maxlen, "rule_maxlen")
  check_lengths(args$rule_minlen, args$rule_maxlen)
  check_proportion(args$minsupport_pos, "minsupport_pos")
  check_proportion(args$minsupport_neg, "minsupport_neg")
  check_positive(args$lambda, "lambda")
  check_positive(args$eta, "eta")
  check_positive_vector(args$alpha, "alpha", "positive, finite numbers, one per class")
  check_whole(args$nchain, "nchain", max = max_chains)
  check_whole(args$threads, "threads", max = .Machine$integer.max)
  check_seconds(args$time_limit, "time_limit")
  check_flag(args$progress, "progress")
  check_whole(args$max_rules, "max_rules")
  check_optional_whole(args$target_rules, "target_rules", min = 1)
  check_optional_whole(args$seed, "seed", min = 0)
  invisible(args)
}

check_lengths <- function(rule_minlen, rule_maxlen) {
  if (rule_minlen > rule_maxlen) {
    message <- "`rule_minlen` must not exceed `rule_maxlen`: %.0f was given, and %.0f."
    abort_sbrl("argument", sprintf(message, rule_minlen, rule_maxlen))
  }
}

check_optional_whole <- function(x, arg, min) {
  if (!is.null(x)) {
    check_whole(x, arg, min = min, max = 2^53 - 1)
  }
  invisible(x)
}

# The settings a model keeps. `target_rules` is NA when no target was set, so that every field is a plain number.
settings_for <- function(args, classes, label, class_counts) {
  list(
    iters = as.double(args$iters),
    rule_minlen = as.double(args$rule_minlen),
    rule_maxlen = as.double(args$rule_maxlen),
    minsupport = c(args$minsupport_neg, args$minsupport_pos) |> as.double() |> stats::setNames(classes),
    lambda = as.double(args$lambda),
    eta = as.double(args$eta),
    alpha = alpha_for(args$alpha, classes),
    nchain = as.double(args$nchain),
    threads = as.double(args$threads),
    time_limit = as.double(args$time_limit),
    target_rules = if (is.null(args$target_rules)) NA_real_ else as.double(args$target_rules),
    max_rules = as.double(args$max_rules),
    label = label,
    n_rows = sum(class_counts),
    class_counts = class_counts
  )
}

# One pseudo-count for all classes, one per class in class order, or named by class in any order.
alpha_for <- function(alpha, classes) {
  if (!is.null(names(alpha)) && length(alpha) > 1L) {
    if (length(alpha) != length(classes) || !setequal(names(alpha), classes)) {
      message <- "The names of `alpha` must be the classes %s, not %s."
      abort_sbrl("argument", sprintf(message, quote_values(classes), quote_values(names(alpha))))
    }
    alpha <- alpha[match(classes, names(alpha))]
  }
  if (!length(alpha) %in% c(1L, length(classes))) {
    message <- "`alpha` must hold one number, or one per class (%d), not %d."
    abort_sbrl("argument", sprintf(message, length(classes), length(alpha)))
  }
  stats::setNames(rep_len(as.double(alpha), length(classes)), classes)
}

# What the engine reads (names and types as its interface has them).
engine_settings <- function(settings, seed) {
  list(
    n_classes = length(settings$alpha),
    minlen = as_engine_integer(settings$rule_minlen),
    maxlen = as_engine_integer(settings$rule_maxlen),
    minsupport = unname(settings$minsupport),
    max_rules = settings$max_rules,
    target_rules = if (is.na(settings$target_rules)) 0 else settings$target_rules,
    lambda = settings$lambda,
    eta = settings$eta,
    alpha = unname(settings$alpha),
    iters = settings$iters,
    nchain = as_engine_integer(settings$nchain),
    seed = seed,
    threads = as_engine_integer(settings$threads)
  )
}

as_engine_integer <- function(x) {
  as.integer(min(x, .Machine$integer.max))
}

# One draw of R's generator governs everything the engine draws; a given seed leaves R's generator alone.
choose_seed <- function(seed) {
  if (is.null(seed)) {
    return(floor(stats::runif(1) * 2^31))
  }
  as.double(seed)
}

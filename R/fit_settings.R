# Settings of a fit: every argument but the data and the label, checked and typed.

# The paper fits with this `lambda` first, and then with the length found.
first_lambda <- 5

# Far more chains than make sense; a typing error must not exhaust the memory.
max_chains <- 1e5

# Work after which a search ends that has not settled, counted by what is read: less than a nanosecond each. A fit that
# is one of many gets less, and so does each of the two searches of `lambda = "auto"`.
work_of_one_fit <- 1e10
work_of_one_of_many <- 5e8

# Iterations of each chain that such a search does in any case.
least_iters <- 30000

check_settings <- function(args) {
  if (!isTRUE(args$settles)) check_whole(args$iters, "iters")
  check_whole(args$rule_minlen, "rule_minlen")
  check_whole(args$rule_maxlen, "rule_maxlen")
  check_lengths(args$rule_minlen, args$rule_maxlen)
  check_proportion(args$minsupport_pos, "minsupport_pos")
  check_proportion(args$minsupport_neg, "minsupport_neg")
  check_lambda(args$lambda)
  check_positive(args$eta, "eta")
  check_alpha(args$alpha, "positive, finite numbers, one per class")
  check_whole(args$nchain, "nchain", max = max_chains)
  check_method(args$method)
  check_max_length(args$max_length)
  check_whole(args$threads, "threads", max = .Machine$integer.max)
  check_seconds(args$time_limit, "time_limit")
  check_flag(args$progress, "progress")
  check_flag(args$shrink, "shrink")
  check_teacher(args$teacher)
  check_optional_whole(args$seed, "seed", min = 0)
  check_minsupport(args$minsupport)
  check_discretize(args$discretize, args$bins)
  check_conditions(args$conditions)
  check_control(args)
  invisible(args)
}

check_lengths <- function(rule_minlen, rule_maxlen) {
  if (rule_minlen > rule_maxlen) {
    message <- "`rule_minlen` (%.0f) must not exceed `rule_maxlen` (%.0f)."
    abort_sbrl("argument", sprintf(message, rule_minlen, rule_maxlen))
  }
}

is_auto <- function(lambda) {
  identical(lambda, "auto")
}

check_lambda <- function(x) {
  ok <- is_auto(x) || (is_number(x) && x > 0 && is.finite(x))
  check_that(ok, x, "lambda", "one positive, finite number, or \"auto\"")
}

# Sums of pseudo-counts and rows must be finite, too.
check_alpha <- function(x, expected = "positive, finite numbers") {
  check_positive_vector(x, "alpha", expected)
  check_that(sum(x) < 1e300, x, "alpha", "numbers that add up to less than 1e300")
}

check_method <- function(x) {
  check_that(is_string(x) && !is.object(x) && x %in% c("mcmc", "map"), x, "method", "\"mcmc\" or \"map\"")
}

check_max_length <- function(x) {
  ok <- identical(x, Inf) || is_whole(x, 1, 2^53)
  check_that(ok, x, "max_length", "one whole number, 1 or more (`Inf` for no limit)")
}

check_minsupport <- function(x) {
  ok <- !is.object(x) && is.numeric(x) && length(x) >= 1L && !anyNA(x) && all(x >= 0 & x <= 1)
  check_that(is.null(x) || ok, x, "minsupport", "NULL, or numbers from 0 to 1: one, or one per class")
}

# The settings that a model keeps and the engine reads, named as the arguments of sbrl(). Every field is a plain number:
# `target_rules` is NA when no target was set, and `lambda_first` is NA unless `lambda` was "auto".
settings_for <- function(args, training, class_counts) {
  of_outcome <- outcome_settings(list(classes = names(class_counts), settings = args), args)
  list(
    iters = if (isTRUE(args$settles)) NA_real_ else as.double(args$iters),
    rule_minlen = as.double(args$rule_minlen),
    rule_maxlen = as.double(args$rule_maxlen),
    minsupport = of_outcome$minsupport,
    lambda = if (is_auto(args$lambda)) first_lambda else as.double(args$lambda),
    eta = as.double(args$eta),
    alpha = of_outcome$alpha,
    nchain = as.double(args$nchain),
    method = args$method,
    max_length = as.double(args$max_length),
    threads = as.double(args$threads),
    time_limit = as.double(args$time_limit),
    target_rules = if (is.null(args$target_rules)) NA_real_ else as.double(args$target_rules),
    max_rules = as.double(args$max_rules),
    bins = as.double(args$bins),
    lambda_first = if (is_auto(args$lambda)) first_lambda else NA_real_,
    simplify = as.double(args$simplify),
    # both are known when there is a list
    else_rule = 0,
    shrinkage = 0,
    missing = "fallthrough",
    empty_as_missing = as.double(args$empty_as_missing),
    weighted = as.double(!is.null(training$weights)),
    label = training$label_name,
    n_rows = sum(class_counts),
    class_counts = class_counts
  )
}

# One draw of R's generator governs everything the engine draws; a given seed leaves R's generator alone.
choose_seed <- function(seed) {
  if (is.null(seed)) {
    return(floor(stats::runif(1) * 2^31))
  }
  as.double(seed)
}

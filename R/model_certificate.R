# The certificate: what is proved about a list, as a part of a model and of its JSON file.

# What "optimal" means, in nats.
certificate_claim <- 1e-6

certificate_statuses <- c("optimal", "optimal_at_most", "within", "none")
certificate_ends <- c("solved", "max_nodes", "max_memory", "time_limit")
by_length_fields <- c("max_length", "log_posterior", "proved")
certificate_trace_fields <- c("nodes", "seconds", "upper_bound", "log_posterior")
certificate_numbers <- c("log_posterior", "upper_bound", "gap", "max_length", "max_length_proved", "n_rules",
                         "n_candidates", "nodes", "seconds")

# `asked`: the most rules of the lists that were asked about, and the gap.
new_certificate <- function(result, model, asked, seconds, n_rules) {
  gap <- max(0, result$upper_bound - result$log_posterior)
  settings <- model$settings
  by_length <- as_frame(result$by_length[by_length_fields], length(result$by_length$max_length))
  by_length$proved <- by_length$proved == 1
  certificate <- list(
    status = NA_character_, log_posterior = result$log_posterior, upper_bound = result$upper_bound, gap = gap,
    max_length = asked$max_length, max_length_proved = result$max_length_proved, by_length = by_length,
    n_rules = as.double(n_rules), n_candidates = as.double(length(model$pool$lengths)),
    lambda = settings$lambda, eta = settings$eta, alpha = settings$alpha, nodes = result$nodes, seconds = seconds,
    ended = result$ended, trace = as_frame(result$trace[certificate_trace_fields], length(result$trace$nodes))
  )
  useful <- max(10, 0.01 * abs(result$log_posterior - empty_log_posterior(model)))
  certificate$status <- certificate_status(certificate, max(asked$gap, useful))
  structure(certificate, class = "sbrl_certificate")
}

certificate_status <- function(x, useful_gap) {
  if (x$ended == "solved" && x$gap <= certificate_claim) {
    return("optimal")
  }
  if (x$max_length_proved >= max(1, x$n_rules) && x$ended != "solved") {
    return("optimal_at_most")
  }
  if (is.finite(x$gap) && x$gap <= useful_gap) "within" else "none"
}

# The log posterior of the list without rules.
empty_log_posterior <- function(model) {
  settings <- model$settings
  rising <- function(start, n) lgamma(start + n) - lgamma(start)
  likelihood <- sum(rising(settings$alpha, settings$class_counts)) - rising(sum(settings$alpha), settings$n_rows)
  n <- length(model$pool$lengths)
  likelihood + stats::dpois(0, settings$lambda, log = TRUE) - stats::ppois(n, settings$lambda, log.p = TRUE)
}

# As tables of numbers, for the JSON file of a model; infinity is missing there.
portable_certificate <- function(x) {
  if (is.null(x)) {
    return(NULL)
  }
  finite <- function(x) ifelse(is.finite(x), x, NA_real_)
  numbers <- lapply(unclass(x)[certificate_numbers], finite)
  codes <- list(status = match(x$status, certificate_statuses), ended = match(x$ended, certificate_ends))
  list(
    certificate = c(lapply(codes, as.double), numbers),
    certificate_by_length = lapply(as.list(x$by_length), as.double),
    certificate_trace = lapply(as.list(x$trace), finite)
  )
}

# The certificate of a file, or NULL; what is missing in it is found when the model is checked.
certificate_from_portable <- function(report, settings) {
  plain <- report$certificate
  if (is.null(plain)) {
    return(NULL)
  }
  value <- function(name) if (length(plain[[name]]) == 1L) plain[[name]] else NA_real_
  numbers <- stats::setNames(lapply(certificate_numbers, value), certificate_numbers)
  for (name in c("upper_bound", "gap", "max_length")) {
    numbers[[name]] <- if (is.na(numbers[[name]])) Inf else numbers[[name]]
  }
  by_length <- list2DF(report$certificate_by_length[by_length_fields])
  by_length$proved <- by_length$proved == 1
  trace <- list2DF(report$certificate_trace[certificate_trace_fields])
  trace$upper_bound[is.na(trace$upper_bound)] <- Inf
  certificate <- c(
    list(status = certificate_statuses[value("status")]), numbers[1:5], list(by_length = by_length), numbers[6:7],
    settings[c("lambda", "eta", "alpha")], numbers[8:9], list(ended = certificate_ends[value("ended")], trace = trace)
  )
  structure(certificate, class = "sbrl_certificate")
}

# Whether a model's certificate is sound and is about the model's own list.
is_certificate <- function(x, model) {
  if (is.null(x)) {
    return(TRUE)
  }
  typeof(x) == "list" && inherits(x, "sbrl_certificate") && is_certificate_list(unclass(x), model)
}

is_certificate_list <- function(x, model) {
  numbers <- x[certificate_numbers]
  found <- model$found
  all(vapply(numbers, \(x) is_number(x) && x != -Inf, NA)) &&
    is_text(x$status) && x$status %in% certificate_statuses && is_text(x$ended) && x$ended %in% certificate_ends &&
    x$gap >= 0 && are_gaps(x) && x$n_candidates == length(model$rulenames) && x$max_length_proved >= 0 &&
    x$nodes >= 0 && x$seconds >= 0 && are_length_proofs(x$by_length) &&
    is_table(x$trace, certificate_trace_fields, gaps = "upper_bound") &&
    identical(x[c("lambda", "eta", "alpha")], model$settings[c("lambda", "eta", "alpha")]) &&
    (x$n_rules != length(found$rules) || are_near(x$log_posterior, found$score[["log_posterior"]]))
}

are_length_proofs <- function(x) {
  is_frame(x, by_length_fields) && is.logical(x$proved) && !anyNA(x$proved) &&
    all(vapply(unclass(x)[1:2], \(column) !is.object(column) && is.numeric(column) && all(is.finite(column)), NA))
}

are_gaps <- function(x) {
  is.infinite(x$gap) || are_near(x$gap, x$upper_bound - x$log_posterior)
}

# Summary: what went in, what was found, and how the search went.

#' Summarise a rule list and its search
#'
#' `summary()` describes the data, the candidates, the rules with their evidence, the score and the search, on one page.
#'
#' @param object A model made by [sbrl()].
#' @inheritParams rules
#' @param ... Must be empty.
#' @param calibration The result of [cv_sbrl()] or [sbrl_bag()] for these data, or `NULL`. If given, the summary reports
#'   the calibration slope of single lists on rows that they have not seen: below 1, the probabilities are too extreme,
#'   as those of lists learnt from few rows often are. See [sbrl_bag()]. A result for other rows is refused, as far as
#'   that can be seen.
#' @return An object of class `"summary.sbrl"`: a list with the parts `data`, `cuts` (of
#'   each number), `candidates`, `rules` (see [rules()]), `list`
#'   (what was left out of the list found, and which rule the default rule replaces, see `simplify` in
#'   [sbrl_control()]), `score`, `settings`, `chains`, `search`,
#'   `calibration` (`slope`, its `source`, and the `classes`; or `NULL`), and `certificate` (see [sbrl_certify()]).
#' @seealso [rules()] for the rules alone, [sbrl_report()] for people who do not use R.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' summary(model)
#'
#' model <- sbrl(Species ~ ., data = iris, iters = 500, nchain = 2)
#' summary(model, calibration = sbrl_bag(model, iris, times = 10))
#' @export
summary.sbrl <- function(object, level = 0.95, ..., calibration = NULL) {
  check_dots_empty(...)
  object <- check_model(object, pool = TRUE, report = TRUE)
  structure(
    list(
      data = summarise_data(object),
      cuts = summarise_cuts(object),
      candidates = summarise_candidates(object),
      rules = rules(object, level = level),
      list = summarise_list(object),
      score = object$score,
      settings = object$settings,
      chains = object$chains,
      search = summarise_search(object),
      calibration = calibration_of(calibration, object),
      certificate = object$certificate,
      teacher = object$teacher
    ),
    class = "summary.sbrl"
  )
}

summarise_data <- function(model) {
  list(
    n_rows = model$settings$n_rows,
    label = model$settings$label,
    weighted = model$settings$weighted == 1,
    class_counts = model$settings$class_counts,
    n_features = length(model$features),
    n_items = nrow(model$items),
    dropped = model$dropped
  )
}

summarise_list <- function(model) {
  list(
    n_left_out = length(model$found$rules) - length(list_rules(model)) - stands_for_rule(model),
    found_log_posterior = model$found$score[["log_posterior"]],
    gives_base_rate = gives_base_rate(model),
    else_rule = if (stands_for_rule(model)) rule_antecedents(model, rules = replaced_rule(model))
  )
}

summarise_candidates <- function(model) {
  n <- length(model$rulenames)
  by_length <- n_by_length(model$pool)
  names(by_length) <- seq_along(by_length)
  list(
    n = n,
    by_length = by_length[by_length > 0L],
    minsupport = model$settings$minsupport,
    n_repeated = n - model$pool$n_distinct
  )
}

# A chain counts as agreeing if it reached the best log posterior of all chains, before that list was polished.
summarise_search <- function(model) {
  reached <- model$chains$best_log_posterior[model$chains$iterations > 0]
  best <- best_of_chains(model)
  list(
    n_chains = sum(!is_annealing(model) & model$chains$iterations > 0),
    n_annealing_runs = sum(is_annealing(model) & model$chains$iterations > 0),
    n_iterations = sum(model$chains$iterations),
    n_annealing_iterations = sum(model$chains$iterations[is_annealing(model)]),
    best_of_chains = best,
    n_agreeing = sum(reached >= best - 1e-9 * max(1, abs(best))),
    gain_of_polish = unname(model$found$score["log_posterior"]) - best,
    acceptance = colMeans(model$chains[move_kinds], na.rm = TRUE),
    timing = model$timing,
    method = model$settings$method,
    settled = settled_sentence(model),
    is_longest = length(model$found$rules) == model$settings$max_length,
    stopped_early = model$stopped_early,
    seed = model$seed
  )
}

# The runs of method "map" follow the chains in the table.
is_annealing <- function(model) {
  seq_len(nrow(model$chains)) > model$settings$nchain
}

#' @export
print.summary.sbrl <- function(x, ...) {
  show_result(x, "summary.sbrl", "summary()", write_summary(x))
  invisible(x)
}

write_summary <- function(x) {
  classes <- names(x$data$class_counts)
  whose <- reported_words(classes)
  writeLines(c(
    "Bayesian rule list", "",
    format_data(x$data), format_cuts(x$cuts), format_candidates(x$candidates), "",
    sprintf("Rules: training rows captured (n; own and cumulative share), probability of %s:", whose),
    format_rules(x$rules), format_simplified(x$list),
    if (!is.null(x$calibration)) format_calibration(x$calibration), "", format_score(x), format_teacher(x$teacher),
    format_search(x$search), format_proof(x$certificate)
  ))
}

format_proof <- function(certificate) {
  if (!is.null(certificate)) {
    strwrap(certificate_sentences(certificate), 100L, prefix = "        ", initial = "Proof:  ")
  }
}

format_teacher <- function(teacher) {
  strwrap(teacher_sentences(teacher), 100L, exdent = 2L)
}

# What was left out of the list that the search found, and what its default rule predicts if no row reached it.
format_simplified <- function(list) {
  c(
    if (list$n_left_out > 0L) {
      sprintf("Left out: %s of the list found that captured no row (its log posterior: %.4f)",
              counted(list$n_left_out, "rule"), list$found_log_posterior)
    },
    if (list$gives_base_rate) "No training row reached the default rule: it gives the base rate.",
    if (!is.null(list$else_rule)) {
      strwrap(sprintf("The default rule replaces a last rule that captured all training rows left: if %s.",
                      encode_text(list$else_rule)), 100L, exdent = 2L)
    }
  )
}

format_data <- function(data) {
  classes <- sprintf("%s (%s)", encodeString(names(data$class_counts), quote = "\""),
                     with_thousands(round(data$class_counts, 2L)))
  dropped <- if (length(data$dropped) > 0L) {
    sprintf("Dropped:    %s, %s", counted(length(data$dropped), "constant column"), quote_names(data$dropped))
  }
  c(
    sprintf("Data:       %s rows%s, label %s: %s%s",
            with_thousands(round(data$n_rows, 2L)), if (data$weighted) " (by weight)" else "", quote_names(data$label),
            paste(classes, collapse = ", "), positive_note(classes)),
    sprintf("Features:   %d, giving %d conditions", data$n_features, data$n_items),
    dropped
  )
}

format_candidates <- function(candidates) {
  by_length <- paste(sprintf("%s of length %s", candidates$by_length, names(candidates$by_length)), collapse = ", ")
  supports <- sprintf("%s in class %s", format_share(candidates$minsupport),
                      encodeString(names(candidates$minsupport), quote = "\""))
  repeated <- if (candidates$n_repeated > 0L) {
    sprintf("            %s cover the same rows as another", with_thousands(candidates$n_repeated))
  }
  c(
    paste0("Candidates: ", with_thousands(candidates$n), if (nzchar(by_length)) sprintf(" (%s)", by_length)),
    sprintf("Support:    at least %s", paste(supports, collapse = " or ")),
    repeated
  )
}

format_share <- function(x) {
  paste0(vapply(100 * x, format_numbers, "", digits = 4L), "%")
}

format_score <- function(x) {
  alpha <- paste(vapply(x$settings$alpha, format_numbers, "", digits = 6L), collapse = ", ")
  c(
    sprintf("Log posterior %.4f = log prior %.4f + log likelihood %.4f",
            x$score[["log_posterior"]], x$score[["log_prior"]], x$score[["log_likelihood"]]),
    sprintf("Prior: lambda %s%s, eta %s, alpha %s",
            format_numbers(x$settings$lambda, digits = 6L), format_auto(x$settings$lambda_first),
            format_numbers(x$settings$eta, digits = 6L), alpha),
    if (x$settings$shrinkage > 0) {
      sprintf("Shrinkage: %s rows of the base rate added to each rule",
              format_numbers(x$settings$shrinkage, digits = 3L))
    }
  )
}

# Models saved before `lambda = "auto"` existed have no such setting.
format_auto <- function(lambda_first) {
  if (is.null(lambda_first) || is.na(lambda_first)) {
    return("")
  }
  sprintf(" (auto: the length found with lambda %s)", format_numbers(lambda_first, digits = 6L))
}

format_search <- function(search) {
  n_runs <- search$n_chains + search$n_annealing_runs
  if (n_runs == 0L) {
    return(if (search$stopped_early) c("Search: none", paste0("        ", not_searched)) else "Search: none")
  }
  acceptance <- paste(names(search$acceptance), format_acceptance(search$acceptance), collapse = ", ")
  c(
    sprintf("Search: %s, %s iterations, seed %.0f", counted(search$n_chains, "chain"),
            with_thousands(search$n_iterations - search$n_annealing_iterations), search$seed),
    if (search$n_annealing_runs > 0L) {
      sprintf("        %s, %s iterations", counted(search$n_annealing_runs, "annealing run"),
              with_thousands(search$n_annealing_iterations))
    },
    sprintf("        %d of %d reached %.4f, the best before polishing; polishing added %.4f",
            search$n_agreeing, n_runs, search$best_of_chains, abs(search$gain_of_polish)),
    sprintf("        accepted: %s", acceptance),
    sprintf("        seconds: %s", paste(names(search$timing), sprintf("%.3f", search$timing), collapse = ", ")),
    if (!is.null(search$settled)) strwrap(search$settled, 100L, prefix = "        "),
    if (isTRUE(search$is_longest)) "        the list is as long as `max_length` allows",
    if (search$stopped_early) "        stopped early by the time limit",
    "        chains find good lists, but are rarely long enough to be draws: see sbrl_posterior()"
  )
}

# The list is then what a search begins with.
not_searched <- "stopped early by the time limit, before the first iteration: nothing was searched"

was_searched <- function(model) {
  !isTRUE(model$stopped_early) || !is_chain_table(model$chains) || sum(model$chains$iterations) > 0
}

format_acceptance <- function(rate) {
  ifelse(is.na(rate), "never proposed", sprintf("%.1f%%", 100 * rate))
}

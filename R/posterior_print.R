# print() and summary() of a posterior: the verdict first.

#' Show a posterior
#'
#' `print()` and `summary()` begin with a verdict: whether the draws can be trusted, and what to do if not. See
#' [sbrl_posterior()] for the criteria.
#'
#' @param x,object The result of [sbrl_posterior()].
#' @param n Number of rules to show.
#' @inheritParams predict.sbrl
#' @return `format()` returns the lines that `print()` shows. `summary()` returns a list of class
#'   `"summary.sbrl_posterior"`: `verdict`, `notes`, `draws` (their number, chains, rounds and seed), `active`
#'   (posterior and prior distribution of the number of rules; of the posterior only those that capture a training row),
#'   `rules` and `features` (see [rules.sbrl_posterior()]), `order` (for the rules shown, `order[i, j]` is the share of
#'   the draws with both in which rule i comes before rule j; `NA` if their conditions exclude each other, so that the
#'   order is arbitrary, or if no draw has both), `diagnostics`, `tempering` and `evidence`.
#' @seealso [sbrl_posterior()], [rules.sbrl_posterior()], [plot.sbrl_posterior()].
#' @examples
#' passengers <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = passengers, weights = Freq, seed = 1)
#' posterior <- sbrl_posterior(model, passengers, weights = passengers$Freq,
#'                             draws = 400, seed = 1)
#' summary(posterior)
#' @export
print.sbrl_posterior <- function(x, n = 5, ...) {
  check_dots_empty(...)
  writeLines(format.sbrl_posterior(x, n))
  invisible(x)
}

#' @rdname print.sbrl_posterior
#' @export
format.sbrl_posterior <- function(x, n = 5, ...) {
  check_dots_empty(...)
  x <- check_lists(x, "x")
  check_whole(n, "n", min = 0)
  verdict <- judge_posterior(x)
  top <- utils::head(rules.sbrl_posterior(x), n)
  c(
    wrap_lines(paste(verdict$text, verdict$advice)), "", format_draws(summarise_draws(x)),
    sprintf("Active rules: %s", active_text(x$draws$active)),
    if (nrow(top) > 0L) c("", "Rules most often active:", format_posterior_rules(top))
  )
}

#' @rdname print.sbrl_posterior
#' @export
summary.sbrl_posterior <- function(object, n = 10, ...) {
  check_dots_empty(...)
  object <- check_lists(object)
  check_whole(n, "n", min = 0)
  table <- rules.sbrl_posterior(object)
  structure(
    list(
      verdict = judge_posterior(object), notes = posterior_notes(object), draws = summarise_draws(object),
      active = active_table(object), rules = utils::head(table, n),
      features = rules.sbrl_posterior(object, by = "feature"),
      order = rule_order(object, utils::head(table$candidate, n)), diagnostics = object$diagnostics,
      tempering = object$tempering, evidence = object$evidence
    ),
    class = "summary.sbrl_posterior"
  )
}

#' @export
print.summary.sbrl_posterior <- function(x, ...) {
  show_result(x, "summary.sbrl_posterior", "summary()", write_posterior_summary(x))
  invisible(x)
}

write_posterior_summary <- function(x) {
  likely <- x$active[x$active$posterior > 0.005 | x$active$prior > 0.05, ]
  writeLines(c(
    wrap_lines(paste(x$verdict$text, x$verdict$advice)), unlist(lapply(x$notes, wrap_lines)), "",
    format_draws(x$draws),
    sprintf("Log evidence: %.3f (standard error %.3f)%s", x$evidence[["log_evidence"]], x$evidence[["se"]],
            if (x$evidence[["log_prior_mass"]] < -0.0005) ", given the limit on the length" else ""),
    wrap_lines(evidence_problem(x) %||% character()),
    sprintf("Temperatures: %d, swaps accepted %s to %s, %s restarts, %s round trips", length(x$tempering$betas),
            percent_text(min(x$tempering$swap_rates)), percent_text(max(x$tempering$swap_rates)),
            with_thousands(sum(x$tempering$restarts)), with_thousands(sum(x$tempering$round_trips))), "",
    "Number of rules (posterior: those that capture a row):",
    format_columns(list(rules = likely$rules, posterior = percent_text(likely$posterior),
                        prior = percent_text(likely$prior))), "",
    "Rules most often active:", format_posterior_rules(x$rules), format_order(x$order), "",
    "Features:",
    format_columns(list(feature = encode_text(x$features$feature), active = percent_text(x$features$inclusion),
                        first = percent_text(x$features$first)))
  ))
}

summarise_draws <- function(x) {
  list(
    n = n_lists(x), chains = max(x$draws$.chain), warmup = x$tempering$warmup, rounds = x$tempering$rounds,
    n_distinct = length(unique(list_keys(x))), seed = x$seed
  )
}

# Each list as text, to find equal ones.
list_keys <- function(x) {
  lengths <- x$lists$lengths
  vapply(split(x$lists$rules, factor(rep(seq_along(lengths), lengths), seq_along(lengths))), paste, "", collapse = " ")
}

format_draws <- function(draws) {
  text <- "%s draws (%s different lists) of %d chains, %s rounds each after %s of warm-up, seed %.0f"
  wrap_lines(sprintf(
    text, with_thousands(draws$n), with_thousands(draws$n_distinct), draws$chains, with_thousands(draws$rounds),
    with_thousands(draws$warmup), draws$seed
  ))
}

active_text <- function(active) {
  ends <- stats::quantile(active, c(0.05, 0.95), type = 1L, names = FALSE)
  sprintf("%.1f on average, %.0f to %.0f in 90%% of the draws", mean(active), ends[1L], ends[2L])
}

# Distribution of the number of active rules, and of the number of rules a priori.
active_table <- function(x) {
  settings <- x$medoid$settings
  most <- min(settings$max_length, length(x$medoid$pool$lengths))
  longest <- min(most, max(x$draws$active, stats::qpois(0.999, settings$lambda)))
  rules <- 0:longest
  log_weight <- \(m) m * log(settings$lambda) - lgamma(m + 1)
  all <- log_weight(0:most)
  total <- max(all) + log(sum(exp(all - max(all))))
  data.frame(
    rules = rules, posterior = tabulate(x$draws$active + 1L, longest + 1L) / n_lists(x),
    prior = exp(log_weight(rules) - total)
  )
}

format_posterior_rules <- function(rules, width = getOption("width")) {
  cells <- list(
    active = percent_text(rules$active), `in list` = percent_text(rules$inclusion), first = percent_text(rules$first),
    position = sprintf("%.1f", rules$position)
  )
  right <- format_columns(cells)
  room <- max(20L, width - max(nchar(right)) - 6L)
  text <- pad_text(c("rule", encode_text(shorten(enc2utf8(rules$rule), room))), left = TRUE)
  number <- pad_text(c("", sprintf("%d.", seq_len(nrow(rules)))), left = FALSE)
  paste(number, text, right)
}

# The order among the first rules, where it matters.
format_order <- function(order) {
  n <- min(nrow(order), 8L)
  if (n < 2L) {
    return(NULL)
  }
  order <- order[seq_len(n), seq_len(n), drop = FALSE]
  cells <- ifelse(is.na(order), "-", percent_text(order))
  columns <- lapply(seq_len(n), \(j) cells[, j])
  names(columns) <- sprintf("%d.", seq_len(n))
  c("", wrap_lines("Share of the draws with both in which the rule of the row comes before that of the column:"),
    paste(pad_text(c("", sprintf("%d.", seq_len(n))), left = FALSE), format_columns(columns)))
}

# Columns of text, padded to the right edge, under their names.
format_columns <- function(columns) {
  is_text <- names(columns) == "feature"
  pad <- \(cells, name, left) pad_text(c(name, as.character(cells)), left = left)
  padded <- Map(pad, columns, names(columns), is_text)
  do.call(paste, unname(padded))
}

wrap_lines <- function(text) {
  strwrap(text, width = max(40, 0.95 * getOption("width")))
}

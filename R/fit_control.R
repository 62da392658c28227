# Arguments of a fit that few people need.

#' Arguments that are rarely needed
#'
#' `sbrl_control()` collects arguments of [sbrl()] that few fits need. Give what it returns as `control`, or name these
#' arguments in [sbrl()] itself, [cv_sbrl()] or [sbrl_bag()]: `sbrl(y ~ ., data = d, target_rules = 300)` is the same as
#' `sbrl(y ~ ., data = d, control = sbrl_control(target_rules = 300))`.
#'
#' @param target_rules If given, all supports are replaced by the smallest
#'   one, in whole per cent, that gives at most this many candidates.
#' @param max_rules More candidates than this are an error, before they fill the memory.
#' @param simplify Whether to leave out rules that captured no training row. If the pool is small and `lambda` large,
#'   the best list may contain some, because the prior expects more rules than the data need. `score` is that of the
#'   list returned; `found` keeps the list as the search found it. A default rule that captured no row then predicts
#'   the base rate; with a formula, it takes the place of the last rule instead, see [sbrl()]. `FALSE` returns the
#'   list as found.
#' @param empty_as_missing Whether empty text (`""`) in a text or factor column, including the label, is a missing
#'   value, as it is for [read.csv()] with `na.strings = ""`. [predict()] and all exports then read it in the same
#'   way. By default it is a level like any other, and a warning of class `sbrl_warning_column` names the columns that
#'   contain it. Text of blanks is not empty. `na.action` of a formula sees the empty text.
#' @param certify_nodes Nodes to spend on a proof that the list found is the best one, see [sbrl_certify()]; 0 for
#'   none. If the proof finds a better list, that list is returned. The model keeps the certificate in its field
#'   `certificate`.
#' @param cut_sample For tables that are not in memory only: a number of rows, at least 1000. The cut points of a
#'   number or time with more than 2 million pairs of value and class are then learnt from a sample of about this many
#'   rows, and are approximate. The model keeps the size of each such sample in its field `approximate`, and
#'   [print()], [summary()] and the report name these columns. Counts, probabilities and score are those of all rows.
#'   `NULL`: all cut points are exact, see [sbrl_source()].
#' @param x What `sbrl_control()` returned.
#' @param ... Nothing: an unknown argument is an error.
#'
#' @return A list of class `"sbrl_control"` with one element per argument.
#' @seealso [sbrl()]
#' @examples
#' few <- sbrl_control(target_rules = 50)
#' few
#' model <- sbrl(tictactoe, rule_maxlen = 3, control = few, iters = 1000, nchain = 2, seed = 1)
#' length(model$rulenames)
#' @export
sbrl_control <- function(target_rules = NULL, max_rules = 1e6, simplify = TRUE, empty_as_missing = FALSE,
                         certify_nodes = 0, cut_sample = NULL, ...) {
  check_dots_empty(...)
  control <- list(
    target_rules = target_rules, max_rules = max_rules, simplify = simplify, empty_as_missing = empty_as_missing,
    certify_nodes = certify_nodes, cut_sample = cut_sample
  )
  check_control(control)
  check_cut_sample(cut_sample, is_remote = TRUE)
  structure(control, class = "sbrl_control")
}

check_control <- function(args) {
  check_optional_whole(args$target_rules, "target_rules", min = 1)
  check_whole(args$max_rules, "max_rules")
  check_flag(args$simplify, "simplify")
  check_flag(args$empty_as_missing, "empty_as_missing")
  check_whole(args$certify_nodes, "certify_nodes", min = 0)
}

# The arguments in `control` next to the others that were `given`.
spread_control <- function(given) {
  control <- given[["control"]]
  given <- given[names(given) != "control"]
  if (is.null(control)) {
    return(given)
  }
  fields <- if (inherits(control, "sbrl_control") && is.list(control)) unclass(control)
  is_sound <- identical(names(fields), names(sbrl_control()))
  check_that(is_sound, control, "control", "what sbrl_control() returns")
  # what is as by default may be given elsewhere
  control <- fields[!unlist(Map(identical, fields, unclass(sbrl_control())))]
  twice <- intersect(names(given), names(control))
  if (length(twice) > 0L) {
    abort_sbrl("argument", sprintf("%s must be given once, in `control` or as an argument.", quote_names(twice)))
  }
  c(given, control)
}

#' @rdname sbrl_control
#' @export
print.sbrl_control <- function(x, ...) {
  check_dots_empty(...)
  values <- vapply(unclass(x), \(value) paste(deparse(value), collapse = " "), "")
  cat(paste0(names(values), " = ", values, "\n"), sep = "")
  invisible(x)
}

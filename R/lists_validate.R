# The one check of many lists that come in: see model_validate.R for models.

check_lists <- function(x, arg = "object") {
  check_that(typeof(x) == "list" && inherits(x, "sbrl_lists"), x, arg, "what sbrl_bag() or sbrl_posterior() returns")
  x <- without_other_classes(x, grep("^sbrl_", oldClass(x), value = TRUE))
  medoid <- tryCatch(check_model(unclass(x)$medoid, "medoid"), sbrl_error = function(e) e)
  problem <- if (inherits(medoid, "sbrl_error")) {
    sub("[.]$", "", conditionMessage(medoid))
  } else {
    x$medoid <- medoid
    lists_problem(unclass(x)) %||% own_problem(x)
  }
  if (!is.null(problem)) {
    abort_sbrl("model", sprintf("`%s` is not a valid object of its class: %s.", arg, problem))
  }
  invisible(x)
}

#' @export
check_predictor.sbrl_lists <- function(x, arg) { # nolint: object_name_linter. A method.
  check_lists(x, arg)
}

# What is wrong with the fields that a kind of lists adds, in words, or NULL.
own_problem <- function(x) UseMethod("own_problem")

#' @export
own_problem.sbrl_lists <- function(x) {
  NULL
}

# `x` has no class; its medoid is a valid model.
lists_problem <- function(x) {
  model <- x$medoid
  lists <- x$lists
  delayedAssign("n_rules", sum(as.double(lists$lengths)))
  problem <- first_failing(
    "`lists` must be a list" = is_plain(lists, "list"),
    "`lists$lengths` must contain the number of rules of each list" = is_plain(lists$lengths, "integer") &&
      length(lists$lengths) >= 1L && !anyNA(lists$lengths) && min(lists$lengths) >= 0L,
    "`lists$rules` must contain the candidates of all lists" = is_plain(lists$rules, "integer", n_rules) &&
      are_indices(lists$rules, length(model$rulenames)),
    "`lists$rules` must contain different candidates in each list" =
      anyDuplicated(list2DF(list(rep(seq_along(lists$lengths), lists$lengths), lists$rules))) == 0L,
    "`lists$counts` must contain a number from 0 on for each rule and class" =
      is_plain(lists$counts, "double", (n_rules + length(lists$lengths)) * length(model$classes)) &&
      all(is.finite(lists$counts)) && min(lists$counts) >= 0,
    "`lists$counts` must contain rows for each list" = all(list_totals(lists, length(model$classes)) > 0),
    "`chosen` must be the number of a list" = is_whole(x$chosen, 1, length(lists$lengths)),
    "`medoid` must have rules of the list that was chosen" =
      all(list_rules(model) %in% lists$rules[rep(seq_along(lists$lengths), lists$lengths) == x$chosen]),
    "`seen` must contain the candidates of the lists, their support and their groups" = is_seen(x$seen, lists$rules)
  )
  problem %||% slices_problem(model, sort(unique(lists$rules)))
}

list_totals <- function(lists, n_classes) {
  rowsum(lists$counts, rep(seq_along(lists$lengths), (lists$lengths + 1L) * n_classes), reorder = FALSE)
}

is_seen <- function(x, rules) {
  is_frame(x, c("candidate", "support", "group")) && is.integer(x$candidate) && is.integer(x$group) &&
    is.double(x$support) && identical(x$candidate, sort(unique(rules))) && all(is.finite(x$support)) &&
    all(x$support >= 0 & x$support <= 1 + 1e-6) && all(x$group %in% x$candidate)
}

# rules(): the rule list as a data frame, one row per rule, default rule last.

#' The rules of a model as a data frame
#'
#' `rules()` returns the rule list with the training evidence behind each rule.
#'
#' @param object A model made by [sbrl()].
#' @param level Coverage of the credible interval.
#' @param ... For methods.
#' @return A data frame, one row per rule in the order of the list, the default
#'   rule last: `position` (0 for the default rule), `antecedent`, `length` (number of items), `n`
#'   (training rows captured, or their weight), one column `n_<class>` per class, `prob` of the positive class with
#'   the ends `lower` and `upper` of its credible interval, and `coverage`, the share of the training rows captured by
#'   this rule and those above it. With more than two classes there are also a column `prob_<class>` per class and
#'   `class`, the likeliest one; `prob`, `lower` and `upper` are then those of that class.
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' rules(model)
#' @export
rules <- function(object, ...) {
  UseMethod("rules")
}

#' @rdname rules
#' @export
rules.sbrl <- function(object, level = 0.95, ...) {
  check_dots_empty(...)
  check_level(level)
  object <- check_model(object)
  chosen <- list_rules(object)
  n <- rowSums(object$counts)
  table <- data.frame(
    position = c(seq_along(chosen), 0L),
    antecedent = c(rule_texts(object), "(default rule)"),
    length = c(object$pool$lengths[chosen], 0L),
    n = n
  )
  cbind(
    table, by_class(object$counts, "n_"), class_columns(object), as.data.frame(reported_interval(object, level)),
    coverage = cumsum(n) / sum(n)
  )
}

#' @export
rules.default <- function(object, ...) {
  check_that(FALSE, object, "object", "a model made by sbrl()")
}

by_class <- function(x, prefix) {
  columns <- as.data.frame(x, optional = TRUE)
  names(columns) <- paste0(prefix, colnames(x))
  columns
}

# With more than two classes: the probability of each, and the likeliest, of which `prob` speaks. Else no columns.
class_columns <- function(model) {
  if (length(model$classes) == 2L) {
    return(list2DF(nrow = nrow(model$probs)))
  }
  cbind(by_class(model$probs, "prob_"), class = model$classes[likeliest_class(model$probs)])
}

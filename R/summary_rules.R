# rules(): the rule list as a data frame, one row per rule, default rule last.

#' The rules of a model as a data frame
#'
#' `rules()` returns the rule list with the training evidence behind each rule.
#'
#' @inheritParams summary.sbrl
#' @param level Coverage of the credible intervals, such as 0.95. They are intervals given this list; those of
#'   [sbrl_posterior()] also account for other lists.
#' @param ... For methods.
#' @return A data frame, one row per rule in the order of the list, the default
#'   rule last: `position` (0 for the default rule), `rule` (the conditions in words), `antecedent` (its name in
#'   `rulenames`), `length` (number of conditions), `n` (training rows captured, or their weight), one column
#'   `n_<class>` per class, `prob` of the positive class with the ends `lower` and `upper` of its credible interval,
#'   `thin` (whether there is little evidence: fewer than 30 rows captured, or an interval wider than 0.3),
#'   `share`, the share of the training rows that the rule captured, and `cumulative_share`, that of this rule and
#'   those above it. With more than two classes there are also a column `prob_<class>` per class and `class`, the
#'   likeliest one; `prob`, `lower` and `upper` are then those of that class.
#'
#'   It is a data frame of class `"sbrl_rules"`, which prints one line per rule; `as.data.frame()` shows all columns.
#' @seealso [print.sbrl()], [plot.sbrl()], [explain()] for one row; [rules.sbrl_lists()] and [rules.sbrl_posterior()]
#'   for rules of many lists.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
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
    rule = c(rule_antecedents(object), default_rule_text),
    antecedent = c(rule_texts(object), default_rule_text),
    length = c(object$pool$lengths[chosen], 0L),
    n = n
  )
  table <- cbind(
    table, by_class(object$counts, "n_"), class_columns(object), as.data.frame(reported_interval(object, level)),
    thin = thin_rules(object, level), share = n / sum(n), cumulative_share = cumsum(n) / sum(n)
  )
  structure(table, class = c("sbrl_rules", "data.frame"), level = level)
}

#' @export
print.sbrl_rules <- function(x, ...) {
  shown <- c("position", "rule", "n", "prob", "lower", "upper", "thin", "share", "cumulative_share")
  if (!all(shown %in% names(x)) || nrow(x) == 0L) {
    # a part of the table
    print(as.data.frame(x), ...)
    return(invisible(x))
  }
  writeLines(format_rules(x))
  invisible(x)
}

#' @export
as.data.frame.sbrl_rules <- function(x, ...) { # nolint: object_name_linter. An S3 method.
  attr(x, "level") <- NULL
  structure(x, class = "data.frame")
}

# One line per rule, as wide as the console at most: what does not fit of a rule is cut.
format_rules <- function(rules, width = getOption("width")) {
  cells <- list(
    ifelse(rules$position == 0L, "", sprintf("%d.", rules$position)),
    with_thousands(round(rules$n, 2L)),
    percent_text(rules$share), percent_text(rules$cumulative_share),
    if (!is.null(rules$class)) encode_text(enc2utf8(shorten(rules$class, 12L))),
    paste0(short_probability(rules$prob), ifelse(rules$thin, "*", " ")),
    sprintf("%s to %s", short_probability(rules$lower), short_probability(rules$upper))
  )
  titles <- c("", "n", "own", "cum.", "class", "prob ", "interval")
  has_cells <- lengths(cells) > 0L
  columns <- Map(\(title, cells) pad_text(c(title, cells), left = FALSE), titles[has_cells], cells[has_cells])
  left <- columns[[1L]]
  right <- do.call(paste, columns[-1L])
  room <- max(20L, width - max(nchar(left, "width")) - max(nchar(right, "width")) - 2L)
  rule <- pad_text(c("rule", encode_text(shorten(enc2utf8(rules$rule), room))), left = TRUE)
  c(sub(" +$", "", paste(left, rule, right)), thin_note(rules$thin))
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

# With more than two classes: the probability of each, and the likeliest, whose probability is `prob`. Else no columns.
class_columns <- function(model) {
  if (!reports_several(model)) {
    return(list2DF(nrow = nrow(model$probs)))
  }
  cbind(by_class(model$probs, "prob_"), class = model$classes[likeliest_class(model$probs)])
}

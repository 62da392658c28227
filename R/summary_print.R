# Showing a model: format() makes the text, print() only shows it.

#' Show a rule list
#'
#' `print()` shows the list, one line per rule; `format()` returns the same lines.
#'
#' A model fitted with a formula is shown in words, `1. if Temp >= 88: P(TRUE) = 0.94 (14 rows)`: the position of the
#' rule, its conditions, the probability of the positive class (of more than two: of the likeliest), and the training
#' rows it captured. A star marks rules with little evidence, see [rules()].
#'
#' A model fitted to a data frame is shown as version 1.4 shows it. The number after each antecedent is its index in
#' `rulenames`. With more than two classes each line gives the probability of every class.
#'
#' A last line reports if the time limit stopped the fit before anything was searched, and another if cut points come
#' from a sample (see `cut_sample` in [sbrl()]).
#'
#' @param x A model made by [sbrl()] or by version 1.4.
#' @param style `"words"` or `"1.4"`. If not given, the style depends on how the model was fitted.
#' @param useS4 Ignored; version 1.4 has it.
#' @param ... Ignored.
#' @return `print()` returns `x` invisibly; `format()` a character vector, one element per line.
#' @seealso [rules()] for the list as data, [summary.sbrl()], [plot.sbrl()], [as_markdown()] for documents.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' model
#' print(model, style = "1.4")
#' format(model)[1]
#' @export
#' @rawNamespace export(print.sbrl)
print.sbrl <- function(x, useS4 = FALSE, ..., style = NULL) { # nolint: object_name_linter. 1.4's name.
  writeLines(format.sbrl(x, style = style))
  invisible(x)
}

#' @rdname print.sbrl
#' @export
format.sbrl <- function(x, ..., style = NULL) {
  x <- check_model(x, "x", legacy = TRUE)
  if (is.null(style)) {
    style <- if (is.null(x$terms)) "1.4" else "words"
  }
  check_that(is_string(style) && style %in% c("words", "1.4"), style, "style", "\"words\" or \"1.4\"")
  if (style == "words" && is_legacy(x)) {
    abort_sbrl("model", "A model fitted by sbrl 1.4 can be shown in its own style only: `style = \"1.4\"`.")
  }
  c(
    if (style == "words") format_in_words(x) else format_as_before(x),
    if (!was_searched(x)) paste0("The fit was ", not_searched, ".") else if (style == "words") settled_sentence(x),
    approximate_sentence(x)
  )
}

format_in_words <- function(x) {
  signs <- if (isTRUE(l10n_info()[["UTF-8"]])) typeset_signs else ascii_signs
  m <- nrow(x$rs) - 1L
  rows <- rowSums(x$counts)
  class <- shown_class(x, x$classes[reported_class(x, x$probs)])
  thin <- thin_rules(x)
  then <- sprintf(
    "P(%s) = %s (%s %s)%s", class, short_probability(reported_interval(x, 0.95)[, "prob"]), count_text(rows),
    ifelse(rows == 1, "row", "rows"), ifelse(thin, " *", "")
  )
  if (gives_base_rate(x)) {
    then[m + 1L] <- sub("(0 rows)", "(no row; the base rate)", then[m + 1L], fixed = TRUE)
  }
  numbers <- format(c(sprintf("%d. ", seq_len(m)), ""))
  rules <- sprintf("%s %s", rule_keywords(m), encode_text(rule_antecedents(x, signs)))
  words <- c(rules, if (m == 0L) "no rules; always" else "else")
  c(sprintf("%s%s: %s", numbers, words, then), thin_note(thin))
}

format_as_before <- function(x) {
  m <- nrow(x$rs) - 1L
  opening <- sub("^if", "If", format(rule_keywords(m), width = 7L))
  chosen <- list_rules(x)
  then <- probability_text(x)
  rules <- sprintf(
    "%s %s (rule[%d]) then %s", opening, rule_texts(x), as.integer(chosen), then[seq_len(m)]
  )
  c("The rules list is : ", rules, sprintf("else  (default rule)  then %s", then[m + 1L]))
}

# One phrase per rule: 1.4's words for two classes, every class by name for more.
probability_text <- function(model) {
  if (!reports_several(model)) {
    return(sprintf("positive probability = %.8f", model$rs$V2))
  }
  names <- encodeString(model$classes)
  one_rule <- \(probs) paste(sprintf("%s = %.4f", names, probs), collapse = ", ")
  paste("probability of", apply(model$probs, 1L, one_rule))
}

# message(model) and paste(model) show the list too.
#' @export
as.character.sbrl <- function(x, ...) {
  paste(format.sbrl(x), collapse = "\n")
}

#' Show a rule list (name of version 1.4)
#'
#' `show.sbrl()` prints a model; it is [print.sbrl()] under the name that scripts written for version 1.4 use.
#'
#' @param x A model made by [sbrl()] or by version 1.4.
#' @param ... Ignored.
#' @return `x`, invisibly.
#' @seealso [print.sbrl()].
#' @examples
#' model <- sbrl(tictactoe, rule_maxlen = 3, lambda = 8, seed = 1)
#' show.sbrl(model)
#' @export show.sbrl
show.sbrl <- function(x, ...) { # nolint: object_name_linter. 1.4's name.
  print.sbrl(x, ...)
}

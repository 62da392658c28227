# Explanations in words and as one data frame.

# A longer sentence loses its middle: nobody reads on, and strwrap() takes time that grows with the square of the words.
max_sentence <- 20000L

#' @rdname explain
#' @export
format.sbrl_explanation <- function(x, ...) {
  show_result(x, "sbrl_explanation", "explain()", explanation_lines(x))
}

explanation_lines <- function(x) {
  sentences <- drop_middle(c(probability_sentence(x), decision_sentence(x), evidence_sentence(x)), max_sentence)
  width <- max(40, getOption("width") - 5L)
  c(strwrap(paste(sentences, collapse = " "), width), passed_lines(x, width))
}

#' @export
print.sbrl_explanation <- function(x, ...) {
  writeLines(format.sbrl_explanation(x))
  invisible(x)
}

#' @export
format.sbrl_explanations <- function(x, ...) {
  one <- function(i) c(if (i > 1L) "", sprintf("Row %d", i), paste0("  ", format.sbrl_explanation(x[[i]])))
  show_result(x, "sbrl_explanations", "explain()", as.character(unlist(lapply(seq_along(x), one))))
}

#' @export
print.sbrl_explanations <- function(x, ...) {
  writeLines(format.sbrl_explanations(x))
  invisible(x)
}

#' @rdname explain
#' @export
as.data.frame.sbrl_explanation <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint: object_name_linter.
  show_result(x, "sbrl_explanation", "explain()", tried_rules(x))
}

tried_rules <- function(x) {
  tried <- x$passed[c("position", "antecedent", "condition", "value", "reason")]
  decides <- data.frame(
    position = x$position, antecedent = x$antecedent, condition = NA_character_, value = NA_character_, reason = "holds"
  )
  none <- rep(NA, nrow(tried))
  cbind(rbind(tried, decides), class = c(none, x$class), prob = c(none, x$prob))
}

#' @rdname explain
#' @export
as.data.frame.sbrl_explanations <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint: object_name_linter.
  tables <- show_result(x, "sbrl_explanations", "explain()", Map(
    \(why, i) cbind(row = i, as.data.frame.sbrl_explanation(why)), x, seq_along(x)
  ))
  none <- data.frame(
    row = integer(), position = integer(), antecedent = character(), condition = character(), value = character(),
    reason = character(), class = character(), prob = double()
  )
  do.call(rbind, c(list(none), tables))
}

probability_sentence <- function(x) {
  sprintf(
    "The probability of %s = %s is %.3f (%s %.3f to %.3f).", read_as(x$label, x$words$label),
    read_as(x$class, x$words$classes), x$prob, interval_title(x$level), x$lower, x$upper
  )
}

# Names as people read them; an explanation that an earlier version saved has no such words.
read_as <- function(names, words) {
  if (is.null(words)) shown_text(names) else unname(words[match(names, names(words))])
}

decision_sentence <- function(x) {
  if (x$n_rules == 0L) {
    return("The list contains only the default rule.")
  }
  if (is.na(x$position)) {
    open <- x$passed$position[nrow(x$passed)]
    return(sprintf("A missing value leaves open whether rule %d matches, so this is the base rate.", open))
  }
  if (x$position == 0L) {
    none <- if (x$n_rules == 1L) "the only rule does not match" else sprintf("none of the %d rules matches", x$n_rules)
    return(sprintf("The default rule decides, because %s.", none))
  }
  conditions <- condition_words(x$conditions, x$words)
  sprintf("Rule %d of %d decides: %s.", x$position, x$n_rules, join_words(conditions))
}

# The value is given unless the condition already contains it.
condition_words <- function(conditions, words) {
  value <- value_shown(conditions, words)
  said <- sprintf("%s = %s", read_as(conditions$feature, words$features), value) == conditions$condition
  said <- said | endsWith(conditions$condition, " is missing")
  ifelse(said, conditions$condition, sprintf("%s (it is %s)", conditions$condition, value))
}

# Values as people read them: levels may have labels.
value_shown <- function(conditions, words) {
  value <- conditions$value
  found <- match(paste0(conditions$feature, "=", value, recycle0 = TRUE), names(words$levels))
  value[!is.na(found)] <- words$levels[found[!is.na(found)]]
  shown_text(value)
}

join_words <- function(words) {
  n <- length(words)
  if (n < 2L) {
    return(words)
  }
  paste(paste(words[-n], collapse = ", "), "and", words[n])
}

evidence_sentence <- function(x) {
  classes <- sprintf("%s of class %s", count_text(x$evidence$n), read_as(x$evidence$class, x$words$classes))
  captured <- if (x$weighted) "%s of the training weight of %s (%s)" else "%s of the %s training rows (%s)"
  captured <- sprintf(captured, count_text(x$n), count_text(x$n_rows), percent_text(x$share))
  probabilities <- if (!has_positive(nrow(x$evidence))) {
    each <- sprintf("%s %.3f", read_as(x$evidence$class, x$words$classes), x$evidence$prob)
    sprintf(" The probabilities of all classes are %s.", join_words(each))
  }
  if (x$n == 0 && isTRUE(x$simplified)) {
    return("No training row reached it, so it gives the base rate.")
  }
  opening <- if (is.na(x$position)) "It is that of " else "It captured "
  paste0(opening, captured, ": ", join_words(classes), ".", probabilities)
}

passed_lines <- function(x, width) {
  if (nrow(x$passed) == 0L) {
    return(NULL)
  }
  text <- sprintf("%d. %s: %s", x$passed$position, x$passed$antecedent, failure_words(x$passed, x$words))
  text <- drop_middle(text, max_sentence)
  c("Skipped:", unlist(lapply(text, strwrap, width = width, indent = 2L, exdent = 5L)))
}

failure_words <- function(passed, words) {
  name <- read_as(passed$feature, words$features)
  value <- value_shown(passed, words)
  ifelse(
    passed$reason == "missing", sprintf("no, %s is missing", name),
    ifelse(
      passed$reason == "unseen", sprintf("no, %s is %s, which was not seen in training", name, value),
      sprintf("no, %s is %s", name, value)
    )
  )
}

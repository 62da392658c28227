# Showing a model: format() makes the text, print() only shows it.

#' Show a rule list
#'
#' `print()` shows the list as version 1.4 does, one line per rule; `format()` returns the same lines.
#'
#' The number after each antecedent is its index in `rulenames`. With more than two classes each line gives the
#' probability of every class. A last line says so if the time limit stopped the fit before anything was searched.
#'
#' @param x A model made by [sbrl()] or by version 1.4.
#' @param useS4 Ignored; version 1.4 has it.
#' @param ... Ignored.
#' @return `print()` returns `x` invisibly; `format()` a character vector, one element per line.
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' print(model)
#' format(model)[2]
#' @export
#' @rawNamespace export(print.sbrl)
print.sbrl <- function(x, useS4 = FALSE, ...) { # nolint: object_name_linter. 1.4's name.
  writeLines(format.sbrl(x))
  invisible(x)
}

#' @rdname print.sbrl
#' @export
format.sbrl <- function(x, ...) {
  x <- check_model(x, "x", legacy = TRUE)
  m <- nrow(x$rs) - 1L
  opening <- sub("^if", "If", format(rule_keywords(m), width = 7L))
  chosen <- list_rules(x)
  then <- probability_text(x)
  rules <- sprintf(
    "%s %s (rule[%d]) then %s", opening, rule_texts(x), as.integer(chosen), then[seq_len(m)]
  )
  c(
    "The rules list is : ", rules, sprintf("else  (default rule)  then %s", then[m + 1L]),
    if (!was_searched(x)) paste0("The fit was ", not_searched, ".")
  )
}

# One phrase per rule: 1.4's words for two classes, every class by name for more.
probability_text <- function(model) {
  if (length(model$rs) == 2L) {
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
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' show.sbrl(model)
#' @export show.sbrl
show.sbrl <- function(x, ...) { # nolint: object_name_linter. 1.4's name.
  print.sbrl(x, ...)
}

# Showing a model: format() makes the text, print() only shows it.

#' Show a rule list
#'
#' `print()` shows the list as version 1.4 does, one line per rule; `format()` returns the same lines.
#'
#' The number after each antecedent is its index in `rulenames`.
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
  writeLines(format(x))
  invisible(x)
}

#' @rdname print.sbrl
#' @export
format.sbrl <- function(x, ...) {
  m <- nrow(x$rs) - 1L
  opening <- rep_len(c("If     ", rep("else if", m)), m)
  chosen <- x$rs$V1[seq_len(m)]
  rules <- sprintf(
    "%s %s (rule[%d]) then positive probability = %.8f",
    opening, x$rulenames[chosen], as.integer(chosen), x$rs$V2[seq_len(m)]
  )
  default <- sprintf("else  (default rule)  then positive probability = %.8f", x$rs$V2[m + 1L])
  c("The rules list is : ", rules, default)
}

# message(model) and paste(model) show the list too.
#' @export
as.character.sbrl <- function(x, ...) {
  paste(format(x), collapse = "\n")
}

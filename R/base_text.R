# Text made by an export: plain strings with the name of their language, printed as they are.

# Databases are S4 and ask for text; they must see that this is one. Called when the package is loaded.
register_text_class <- function(namespace) {
  methods::setOldClass(c("sbrl_text", "character"), where = namespace)
}

new_text <- function(text, language) {
  structure(enc2utf8(text), class = c("sbrl_text", "character"), language = language, names = names(text))
}

#' @export
print.sbrl_text <- function(x, ...) {
  writeLines(format.sbrl_text(x))
  invisible(x)
}

# What prints as it is must be text with the name of a language.
check_text_result <- function(x) {
  ok <- inherits(x, "sbrl_text") && typeof(x) == "character" && is_text(attr(x, "language"))
  check_that(ok, x, "x", "text made by as_sql() or one of its kind")
}

# Several expressions are separated by comments.
#' @export
format.sbrl_text <- function(x, ...) {
  check_text_result(x)
  text <- as.character(x)
  if (length(text) == 1L) {
    return(text)
  }
  sprintf("-- %s\n%s\n", visible_text(names(x)), text)
}

# A subset would be another text.
#' @export
`[.sbrl_text` <- function(x, i) {
  check_text_result(x)
  new_text(stats::setNames(as.character(x), names(x))[i], attr(x, "language"))
}

#' @export
as.character.sbrl_text <- function(x, ...) {
  check_text_result(x)
  as.vector(unclass(x))
}

# Text made by an export: plain strings that know their language, and print as they are.

# Databases are S4 and ask for text; they must see that this is one. Called when the package is loaded.
register_text_class <- function(namespace) {
  methods::setOldClass(c("sbrl_text", "character"), where = namespace)
}

new_text <- function(text, language) {
  structure(enc2utf8(text), class = c("sbrl_text", "character"), language = language, names = names(text))
}

#' @export
print.sbrl_text <- function(x, ...) {
  writeLines(format(x))
  invisible(x)
}

# Several expressions are told apart by comments.
#' @export
format.sbrl_text <- function(x, ...) {
  text <- as.character(x)
  if (length(text) == 1L) {
    return(text)
  }
  sprintf("-- %s\n%s\n", visible_text(names(x)), text)
}

# A subset would be another text.
#' @export
`[.sbrl_text` <- function(x, i) {
  new_text(stats::setNames(as.character(x), names(x))[i], attr(x, "language"))
}

#' @export
as.character.sbrl_text <- function(x, ...) {
  as.vector(unclass(x))
}

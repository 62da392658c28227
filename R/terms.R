# The variables of a formula's terms, and their names.

# The label first, then the features.
variables_of <- function(terms) {
  as.list(attr(terms, "variables"))[-1L]
}

variable_names <- function(terms) {
  expression_names(variables_of(terms))
}

# As model.frame() names its columns.
expression_names <- function(expressions) {
  text <- function(x) paste(deparse(x, width.cutoff = 500L, backtick = !is.symbol(x)), collapse = " ")
  enc2utf8(vapply(expressions, text, ""))
}

# Terms of plain columns need no environment, so they keep none: it might hold the training data.
stored_terms <- function(terms) {
  if (all(vapply(variables_of(terms), is.symbol, NA))) {
    environment(terms) <- globalenv()
  }
  terms
}

is_lost_name <- function(names) {
  is.na(iconv(enc2utf8(as.character(names)), "UTF-8", ""))
}

short_code <- function(x) {
  shorten(paste0("`", deparse1(x, collapse = " "), "`"))
}

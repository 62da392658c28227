# The variables of a formula's terms, their names, and what evaluates them.

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

# A plain list of columns that model.frame() understands: it takes no lists, as some times are, and knows no 64-bit
# integers.
plain_frame <- function(data) {
  if (is.null(data)) {
    return(NULL)
  }
  plain <- function(x, name) {
    if (is_integer64(x)) {
      return(integer64_values(x))
    }
    if (inherits(x, "POSIXlt")) as.POSIXct(check_whole_class(x, name)) else x
  }
  columns <- as.list(data)
  columns[] <- lapply(seq_along(columns), \(j) plain(columns[[j]], names(data)[j]))
  as_frame(columns, nrow(data))
}

# Errors of R's own functions for formulas, in our class.
try_formula <- function(code) {
  tryCatch(catch_memory(code), error = function(e) {
    if (inherits(e, "sbrl_error")) stop(e)
    abort_sbrl("argument", sprintf("`formula` cannot be evaluated: %s", conditionMessage(e)))
  })
}

# Predicates on single R values. None calls a method, so a value may be any R object, with any class.

is_number <- function(x) {
  !is.object(x) && is.numeric(x) && length(x) == 1L && !is.na(x)
}

is_whole <- function(x, min, max) {
  is_number(x) && x >= min && x <= max && x == floor(x)
}

# A string may have a class, as paths of other packages do, if it is text to that class, too.
is_string <- function(x) {
  plain <- if (is.character(x)) as.vector(unclass(x))
  is_one <- length(plain) == 1L && !is.na(plain)
  is_one && (!is.object(x) || identical(tryCatch(as.character(x), error = \(e) NULL, warning = \(w) NULL), plain))
}

is_plain <- function(x, type, n = length(x)) {
  typeof(x) == type && !is.object(x) && is.null(attr(x, "dim")) && length(x) == n
}

are_texts <- function(x) {
  is_plain(x, "character") && !anyNA(x) && all(is_valid_text(x))
}

is_text <- function(x) {
  are_texts(x) && length(x) == 1L
}

# Checked before enc2utf8(), which would silently write `<ff>` for a byte that is not valid text. A missing value is
# valid.
is_valid_text <- function(x) {
  validEnc(x) & Encoding(x) != "bytes"
}

is_flag <- function(x) {
  is_plain(x, "logical", 1L) && !is.na(x)
}

is_positive <- function(x) {
  is_number(x) && x > 0 && is.finite(x)
}

has_dim <- function(x) {
  !is.null(attr(x, "dim"))
}

is_matrix <- function(x, dim) {
  typeof(x) == "double" && !is.object(x) && identical(attr(x, "dim"), dim)
}

are_named <- function(x, names) {
  is_plain(x, "double", length(names)) && identical(attr(x, "names"), names) && all(is.finite(x))
}

# Sums of weights depend on the order of summation, a little.
are_near <- function(x, y) {
  length(x) == length(y) && all(abs(x - y) <= 1e-6 * pmax(1, abs(x)))
}

# Whole numbers from 1 to n. Pools may hold millions.
are_indices <- function(x, n) {
  within <- length(x) == 0L || (!is.object(x) && is.numeric(x) && !anyNA(x) && min(x) >= 1 && max(x) <= n)
  within && (is.integer(x) || all(x == floor(x)))
}

# The name of the first argument that is not TRUE, or NULL. R makes an argument when it is first used, so each may rely
# on those before it.
first_failing <- function(...) {
  for (i in seq_len(...length())) {
    if (!isTRUE(...elt(i))) {
      return(...names()[i])
    }
  }
  NULL
}

`%||%` <- function(x, y) {
  if (is.null(x)) y else x
}

is_source <- function(x) {
  inherits(x, "sbrl_source")
}

# Tables that are not in memory: what sbrl() takes instead of a data frame.
is_remote <- function(x) {
  is_source(x) || inherits(x, "tbl_lazy") || (isS4(x) && methods::is(x, "DBIConnection"))
}

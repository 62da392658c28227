# One column, whatever its class, as a column of one of the kinds that the package supports.

# A column of a kind that is supported, without the class attributes that do not matter.
as_plain_column <- function(x, name) {
  if (is_plain_column(x)) {
    return(x)
  }
  if (inherits(x, "POSIXlt")) {
    x <- as.POSIXct(x)
  }
  if (is.list(x) || has_dim(x) || !is.atomic(x) || is.complex(x) || is.raw(x) || is.null(x)) {
    message <- "Column %s must be a factor, text, logical or numeric vector, date or time, not %s."
    abort_sbrl("column", sprintf(message, quote_names(name), describe_column(x)))
  }
  if (inherits(x, "AsIs")) {
    class(x) <- setdiff(oldClass(x), "AsIs")
  }
  if (is.object(x) && number_type(x) != "") {
    return(if (all_missing(x)) rep(NA, length(x)) else x)
  }
  if (is.character(x)) {
    return(as_text_factor(as.vector(unclass(x)), name))
  }
  if (is.factor(x)) {
    return(x)
  }
  if (is_integer64(x)) {
    return(integer64_values(x))
  }
  if (is.object(x) && !is.logical(x)) {
    message <- "Column %s has class %s, which sbrl() does not support. Make it a number, text or factor first."
    abort_sbrl("column", sprintf(message, quote_names(name), quote_values(class(x)[1L])))
  }
  as.vector(unclass(x))
}

# What most columns are: numbers and logicals that carry nothing else, and factors.
is_plain_column <- function(x) {
  if (!is.object(x)) {
    return(is.null(attributes(x)) && (is.numeric(x) || is.logical(x)))
  }
  identical(oldClass(x), "factor") && typeof(x) == "integer" && is.character(attr(x, "levels")) && is.null(dim(x))
}

# Most columns are answered by their first value.
all_missing <- function(x) {
  length(x) == 0L || (is.na(x[1L]) && all(is.na(x)))
}

describe_column <- function(x) {
  if (is.data.frame(x)) {
    return("a data frame")
  }
  if (has_dim(x)) {
    return("a matrix")
  }
  sprintf("of type %s", quote_values(typeof(x)))
}

# Text as a factor with its levels as they come. R keeps each text once, so telling them apart takes no comparing.
as_text_factor <- function(x, name) {
  found <- call_native(native_text_codes(x))
  texts <- check_text(x[found$first], name)
  levels <- unique(texts)
  codes <- found$codes
  if (length(levels) < length(texts)) {
    # one text in two encodings
    codes <- match(texts, levels)[codes]
  }
  structure(codes, levels = levels, class = c("sbrl_levels", "factor"))
}

# A class of the user's may have a method that fails.
as_text <- function(x, name) {
  text <- tryCatch(with_point(as.character(x)), error = \(e) NULL)
  if (!is.character(text) || length(text) != length(x)) {
    message <- "Column %s has class %s, which cannot be read as text."
    abort_sbrl("column", sprintf(message, quote_names(name), quote_values(class(x)[1L])))
  }
  text
}

# With `empty_as_missing`: a factor, which all text is by now, without its empty values.
without_empty <- function(x) {
  empty <- if (is.factor(x)) match("", attr(x, "levels")) else NA
  if (!is.na(empty)) {
    x[which(as.integer(x) == empty)] <- NA
  }
  x
}

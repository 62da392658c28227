# Conditions: every error and warning of the package is raised here, with a class that says its kind.

# `kind` is one word: "argument", "column", "label", "model", "file", or a kind the engine gave.
abort_sbrl <- function(kind, message, call = NULL) {
  class <- c(paste0("sbrl_error_", kind), "sbrl_error")
  stop(errorCondition(message, class = class, call = call))
}

warn_sbrl <- function(kind, message, call = NULL) {
  class <- c(paste0("sbrl_warning_", kind), "sbrl_warning")
  warning(warningCondition(message, class = class, call = call))
}

# Native code never raises R errors itself: it returns a tagged list, which becomes a condition here.
is_native_error <- function(x) {
  is.list(x) && isTRUE(x$sbrl_native_error)
}

call_native <- function(value, call = NULL) {
  if (is_native_error(value)) {
    abort_sbrl(value$kind, value$message, call)
  }
  value
}

# Names and values in messages: control characters and quotes shown escaped, long lists cut.
quote_names <- function(x, max = 5L) {
  join_some(paste0("`", encodeString(x), "`"), max)
}

quote_values <- function(x, max = 5L) {
  join_some(encodeString(x, quote = "\""), max)
}

join_some <- function(text, max) {
  shown <- paste(text[seq_len(min(max, length(text)))], collapse = ", ")
  n_more <- length(text) - max
  if (n_more <= 0L) {
    return(shown)
  }
  sprintf("%s and %d more", shown, n_more)
}

# What the user gave, in a few words; never deparses anything large.
describe <- function(x) {
  plain <- is.atomic(x) && !is.object(x) && is.null(dim(x))
  if (is.null(x)) {
    return("NULL")
  }
  if (plain && length(x) == 0L) {
    return(sprintf("an empty %s vector", class(x)))
  }
  if (plain && length(x) <= 5L) {
    return(shorten(deparse1(x, collapse = " ")))
  }
  sprintf("an object of class %s and length %.0f", quote_values(class(x)), max(0, suppressWarnings(length(x))))
}

shorten <- function(text, width = 50L) {
  ifelse(nchar(text, "chars") > width, paste0(substr(text, 1L, width - 3L), "..."), text)
}

# Conditions: every error, warning and message of the package is raised here, with a class for its kind.

# `kind` is one word: "argument", "column", "label", "model", "file", or a kind the engine gave; or several, the special
# before the general.
abort_sbrl <- function(kind, message, call = NULL) {
  class <- c(paste0("sbrl_error_", kind), "sbrl_error")
  stop(errorCondition(message, class = class, call = call))
}

warn_sbrl <- function(kind, message, call = NULL) {
  class <- c(paste0("sbrl_warning_", kind), "sbrl_warning")
  warning(warningCondition(message, class = class, call = call))
}

inform_sbrl <- function(kind, message) {
  class <- c(paste0("sbrl_message_", kind), "sbrl_message", "message", "condition")
  message(structure(class = class, list(message = paste0(message, "\n"), call = NULL)))
}

# Evaluates `expr`. An interrupt gives a message and then takes its course.
on_interrupt <- function(expr, message) {
  withCallingHandlers(expr, interrupt = function(condition) inform_sbrl("interrupt", message))
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
  plain <- is.atomic(x) && !is.object(x) && !has_dim(x)
  if (is.null(x)) {
    return("NULL")
  }
  if (plain && length(x) == 0L) {
    return(sprintf("an empty %s vector", class(x)))
  }
  if (plain && length(x) <= 5L) {
    return(shorten(with_point(deparse1(x, collapse = " "))))
  }
  if (typeof(x) == "list" && identical(oldClass(x), "data.frame")) {
    return("a data frame")
  }
  if (identical(oldClass(x), "formula")) {
    return("a formula")
  }
  if (!is.object(x) && length(dim(x)) == 2L) {
    return("a matrix")
  }
  sprintf("an object of class %s and length %.0f", quote_values(class(x)), bare_length(x))
}

# Without the length() of its class, which may fail. R cannot take the class from what is shared, such as environments.
bare_length <- function(x) {
  if (!is.object(x)) {
    length(x)
  } else if (is.atomic(x) || is.list(x) || is.language(x) || is.function(x)) {
    length(unclass(x))
  } else {
    1L
  }
}

shorten <- function(text, width = 50L) {
  ifelse(nchar(text, "chars") > width, paste0(substr(text, 1L, width - 3L), "..."), text)
}

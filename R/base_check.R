# Checks at the door: each complains about one argument or returns its value invisibly.

check_that <- function(ok, x, arg, expected) {
  if (!isTRUE(ok)) {
    abort_sbrl("argument", sprintf("`%s` must be %s, not %s.", arg, expected, describe(x)))
  }
  invisible(x)
}

# 2^53: beyond it a double no longer holds every whole number.
check_whole <- function(x, arg, min = 1, max = 2^53) {
  # lazy evaluation: the message is built only on failure
  check_that(is_whole(x, min, max), x, arg, describe_whole(min, max))
}

check_optional_whole <- function(x, arg, min) {
  if (!is.null(x)) {
    check_whole(x, arg, min = min, max = 2^53 - 1)
  }
  invisible(x)
}

describe_whole <- function(min, max) {
  # Limits that nobody reaches are not worth mentioning.
  range <- if (max < .Machine$integer.max) sprintf("from %.0f to %.0f", min, max) else sprintf("%.0f or more", min)
  sprintf("one whole number, %s", range)
}

check_positive <- function(x, arg) {
  check_that(is_number(x) && x > 0 && is.finite(x), x, arg, "one positive, finite number")
}

check_seconds <- function(x, arg) {
  check_that(is_number(x) && x > 0, x, arg, "one positive number of seconds (`Inf` for no limit)")
}

check_proportion <- function(x, arg) {
  check_that(is_number(x) && x >= 0 && x <= 1, x, arg, "one number from 0 to 1")
}

check_optional_level <- function(x, arg = "level") {
  if (!is.null(x)) check_level(x, arg)
}

check_level <- function(x, arg = "level") {
  check_that(is_number(x) && x > 0 && x < 1, x, arg, "one number between 0 and 1")
}

check_flag <- function(x, arg) {
  check_that(is_flag(x), x, arg, "TRUE or FALSE")
}

check_string <- function(x, arg) {
  check_that(is_string(x), x, arg, "one string")
}

# Text that names a file or that people read. Bytes that are no characters could be neither shown nor escaped, and R
# would stop with an error of its own.
check_plain_text <- function(x, arg) {
  check_string(x, arg)
  check_that(is_valid_text(x), x, arg, "text in a valid encoding")
}

check_optional_text <- function(x, arg) {
  check_that(is.null(x) || is_string(x), x, arg, "one string or NULL")
  if (!is.null(x)) check_plain_text(x, arg)
  invisible(x)
}

# A data frame may have been put together by hand: its columns must be as long as its row names say. Returns it without
# the other classes that it has, whose methods may do anything.
check_data_frame <- function(x, arg) {
  refuse_remote(x, arg)
  check_that(typeof(x) == "list" && inherits(x, "data.frame"), x, arg, "a data frame")
  n <- .row_names_info(x, 2L)
  columns <- unclass(x)
  sizes <- column_sizes(columns)
  for (j in which(sizes != n)) {
    # a matrix or a data frame inside is another thing, and refused later
    if (is.null(attr(columns[[j]], "dim"))) {
      message <- "`%s` has %s, but its column %d has %s."
      abort_sbrl("column", sprintf(message, arg, counted(n, "row"), j, counted(sizes[j], "value")))
    }
  }
  invisible(if (identical(oldClass(x), "data.frame")) x else as_plain_frame(x))
}

refuse_remote <- function(x, arg) {
  if (is_remote(x)) {
    message <- paste(
      "`%s` must be a data frame in memory, not a table elsewhere. Read the rows with dplyr::collect() if they are",
      "few; vignette(\"beyond-memory\") shows what works without reading them."
    )
    abort_sbrl("argument", sprintf(message, arg))
  }
}

# Without the length() of a class, which may fail. The length of a list with a class is up to the class: NA.
column_sizes <- function(columns) {
  is_odd <- vapply(columns, is.object, NA)
  sizes <- rep(NA_real_, length(columns))
  sizes[!is_odd] <- lengths(columns[!is_odd])
  sizes[is_odd] <- vapply(columns[is_odd], \(x) if (is.atomic(x)) length(unclass(x)) else NA_integer_, 1L)
  sizes
}

check_positive_vector <- function(x, arg, expected = "positive, finite numbers") {
  ok <- !is.object(x) && is.numeric(x) && length(x) >= 1L && all(is.finite(x)) && all(x > 0)
  check_that(ok, x, arg, expected)
}

# The first choice stands for "not given", as in match.arg(), but the error is ours.
check_choice <- function(x, arg, choices) {
  if (identical(x, choices)) {
    return(choices[[1L]])
  }
  expected <- paste("one of", quote_values(choices, max = length(choices)))
  check_that(is_string(x) && x %in% choices, x, arg, expected)
}

# No option is ever ignored silently: what no formal argument takes is an error.
check_dots_empty <- function(...) {
  if (...length() == 0L) {
    return(invisible())
  }
  names <- ...names()
  named <- if (is.null(names)) character() else names[nzchar(names) & !is.na(names)]
  if (length(named) > 0L) {
    abort_unknown(named, names(formals(sys.function(sys.parent()))))
  }
  abort_sbrl("argument", paste(counted(...length(), "argument"), "too many."))
}

# An error that names arguments that are not `known`, and those that were probably meant.
abort_unknown <- function(names, known) {
  meant <- unique(unlist(lapply(names, nearest_name, known = setdiff(known, "..."))))
  hint <- if (length(meant) > 0L) sprintf(" Did you mean %s?", quote_names(meant)) else ""
  abort_sbrl("argument", sprintf("Unknown argument: %s.%s", quote_names(names), hint))
}

# The name that a misspelt one is most like, or NULL: one slip, or one in three letters, is forgiven.
nearest_name <- function(name, known) {
  if (length(known) == 0L || !is_valid_text(name) || nchar(name) > 50L) {
    return(NULL)
  }
  # some code points are valid text that R cannot compare
  distance <- tryCatch(utils::adist(name, known, ignore.case = TRUE), error = \(e) Inf)
  if (min(distance) <= max(1, nchar(name) %/% 3L)) known[which.min(distance)]
}

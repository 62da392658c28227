# Columns whose class does not match their contents: a factor without levels, a date made of text. R's own methods stop
# at these with errors that name no column, so they are found before any method is called.

# Returns the column with the classes of R's own that it has.
check_whole_class <- function(x, name, codes = FALSE, kind = "column") {
  x <- in_one_zone(without_foreign_classes(x))
  broken <- if (is.object(x)) broken_class(x, codes)
  if (!is.null(broken)) {
    what <- if (kind == "label") "Label column" else "Column"
    message <- sprintf("%s %s has class %s but %s.", what, quote_names(name), quote_values(class(x)[1L]), broken)
    abort_sbrl(kind, message)
  }
  invisible(x)
}

r_classes <- c("factor", "ordered", "sbrl_levels", "Date", "POSIXct", "POSIXlt", "POSIXt", "difftime", "integer64")

# A factor, date or time without the other classes that it has: their methods may do anything. I() is not one of these.
without_foreign_classes <- function(x) {
  classes <- if (is.object(x) && !isS4(x)) oldClass(x)
  if (any(classes %in% r_classes) && !all(classes %in% c(r_classes, "AsIs"))) {
    oldClass(x) <- intersect(classes, c(r_classes, "AsIs"))
  }
  x
}

# Times that were made of their parts name the zone three times, which format() does not take.
in_one_zone <- function(x) {
  if (inherits(x, "POSIXct") && is.character(attr(x, "tzone")) && length(attr(x, "tzone")) > 1L) {
    attr(x, "tzone") <- attr(x, "tzone")[1L]
  }
  x
}

# An object of ours without the other classes that it has.
without_other_classes <- function(x, own) {
  classes <- oldClass(x)
  if (!all(classes %in% own)) {
    oldClass(x) <- intersect(classes, own)
  }
  x
}

# What is wrong with an object of one of R's classes, in words, or NULL. Whether each number of a factor has a level is
# asked with `codes` only, because that takes a look at every row.
broken_class <- function(x, codes = TRUE) {
  if (inherits(x, "factor")) {
    return(broken_factor(x, codes))
  }
  if (inherits(x, "POSIXlt")) {
    is_time <- tryCatch(length(as.POSIXct(x)) >= 0L, error = \(e) FALSE, warning = \(e) FALSE)
    return(if (!is_time) "its parts make no times")
  }
  if (!inherits(x, names(number_classes))) {
    return(NULL)
  }
  zone <- attr(x, "tzone")
  unit <- attr(x, "units")
  if (!typeof(x) %in% c("integer", "double", "logical")) {
    "contains no numbers"
  } else if (inherits(x, "POSIXct") && !is.null(zone) && (!is.character(zone) || length(zone) == 0L)) {
    "its time zone is not text"
  } else if (inherits(x, "difftime") && !(is_string(unit) && unit %in% time_units)) {
    sprintf("its units are none of %s", quote_values(time_units))
  }
}

broken_factor <- function(x, codes) {
  levels <- attr(x, "levels")
  if (typeof(x) != "integer" || !is.character(levels)) {
    return("its levels are not text")
  }
  if (anyDuplicated(levels) > 0L) {
    return(sprintf("two levels are called %s", quote_values(levels[duplicated(levels)][1L])))
  }
  numbers <- if (codes) as.integer(x)
  is_stray <- codes && (min(numbers, 1L, na.rm = TRUE) < 1L || max(numbers, 0L, na.rm = TRUE) > length(levels))
  if (is_stray) "some of its numbers have no level"
}

# The same for the columns of a fit, whose levels are counted anyway. A row that is not counted may also be missing.
check_codes <- function(columns, counts, names) {
  for (j in which(lengths(counts) > 0L)) {
    if (sum(counts[[j]]) < length(columns[[j]])) {
      check_whole_class(columns[[j]], names[j], codes = TRUE)
    }
  }
}

time_units <- c("secs", "mins", "hours", "days", "weeks")

# R's classes of numbers, and their types.
number_classes <- c(Date = "date", POSIXct = "datetime", difftime = "difftime")

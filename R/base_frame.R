# Data frames of known columns: made and checked without calling a method of any column.

# A data frame of columns that are known to have `n` values each; data.frame() would ask them first.
as_frame <- function(columns, n) {
  structure(columns, class = "data.frame", row.names = .set_row_names(n))
}

as_plain_frame <- function(x) {
  x <- unclass(x)
  oldClass(x) <- "data.frame"
  x
}

take_rows <- function(data, rows) {
  as_frame(lapply(data, \(x) x[rows]), length(rows))
}

# Some rows of a column that may be of any class, whose methods are not called; what is no column is refused later.
some_values <- function(x, rows) {
  x <- without_foreign_classes(x)
  if (has_dim(x) || !is.atomic(x) && !inherits(x, "POSIXlt")) {
    return(x)
  }
  if (is_integer64(x)) {
    # without its package, it would lose its class here
    return(integer64_values(x)[rows])
  }
  if (!is.object(x) || any(oldClass(x) %in% r_classes)) {
    return(x[rows])
  }
  structure(unclass(x)[rows], class = oldClass(x))
}

# A data frame of these columns, as long as its row names say.
is_frame <- function(x, columns) {
  if (typeof(x) != "list" || !identical(attr(x, "class"), "data.frame") || !identical(attr(x, "names"), columns)) {
    return(FALSE)
  }
  all(vapply(unclass(x), \(column) is.atomic(column) && is_plain(column, typeof(column)), NA)) &&
    all(lengths(unclass(x)) == .row_names_info(x, 2L))
}

# The same, whatever its columns are called.
is_plain_frame <- function(x) {
  is_frame(x, attr(x, "names"))
}

# A data frame of numbers, none missing but in the columns `gaps`.
is_table <- function(x, columns, gaps = character()) {
  is_frame(x, columns) && all(vapply(unclass(x), is.numeric, NA)) &&
    all(vapply(unclass(x)[setdiff(columns, gaps)], \(column) all(is.finite(column)), NA))
}

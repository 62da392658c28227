# Columns: a data frame becomes plain columns and a blueprint (name, type, levels of each feature).

# A feature with more levels than this is almost surely an identifier.
max_levels <- 1000L

# The data frame taken apart by position, so that tibbles, data tables and odd names all work alike.
read_frame <- function(tdata, label) {
  label <- if (is.null(label)) "label" else enc2utf8(check_string(label, "label"))
  names <- column_names(tdata)
  position <- match(label, names)
  if (is.na(position)) {
    message <- "`tdata` has no label column %s; its columns are %s."
    abort_sbrl("label", sprintf(message, quote_names(label), quote_names(names)))
  }
  if (nrow(tdata) == 0L) {
    abort_sbrl("argument", "`tdata` must have at least one row, not 0.")
  }
  list(
    columns = lapply(seq_along(names)[-position], \(j) tdata[[j]]),
    names = names[-position],
    label = tdata[[position]],
    label_name = label
  )
}

column_names <- function(tdata) {
  names <- enc2utf8(as.character(names(tdata)))
  if (anyNA(names) || length(names) != length(tdata)) {
    abort_sbrl("column", "Every column of `tdata` must have a name; one has none.")
  }
  bad <- !is_valid_text(names)
  if (any(bad)) {
    abort_sbrl("column", sprintf("Column %d of `tdata` has a name that is not valid text.", which(bad)[1L]))
  }
  if (anyDuplicated(names) > 0L) {
    twice <- unique(names[duplicated(names)])
    abort_sbrl("column", sprintf("Column names must differ; `tdata` has more than one %s.", quote_names(twice)))
  }
  names
}

# The features of a fit: blueprint and codes, and the names of the columns that say nothing.
read_features <- function(columns, names) {
  columns <- Map(as_plain_column, columns, names)
  features <- unname(Map(new_feature, columns, names))
  codes <- unname(Map(encode_column, columns, features))
  constant <- as.logical(unlist(Map(is_constant, codes, features)))
  list(features = features[!constant], codes = codes[!constant], dropped = names[constant])
}

# One value everywhere, or none at all. One value with gaps is not constant: its item tells the gaps apart.
is_constant <- function(codes, feature) {
  n_levels <- length(feature$levels)
  n_levels == 0L || (n_levels == 1L && !anyNA(codes) && all(codes > 0L))
}

new_feature <- function(x, name) {
  levels <- observed_levels(x, name)
  if (length(levels) > max_levels) {
    message <- "Column %s has %d levels; at most %d are allowed. Is it an identifier? Remove it or merge levels."
    abort_sbrl("column", sprintf(message, quote_names(name), length(levels), max_levels))
  }
  list(name = name, type = "categorical", levels = levels)
}

# The distinct observed values as text, in their natural order; missing values are no level.
observed_levels <- function(x, name) {
  if (is.factor(x)) {
    levels <- levels(x)[tabulate(x, nlevels(x)) > 0L]
    return(check_text(levels[!is.na(levels)], name))
  }
  if (is.character(x)) {
    return(sort(check_text(unique(x[!is.na(x)]), name), method = "radix"))
  }
  if (is.logical(x)) {
    return(c("FALSE", "TRUE")[c(FALSE, TRUE) %in% x])
  }
  number_text(sort(distinct_numbers(x, name)))
}

distinct_numbers <- function(x, name) {
  values <- unique(x[!is.na(x)])
  if (length(values) > 2L) {
    message <- paste(
      "Column %s holds numbers with %d distinct values; this version takes factors, text, logicals and two-valued",
      "numbers. Make it a factor first, for example with cut()."
    )
    abort_sbrl("column", sprintf(message, quote_names(name), length(values)))
  }
  values
}

# As few digits as give the number back exactly.
number_text <- function(x) {
  text <- vapply(x, format, "", digits = 15L, scientific = 5L, decimal.mark = ".")
  for (digits in c("%.16g", "%.17g")) {
    inexact <- suppressWarnings(as.numeric(text)) != x
    text[inexact] <- sprintf(digits, x[inexact])
  }
  text
}

# Text as UTF-8, or an error naming the column whose bytes are no text.
check_text <- function(x, name) {
  x <- enc2utf8(x)
  if (!all(is_valid_text(x))) {
    message <- "Column %s holds text that is not valid in its encoding; see iconv()."
    abort_sbrl("column", sprintf(message, quote_names(name)))
  }
  x
}

is_valid_text <- function(x) {
  validUTF8(x) & Encoding(x) != "bytes"
}

# A column of one of the four kinds we know, without the class attributes that do not matter.
as_plain_column <- function(x, name) {
  if (is.list(x) || !is.null(dim(x)) || !is.atomic(x) || is.complex(x) || is.raw(x) || is.null(x)) {
    message <- "Column %s must be a factor, text, logical or numeric vector, not %s."
    abort_sbrl("column", sprintf(message, quote_names(name), describe_column(x)))
  }
  if (is.factor(x)) {
    return(x)
  }
  if (is.character(x) || is.logical(x) || inherits(x, "AsIs")) {
    return(as.vector(unclass(x)))
  }
  if (is.object(x)) {
    message <- "Column %s has class %s, which this version cannot use. Make it a factor first, for example with cut()."
    abort_sbrl("column", sprintf(message, quote_names(name), quote_values(class(x)[1L])))
  }
  as.vector(x)
}

describe_column <- function(x) {
  if (is.data.frame(x)) {
    return("a data frame")
  }
  if (!is.null(dim(x))) {
    return("a matrix")
  }
  sprintf("of type %s", quote_values(typeof(x)))
}

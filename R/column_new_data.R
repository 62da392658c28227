# New data: the columns that the rules use, found or computed, and read as the training columns were.

# Names of new data, which may have columns that nobody asks for: NA for a name that is not text.
readable_names <- function(data) {
  names <- as.character(attr(data, "names"))
  names[!is_valid_text(names)] <- NA
  enc2utf8(names)
}

find_columns <- function(data, names, arg) {
  given <- readable_names(data)
  absent <- setdiff(names, given)
  if (length(absent) > 0L) {
    message <- "`%s` must have the columns that the rules use; missing: %s."
    abort_sbrl("column", sprintf(message, arg, quote_names(absent)))
  }
  twice <- intersect(names, given[duplicated(given)])
  if (length(twice) > 0L) {
    abort_sbrl("column", sprintf("`%s` has more than one column %s.", arg, quote_names(twice)))
  }
  match(names, given)
}

# The columns `names` of new data: those of a formula's transformed variables are computed.
take_columns <- function(data, names, terms, arg) {
  variables <- if (!is.null(terms)) stats::setNames(variables_of(terms), variable_names(terms))[names]
  computed <- vapply(seq_along(names), \(j) is.call(variables[[j]]), NA)
  columns <- vector("list", length(names))
  found <- find_columns(data, names[!computed], arg)
  columns[!computed] <- Map(\(position, name) readable(.subset2(data, position), name), found, names[!computed])
  columns[computed] <- lapply(variables[computed], compute_column, data = data, terms = terms, arg = arg)
  columns
}

compute_column <- function(expression, data, terms, arg) {
  problem <- function(text) {
    abort_sbrl("column", sprintf("%s cannot be computed from `%s`: %s", short_code(expression), arg, text))
  }
  absent <- setdiff(all.vars(expression), names(data))
  absent <- absent[!vapply(absent, exists, NA, envir = environment(terms))]
  if (length(absent) > 0L) {
    problem(sprintf("%s is missing.", quote_names(absent)))
  }
  value <- tryCatch(
    catch_memory(eval(expression, as.list(data), environment(terms))),
    sbrl_error = stop,
    error = \(e) problem(conditionMessage(e))
  )
  if (length(value) != nrow(data)) {
    problem(sprintf("the result has %s for %s.", counted(length(value), "value"), counted(nrow(data), "row")))
  }
  value
}

# New data for `features`, as the engine reads it. At most one warning lists what matched nothing.
encode_new <- function(columns, features) {
  read <- Map(read_new_column, features, columns)
  warn_new(
    unlist(lapply(read, \(column) column$unmatched)),
    unlist(lapply(read, \(column) column$converted))
  )
  unname(lapply(read, \(column) column$column))
}

read_new_column <- function(feature, x) {
  allow_interrupt(bare_length(x))
  match_new_column(feature, as_new_column(x, feature))
}

# The column as the engine reads it, and what to warn about: values that match nothing, or that were converted.
match_new_column <- function(feature, x) UseMethod("match_new_column")

#' @export
match_new_column.sbrl_feature_categorical <- function(feature, x) {
  column <- read_column(feature, x)
  list(column = column, unmatched = describe_unmatched(x, column, feature))
}

#' @export
match_new_column.sbrl_feature_number <- function(feature, x) {
  if (is.factor(x)) {
    column <- list(values = x, table = c(-1L, number_codes(levels(x), feature)))
    return(list(column = column, unmatched = describe_unmatched(x, column, feature)))
  }
  read <- read_numbers(x, feature)
  list(
    column = list(values = read$values, cuts = .subset2(feature, "cuts")),
    converted = if (!is.null(read$note)) sprintf("%s (%s)", quote_names(feature$name), read$note)
  )
}

# The codes of texts that are to be numbers. Empty text and "NA" are missing, as in a file; -1 is for what is no number.
number_codes <- function(text, feature) {
  missing <- is.na(text) | trimws(text) %in% c("", "NA")
  numbers <- rep(NA_real_, length(text))
  numbers[!missing] <- parse_values(feature, text[!missing])
  codes <- findInterval(numbers, feature$cuts) + 1L
  codes[is.na(codes)] <- -1L
  codes[missing] <- 0L
  codes
}

# New data may have classes that training data may not: values that are not numbers are compared as text.
as_new_column <- function(x, feature) {
  x <- check_whole_class(x, feature$name, codes = TRUE)
  atomic <- is.atomic(x) && !has_dim(x) && !is.null(x)
  known <- is.factor(x) || inherits(x, "AsIs") || is_integer64(x)
  known <- known || (number_type(x) != "" && is_number_feature(feature))
  if (atomic && is.object(x) && !known) {
    x <- as_text(x, feature$name)
  }
  x <- as_plain_column(x, feature$name)
  if (is.null(.subset2(feature, "empty_as_missing"))) x else without_empty(x)
}

# One phrase for a column some of whose values match no level, or nothing.
describe_unmatched <- function(x, column, feature) {
  unmatched <- unmatched_values(x, column, feature)
  if (length(unmatched) == 0L) {
    return(NULL)
  }
  if (has_other_type(x, feature$levels)) {
    kind <- if (is.logical(x)) "logical values" else "numbers"
    return(sprintf("%s (%s, but its levels are text)", quote_names(feature$name), kind))
  }
  sprintf("%s (%s)", quote_names(feature$name), quote_values(unmatched))
}

# In the order of their first rows. Whether there are any is asked first, because looking for them takes time.
unmatched_values <- function(x, column, feature) {
  all_known <- is.null(column$levels) && !any(column$table[-1L] < 0L)
  if ((is.factor(x) && all_known) || count_codes(column, feature)[1L] == 0) {
    return(NULL)
  }
  distinct <- unique(x[!is.na(x)])
  if (is.null(column$levels)) {
    distinct <- distinct[column$table[as.integer(distinct) + 1L] %in% -1L]
  } else {
    distinct <- distinct[!distinct %in% column$levels]
  }
  with_point(as.character(distinct))
}

has_other_type <- function(x, levels) {
  if (is.logical(x)) {
    return(!any(c("FALSE", "TRUE") %in% levels))
  }
  is.numeric(x) && all(is.na(level_numbers(levels)))
}

warn_new <- function(unmatched, converted) {
  parts <- c(
    if (length(unmatched) > 0L) "Values not seen in training match no condition on their column: %s.",
    if (length(converted) > 0L) "Columns of another type than in training: %s."
  )
  if (length(parts) == 0L) {
    return(invisible())
  }
  phrases <- list(unmatched, converted)[lengths(list(unmatched, converted)) > 0L]
  text <- Map(\(form, phrase) sprintf(form, paste(phrase, collapse = "; ")), parts, phrases)
  warn_sbrl("column", paste(unlist(text), collapse = " "))
}

# New data: the columns that the rules use, found or computed, and read as the training columns were.

# Names of new data, which may have columns that nobody asks for: NA for a name that is no text.
readable_names <- function(data) {
  names <- as.character(attr(data, "names"))
  names[!is_valid_text(names)] <- NA
  enc2utf8(names)
}

find_columns <- function(data, names, arg) {
  given <- readable_names(data)
  absent <- setdiff(names, given)
  if (length(absent) > 0L) {
    message <- "`%s` lacks %s, which the rules use."
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
    problem(sprintf("it lacks %s.", quote_names(absent)))
  }
  value <- tryCatch(
    catch_memory(eval(expression, as.list(data), environment(terms))),
    sbrl_error = stop,
    error = \(e) problem(conditionMessage(e))
  )
  if (length(value) != nrow(data)) {
    problem(sprintf("the result has %d value(s) for %d row(s).", length(value), nrow(data)))
  }
  value
}

# New data for `features`, as the engine reads it. At most one warning says what matched nothing.
read_new <- function(columns, features) {
  read <- Map(read_new_column, columns, features)
  warn_new(
    unlist(lapply(read, \(column) column$unmatched)),
    unlist(lapply(read, \(column) column$converted))
  )
  unname(lapply(read, \(column) column$column))
}

read_new_column <- function(x, feature) {
  allow_interrupt(bare_length(x))
  x <- as_new_column(x, feature)
  if (is_number_feature(feature)) {
    return(read_new_number(x, feature))
  }
  column <- read_column(x, feature)
  list(column = column, unmatched = describe_unmatched(x, column, feature))
}

read_new_number <- function(x, feature) {
  if (is.factor(x)) {
    column <- list(values = x, table = c(-1L, number_codes(levels(x), feature)))
    return(list(column = column, unmatched = describe_unmatched(x, column, feature)))
  }
  read <- read_numbers(x, feature)
  list(
    column = list(values = read$values, cuts = feature$cuts),
    converted = if (!is.null(read$note)) sprintf("%s (%s)", quote_names(feature$name), read$note)
  )
}

# New data may come in classes that training data may not: what is no number is compared as text.
as_new_column <- function(x, feature) {
  check_whole_class(x, feature$name, codes = TRUE)
  atomic <- is.atomic(x) && is.null(dim(x)) && !is.null(x)
  known <- is.factor(x) || inherits(x, "AsIs") || is_integer64(x)
  known <- known || (number_kind(x) != "" && is_number_feature(feature))
  if (atomic && is.object(x) && !known) {
    x <- as_text(x, feature$name)
  }
  as_plain_column(x, feature$name)
}

# One phrase for a column some of whose values match no level, or nothing.
describe_unmatched <- function(x, column, feature) {
  unmatched <- unmatched_values(x, column, feature)
  if (length(unmatched) == 0L) {
    return(NULL)
  }
  if (!is_number_feature(feature) && has_other_type(x, feature$levels)) {
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
    return(as.character(distinct[column$table[as.integer(distinct) + 1L] %in% -1L]))
  }
  as.character(distinct[!distinct %in% column$levels])
}

has_other_type <- function(x, levels) {
  if (is.logical(x)) {
    return(!any(c("FALSE", "TRUE") %in% levels))
  }
  is.numeric(x) && all(is.na(level_numbers(levels)))
}

warn_new <- function(unmatched, converted) {
  parts <- c(
    if (length(unmatched) > 0L) "Values not seen in training obey no item of their column: %s.",
    if (length(converted) > 0L) "Columns of another type than in training: %s."
  )
  if (length(parts) == 0L) {
    return(invisible())
  }
  phrases <- list(unmatched, converted)[lengths(list(unmatched, converted)) > 0L]
  text <- Map(\(form, phrase) sprintf(form, paste(phrase, collapse = "; ")), parts, phrases)
  warn_sbrl("column", paste(unlist(text), collapse = " "))
}

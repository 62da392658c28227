# Columns: a data frame becomes plain columns and a blueprint (name, type, levels or cut points of each feature).

# The data frame taken apart by position, so that tibbles, data tables and odd names all work alike. Rows of no weight
# are not there.
split_frame <- function(tdata, label, weights) {
  tdata <- check_data_frame(tdata, "tdata")
  label <- if (is.null(label)) "label" else enc2utf8(check_string(label, "label"))
  names <- column_names(tdata)
  position <- match(label, names)
  if (is.na(position)) {
    abort_no_label(label, names)
  }
  if (nrow(tdata) == 0L) {
    abort_sbrl("argument", "The data must have at least one row; they have none.")
  }
  training <- list(
    columns = lapply(seq_along(names)[-position], \(j) check_column(.subset2(tdata, j), names[j])),
    names = names[-position],
    label = check_column(.subset2(tdata, position), label, codes = TRUE, kind = "label"),
    label_name = label,
    weights = check_weights(weights, nrow(tdata)), position = seq_len(nrow(tdata))
  )
  if (is.null(weights)) training else keep_rows(training, training$weights > 0)
}

abort_no_label <- function(label, names) {
  columns <- if (length(names) == 0L) "it has no columns" else paste("its columns are", quote_names(names))
  meant <- nearest_name(label, names)
  hint <- if (is.null(meant)) {
    "Name the label column with `label`, or give a formula such as `y ~ .`."
  } else {
    sprintf("Did you mean %s?", quote_names(meant))
  }
  abort_sbrl("label", sprintf("`tdata` has no label column %s; %s. %s", quote_names(label), columns, hint))
}

check_column <- function(x, name, ...) {
  check_whole_class(readable(x, name), name, ...)
}

# `keep` are TRUE and FALSE, or numbers of rows.
keep_rows <- function(training, keep) {
  if (is.logical(keep) && all(keep)) {
    return(training)
  }
  n <- length(training$label)
  pick <- function(x) {
    allow_interrupt(n)
    # what has another length is refused by name later
    size <- if (inherits(x, "POSIXlt")) length(x) else bare_length(x)
    if (!has_dim(x) && size == n) some_values(x, keep) else x
  }
  training$columns <- lapply(training$columns, pick)
  training$label <- pick(training$label)
  training$weights <- training$weights[keep]
  training$position <- training$position[keep]
  training
}

least_weight <- 1e-290

# Numbers from 0 on, as doubles, or NULL.
check_weights <- function(weights, n) {
  if (is.null(weights)) {
    return(NULL)
  }
  ok <- (!is.object(weights) || identical(oldClass(weights), "AsIs")) && is.numeric(weights) && !has_dim(weights)
  check_that(ok && length(weights) == n, weights, "weights", sprintf("finite numbers, 0 or more, one per row (%d)", n))
  bad <- which(!is.finite(weights) | weights < 0)
  allow_interrupt(n)
  if (length(bad) > 0L) {
    message <- "`weights` must be finite numbers, 0 or more, but that of row %d is %s."
    abort_sbrl("argument", sprintf(message, bad[1L], number_text(weights[bad[1L]])))
  }
  if (sum(weights) >= 1e300) {
    abort_sbrl("argument", "`weights` must add up to less than 1e300.")
  }
  if (any(weights > 0) && max(weights) < least_weight) {
    message <- "`weights` must not all be less than %s, where numbers lose their digits."
    abort_sbrl("argument", sprintf(message, number_text(least_weight)))
  }
  if (all(weights == 0)) {
    abort_sbrl("argument", "`weights` must be greater than 0 in some row; all are 0.")
  }
  as.double(weights)
}

column_names <- function(tdata) {
  names <- as.character(attr(tdata, "names"))
  if (anyNA(names) || length(names) != length(tdata)) {
    abort_sbrl("column", "Every column of `tdata` must have a name; one has none.")
  }
  bad <- !is_valid_text(names)
  if (any(bad)) {
    abort_sbrl("column", sprintf("Column %d of `tdata` has a name that is not valid text.", which(bad)[1L]))
  }
  names <- enc2utf8(names)
  if (anyDuplicated(names) > 0L) {
    twice <- unique(names[duplicated(names)])
    abort_sbrl("column", sprintf("Column names must differ; `tdata` has more than one %s.", quote_names(twice)))
  }
  names
}

# The features of a fit: blueprint, codes and items, and the names of the constant columns, of those with empty text,
# and of those whose text consists of numbers.
learn_features <- function(training, outcome, discretisation, empty_as_missing = FALSE) {
  check_own_columns(discretisation$own, training$names)
  each <- seq_along(training$columns)
  columns <- lapply(each, function(j) {
    allow_interrupt(length(outcome$codes))
    column <- as_plain_column(training$columns[[j]], training$names[j])
    if (empty_as_missing) without_empty(column) else column
  })
  counts <- lapply(columns, count_levels)
  check_codes(columns, counts, training$names)
  features <- find_features(columns, counts, training$names, outcome, discretisation)
  has_gaps <- vapply(each, \(j) has_gaps(columns[[j]], counts[[j]]), NA)
  is_empty <- vapply(each, \(j) has_empty(columns[[j]], counts[[j]]), NA)
  is_digits <- vapply(each, \(j) is_number_text(columns[[j]], counts[[j]]), NA)
  columns <- lapply(each, \(j) read_column(features[[j]], columns[[j]]))
  rich <- if (isTRUE(discretisation$is_rich)) find_level_groups(features, columns, has_gaps, outcome)
  # One value everywhere, or none at all, is constant; one value with gaps is not, because its item separates the gaps.
  kept <- count_values(columns, features) + has_gaps > 1L
  has_own_cuts <- training$names %in% names(discretisation$own)
  list(
    features = features[kept], columns = columns[kept],
    items = items_of(features[kept], has_gaps[kept], has_own_cuts[kept], rich[kept]), dropped = training$names[!kept],
    empty = training$names[is_empty & kept], digits = training$names[is_digits & kept]
  )
}

# How many levels or intervals of each feature have a row: all of the levels, but there may be none in an interval.
count_values <- function(columns, features) {
  n_values <- lengths(lapply(features, `[[`, "levels"))
  for (j in which(are_numbers(features))) {
    allow_interrupt(length(columns[[j]]$values))
    n_values[j] <- sum(count_codes(columns[[j]], features[[j]])[-(1:2)] > 0)
  }
  n_values
}

# Is a value missing? Missing may also be a level, see addNA().
has_gaps <- function(x, counts) {
  if (is.null(counts)) anyNA(x) else sum(counts[!is.na(attr(x, "levels"))]) < length(x)
}

find_features <- function(columns, counts, names, outcome, discretisation) {
  features <- lapply(seq_along(columns), \(j) find_feature(columns[[j]], counts[[j]], names[j], discretisation))
  learnt <- are_numbers(features) & !names %in% names(discretisation$own)
  if (any(learnt)) {
    features[learnt] <- learn_cuts(columns[learnt], features[learnt], outcome, discretisation)
  }
  Map(note_whole, features, columns)
}

# People read conditions on whole numbers as such: `visits >= 1`, though the cut is at 0.5.
note_whole <- function(feature, x) {
  if (.subset2(feature, "type") == "number" && are_whole(x)) with_type(feature, "integer") else feature
}

# The first values show of most columns that their numbers are not whole.
are_whole <- function(x) {
  is_whole <- function(x) all(x == trunc(x), na.rm = TRUE)
  allow_interrupt(length(x))
  is.integer(x) || (is_whole(utils::head(x, 1000L)) && is_whole(x))
}

# The cut points of a number stay to be learnt, unless they are the user's own.
find_feature <- function(x, counts, name, discretisation) {
  own <- discretisation$own[[name]]
  if (is.null(counts) && (is_cut(x, own) || (name %in% discretisation$numbers && !all_missing(x)))) {
    return(cut_feature(x, name, own))
  }
  if (!is.null(own) && number_type(x) == "") {
    message <- "`discretize` has cut points for %s, which is not a number."
    abort_sbrl("argument", sprintf(message, quote_names(name)))
  }
  levels <- observed_levels(x, name, counts)
  if (length(levels) > max_levels) {
    message <- "Column %s has %d levels; at most %d are allowed. Is it an identifier? Remove it or merge levels."
    abort_sbrl("column", sprintf(message, quote_names(name), length(levels), max_levels))
  }
  type <- if (is.ordered(x)) "ordered" else "categorical"
  new_feature(name, type, levels = levels)
}

# The distinct observed values as text, in their natural order; missing values are no level.
observed_levels <- function(x, name, counts = count_levels(x)) {
  if (is.factor(x)) {
    levels <- attr(x, "levels")[counts > 0L]
    levels <- check_text(levels[!is.na(levels)], name)
    return(if (inherits(x, "sbrl_levels")) sort(levels, method = "radix") else levels)
  }
  if (is.logical(x)) {
    return(c("FALSE", "TRUE")[c(FALSE, TRUE) %in% x])
  }
  number_text(sort(unique(x[!is.na(x)])))
}

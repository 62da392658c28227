# The first pass over a source: counts of values by class give the label, the features and their items.

# A source in the place of split_frame(): which columns are what.
split_source <- function(source, label, weights) {
  label <- if (is.null(label)) "label" else enc2utf8(check_string(label, "label"))
  check_that(is.null(weights) || is_string(weights), weights, "weights", "the name of a column, or NULL")
  head <- attr(source, "head")
  head <- if (is.null(head)) source_head(source) else head
  names <- column_names(head)
  attr(head, "names") <- names
  absent <- setdiff(c(label, weights), names)
  if (length(absent) > 0L) {
    message <- "The table has no column %s; its columns are %s."
    kind <- if (label %in% absent) "label" else "argument"
    abort_sbrl(kind, sprintf(message, quote_names(absent), quote_names(names)))
  }
  chosen <- attr(source, "features")
  features <- if (is.null(chosen)) setdiff(names, c(label, weights)) else setdiff(chosen, label)
  structure(
    list(source = source, head = head, names = features, label_name = label, weights = weights),
    class = "sbrl_table"
  )
}

# Pass 1: the label, the features and their items, and how often each item occurs.
read_source <- function(table, args, by_formula) {
  discretisation <- read_discretisation(args, by_formula)
  check_own_columns(discretisation$own, table$names)
  counted <- count_source(table, discretisation)
  label <- read_label(counted$label$y, table$label_name, args$signs, args$empty_as_missing)
  labels <- check_labels(args$labels, table$names, table$label_name, label$classes)
  codes_of_labels <- label_coder(table$label_name, label$classes, args$empty_as_missing)
  n <- counted$label$n
  warn_unlabelled(sum(n[!label$has_label]), table$label_name)
  class_counts <- sum_by(n, label$codes, length(label$classes))
  learnt <- lapply(table$names, function(name) {
    counts <- counted$columns(name, codes_of_labels, length(label$classes))
    if (is.null(counts$codes)) {
      counts$codes <- codes_of_labels(counts$y)
    }
    c(learn_from_counts(name, counts, class_counts, discretisation, args$empty_as_missing),
      list(n_sampled = attr(counts, "sampled")$n_rows))
  })
  names(learnt) <- table$names
  kept <- lengths(lapply(learnt, `[[`, "features")) > 0L
  items <- bind_items(lapply(learnt[kept], `[[`, "items"))
  features <- unname(unlist(lapply(learnt[kept], `[[`, "features"), recursive = FALSE))
  check_level_labels(labels, features)
  list(
    labels = labels, class_counts = stats::setNames(class_counts, label$classes), items = items, features = features,
    dropped = table$names[!kept], empty = c(label$empty, unlist(lapply(learnt, `[[`, "empty"), use.names = FALSE)),
    digits = unlist(lapply(learnt, `[[`, "digits"), use.names = FALSE),
    weights = lapply(learnt[kept], `[[`, "weights"), codes_of_labels = codes_of_labels,
    # by feature, the number of rows of the sample that gave its cut points
    approximate = unlist(lapply(learnt[kept], `[[`, "n_sampled"))
  )
}

# The counts of a source: of the label, and of each column when asked for.
count_source <- function(table, discretisation) {
  source <- table$source
  own <- discretisation$own
  if (inherits(source, "sbrl_source_chunks")) {
    return(count_all_chunks(table, discretisation))
  }
  if (!is.null(table$weights)) {
    check_source_weights(source, table$head, table$weights)
  }
  sql <- sql_table_of(source, table$head, table$label_name, table$weights, table$names)
  label <- label_counts(sql)
  has_few <- vapply(table$head[table$names], has_few_values, NA)
  together <- count_together(sql, table$names[has_few], max_pairs() / 10)
  list(label = label, columns = function(name, coder, n_classes) {
    allow_interrupt()
    if (!is.null(together[[name]])) {
      return(together[[name]])
    }
    x <- table$head[[name]]
    if (!is.object(x) && is.numeric(x) && is_cut_by_user(own[[name]])) {
      return(count_intervals(sql, name, sort(unique(as.double(own[[name]])))))
    }
    is_text <- is.character(x)
    most <- if (is_text) (max_levels + 1) * (n_classes + 1) else max_pairs()
    counts <- count_query(sql, name, most)
    if (is.null(counts) && is_text) {
      message <- "Column %s has more than %d levels. Is it an identifier? Remove it or merge levels."
      abort_sbrl("column", sprintf(message, quote_names(name), max_levels))
    }
    if (!is.null(counts)) {
      return(counts)
    }
    if (inherits(x, c("Date", "POSIXct")) && identical(oldClass(x), oldClass(own[[name]]))) {
      return(count_intervals(sql, name, sort(unique(own[[name]]))))
    }
    count <- if (is.null(discretisation$sample)) count_groups else count_sampled
    count(sql, name, coder, discretisation, n_classes)
  })
}

count_all_chunks <- function(table, discretisation) {
  may_sample <- !is.null(discretisation$sample)
  counted <- count_chunks(table$source, table, discretisation$own, max_pairs(), may_sample)
  sampled <- NULL
  list(label = counted$label, columns = function(name, coder, n_classes) {
    if (!name %in% counted$sampled) {
      return(counted$columns[[name]])
    }
    if (is.null(sampled)) {
      sampled <<- count_sampled_chunks(table, counted$sampled, counted$n_rows, coder, discretisation, n_classes)
    }
    sampled[[name]]
  })
}

# So few in the first rows that all of them fit into one result with those of other columns.
has_few_values <- function(x) {
  is.atomic(x) && length(unique(x)) <= 100L
}

# Anything else is refused when the feature is made.
is_cut_by_user <- function(cuts) {
  !is.object(cuts) && is.numeric(cuts) && length(cuts) > 0L && all(is.finite(cuts))
}

label_coder <- function(name, classes, empty_as_missing) {
  function(y) {
    y <- as_label_column(y, name)
    label_codes(if (empty_as_missing) without_empty(y) else y, classes)
  }
}

sum_by <- function(n, codes, n_codes) {
  vapply(seq_len(n_codes), \(code) sum(n[codes %in% code]), 1)
}

# One feature from counts, by the code that learns it from rows: a value that occurs n times has weight n.
learn_from_counts <- function(name, counts, class_counts, discretisation, empty_as_missing) {
  cuts <- attr(counts, "sampled")$cuts
  counts <- counts[!is.na(counts$codes), , drop = FALSE]
  check_unchanged(sum_by(counts$n, counts$codes, length(class_counts)), class_counts, name)
  outcome <- list(codes = counts$codes, weights = counts$n, n_classes = length(class_counts))
  discretisation$own <- discretisation$own[names(discretisation$own) == name]
  if (!is.null(cuts)) discretisation$own[[name]] <- cuts
  column <- check_column(counts$x, name)
  learnt <- learn_features(list(columns = list(column), names = name), outcome, discretisation, empty_as_missing)
  if (length(learnt$features) == 1L) {
    codes <- codes_of(learnt$columns[[1L]])
    weights <- vapply(seq_along(class_counts), function(class) {
      mine <- counts$codes == class
      sum_by(counts$n[mine], codes[mine] + 1L, n_codes(learnt$features[[1L]]) + 1L)
    }, double(n_codes(learnt$features[[1L]]) + 1L))
    # one row per code, that of missing values first; one column per class
    learnt$weights <- weights
  }
  learnt
}

# Sums of fractions depend on their order.
check_unchanged <- function(found, expected, name) {
  if (any(abs(found - expected) > 1e-9 * pmax(expected, 1))) {
    message <- paste(
      "The table changed while it was read: the rows of the classes are %s in one query and %s in another, which",
      "counts %s. Fit it in a transaction, or when nobody writes to it."
    )
    shown <- \(n) paste(number_text(n), collapse = ", ")
    abort_sbrl("source", sprintf(message, shown(expected), shown(found), quote_names(name)))
  }
}

# Folds: the rows of a cross-validation, dealt to folds class by class, and the seed of each fold.

# The rows that count, as plain columns, and where they were in the data given.
read_cv_rows <- function(tdata, label, weights, arguments) {
  tdata <- check_data_frame(tdata, "tdata")
  training <- split_frame(tdata, label, weights)
  signs <- read_signs(
    if (is.null(arguments$pos_sign)) "1" else arguments$pos_sign,
    if (is.null(arguments$neg_sign)) "0" else arguments$neg_sign,
    is.null(arguments$pos_sign), is.null(arguments$neg_sign)
  )
  training$columns <- Map(as_plain_column, training$columns, training$names)
  empty_as_missing <- isTRUE(arguments$empty_as_missing)
  found <- read_label(training$label, training$label_name, signs, empty_as_missing)
  if (!empty_as_missing) {
    warn_empty(c(found$empty, training$names[vapply(training$columns, has_empty, NA)]))
  }
  warn_number_text(training$names[vapply(training$columns, is_number_text, NA)])
  warn_unlabelled(sum(!found$has_label), training$label_name)
  weighted <- if (is.null(weights)) seq_len(nrow(tdata)) else which(weights > 0)
  training$label <- as_label_column(training$label, training$label_name)
  training <- keep_rows(training, found$has_label)
  codes <- found$codes[found$has_label]
  columns <- stats::setNames(c(training$columns, list(training$label)), c(training$names, training$label_name))
  list(
    data = as_frame(columns, length(codes)), label = training$label_name, weights = training$weights,
    codes = codes, classes = found$classes, position = weighted[found$has_label],
    n_given = nrow(tdata), given_weights = if (!is.null(weights)) as.double(weights)
  )
}

# The fold of each row as a number, the names of the folds, and the seed of each fold's fits.
draw_folds <- function(rows, folds, seed) {
  is_number_of_folds <- !is.object(folds) && is.numeric(folds) && length(folds) == 1L
  if (is_number_of_folds) {
    check_whole(folds, "folds", min = 2, max = .Machine$integer.max)
    check_class_sizes(rows, folds)
    names <- seq_len(folds)
  } else {
    given <- check_given_folds(folds, rows)
    names <- sort(unique(given))
  }
  # The folds' seeds are drawn first, so that they do not depend on the rows.
  with_own_generator(seed, function() {
    seeds <- floor(stats::runif(length(names)) * 2^31)
    fold <- if (is_number_of_folds) assign_folds(rows$codes, folds) else match(given, names)
    list(fold = fold, names = names, seeds = seeds)
  })
}

# Class by class in random order, like cards: each class and the whole are spread to within one row.
assign_folds <- function(codes, n_folds) {
  shuffled <- lapply(unname(split(seq_along(codes), codes)), \(rows) rows[sample.int(length(rows))])
  fold <- integer(length(codes))
  fold[unlist(shuffled)] <- rep_len(sample.int(n_folds), length(codes))
  fold
}

check_class_sizes <- function(rows, folds) {
  sizes <- tabulate(rows$codes, length(rows$classes))
  rarest <- which.min(sizes)
  if (sizes[rarest] < 2L) {
    message <- "Class %s has %s; cross-validation needs at least two rows of each class."
    abort_sbrl("label", sprintf(message, quote_values(rows$classes[rarest]), counted(sizes[rarest], "row")))
  }
  if (sizes[rarest] < folds) {
    message <- "`folds` must be at most %d, the number of rows of the rarest class %s, not %.0f."
    abort_sbrl("argument", sprintf(message, sizes[rarest], quote_values(rows$classes[rarest]), folds))
  }
}

check_given_folds <- function(folds, rows) {
  expected <- sprintf("a number of folds, 2 or more, or the fold of each row (%d)", rows$n_given)
  folds <- without_foreign_classes(folds)
  if (is.factor(folds) && is.null(broken_class(folds))) {
    folds <- as.character(folds)
  }
  ok <- !is.object(folds) && (is.numeric(folds) || are_texts(folds)) && is.null(dim(folds)) &&
    length(folds) == rows$n_given
  check_that(ok, folds, "folds", expected)
  folds <- as.vector(folds)[rows$position]
  if (anyNA(folds)) {
    abort_sbrl("argument", sprintf("`folds` must not be missing; it is for row %d.", rows$position[is.na(folds)][1L]))
  }
  n_folds <- vapply(split(folds, rows$codes), \(x) length(unique(x)), 1L)
  if (any(n_folds < 2L)) {
    alone <- rows$classes[as.integer(names(n_folds)[n_folds < 2L])]
    message <- "Rows of each class must be in two or more `folds`; those of class %s are all in one."
    abort_sbrl("argument", sprintf(message, quote_values(alone)))
  }
  folds
}

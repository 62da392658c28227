# Teachers: predictions of the training rows by models that have not seen them, from which a list learns.

check_teacher <- function(x) {
  ok <- is.null(x) || identical(x, "trees") || inherits(x, "sbrl_bag") ||
    (!is.object(x) && is.numeric(x)) || is.data.frame(x)
  check_that(ok, x, "teacher", paste(
    "NULL, \"trees\", a bag made by sbrl_bag(), or out-of-sample probabilities: of the positive class, or a matrix",
    "with a column for each class"
  ))
}

# The defaults of a taught list, whose predictions have less noise than labels: longer rules, honest probabilities.
taught_defaults <- function(given) {
  if (is.null(given[["teacher"]])) {
    return(list())
  }
  least <- given[["rule_minlen"]]
  defaults <- list(rule_maxlen = max(3, if (is_number(least)) least), shrink = TRUE)
  defaults[setdiff(names(defaults), names(given))]
}

# A certificate and rows that are not in memory go with labels only.
check_taught_fit <- function(args, is_remote) {
  if (is.null(args$teacher)) {
    return(invisible())
  }
  if (is_remote) {
    abort_sbrl("argument", paste(
      "`teacher` needs rows in memory: fit to a sample of the table, and count all rows with refit() or predict()."
    ))
  }
  if (args$certify_nodes > 0) {
    abort_sbrl("argument", paste(
      "`certify_nodes` must be 0 with `teacher`: a taught list is not chosen for its posterior, so there is nothing to",
      "prove."
    ))
  }
}

# The rows that were given, by which predictions are matched: their number, those that are fitted, and row names.
given_rows <- function(data, position = NULL, fitted = nrow(data)) {
  list(n = nrow(data), position = position %||% seq_len(fitted), names = attr(data, "row.names"))
}

# Class probabilities of the training rows, one row each and one column per class, and what is known about the teacher.
# `about`: the `training` rows, of which those with a label are `kept`; their `outcome`, as the engine reads it, their
# `features` and `classes`; the given `rows` and the numbers of those kept among them (`position`); and `seed`,
# `threads`, `time_limit` and `progress` of the fit.
teacher_predictions <- function(teacher, about) UseMethod("teacher_predictions")

#' @export
teacher_predictions.default <- function(teacher, about) {
  probs <- given_predictions(teacher, about)
  missing <- is.na(probs[, 1L])
  probs[missing, ] <- rep(base_shares(about$outcome), each = sum(missing))
  list(source = "predictions", probs = probs)
}

#' @export
teacher_predictions.character <- function(teacher, about) {
  outcome <- about$outcome
  columns <- unname(Map(tree_column, about$features, outcome$columns))
  training <- c(outcome[c("codes", "weights", "n_classes")], list(columns = columns, groups = NULL))
  settings <- list(seed = about$seed, threads = about$threads, time_limit = about$time_limit)
  line <- progress_line(about$progress, trees_progress, about$time_limit)
  on.exit(line$clear())
  see <- \(state) line$show(list(phase = state$phase, done = state$iterations, total = state$total))
  found <- call_job(native_trees, training, settings, see = see)
  by_row <- \(flat) matrix(flat, ncol = outcome$n_classes, byrow = TRUE)
  list(
    source = "trees", probs = (by_row(found$boosted) + by_row(found$forest)) / 2, n_rounds = found$n_rounds,
    n_trees = found$n_trees
  )
}

trees_progress <- function(state, seconds, left) {
  sprintf("sbrl: %3.0f%% of the teacher's trees%s", 100 * state$done / max(1, state$total), time_left_text(left))
}

# A column as trees read it: numbers, or the codes of levels.
tree_column <- function(feature, column) {
  if (!is.null(column$cuts)) {
    return(list(kind = "numbers", values = column$values))
  }
  c(list(kind = if (inherits(feature, "sbrl_feature_ordered")) "ordered" else "levels"), column)
}

# Predictions ----

# One row for each row of the data, by number and by name; the column of a class has its name.
given_predictions <- function(x, about) {
  probs <- as_probabilities(x, about$classes)
  n <- about$rows$n
  if (nrow(probs) != n) {
    message <- "`teacher` must have a prediction for each row of the data (%s), not %s."
    abort_sbrl("argument", sprintf(message, with_thousands(n), with_thousands(nrow(probs))))
  }
  given <- row_names_of(x)
  own <- as.character(about$rows$names)
  if (!is.null(given) && !identical(as.character(given), own)) {
    wrong <- which(is.na(given) | given != own)[1L]
    message <- paste(
      "The names of the rows of `teacher` must be those of the data, in their order: row %d is %s, not %s. Without",
      "names, rows are matched by number."
    )
    abort_sbrl("argument", sprintf(message, wrong, quote_values(own[wrong]), quote_values(given[wrong])))
  }
  probs <- probs[about$rows$position[about$position], , drop = FALSE]
  check_probabilities(probs)
  probs
}

# Automatic names of a data frame are no names. Nothing here calls a method of its class.
row_names_of <- function(x) {
  if (is.object(x)) {
    return(if (.row_names_info(x) > 0L) as.character(attr(x, "row.names")))
  }
  if (is.null(dim(x))) names(x) else dimnames(x)[[1L]]
}

as_probabilities <- function(x, classes) {
  given <- x
  x <- if (is.data.frame(x)) number_matrix(x) else x
  k <- length(classes)
  n_columns <- if (is.null(dim(x))) 1L else ncol(x)
  ok <- is.numeric(x) && length(dim(x)) %in% c(0L, 2L) && (n_columns == k || (k == 2L && n_columns == 1L))
  check_that(ok, given, "teacher", sprintf(
    "%sa matrix with a column of probabilities for each class (%s)",
    if (k == 2L) "the probabilities of the positive class, or " else "", quote_values(classes)
  ))
  if (n_columns == 1L) {
    x <- as.double(x)
    return(cbind(1 - x, x))
  }
  names <- colnames(x)
  # cbind(1 - p, p) names one of two
  if (!is.null(names) && all(nzchar(names))) {
    if (!setequal(names, classes)) {
      message <- "The columns of `teacher` must have the names of the classes, %s, not %s."
      abort_sbrl("argument", sprintf(message, quote_values(classes), quote_values(names)))
    }
    x <- x[, match(classes, names), drop = FALSE]
  }
  matrix(as.double(x), nrow(x))
}

# The numbers of a data frame, or NULL if there is anything else in it.
number_matrix <- function(x) {
  columns <- unclass(x)
  ok <- typeof(x) == "list" && length(columns) > 0L &&
    all(vapply(columns, \(column) is.numeric(column) && !is.object(column) && !has_dim(column), NA))
  if (ok && length(unique(lengths(columns))) == 1L) {
    matrix(unlist(columns), ncol = length(columns), dimnames = list(NULL, names(columns)))
  }
}

# Of rows that are fitted. A missing prediction is the base rate.
check_probabilities <- function(probs) {
  known <- !is.na(rowSums(probs))
  bad <- which(known & (abs(rowSums(probs) - 1) > 1e-4 | rowSums(probs < 0 | probs > 1) > 0L))
  if (length(bad) > 0L || !any(known)) {
    abort_sbrl("argument", paste(
      "`teacher` must contain probabilities, from 0 to 1, that add up to 1 over the classes; a missing one is taken as",
      "the base rate, but not all may be missing."
    ))
  }
}

base_shares <- function(outcome) {
  sums <- class_weights(outcome)
  sums / sum(sums)
}

# What they are worth ----

# Log loss of the predictions and of the base rate, and whether the difference is more than its standard error.
judge_predictions <- function(probs, outcome) {
  weights <- outcome$weights %||% rep(1, length(outcome$codes))
  share <- weights / sum(weights)
  loss_of <- \(p) -log(pmin(pmax(p, 0.001), 0.999))
  loss <- loss_of(probs[cbind(seq_along(outcome$codes), outcome$codes)])
  base <- loss_of(base_shares(outcome)[outcome$codes])
  gain <- sum(share * (base - loss))
  error <- sqrt(sum(share^2 * (base - loss - gain)^2))
  list(log_loss = sum(share * loss), base_log_loss = sum(share * base), is_useful = gain > error, gain = gain)
}

# How well the class probabilities of a list reproduce the predictions: share of their variance, and of rows with the
# same likeliest class.
fidelity_of <- function(probs, fitted, weights) {
  weights <- weights %||% rep(1, nrow(probs))
  share <- weights / sum(weights)
  centre <- rep(colSums(share * probs), each = nrow(probs))
  total <- sum(share * (probs - centre)^2)
  list(
    fidelity = if (total > 0) 1 - sum(share * (probs - fitted)^2) / total else 0,
    agreement = sum(share * (likeliest_class(probs) == likeliest_class(fitted)))
  )
}

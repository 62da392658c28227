# The door from a model and rows with a label to what native functions read. A score and a refit take any such rows;
# a posterior, a certificate and a bag take those that the model was fitted to, and refuse others.

# Codes of the classes, and the weights, of the rows that have a label and a weight; `kept` are their numbers.
label_rows <- function(model, data, weights, arg = "data", name = model$settings$label) {
  counts <- if (is.null(weights)) rep(TRUE, nrow(data)) else weights > 0
  codes <- score_label(model, data, counts, arg, name)
  allow_interrupt()
  warn_unlabelled(sum(is.na(codes) & counts), name)
  kept <- which(!is.na(codes))
  list(codes = codes[kept], weights = weights[kept], n_classes = length(model$classes), kept = kept)
}

# NA where `counts` is FALSE: the label of such a row does not matter.
score_label <- function(model, tdata, counts, arg = "tdata", name = model$settings$label) {
  y <- tryCatch(
    take_columns(tdata, name, model$terms, arg)[[1L]],
    sbrl_error_column = function(e) {
      abort_sbrl("label", sprintf("`%s` has no label column %s.", arg, quote_names(name)))
    }
  )
  y <- as_label_column(y, name)
  y <- if (takes_empty_as_missing(model)) without_empty(y) else y
  y[!counts] <- NA
  allow_interrupt()
  unknown <- setdiff(label_levels(y, name), model$classes)
  allow_interrupt()
  if (length(unknown) > 0L) {
    message <- "Label column %s contains %s, but the classes of the model are %s."
    abort_sbrl("label", sprintf(message, quote_names(name), quote_values(unknown), quote_values(model$classes)))
  }
  label_codes(y, model$classes)
}

# The same rows with the columns and items of `compact`, as native functions read them (`training`), and the candidates
# in these items (`rules`). See compact_rules().
encode_rows <- function(model, compact, data, weights, arg = "data") {
  label <- label_rows(model, data, weights, arg)
  allow_interrupt()
  names <- feature_names(compact$features)
  columns <- encode_new(take_columns(data, names, model$terms, arg), compact$features)
  if (length(label$kept) < nrow(data)) {
    columns <- take_values(columns, label$kept)
  }
  allow_interrupt()
  list(
    training = c(label[c("codes", "weights", "n_classes")], list(columns = columns, items = compact$items)),
    rules = list(items = compact$rule_items, lengths = compact$rule_lengths),
    has_missing = compact$has_missing, names = names, kept = label$kept
  )
}

# The rows that a model was fitted to, with all its candidates, or an error.
training_rows <- function(model, data, weights, compact = compact_rules(model, seq_along(model$pool$lengths))) {
  if (model$settings$weighted == 1 && is.null(weights)) {
    message <- "`weights` is missing: the model was fitted with weights, which must be given again."
    abort_sbrl(c("data", "argument"), message)
  }
  weights <- check_weights(weights, nrow(data))
  rows <- encode_rows(model, compact, data, weights)
  check_class_counts(model, class_weights(rows$training), length(rows$kept))
  check_captures(model, rows)
  rows
}

# Do as many of `n_rows` rows have each class as in training?
check_class_counts <- function(model, found, n_rows = Inf, whose = "model", arg = "data") {
  expected <- unname(model$settings$class_counts)
  if (!are_same_counts(found, expected, n_rows)) {
    of <- \(n) paste(with_thousands(round(n, 2L)), collapse = " + ")
    refuse_rows(whose, arg, sprintf(
      "it has %s rows of the classes %s, the %s %s.", of(found), quote_values(model$classes), whose, of(expected)
    ))
  }
}

# Do the rules of the list capture of these encoded rows what they captured in training?
check_captures <- function(model, rows, candidates = list_rules(model), arg = "data") {
  if (!are_same_counts(count_captured(model, rows, candidates), model$counts, length(rows$kept))) {
    refuse_rows("model", arg, "its rules capture other rows of these.")
  }
}

refuse_rows <- function(whose, arg, problem) {
  abort_sbrl("data", sprintf("`%s` must be the training rows of the %s: %s", arg, whose, problem))
}

# Sums of weights depend on the order of summation, and the engine rounds weights; one of `n_rows` rows is much more.
are_same_counts <- function(found, expected, n_rows = Inf) {
  all(abs(found - expected) <= 1e-8 * pmax(expected, sum(expected) / n_rows))
}

# Rows, or their weight, that each of the candidates `rules` captures in a list, and the default rule, by class.
count_captured <- function(model, rows, rules) {
  input <- rows$training
  n <- length(rules) + 1L
  found <- call_job(
    native_predict, input$columns, input$items, candidates_in(rows, rules), rows$has_missing, length(input$codes)
  )
  cell <- ifelse(found$rule == 0L, n, found$rule)
  counts <- count_cells(cell, input$codes, input$weights %||% rep(1, length(cell)), c(n, input$n_classes))
  dimnames(counts) <- list(NULL, model$classes)
  counts
}

# The candidates `rules` of encoded rows.
candidates_in <- function(rows, rules) {
  lengths <- rows$rules$lengths
  places <- sequence(lengths[rules], from = pool_places(lengths, rules) + 1)
  list(items = rows$rules$items[places], lengths = lengths[rules])
}

# The weight of the rows of each class in each cell, one row per cell. `cells` may have a column for each of many lists.
count_cells <- function(cells, codes, weights, dim) {
  counted <- which(weights > 0)
  at <- cells[counted] + (rep_len(codes, length(cells))[counted] - 1L) * dim[1L]
  sums <- rowsum(weights[counted], at)
  table <- matrix(0, dim[1L], dim[2L])
  table[as.integer(rownames(sums))] <- sums
  table
}

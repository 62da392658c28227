# Draws as lists before their posterior is put together.

# The lists before the medoid is known: the model itself stands in for it.
draft_posterior <- function(model, sampled) {
  seen <- sort(unique(sampled$rules))
  seen <- data.frame(candidate = as.integer(seen), support = double(length(seen)), group = as.integer(seen))
  new_lists(model, 1L, sampled[c("lengths", "rules", "counts")], seen, list(), "sbrl_posterior")
}

# The number of the cell that each list gives each of these training rows.
row_cells <- function(x, training, rows) {
  compact <- compact_rules(x$medoid, x$seen$candidate)
  columns <- take_values(training$training$columns[match(feature_names(compact$features), training$names)], rows)
  call_job(native_list_cells, lists_on_columns(x, compact, columns, length(rows)))$cells
}

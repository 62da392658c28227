# How often each rule captures each label, counted where the rows are.

# A data frame with `rule`, `y` and `n`.
count_captures <- function(model, source, label, weights) UseMethod("count_captures", source)

#' @export
count_captures.sbrl_source_sql <- function(model, source, label, weights) {
  head <- source_head(source)
  computed <- terms_to_compute(model, c(used_columns(model), label), names(head))
  if (length(computed) > 0L) {
    source <- add_terms(source, head, computed, environment(model$terms))
    head <- source_head(source)
  }
  model <- without_terms(model)
  find_columns(head, unique(c(used_columns(model), label, weights)), "data")
  if (!is.null(weights)) {
    check_source_weights(source, head, weights)
  }
  table <- sql_table_of(source, head, label, weights, used_columns(model))
  rule <- as.character(as_sql(model, source$dialect, output = "rule", columns = known_types(model, head)))
  inner <- sprintf("SELECT %s AS x, %s AS y%s FROM %s%s", rule, table$y, table$weight, source$from, table$where)
  is_text <- c(FALSE, is.character(head[[label]]))
  counts <- as_counts(run_query(source, sql_group(c("x", "y"), is_text, table$sum, inner, source$dialect)))
  as_frame(list(rule = as_rule_numbers(counts$x, nrow(model$rs) - 1L), y = counts$y, n = counts$n), nrow(counts))
}

# 0 is the default rule, and a missing number that a row has no rule.
as_rule_numbers <- function(x, n_rules) {
  x <- if (all(is.na(x))) rep(NA_real_, length(x)) else as_count(x)
  if (!all(is.na(x) | (x %in% 0:n_rules & !is.nan(x)))) {
    abort_sbrl("source", sprintf("A query must give the numbers of rules, 0 to %d; it gave others.", n_rules))
  }
  as.integer(x)
}

# What the columns hold, where as_sql() would have to guess.
known_types <- function(model, head) {
  features <- compact_rules(model, list_rules(model))$features
  types <- unlist(lapply(features, function(feature) {
    x <- head[[feature$name]]
    type <- if (is.character(x)) "text" else if (is.logical(x)) "logical" else if (is.numeric(x)) "number"
    if (!is.null(type) && fits_type(feature, type)) stats::setNames(type, feature$name)
  }))
  if (length(types) > 0L) types
}

#' @export
count_captures.sbrl_source_chunks <- function(model, source, label, weights) {
  needed <- unique(c(used_columns(model), label, weights))
  computed <- terms_to_compute(model, needed, names(source_head(source)))
  source <- add_terms(source, NULL, computed, environment(model$terms))
  model <- without_terms(model)
  labels <- distinct_values(label, "label")
  sums <- new_sums()
  for_each_chunk(source, function(chunk) {
    rows <- chunk_rows(chunk, needed, label, weights)
    rule <- capture_rows(model, rows$data, "data", warn = FALSE)
    rule[is.na(rule)] <- -1L
    sums$add(rule + 2L, labels$add(rows$y), rows$w)
  })
  found <- sums$get()
  rule <- found$x - 2L
  rule[rule < 0L] <- NA
  as_frame(list(rule = rule, y = labels$values()[found$y], n = found$n), length(found$n))
}

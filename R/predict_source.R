# Scoring where the rows are: columns that a database computes.

# The table of dbplyr with the columns of `type`, or with all three.
predict_lazily <- function(model, tbl, type, missing) {
  need_package("dbplyr", "Tables of dbplyr")
  need_package("dplyr", "Tables of dbplyr")
  types <- c("prob", "class", "rule")
  type <- if (is.null(type)) types else check_choice(type, "type", types)
  if (is_legacy(model)) {
    abort_sbrl("model", "A model fitted by sbrl 1.4 predicts rows in memory only.")
  }
  names <- used_columns(model)
  added <- lazy_terms(model, tbl, names)
  tbl <- do.call(dplyr::mutate, c(list(tbl), added))
  model <- without_terms(model)
  absent <- setdiff(names, dplyr::tbl_vars(tbl))
  if (length(absent) > 0L) {
    message <- "The table must have the columns that the rules use; missing: %s."
    abort_sbrl("column", sprintf(message, quote_names(absent)))
  }
  con <- dbplyr::remote_con(tbl)
  sql <- unlist(lapply(type, \(type) as.list(as_sql(model, con, output = type, missing = missing))))
  # our own literals: those of dbplyr have fewer digits
  scored <- do.call(dplyr::mutate, c(list(tbl), lapply(sql, dbplyr::sql)))
  if (length(added) == 0L) scored else dplyr::select(scored, -dplyr::all_of(names(added)))
}

# Terms of the formula as columns. The first rows show what the others are computed from.
lazy_terms <- function(model, tbl, names) {
  computed <- terms_to_compute(model, names, dplyr::tbl_vars(tbl))
  if (length(computed) == 0L) {
    return(list())
  }
  source <- as_source(tbl)
  lapply(term_columns(source, source_head(source), computed, environment(model$terms)), dbplyr::sql)
}

# Approximate cut points, if the user asks for them: numbers with very many values are cut by a sample of their rows.
#
# Only the cut points come from the sample. How many rows of each class are in each interval is then counted exactly, as
# for the user's own cut points, so that support and the check of the second pass do not depend on the sample.

least_sample <- 1000

check_cut_sample <- function(size, is_remote) {
  if (is.null(size)) {
    return(invisible())
  }
  check_that(is_whole(size, least_sample, 2^53), size, "cut_sample", paste(
    "NULL, or", describe_whole(least_sample, 2^53)
  ))
  if (!is_remote) {
    abort_sbrl("argument", "`cut_sample` is for tables that are not in memory; the cut points of others are exact.")
  }
}

# The cut points that a sample gives: `x`, the `codes` of classes, and `n`, the weight of each of these rows. They have
# the class of `x`, as the user's own.
sampled_cuts <- function(sample, name, discretisation, n_classes) {
  outcome <- list(codes = sample$codes, weights = sample$n, n_classes = n_classes)
  discretisation$own <- list()
  column <- check_column(sample$x, name)
  learnt <- learn_features(list(columns = list(column), names = name), outcome, discretisation)
  if (length(learnt$features) == 0L || !is_number_feature(learnt$features[[1L]])) {
    message <- "The sample of %s has too few different values to find cut points. Raise `cut_sample`."
    abort_sbrl("column", sprintf(message, quote_names(name)))
  }
  cuts <- learnt$features[[1L]]$cuts
  x <- sample$x
  if (is.object(x)) as_times(number_feature(x), cuts) else cuts
}

# Counts whose cut points are known already: they come from a sample of this many rows.
with_sampled_cuts <- function(counts, cuts, n_rows) {
  structure(counts, sampled = list(cuts = cuts, n_rows = n_rows))
}

# SQL ----

# The counts of column `name` between cut points from a sample. Every pair of value and class with many rows is sampled.
# Of the other pairs, those with a suitable hash of the value are, each with a weight of `every`. So the same table
# gives the same sample.
count_sampled <- function(table, name, coder, discretisation, n_classes) {
  x <- table$head[[name]]
  if (!is_cut_by_sample(x) || inherits(x, "difftime")) {
    # not every database has a hash of spans of time
    abort_pairs(name)
  }
  size <- discretisation$sample
  count <- sprintf("SELECT COUNT(*) AS n FROM %s%s", table$source$from, table$where)
  total <- as_count(run_query(table$source, count)[[1L]])
  every <- ceiling(total / size)
  weight <- if (nzchar(table$weight)) sum(label_counts(table)$n) / total else 1
  sample <- as_counts(run_query(table$source, sample_query(table, name, every, every * weight)))
  sample$codes <- coder(sample$y)
  sample <- sample[!is.na(sample$codes), , drop = FALSE]
  if (every == 1) {
    return(sample)
  }
  is_light <- sample$n < every * weight & !is.na(sample$x)
  n_rows <- sum(sample$n) / weight
  sample$n[is_light] <- sample$n[is_light] * every
  cuts <- sampled_cuts(sample, name, discretisation, n_classes)
  with_sampled_cuts(count_intervals(table, name, cuts), cuts, round(n_rows))
}

sample_query <- function(table, column, every, heavy) {
  dialect <- table$source$dialect
  nan <- if (sql_has_nan(dialect) && is.double(table$head[[column]]) && !is.object(table$head[[column]])) {
    sprintf(" OR x = %s", sql_nan(dialect))
  }
  sprintf(
    "SELECT x, y, n FROM (%s) AS g WHERE x IS NULL%s OR n >= %s OR %s = 0", counts_sql(table, column),
    paste0("", nan), sql_number(heavy, dialect), sql_hash("x", every, is.object(table$head[[column]]), dialect)
  )
}

# A whole number below `every` that looks random but depends on the value alone. SQLite has no such function: there it
# is made of the later digits of a multiple of the value.
sql_hash <- function(x, every, is_time, dialect) {
  every <- sprintf("%.0f", every)
  switch(dialect,
    postgresql = sprintf("MOD(CAST(%s AS BIGINT), %s)", sprintf(
      if (is_time) "hashtext(CAST(%s AS TEXT))" else "hashfloat8(CAST(%s AS DOUBLE PRECISION))", x
    ), every),
    duckdb = sprintf("hash(%s) %% %s", x, every),
    spark = sprintf("pmod(xxhash64(%s), CAST(%s AS BIGINT))", x, every),
    mysql = sprintf("CRC32(%s) %% %s", x, every),
    sqlite = sprintf("CAST(substr(printf('%%.15e', ABS(%s) * 0.6180339887498949), 7, 9) AS INTEGER) %% %s", x, every)
  )
}

# Chunks ----

# The same for sources of chunks, which sample rows at a fixed interval: by name, the counts of these columns.
count_sampled_chunks <- function(table, names, n_rows, coder, discretisation, n_classes) {
  source <- table$source
  every <- ceiling(n_rows / discretisation$sample)
  sample <- sample_chunks(source, table, names, every)
  codes <- coder(sample$y)
  keep <- !is.na(codes)
  cuts <- lapply(names, function(name) {
    rows <- list(x = sample$columns[[name]][keep], codes = codes[keep], n = sample$w[keep])
    sampled_cuts(rows, name, discretisation, n_classes)
  })
  names(cuts) <- names
  table$names <- names
  counted <- count_chunks(source, table, cuts, Inf)
  lapply(stats::setNames(nm = names), function(name) {
    counts <- counted$columns[[name]]
    # cut points from all rows are exact
    with_sampled_cuts(counts, cuts[[name]], if (every > 1) as.double(sum(keep)))
  })
}

sample_chunks <- function(source, table, names, every) {
  before <- 0
  taken_from <- lapply(names, column_pieces)
  pieces <- list()
  for_each_chunk(source, function(chunk) {
    rows <- chunk_rows(chunk, c(names, table$label_name, table$weights), table$label_name, table$weights)
    taken <- which((before + seq_along(rows$y)) %% every == 0)
    before <<- before + length(rows$y)
    columns <- Map(\(from, name) from$read(some_values(.subset2(rows$data, name), taken)), taken_from, names)
    pieces <<- c(pieces, list(list(columns = columns, y = rows$y[taken], w = rows$w[taken])))
  })
  join <- \(get) do.call(c, lapply(pieces, get))
  columns <- lapply(seq_along(names), \(j) taken_from[[j]]$restore(join(\(piece) piece$columns[[j]])))
  list(columns = stats::setNames(columns, names), y = join(\(piece) piece$y), w = join(\(piece) piece$w))
}

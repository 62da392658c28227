# The second pass over a source: its rows go to the engine, chunk by chunk, as packed codes.

# More groups than this share of the rows are not worth grouping, nor are fewer rows than this.
group_share <- 0.25
group_from <- 1e5

# The rows of a source as `training` of a fit: a native table of bits and the items that can be in a candidate.
read_rows <- function(table, input, settings) {
  plan <- plan_rows(table, input, settings)
  doubtful <- character()
  repeat {
    rows <- call_native(native_rows_new(plan$layout))
    send_rows(table, input, plan, doubtful, rows)
    found <- call_job(native_rows_finish, rows)
    wrong <- changed_features(found, input, plan)
    if (length(wrong) == 0L) {
      break
    }
    check_same_rows(found, input, table, setdiff(wrong, doubtful))
    # the database may compare these values in another way than R does, so R reads them itself
    doubtful <- union(doubtful, wrong)
  }
  list(rows = rows, items = as.list(input$items[plan$frequent, , drop = FALSE]), frequent = plan$frequent)
}

check_same_rows <- function(found, input, table, new) {
  check_unchanged(found$classes, unname(input$class_counts), table$label_name)
  if (length(new) == 0L || inherits(table$source, "sbrl_source_chunks")) {
    abort_sbrl("source", paste(
      "The table changed while it was read: its values were counted differently in two passes. Fit it in a",
      "transaction, or when nobody writes to it."
    ))
  }
}

# The features of items whose number of rows is not that of pass 1.
changed_features <- function(found, input, plan) {
  n_classes <- length(input$class_counts)
  rows <- matrix(found$items, ncol = n_classes, byrow = TRUE)
  expected <- plan$item_weights[plan$frequent, , drop = FALSE]
  is_wrong <- rowSums(abs(rows - expected) > 1e-9 * pmax(expected, 1)) > 0
  same_classes <- all(abs(found$classes - input$class_counts) <= 1e-9 * pmax(input$class_counts, 1))
  names <- feature_names(input$features)
  wrong <- unique(names[input$items$feature[plan$frequent][is_wrong]])
  if (!same_classes && length(wrong) == 0L) names[1L] else wrong
}

# Sends all rows of the table to the native `rows`. The `doubtful` features are encoded in R.
send_rows <- function(table, input, plan, doubtful, rows) {
  send <- if (inherits(table$source, "sbrl_source_chunks")) send_chunks else send_query
  send(table, input, plan, doubtful, function(packs, codes, w) {
    allow_interrupt()
    call_native(native_rows_push(rows, list(packs = packs, codes = codes, weights = w)))
  })
}

# The rows that have a label, and their classes. Values of the others were not counted either.
rows_with_label <- function(y, input) {
  codes <- input$codes_of_labels(y)
  rows <- which(!is.na(codes))
  list(rows = rows, codes = codes[rows])
}

send_chunks <- function(table, input, plan, doubtful, push) {
  names <- feature_names(input$features)[plan$used]
  for_each_chunk(table$source, function(chunk) {
    rows <- chunk_rows(chunk, c(names, table$label_name, table$weights), table$label_name, table$weights)
    # many rows at a time would be many copies of them
    for (part in split_rows(nrow(rows$data), table$source$chunk_size)) {
      labelled <- rows_with_label(rows$y[part], input)
      part <- part[labelled$rows]
      columns <- lapply(names, \(name) some_values(.subset2(rows$data, name), part))
      codes <- Map(encode_values, plan$used, columns, MoreArgs = list(input = input, plan = plan))
      push(pack_codes(codes, plan), labelled$codes, if (!is.null(table$weights)) rows$w[part])
    }
  })
}

split_rows <- function(n, size) {
  starts <- seq.int(1, by = size, length.out = ceiling(n / size))
  lapply(starts, \(start) seq.int(start, min(start + size - 1, n)))
}

# Merged codes of the values of feature `j`, read as its training column was.
encode_values <- function(j, x, input, plan) {
  feature <- input$features[[j]]
  column <- check_column(x, feature$name)
  column <- as_plain_column(column, feature$name)
  column <- if (plan$recoded[[j]]$has_empty) without_empty(column) else column
  codes <- codes_of(read_column(feature, column))
  if (any(codes < 0L)) {
    message <- "The table changed while it was read: %s has values that it did not have before."
    abort_sbrl("source", sprintf(message, quote_names(feature$name)))
  }
  plan$recoded[[j]]$to[codes + 1L]
}

# By mixed radix, the first feature of a pack the most significant.
pack_codes <- function(codes, plan) {
  lapply(seq_along(plan$layout$radices), function(pack) {
    Reduce(\(sum, i) sum * plan$radices[i] + codes[[i]], which(plan$pack == pack), 0)
  })
}

# SQL ----

# Packs whose features SQL can encode come as numbers. The columns of the others come as they are.
send_query <- function(table, input, plan, doubtful, push) {
  query <- rows_query(table, input, plan, doubtful)
  is_grouped <- query$can_group && pays_to_group(table, input, plan, query)
  sql <- if (is_grouped) query$grouped else query$plain
  run_stream(table$source, sql, function(chunk) {
    names(chunk) <- lower_case(names(chunk))
    labelled <- rows_with_label(chunk$y, input)
    chunk <- take_rows(chunk, labelled$rows)
    raw <- lapply(query$raw, \(i) encode_values(plan$used[i], chunk[[paste0("x", i)]], input, plan))
    packs <- lapply(seq_along(query$packs), function(pack) {
      values <- if (query$packs[pack]) as_count(chunk[[paste0("p", pack)]]) else double(nrow(chunk))
      if (is.null(values)) double(nrow(chunk)) else values
    })
    push(
      add_raw_codes(packs, raw, query$raw, plan), labelled$codes,
      if (is_grouped) as_count(chunk$n) else if (!is.null(table$weights)) as_count(chunk$w)
    )
  })
}

# The codes that R made, in their places: SQL left them 0.
add_raw_codes <- function(packs, codes, which, plan) {
  for (k in seq_along(which)) {
    i <- which[k]
    later <- which(plan$pack == plan$pack[i])
    place <- prod(plan$radices[later[later > i]])
    packs[[plan$pack[i]]] <- packs[[plan$pack[i]]] + codes[[k]] * place
  }
  packs
}

# The queries for rows and for groups of rows; `raw` has the places of the features that come as they are.
rows_query <- function(table, input, plan, doubtful) {
  source <- table$source
  sql <- sql_table_of(source, table$head, table$label_name, table$weights, table$names)
  names <- feature_names(input$features)[plan$used]
  cases <- lapply(seq_along(names), function(i) {
    if (names[i] %in% doubtful) {
      return(NULL)
    }
    j <- plan$used[i]
    x <- table$head[[names[i]]]
    sql_codes(input$features[[j]], plan$recoded[[j]], x, sql$expressions[[names[i]]], source$dialect)
  })
  raw <- which(vapply(cases, is.null, NA))
  cases[raw] <- "0"
  packs <- vapply(seq_along(plan$layout$radices), function(pack) {
    mine <- which(plan$pack == pack)
    sql_pack(unlist(cases[mine]), plan$radices[mine], source$dialect)
  }, "")
  p <- paste0("p", seq_along(packs), recycle0 = TRUE)
  columns <- c(
    paste(packs, "AS", p, recycle0 = TRUE),
    paste0(sql_name(names[raw], source$dialect), " AS x", raw, recycle0 = TRUE), paste(sql$y, "AS y")
  )
  plain <- sprintf("SELECT %s%s FROM %s%s", paste(columns, collapse = ", "), sql$weight, source$from, sql$where)
  is_text <- c(rep(FALSE, length(p)), is.character(table$head[[table$label_name]]))
  grouped <- sql_group(c(p, "y"), is_text, sql$sum, plain, source$dialect)
  list(plain = plain, grouped = grouped, raw = raw, packs = rep(TRUE, length(packs)), can_group = length(raw) == 0L)
}

# Does the database return far fewer groups than rows? Surely if there are few combinations of codes; else a sample of
# the first rows shows it.
pays_to_group <- function(table, input, plan, query) {
  n_rows <- sum(input$class_counts)
  if (n_rows < group_from) {
    return(FALSE)
  }
  n_groups <- prod(as.double(plan$radices)) * length(input$class_counts)
  if (n_groups <= group_share * n_rows) {
    return(TRUE)
  }
  sample <- run_query(table$source, sprintf("%s LIMIT 20000", query$plain))
  sum(!duplicated(sample)) <= group_share * nrow(sample)
}

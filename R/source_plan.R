# Which items the second pass over a source needs, and how the codes of a row are packed.

# A pack is a whole number that a double represents exactly.
max_pack <- 2^52

# Items that can be in a candidate, merged codes of the features that have some, and packs of features.
plan_rows <- function(table, input, settings) {
  weights <- input$weights
  items <- input$items
  codes <- item_codes(items)
  item_weights <- t(vapply(seq_len(nrow(items)), function(i) {
    colSums(weights[[items$feature[i]]][codes[[i]] + 1L, , drop = FALSE])
  }, double(length(input$class_counts))))
  support <- if (is.na(settings$target_rules)) settings$minsupport else rep(0.01, length(settings$minsupport))
  shares <- sweep(item_weights, 2L, input$class_counts, `/`)
  # a little less, because the engine rounds weights that are not whole
  is_enough <- item_weights > 0 & sweep(shares, 2L, support * (1 - 1e-9), `>=`)
  frequent <- which(rowSums(is_enough, na.rm = TRUE) > 0)
  recoded <- lapply(seq_along(input$features), \(j) merge_codes(j, items[frequent, ], weights[[j]]))
  used <- which(vapply(recoded, \(codes) codes$n > 1L, NA))
  used <- used[order(-vapply(used, \(j) information(weights[[j]]), 1))]
  radices <- vapply(recoded[used], \(codes) codes$n, 1L)
  pack <- assign_packs(radices)
  starts <- cumsum(c(0L, radices))[seq_along(used)]
  new_codes <- lapply(frequent, function(i) {
    j <- items$feature[i]
    as.integer(starts[match(j, used)] + unique(recoded[[j]]$to[codes[[i]] + 1L]))
  })
  has_empty <- settings$empty_as_missing == 1
  recoded[used] <- lapply(recoded[used], \(codes) c(codes, list(has_empty = has_empty)))
  layout <- list(
    radices = unname(split(as.integer(radices), pack)), items = new_codes, n_classes = length(input$class_counts)
  )
  list(frequent = frequent, item_weights = item_weights, recoded = recoded, used = used, pack = pack,
       radices = radices, layout = layout)
}

# Codes that no item distinguishes become one. `to` has a number from 0 on for a missing value and for each code.
merge_codes <- function(feature, items, weights) {
  mine <- take_rows(items, which(items$feature == feature))
  codes <- seq_len(nrow(weights)) - 1L
  key <- vapply(codes, \(code) paste(which(has_code(mine, code)), collapse = " "), "")
  to <- match(key, unique(key)) - 1L
  list(to = to, n = length(unique(key)), n_missing = sum(weights[1L, ]))
}

# Mutual information of code and class, up to a constant.
information <- function(weights) {
  x_log_x <- \(x) sum(ifelse(x > 0, x * log(x), 0))
  x_log_x(weights) - x_log_x(rowSums(weights)) - x_log_x(colSums(weights))
}

# The pack of each feature: as many as fit into one number.
assign_packs <- function(radices) {
  pack <- integer(length(radices))
  current <- 1L
  size <- 1
  for (i in seq_along(radices)) {
    if (size * radices[i] > max_pack) {
      current <- current + 1L
      size <- 1
    }
    size <- size * radices[i]
    pack[i] <- current
  }
  pack
}

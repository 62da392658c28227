# Cut points in a summary: how many each number got, and how many it could have had.

# One row per feature that was cut: its name, the number of its cut points, and these in words. The attribute `bins` is
# the setting of that name.
summarise_cuts <- function(model) {
  features <- class_features(model$features)
  features <- features[are_numbers(features)]
  in_words <- \(feature) paste(paste0(cut_text(feature, own = TRUE), unit_text(feature)), collapse = ", ")
  table <- data.frame(
    feature = feature_names(features), n_cuts = vapply(features, n_codes, 1L) - 1L,
    cuts = vapply(features, in_words, "")
  )
  structure(table, bins = model$settings$bins, approximate = approximate_sentence(model))
}

# Lines of at most 80 columns; none if no feature was cut. Very many features are counted only.
format_cuts <- function(cuts, max = 20L) {
  if (nrow(cuts) == 0L) {
    return(character())
  }
  # Blanks inside a name must not become line ends.
  names <- gsub(" ", "\u00a0", vapply(cuts$feature, quote_names, ""), fixed = TRUE)
  text <- sprintf("Cut points: %s (%s)", join_some(sprintf("%s\u00a0%d", names, cuts$n_cuts), max), describe_bins(cuts))
  approximate <- attr(cuts, "approximate")
  if (!is.null(approximate)) {
    approximate <- strwrap(approximate, 80L, indent = 12L, exdent = 12L)
  }
  c(gsub("\u00a0", " ", strwrap(text, 80L, exdent = 12L), fixed = TRUE), approximate)
}

# What `bins` has to do with these numbers. Own cut points may be more than it allows.
describe_bins <- function(cuts) {
  bins <- attr(cuts, "bins")
  most <- max(cuts$n_cuts)
  form <- if (most > bins - 1) {
    "`bins\u00a0=\u00a0%.0f` allows %.0f each where they are learnt"
  } else if (most == bins - 1) {
    "`bins\u00a0=\u00a0%.0f` allows %.0f each"
  } else {
    "`bins\u00a0=\u00a0%.0f` would allow %.0f each"
  }
  sprintf(form, bins, bins - 1)
}

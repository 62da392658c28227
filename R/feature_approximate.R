# How a model reports cut points that come from a sample, see source_sample.R: its field `approximate` has the number of
# sampled rows of each such feature. Models without such features do not have the field.

are_sample_sizes <- function(x) {
  is.null(x) || (typeof(x) == "double" && !is.object(x) && identical(names(attributes(x)), "names") &&
    length(x) > 0L && are_texts(names(x)) && anyDuplicated(names(x)) == 0L && all(is.finite(x) & x >= 1))
}

# Only numbers and times have cut points. The features of a damaged model may not have been checked yet.
are_cut_features <- function(names, features) {
  cut <- \() feature_names(features)[are_numbers(class_features(features))]
  is.null(names) || all(names %in% tryCatch(cut(), error = \(e) character()))
}

# One sentence, or none.
approximate_sentence <- function(model) {
  sizes <- model$approximate
  if (!is.null(sizes)) {
    rows <- paste(unique(with_thousands(range(sizes))), collapse = " to ")
    sprintf("Cut points of %s are approximate: from a sample of %s rows.", quote_names(names(sizes)), rows)
  }
}

# In files features are numbers.
portable_approximate <- function(model) {
  if (!is.null(model$approximate)) {
    list(feature = as.double(match(names(model$approximate), feature_names(model$features))),
         rows = unname(model$approximate))
  }
}

# What is wrong in it is found when the model is checked.
approximate_from_portable <- function(table, features) {
  if (!is.null(table)) {
    stats::setNames(as.double(table$rows), features$name[as.double(table$feature)])
  }
}

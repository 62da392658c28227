# Features with levels, ordered or not: methods of the generics in feature.R.

# nolint start: object_name_linter.
#' @export
is_sound.sbrl_feature_categorical <- function(feature) {
  length(feature$cuts) == 0L && anyDuplicated(feature$levels) == 0L
}

#' @export
value_words.sbrl_feature_categorical <- function(feature) {
  quote_values(feature$levels)
}

#' @export
stored_type.sbrl_feature_categorical <- function(feature) {
  guess_level_type(feature$levels)
}

# nolint end

# The type of values that are written like these levels.
guess_level_type <- function(levels) {
  if (all(level_fits(levels, "logical"))) {
    return("logical")
  }
  numbers <- level_numbers(levels)
  if (!anyNA(numbers) && identical(number_text(numbers), levels)) "number" else "text"
}

level_fits <- function(levels, type) {
  switch(type,
    text = TRUE,
    number = !is.na(level_numbers(levels)),
    logical = levels %in% c("FALSE", "TRUE")
  )
}

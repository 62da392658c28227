# Plain numbers: methods of the generics in feature.R. Dates, times and spans of time inherit what they do not change.

# nolint start: object_name_linter.
#' @export
column_unit.sbrl_feature_number <- function(feature, x) {
  ""
}

#' @export
column_values.sbrl_feature_number <- function(feature, x) {
  x
}

#' @export
convert_values.sbrl_feature_number <- function(feature, x) {
  NULL
}

#' @export
parse_values.sbrl_feature_number <- function(feature, text) {
  suppressWarnings(as.numeric(text))
}

#' @export
round_cuts.sbrl_feature_number <- function(feature, found, roundest) {
  cuts <- found$cuts
  between <- is.finite(found$below) & is.finite(found$above)
  if (roundest && any(between)) {
    cuts[between] <- call_native(native_round_between(found$below[between], found$above[between]))
  }
  cuts
}

#' @export
is_sound.sbrl_feature_number <- function(feature) {
  length(feature$cuts) > 0L && length(feature$levels) == 0L
}

#' @export
cut_text.sbrl_feature_number <- function(feature, own = FALSE) {
  if (own) short_text(feature$cuts) else number_text(feature$cuts)
}

#' @export
unit_text.sbrl_feature_number <- function(feature) {
  ""
}

#' @export
value_words.sbrl_feature_number <- function(feature) {
  "numbers"
}

#' @export
value_text.sbrl_feature_number <- function(feature, x) {
  number_text(x)
}

#' @export
stored_type.sbrl_feature_number <- function(feature) {
  "number"
}

# nolint end

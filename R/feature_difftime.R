# Spans of time: numbers of the unit of the training column. Methods of the generics in feature.R.

# nolint start: object_name_linter.
#' @export
column_unit.sbrl_feature_difftime <- function(feature, x) {
  units(x)
}

#' @export
column_values.sbrl_feature_difftime <- function(feature, x) {
  as.double(x, units = feature$unit)
}

#' @export
is_sound.sbrl_feature_difftime <- function(feature) {
  is_sound.sbrl_feature_number(feature) && feature$unit %in% time_units
}

#' @export
unit_text.sbrl_feature_difftime <- function(feature) {
  paste0(" ", feature$unit)
}

#' @export
value_words.sbrl_feature_difftime <- function(feature) {
  "spans of time"
}

#' @export
value_text.sbrl_feature_difftime <- function(feature, x) {
  paste(number_text(as.double(x)), units(x))
}

#' @export
as_times.sbrl_feature_difftime <- function(feature, values) {
  structure(values, class = "difftime", units = feature$unit)
}

# nolint end

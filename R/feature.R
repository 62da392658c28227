# Features: the columns that rules may use.

# A feature with more levels than this is almost surely an identifier.
max_levels <- 1000L

feature_types <- c("categorical", "ordered", "number", "date", "datetime", "difftime")

is_number_feature <- function(feature) {
  feature$type != "categorical" && feature$type != "ordered"
}

are_numbers <- function(features) {
  !vapply(features, `[[`, "", "type") %in% c("categorical", "ordered")
}

# Classes as people read them, in prints, tables, pictures and explanations alike.

# nolint start: object_name_linter. Methods.
#' @export
estimate_pieces.sbrl_outcome_classes <- function(model) {
  several <- reports_several(model)
  c("Probability of", if (several) "the likeliest class" else outcome_text(model))
}
# nolint end

# The class whose probability is reported, of these.
reported_words <- function(classes) {
  if (has_positive(length(classes))) encodeString(classes[2L], quote = "\"") else "the likeliest class"
}

# What follows a list of the classes.
positive_note <- function(classes) {
  if (has_positive(length(classes))) "; the last is positive" else ""
}

# With the label column: the class that is reported, of two.
outcome_text <- function(model, class = model$classes[reported_classes(model)]) {
  sprintf("%s = %s", shown_label(model), shown_class(model, class))
}

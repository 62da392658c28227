# Conditions read from their names alone, for get_data_feature_mat(): levels, and ranges as items.R writes them.

range_forms <- c(below = "^<([^=].*)$", between = "^\\[(.*),(.*)\\)$", from = "^>=(.*)$")

# Which values of a column match a condition.
matches_condition <- function(x, name, condition) {
  is_level <- has_level(x, name, condition)
  if (any(is_level) || condition %in% levels(x)) {
    return(is_level)
  }
  if (condition == "NA" && !"NA" %in% levels(x) || condition == "<NA>") {
    return(is.na(x))
  }
  if (condition == "!NA" && !"NA" %in% levels(x) || condition == "!<NA>") {
    return(!is.na(x))
  }
  is_set <- grepl("^[{].*[}]$", condition)
  levels <- if (is_set) read_levels(substr(condition, 2L, nchar(condition) - 1L))
  if (!is.null(levels)) {
    return(Reduce(`|`, lapply(levels, has_level, x = x, name = name)))
  }
  if (number_type(x) != "") in_range(x, name, condition) else in_levels(x, name, condition)
}

# `<=b`, `>=b` and `[b,d]` of an ordered factor. Of other columns nobody knows the order.
in_levels <- function(x, name, condition) {
  is_span <- grepl("^\\[.*\\]$", condition)
  ends <- if (is_span) read_levels(substr(condition, 2L, nchar(condition) - 1L))
  level <- if (length(ends) == 2L) ends else sub("^[<>]=", "", condition)
  place <- match(level, if (is.factor(x)) levels(x) else as.character(x))
  if (identical(level, condition) || anyNA(place)) {
    # a level that no row has
    return(logical(length(x)))
  }
  if (!is.ordered(x)) {
    message <- paste(
      "The condition %s needs an ordered factor, but %s of `data` has no order. Make it one with the levels of the",
      "training data, or use predict(type = \"rule\")."
    )
    abort_sbrl("column", sprintf(message, quote_values(paste0(name, "=", condition)), quote_names(name)))
  }
  codes <- as.integer(x)
  if (length(ends) == 2L) {
    return((codes >= place[1L] & codes <= place[2L]) %in% TRUE)
  }
  (if (startsWith(condition, "<")) codes <= place else codes >= place) %in% TRUE
}

# `<5`, `[3,5)`, `>=5`; a level of a number with few values may be written in another way than R writes the number.
in_range <- function(x, name, condition) {
  feature <- number_feature(x, name)
  if (inherits(x, "difftime")) {
    unit <- sub("^.* ", "", condition)
    feature$unit <- if (unit %in% time_units) unit else feature$unit
    condition <- sub(paste0(" ", feature$unit, "$"), "", condition)
  }
  values <- column_values(feature, x)
  form <- names(range_forms)[vapply(range_forms, grepl, NA, x = condition)]
  if (length(form) == 0L) {
    return(!is.object(x) & x %in% level_numbers(condition) & !is.na(x))
  }
  ends <- regmatches(condition, regexec(range_forms[[form[1L]]], condition))[[1L]][-1L]
  ends <- vapply(ends, \(end) read_bound(feature, end), 1)
  if (anyNA(ends)) {
    message <- "The condition %s cannot be read for %s, which contains %s. Use predict(type = \"rule\")."
    text <- quote_values(paste0(name, "=", condition))
    abort_sbrl("column", sprintf(message, text, quote_names(name), value_words(feature)))
  }
  found <- switch(form[1L],
    below = values < ends[1L], from = values >= ends[1L], between = values >= ends[1L] & values < ends[2L]
  )
  found %in% TRUE
}

# A cut point as cut_text() writes it: dates and times may be numbers of days or seconds since 1970.
read_bound <- function(feature, text) {
  value <- parse_values(feature, text)
  if (is.na(value)) suppressWarnings(as.numeric(sub(" (days|secs)$", "", text))) else value
}

# All conditions of a model that 1.4 fitted.
has_level <- function(x, name, level) {
  if (is.factor(x)) {
    return((enc2utf8(levels(x)) == level)[as.integer(x)] %in% TRUE)
  }
  enc2utf8(with_point(as.character(x))) %in% level
}

# The rules of a list taken apart: which feature, which of its codes. Every export in another language starts here.

# One element per rule, the default rule left out; each is a list of items: feature, lo, hi (see items_of()).
list_items <- function(model) {
  applied <- applied_rules(model, list_rules(model))
  items <- Map(
    \(feature, lo, hi) list(feature = applied$features[[feature]], lo = lo, hi = hi),
    applied$items$feature, applied$items$lo, applied$items$hi
  )
  ends <- cumsum(applied$rule_lengths)
  Map(\(n, end) items[applied$rule_items[seq_len(n) + end - n]], applied$rule_lengths, ends)
}

# The features that the rules use, each once.
list_features <- function(model) {
  applied_rules(model, list_rules(model))$features
}

is_missing_item <- function(item) {
  item$lo == 0L
}

item_levels <- function(item) {
  item$feature$levels[item$lo:item$hi]
}

# The cuts that bound an item of a number: at least `from`, less than `to`; NULL where there is no bound.
item_bounds <- function(item) {
  cuts <- item$feature$cuts
  list(
    from = if (item$lo > 1L) cuts[item$lo - 1L],
    to = if (item$hi <= length(cuts)) cuts[item$hi]
  )
}

# The expression of a formula behind a feature, NULL for a plain column.
feature_expression <- function(feature, terms) {
  if (is.null(terms)) {
    return(NULL)
  }
  variable <- variables_of(terms)[[match(feature$name, variable_names(terms))]]
  if (is.call(variable)) variable
}

# Words for a person: `age < 40`, `colour = red`.
item_text <- function(item) {
  feature <- item$feature
  name <- visible_text(feature$name)
  if (is_missing_item(item)) {
    return(paste(name, "is missing"))
  }
  if (!is_number_feature(feature)) {
    return(level_text(item, name))
  }
  text <- cut_text(feature)
  unit <- unit_text(feature)
  from <- if (item$lo > 1L) text[item$lo - 1L]
  to <- if (item$hi <= length(text)) text[item$hi]
  if (is.null(from)) {
    return(paste0(name, " < ", to, unit))
  }
  if (is.null(to)) paste0(name, " \u2265 ", from, unit) else paste0(from, " \u2264 ", name, " < ", to, unit)
}

level_text <- function(item, name) {
  levels <- visible_level(item$feature$levels)
  if (item$lo == item$hi) {
    return(paste(name, "=", levels[item$lo]))
  }
  if (item$lo == 1L) paste(name, "\u2264", levels[item$hi]) else paste(name, "\u2265", levels[item$lo])
}

antecedent_text <- function(items) {
  paste(vapply(items, item_text, ""), collapse = " and ")
}

# A level that is empty or has blanks at its ends would not be seen without quotes.
visible_level <- function(levels) {
  hidden <- levels == "" | grepl("^\\s|\\s$", levels)
  text <- visible_text(levels)
  ifelse(hidden, paste0("\"", text, "\""), text)
}

# Control characters become escapes, so that a line stays a line.
visible_text <- function(x) {
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  x <- gsub("\t", "\\t", x, fixed = TRUE)
  x <- gsub("\r", "\\r", x, fixed = TRUE)
  gsub("[\x01-\x1f\x7f]", "?", x, perl = TRUE)
}

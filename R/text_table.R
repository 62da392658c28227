# The rule list as a table of words, before any language: what as_latex(), as_markdown() and as_html() then write.

# With more classes than this a table has no room for a column each; it shows the likeliest class.
max_class_columns <- 5L

# What the three functions share, checked.
check_text_options <- function(caption, digits, interval, counts, level) {
  check_optional_text(caption, "caption")
  check_whole(digits, "digits", min = 0, max = 15)
  check_flag(interval, "interval")
  check_flag(counts, "counts")
  check_level(level)
  list(caption = caption, digits = digits, interval = interval, counts = counts, level = level)
}

# Columns, each with a title, one text per rule (default rule last), and `share`, the number behind a text if it is a
# probability.
text_table <- function(model, options) {
  rules <- rules(model, level = options$level)
  c(
    list(list(title = "", text = opening_words(nrow(rules)), share = NULL)),
    list(list(title = "Rule", text = rule_words(model), share = NULL)),
    share_columns(model, rules, options$digits),
    if (options$interval) list(interval_column(rules, options)),
    if (options$counts) count_columns(model)
  )
}

opening_words <- function(n) {
  if (n == 1L) "always" else c(rule_keywords(n - 1L), "else")
}

rule_words <- function(model) {
  c(rule_antecedents(model, typeset_signs), "(default rule)")
}

share_columns <- function(model, rules, digits) {
  share_column <- function(title, share) {
    list(title = title, text = sprintf("%.*f", as.integer(digits), share), share = share)
  }
  classes <- shown_text(model$classes)
  k <- length(classes)
  if (k == 2L) {
    return(list(share_column(sprintf("P(%s = %s)", shown_text(model$settings$label), classes[2L]), rules$prob)))
  }
  if (k <= max_class_columns) {
    return(lapply(seq_len(k), \(class) share_column(sprintf("P(%s)", classes[class]), unname(model$probs[, class]))))
  }
  likeliest <- classes[likeliest_class(model$probs)]
  list(list(title = "Class", text = likeliest, share = NULL), share_column("Probability", rules$prob))
}

# With several classes it is the interval of the likeliest.
interval_column <- function(rules, options) {
  digits <- as.integer(options$digits)
  ends <- sprintf("%.*f to %.*f", digits, rules$lower, digits, rules$upper)
  list(title = sprintf("%s %% interval", format(100 * options$level, digits = 6L)), text = ends, share = NULL)
}

count_columns <- function(model) {
  count_column <- function(title, n) list(title = title, text = with_thousands(round(n, 2L)), share = NULL)
  if (length(model$classes) > 2L) {
    return(list(count_column("n", rowSums(model$counts))))
  }
  titles <- sprintf("n(%s)", shown_text(model$classes))
  lapply(1:2, \(class) count_column(titles[class], unname(model$counts[, class])))
}

is_text_column <- function(column) {
  column$title %in% c("", "Rule", "Class")
}

# The list as sentences: the words of each rule, what they lead to, and the evidence.
text_sentences <- function(table) {
  cells <- function(columns) {
    texts <- lapply(columns, \(column) paste(column$title, if (is_text_column(column)) "is" else "=", column$text))
    Reduce(\(left, right) paste(left, right, sep = ", "), texts)
  }
  is_default <- table[[2L]]$text == "(default rule)" & seq_along(table[[2L]]$text) == length(table[[2L]]$text)
  list(opening = table[[1L]]$text, rule = ifelse(is_default, "", table[[2L]]$text), answer = cells(table[-(1:2)]))
}

# The rule list as a table of words, before any language: what as_latex(), as_markdown() and as_html() then write.

# With more classes than this a table shows the likeliest class only.
max_class_columns <- 5L

# Titles of columns are broken between words from this width on. Columns of classes have this much room, in characters;
# on paper, where nothing can be moved aside, less.
title_width <- 14L
room_for_classes <- c(screen = 55L, paper = 40L)

# What the three functions share, checked.
check_text_options <- function(caption, digits, interval, counts, level) {
  check_optional_text(caption, "caption")
  check_whole(digits, "digits", min = 0, max = 15)
  check_flag(interval, "interval")
  check_flag(counts, "counts")
  check_level(level)
  list(caption = caption, digits = digits, interval = interval, counts = counts, level = level)
}

# `columns`, with one row per rule (default rule last), or, where the classes have no room side by side, with a row for
# each class below that of the rule; `is_class`: which rows these are; and `notes` to the table.
text_table <- function(model, options, style, page = "screen") {
  columns <- wide_columns(model, options)
  turned <- style == "table" && length(model$classes) <= max_class_columns && is_crowded(columns, page)
  n <- nrow(model$probs)
  list(
    columns = if (turned) turned_columns(model, options) else c(rule_columns_of(model), columns),
    is_class = if (turned) below_rules(FALSE, rep(TRUE, length(model$probs)), n) else rep(FALSE, n),
    notes = rule_notes(model, options$level)
  )
}

# `kind` is "word" for what is short, "text" for what may be broken over lines, and "number"; `share` is the number
# behind a text if that is a probability; `mark`: which cells have the mark of rules with little evidence.
new_column <- function(title, text, kind = "number", share = NULL, mark = FALSE) {
  list(title = title, text = text, kind = kind, share = share, mark = rep_len(mark, length(text)))
}

is_number_column <- function(column) {
  column$kind == "number"
}

rule_columns_of <- function(model) {
  n <- nrow(model$probs)
  words <- c(rule_program(model, signs = typeset_signs)$words, default_rule_text)
  list(
    new_column("No.", rule_number_text(n - 1L), "word"), new_column("", opening_words(n), "word"),
    new_column("Rule", words, "text")
  )
}

opening_words <- function(n) {
  if (n == 1L) "always" else c(rule_keywords(n - 1L), "else")
}

# One row per rule: the classes side by side, or the likeliest of many.
wide_columns <- function(model, options) {
  rules <- as.data.frame(reported_interval(model, options$level))
  c(
    share_columns(model, rules, options),
    if (options$interval) list(interval_column(rules$lower, rules$upper, options)),
    if (options$counts) count_columns(model)
  )
}

share_columns <- function(model, rules, options) {
  thin <- thin_rules(model, options$level)
  if (!reports_several(model)) {
    title <- sprintf("P(%s)", outcome_text(model))
    return(list(share_column(title, rules$prob, thin, options)))
  }
  classes <- shown_class(model)
  if (length(classes) <= max_class_columns) {
    one <- function(class) {
      mark <- thin & reported_class(model, model$probs) == class
      share_column(sprintf("P(%s)", classes[class]), unname(model$probs[, class]), mark, options)
    }
    return(lapply(seq_along(classes), one))
  }
  likeliest <- classes[likeliest_class(model$probs)]
  list(class_column(model, likeliest), share_column("Probability", rules$prob, thin, options))
}

class_column <- function(model, text) {
  new_column(shown_label(model), text, "text")
}

share_column <- function(title, share, mark, options) {
  new_column(title, sprintf("%.*f", as.integer(options$digits), share), share = share, mark = mark)
}

# With several classes side by side it is the interval of the likeliest.
interval_column <- function(lower, upper, options) {
  digits <- as.integer(options$digits)
  title <- sprintf("%s%% interval", format_numbers(100 * options$level, digits = 6L))
  new_column(title, sprintf("%.*f to %.*f", digits, lower, digits, upper))
}

count_columns <- function(model) {
  if (reports_several(model)) {
    return(list(count_column("n", rowSums(model$counts))))
  }
  titles <- sprintf("n(%s)", shown_class(model))
  lapply(seq_along(titles), \(class) count_column(titles[class], unname(model$counts[, class])))
}

count_column <- function(title, n) {
  new_column(title, with_thousands(round(n, 2L)))
}

# Do the names of the classes take more room than there is?
is_crowded <- function(columns, page) {
  is_number <- vapply(columns, \(column) column$kind == "number", NA)
  is_interval <- endsWith(column_titles(columns), "interval")
  sum(wrapped_width(column_titles(columns)[is_number & !is_interval]) + 3L) > room_for_classes[[page]]
}

column_titles <- function(columns) {
  vapply(columns, \(column) column$title, "")
}

# Of a title that is broken between words.
wrapped_width <- function(title) {
  longest <- vapply(strsplit(title, " ", fixed = TRUE), \(words) max(nchar(words, "width"), 0L), 1L)
  pmax(longest, pmin(nchar(title, "width"), title_width))
}

# `room` for texts of these widths: a short one gets what it needs, the others share the rest.
share_room <- function(needed, room) {
  n_left <- length(needed)
  for (j in order(needed)) {
    needed[j] <- min(needed[j], room / n_left)
    room <- room - needed[j]
    n_left <- n_left - 1L
  }
  needed
}

# Each rule with the classes below it: their probabilities, intervals and training rows. `column` has a cell for each
# rule and class, all those of the first class first; `of_rule` are the cells of the rules themselves.
turned_columns <- function(model, options) {
  n <- nrow(model$probs)
  ends <- lapply(estimate_ends(model, options$level), \(end) as.vector(end[seq_len(n), ]))
  mark <- thin_rules(model, options$level) & outer(reported_class(model, model$probs), seq_len(ncol(model$probs)), `==`)
  share <- share_column(sprintf("P(%s)", shown_label(model)), as.vector(model$probs), mark, options)
  count <- count_column("n", as.vector(model$counts))
  names <- list("", "", rep(shown_class(model), each = n))
  below <- function(column, of_rule = "") {
    column$text <- below_rules(of_rule, column$text, n)
    column$share <- if (!is.null(column$share)) below_rules(NA, column$share, n)
    column$mark <- below_rules(FALSE, column$mark, n)
    column
  }
  c(
    Map(\(column, text) below(new_column(column$title, rep_len(text, length(model$probs)), column$kind), column$text),
        rule_columns_of(model), names),
    list(below(share)),
    if (options$interval) list(below(interval_column(ends$lower, ends$upper, options))),
    if (options$counts) list(below(count, count_column("n", rowSums(model$counts))$text))
  )
}

below_rules <- function(of_rule, of_class, n) {
  as.vector(rbind(of_rule, t(matrix(of_class, n))))
}

# The list as sentences: the words of each rule, what they lead to, and the evidence.
text_sentences <- function(table) {
  columns <- table$columns
  cells <- lapply(columns[-(1:3)], function(column) {
    text <- paste0(column$text, ifelse(column$mark, thin_mark, ""))
    paste(column$title, if (column$kind == "text") "is" else "=", text)
  })
  numbers <- columns[[1L]]$text
  is_default <- numbers == ""
  list(
    number = ifelse(is_default, "", paste0(numbers, ". ")), opening = columns[[2L]]$text,
    rule = ifelse(is_default, "", columns[[3L]]$text),
    answer = Reduce(\(left, right) paste(left, right, sep = ", "), cells)
  )
}

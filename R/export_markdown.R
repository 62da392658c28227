# Tables and sentences in Markdown.

markdown_table <- function(table, caption) {
  line <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
  columns <- lapply(table$columns, markdown_cells, table = table)
  cells <- do.call(cbind, columns)
  widths <- markdown_widths(table, columns)
  rules <- vapply(seq_along(columns), function(j) {
    if (is_number_column(table$columns[[j]])) paste0(strrep("-", widths[j] - 1L), ":") else strrep("-", widths[j])
  }, "")
  lines <- c(line(cells[1L, ]), line(rules), apply(cells[-1L, , drop = FALSE], 1L, line))
  caption <- if (!is.null(caption)) c("", paste("Table:", caption))
  paste(c(lines, caption, markdown_notes(table)), collapse = "\n")
}

# Title and cells, padded to the same width.
markdown_cells <- function(column, table) {
  text <- escape_markdown(c(column$title, column$text))
  text <- paste0(text, ifelse(c(FALSE, column$mark), escape_markdown(thin_mark), ""))
  if (column$kind == "text") {
    text <- paste0(ifelse(c(FALSE, table$is_class), "&emsp;", ""), text)
  }
  if (column$kind == "word") {
    # Word would break "else if" otherwise.
    text <- gsub("else if", "else&nbsp;if", text, fixed = TRUE)
  }
  pad_text(text, left = !is_number_column(column), least = 3L)
}

# The number of dashes is the relative width of a column where lines are too long for the page (pandoc: 72 characters).
# Only text may be broken over lines then, and titles between words; numbers get room to spare.
markdown_widths <- function(table, columns) {
  widths <- vapply(columns, \(column) max(nchar(column[1L], "width"), 3L), 1L)
  if (sum(widths + 3L) + 1L <= 72L) {
    return(widths)
  }
  is_text <- vapply(table$columns, \(column) column$kind == "text", NA)
  cells <- vapply(columns, \(column) max(nchar(trimws(column[-1L]), "width"), 3L), 1L)
  widths[!is_text] <- pmax(cells, wrapped_width(column_titles(table$columns)))[!is_text] + 4L
  # What is left of a page is for the texts.
  room <- max(108L - sum(widths[!is_text]), 25L * sum(is_text))
  widths[is_text] <- as.integer(share_room(as.double(widths[is_text]), room))
  widths
}

markdown_list <- function(table, caption) {
  words <- text_sentences(table)
  rule <- ifelse(words$rule == "", "", paste0(" ", escape_markdown(words$rule), " **then**"))
  lines <- sprintf("%s**%s**%s %s", escape_markdown(words$number), words$opening, rule, escape_markdown(words$answer))
  # A backslash at the end of a line breaks it, in every Markdown that counts.
  lines[-length(lines)] <- paste0(lines[-length(lines)], "\\", recycle0 = TRUE)
  paste(c(if (!is.null(caption)) c(caption, ""), lines, markdown_notes(table)), collapse = "\n")
}

markdown_notes <- function(table) {
  unlist(lapply(escape_markdown(table$notes), \(note) c("", note)))
}

# Any ASCII punctuation may be escaped; a point between digits needs none. R Markdown reads \[ as the start of a
# formula, so brackets and backslashes are written by their numbers.
escape_markdown <- function(x) {
  x <- gsub("&", "&amp;", x, fixed = TRUE)
  x <- gsub("\\", "&#92;", x, fixed = TRUE)
  x <- gsub("[", "&#91;", x, fixed = TRUE)
  x <- gsub("]", "&#93;", x, fixed = TRUE)
  # knitr looks for code between backticks, escaped or not.
  x <- gsub("`", "&#96;", x, fixed = TRUE)
  x <- gsub("([*_{}<>+!|~^$@\"':-]|(?<!&)#)", "\\\\\\1", x, perl = TRUE)
  gsub("(?<![0-9])\\.|\\.(?![0-9])", "\\\\.", x, perl = TRUE)
}

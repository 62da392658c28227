# Tables and sentences in HTML, and their styles.

html_css <- c(
  ".sbrl-rules { overflow-x: auto; margin: 1em 0; }",
  ".sbrl-rules table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: auto; }",
  ".sbrl-rules caption { text-align: left; padding: .3em .6em; font-weight: 600; }",
  ".sbrl-rules th { border-bottom: 2px solid #1d4e6b; text-align: left; vertical-align: bottom; }",
  ".sbrl-rules td { border-bottom: 1px solid #dde3e8; vertical-align: top; }",
  ".sbrl-rules th, .sbrl-rules td { padding: .3em .6em; }",
  ".sbrl-rules .sbrl-number { text-align: right; }",
  ".sbrl-rules td.sbrl-number { white-space: nowrap; }",
  ".sbrl-rules .sbrl-text { min-width: 8em; }",
  ".sbrl-rules td.sbrl-class { padding-left: 2em; }",
  ".sbrl-rules .sbrl-word { color: #5b6b77; white-space: nowrap; }",
  ".sbrl-rules .sbrl-mark { display: inline-block; width: 0; }",
  ".sbrl-rules .sbrl-note { margin: .4em .6em; font-size: .9em; color: #5b6b77; }",
  ".sbrl-rules .sbrl-bar { min-width: 6em; print-color-adjust: exact; -webkit-print-color-adjust: exact; }"
)

html_table <- function(table, caption, bar) {
  title <- \(column) sprintf("<th scope=\"col\" class=\"sbrl-%s\">%s</th>", column$kind, escape_html(column$title))
  head <- vapply(table$columns, title, "")
  cells <- vapply(table$columns, html_cells, character(length(table$is_class)), table = table, bar = bar)
  rows <- apply(matrix(cells, ncol = length(table$columns)), 1L, paste, collapse = "")
  c(
    "<table>", if (!is.null(caption)) sprintf("<caption>%s</caption>", caption),
    sprintf("<thead><tr>%s</tr></thead>", paste(head, collapse = "")),
    "<tbody>", sprintf("<tr>%s</tr>", rows), "</tbody>", "</table>"
  )
}

html_cells <- function(column, table, bar) {
  indent <- ifelse(table$is_class & column$kind == "text", " sbrl-class", "")
  attributes <- sprintf(" class=\"sbrl-%s%s\"", column$kind, indent)
  if (bar && !is.null(column$share)) {
    percent <- 100 * column$share
    bars <- sprintf("background: linear-gradient(to right, #bcd9ea %.1f%%, #eef2f5 %.1f%%)", percent, percent)
    bars <- sprintf(" class=\"sbrl-number sbrl-bar\" style=\"%s\"", bars)
    attributes <- ifelse(is.na(percent), attributes, bars)
  }
  mark <- ifelse(column$mark, sprintf("<span class=\"sbrl-mark\">%s</span>", escape_html(thin_mark)), "")
  sprintf("<td%s>%s%s</td>", attributes, escape_html(column$text), mark)
}

html_list <- function(table, caption) {
  words <- text_sentences(table)
  rule <- ifelse(words$rule == "", "", paste0(" ", escape_html(words$rule), " <b>then</b>"))
  lines <- sprintf("%s<b>%s</b>%s %s", words$number, words$opening, rule, escape_html(words$answer))
  c(if (!is.null(caption)) sprintf("<p>%s</p>", caption), sprintf("<p>%s</p>", paste(lines, collapse = "<br>\n")))
}

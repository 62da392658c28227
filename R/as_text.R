# as_latex(), as_markdown(), as_html(): the rule list for a paper, a readme or a web page.

#' A rule list as LaTeX, Markdown or HTML
#'
#' `as_latex()`, `as_markdown()` and `as_html()` write a rule list for people to read: as a table, or as sentences
#' *if ... else if ... else*.
#'
#' Names and levels may hold anything; what has a meaning in the language is escaped. The LaTeX needs no
#' packages. Characters beyond ASCII are left as they are: whether they can be shown depends on the fonts.
#'
#' With three to five classes a table has a probability for each class; with more, it shows the likeliest
#' class and its probability. The interval is always that of the positive or of the likeliest class.
#'
#' In an R Markdown document a model prints as such a table by itself, see [knit_print.sbrl()].
#'
#' @param model A model made by [sbrl()].
#' @param caption A caption, or `NULL` for none. Plain text; it is escaped, too.
#' @param digits Number of digits after the decimal point of probabilities.
#' @param interval Whether to show credible intervals.
#' @param counts Whether to show the training rows that each rule captured, by class if there are two.
#' @param level Coverage of the credible intervals.
#' @param style `"table"`, or `"list"` for sentences.
#' @param label For references in LaTeX, as in `\ref{tab:rules}`; needs a caption. Letters from A to Z, digits and
#'   `: . _ - / +` only.
#' @param bar Whether a bar behind each probability shows its size.
#' @param css Whether to add the styles that the table needs; `FALSE` if the page has its own.
#' @return One string of class `"sbrl_text"`, which prints as it is.
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' as_markdown(model)
#' as_markdown(model, style = "list", interval = FALSE, counts = FALSE)
#' as_latex(model, caption = "Who wins?", label = "tab:rules")
#' as_html(model, css = FALSE)
#' @name as_latex
NULL

#' @rdname as_latex
#' @export
as_markdown <- function(model, caption = NULL, digits = 3, interval = TRUE, counts = TRUE, level = 0.95,
                        style = c("table", "list")) {
  model <- check_model(model, "model")
  options <- check_text_options(caption, digits, interval, counts, level)
  style <- check_choice(style, "style", c("table", "list"))
  table <- text_table(model, options)
  caption <- if (!is.null(caption)) escape_markdown(visible_text(caption))
  new_text(if (style == "table") markdown_table(table, caption) else markdown_list(table, caption), "markdown")
}

markdown_table <- function(table, caption) {
  line <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
  columns <- lapply(table, \(column) pad_text(escape_markdown(c(column$title, column$text)), is_text_column(column)))
  # Word would break "else if" otherwise.
  columns[[1L]] <- pad_text(gsub("else if", "else&nbsp;if", columns[[1L]], fixed = TRUE), TRUE)
  cells <- do.call(cbind, columns)
  widths <- markdown_widths(table, columns)
  rules <- vapply(seq_along(table), function(j) {
    if (is_text_column(table[[j]])) strrep("-", widths[j]) else paste0(strrep("-", widths[j] - 1L), ":")
  }, "")
  lines <- c(line(cells[1L, ]), line(rules), apply(cells[-1L, , drop = FALSE], 1L, line))
  paste(c(lines, if (!is.null(caption)) c("", paste("Table:", caption))), collapse = "\n")
}

# The number of dashes is the relative width of a column where lines are too long for the page (pandoc: 72 characters).
# Only rules may be broken over lines then; numbers get room to spare.
markdown_widths <- function(table, columns) {
  widths <- vapply(columns, \(column) max(nchar(column[1L], "width"), 3L), 1L)
  if (sum(widths + 3L) + 1L <= 72L) {
    return(widths)
  }
  is_rule <- vapply(table, \(column) column$title == "Rule", NA)
  is_number <- !vapply(table, is_text_column, NA)
  widths[is_number] <- widths[is_number] + 4L
  widths[is_rule] <- min(widths[is_rule], max(30L, 90L - sum(widths[!is_rule])))
  widths
}

pad_text <- function(text, left) {
  width <- nchar(text, "width")
  blanks <- strrep(" ", max(width, 3L) - width)
  if (left) paste0(text, blanks) else paste0(blanks, text)
}

markdown_list <- function(table, caption) {
  words <- text_sentences(table)
  rule <- ifelse(words$rule == "", "", paste0(" ", escape_markdown(words$rule), " **then**"))
  lines <- sprintf("**%s**%s %s", words$opening, rule, escape_markdown(words$answer))
  # A backslash at the end of a line breaks it, in every Markdown that counts.
  lines[-length(lines)] <- paste0(lines[-length(lines)], "\\", recycle0 = TRUE)
  paste(c(if (!is.null(caption)) c(caption, ""), lines), collapse = "\n")
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

#' @rdname as_latex
#' @export
as_latex <- function(model, caption = NULL, digits = 3, interval = TRUE, counts = TRUE, level = 0.95,
                     style = c("table", "list"), label = NULL) {
  model <- check_model(model, "model")
  options <- check_text_options(caption, digits, interval, counts, level)
  style <- check_choice(style, "style", c("table", "list"))
  check_latex_label(label)
  if (!is.null(label) && (is.null(caption) || style == "list")) {
    abort_sbrl("argument", "`label` must go with a table that has a `caption`: LaTeX numbers nothing else.")
  }
  table <- text_table(model, options)
  body <- if (style == "table") latex_tabular(table) else latex_list(table)
  new_text(latex_frame(body, caption, label, style), "latex")
}

# A reference is a name, which LaTeX cannot escape: what acts as a command there is refused.
check_latex_label <- function(label) {
  check_optional_text(label, "label")
  ok <- is.null(label) || grepl("^[A-Za-z0-9:._/+-]+$", label)
  check_that(ok, label, "label", "made of the letters A to Z, digits and `: . _ - / +`")
}

latex_frame <- function(body, caption, label, style) {
  caption <- if (!is.null(caption)) escape_latex(visible_text(caption))
  if (style == "list") {
    return(paste(c(if (!is.null(caption)) sprintf("\\noindent %s\\par\\medskip", caption), body), collapse = "\n"))
  }
  if (is.null(caption)) {
    return(paste(c("\\begin{center}", latex_stretch, body, "\\end{center}"), collapse = "\n"))
  }
  reference <- if (is.null(label)) "" else sprintf("\\label{%s}", label)
  paste(c(
    "\\begin{table}[htbp]", "\\centering", latex_stretch, sprintf("\\caption{%s}%s", caption, reference), "\\medskip",
    body, "\\end{table}"
  ), collapse = "\n")
}

# Lines with some air, within the environment only.
latex_stretch <- "\\renewcommand{\\arraystretch}{1.2}"

# \tabularnewline, because \raggedright takes \\ for itself.
latex_tabular <- function(table) {
  width <- latex_rule_width(table)
  line <- function(cells) paste0(paste(cells, collapse = " & "), " \\tabularnewline")
  cells <- vapply(table, \(column) escape_latex(c(column$title, column$text)), character(length(table[[1L]]$text) + 1L))
  kind <- ifelse(vapply(table, is_text_column, NA), "l", "r")
  if (width < 1) {
    kind[2L] <- sprintf("p{%.2f\\linewidth}", width)
    cells[, 2L] <- paste("\\raggedright", cells[, 2L])
  }
  c(
    sprintf("\\begin{tabular}{%s}", paste(kind, collapse = "")), "\\hline", line(cells[1L, ]), "\\hline",
    apply(cells[-1L, , drop = FALSE], 1L, line), "\\hline", "\\end{tabular}"
  )
}

# What the other columns leave of a line of some 100 characters; 1 if the rules need less than that.
latex_rule_width <- function(table) {
  widths <- vapply(table, \(column) max(nchar(c(column$title, column$text), "width")), 1L)
  free <- 1 - sum(widths[-2L] / 100 + 0.035)
  if (widths[2L] / 100 <= free) 1 else max(free, 0.2)
}

latex_list <- function(table) {
  words <- text_sentences(table)
  rule <- ifelse(words$rule == "", "", paste0(" ", escape_latex(words$rule), " \\textbf{then}"))
  lines <- sprintf("\\textbf{%s}%s %s", words$opening, rule, escape_latex(words$answer))
  c("\\begin{flushleft}", paste0(lines, c(rep("\\\\", length(lines) - 1L), "")), "\\end{flushleft}")
}

latex_special <- c(
  "\\" = "\\textbackslash{}", "{" = "\\{", "}" = "\\}", "$" = "\\$", "&" = "\\&", "#" = "\\#", "_" = "\\_",
  "%" = "\\%", "~" = "\\textasciitilde{}", "^" = "\\textasciicircum{}", "<" = "\\textless{}", ">" = "\\textgreater{}",
  "|" = "\\textbar{}", "\"" = "{\\char34}", "'" = "{'}", "`" = "{`}", "-" = "{-}", "[" = "{[}", "]" = "{]}"
)

# Names beyond ASCII are not safe in every locale.
latex_signs <- c("\u2264", "\u2265")
latex_special[latex_signs] <- c("$\\leq$", "$\\geq$")

# Character by character: what an escape brings in must not be escaped again.
escape_latex <- function(x) {
  one <- function(text) {
    characters <- strsplit(text, "")[[1L]]
    special <- characters %in% names(latex_special)
    characters[special] <- latex_special[characters[special]]
    paste(characters, collapse = "")
  }
  vapply(enc2utf8(x), one, "", USE.NAMES = FALSE)
}

#' @rdname as_latex
#' @export
as_html <- function(model, caption = NULL, digits = 3, interval = TRUE, counts = TRUE, level = 0.95,
                    style = c("table", "list"), bar = TRUE, css = TRUE) {
  model <- check_model(model, "model")
  options <- check_text_options(caption, digits, interval, counts, level)
  style <- check_choice(style, "style", c("table", "list"))
  check_flag(bar, "bar")
  check_flag(css, "css")
  table <- text_table(model, options)
  caption <- if (!is.null(caption)) escape_html(visible_text(caption))
  body <- if (style == "table") html_table(table, caption, bar) else html_list(table, caption)
  lines <- c("<div class=\"sbrl-rules\">", if (css) c("<style>", html_css, "</style>"), body, "</div>")
  new_text(paste(lines, collapse = "\n"), "html")
}

html_css <- c(
  ".sbrl-rules { overflow-x: auto; margin: 1em 0; }",
  ".sbrl-rules table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: auto; }",
  ".sbrl-rules caption { text-align: left; padding: .3em .6em; font-weight: 600; }",
  ".sbrl-rules th { border-bottom: 2px solid #1d4e6b; text-align: left; }",
  ".sbrl-rules td { border-bottom: 1px solid #dde3e8; vertical-align: top; }",
  ".sbrl-rules th, .sbrl-rules td { padding: .3em .6em; }",
  ".sbrl-rules .sbrl-number { text-align: right; white-space: nowrap; }",
  ".sbrl-rules .sbrl-word { color: #5b6b77; white-space: nowrap; }",
  ".sbrl-rules .sbrl-bar { min-width: 6em; print-color-adjust: exact; -webkit-print-color-adjust: exact; }"
)

html_table <- function(table, caption, bar) {
  title <- \(column) sprintf("<th scope=\"col\"%s>%s</th>", html_class(column), escape_html(column$title))
  head <- vapply(table, title, "")
  cells <- vapply(table, html_cells, character(length(table[[1L]]$text)), bar = bar)
  rows <- apply(matrix(cells, ncol = length(table)), 1L, paste, collapse = "")
  c(
    "<table>", if (!is.null(caption)) sprintf("<caption>%s</caption>", caption),
    sprintf("<thead><tr>%s</tr></thead>", paste(head, collapse = "")),
    "<tbody>", sprintf("<tr>%s</tr>", rows), "</tbody>", "</table>"
  )
}

html_class <- function(column) {
  if (column$title == "") {
    return(" class=\"sbrl-word\"")
  }
  if (is_text_column(column)) "" else " class=\"sbrl-number\""
}

html_cells <- function(column, bar) {
  if (!bar || is.null(column$share)) {
    return(sprintf("<td%s>%s</td>", html_class(column), escape_html(column$text)))
  }
  percent <- 100 * column$share
  bars <- sprintf("background: linear-gradient(to right, #bcd9ea %.1f%%, #eef2f5 %.1f%%)", percent, percent)
  sprintf("<td class=\"sbrl-number sbrl-bar\" style=\"%s\">%s</td>", bars, column$text)
}

html_list <- function(table, caption) {
  words <- text_sentences(table)
  rule <- ifelse(words$rule == "", "", paste0(" ", escape_html(words$rule), " <b>then</b>"))
  lines <- sprintf("<b>%s</b>%s %s", words$opening, rule, escape_html(words$answer))
  c(if (!is.null(caption)) sprintf("<p>%s</p>", caption), sprintf("<p>%s</p>", paste(lines, collapse = "<br>\n")))
}

escape_html <- function(x) {
  x <- gsub("&", "&amp;", x, fixed = TRUE)
  x <- gsub("<", "&lt;", x, fixed = TRUE)
  x <- gsub(">", "&gt;", x, fixed = TRUE)
  x <- gsub("\"", "&quot;", x, fixed = TRUE)
  gsub("'", "&#39;", x, fixed = TRUE)
}

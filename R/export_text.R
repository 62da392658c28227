# as_latex(), as_markdown(), as_html(): the rule list for a paper, a readme or a web page. Each language is in a file of
# its own.

#' A rule list as LaTeX, Markdown or HTML
#'
#' `as_latex()`, `as_markdown()` and `as_html()` write a rule list for people to read: as a table, or as sentences
#' *if ... else if ... else*.
#'
#' Names and levels may contain any text; characters with a meaning in the language are escaped. The LaTeX needs no
#' packages. Characters beyond ASCII are kept; whether they can be displayed depends on the fonts.
#'
#' With three to five classes a table has a column with the probabilities of each class; the interval is that of the
#' likeliest one. If the names of the classes are too long for that, the table has a row for each class
#' instead, with its own interval. With more than five classes it shows the likeliest class and its probability.
#'
#' Rules have the numbers that [explain()] and `predict(type = "rule")` give. A star marks the probability of a rule
#' with little evidence: it captured fewer than 30 training rows, or its interval is wider than 0.3.
#'
#' In an R Markdown document a model is shown as such a table automatically, see [knit_print.sbrl()].
#'
#' @inheritParams as_sql
#' @param caption A caption, or `NULL` for none. Plain text, which is escaped.
#' @param digits Number of digits after the decimal point of probabilities.
#' @param interval Whether to show credible intervals.
#' @param counts Whether to show the training rows that each rule captured, by class if there are two.
#' @inheritParams rules
#' @param style `"table"`, or `"list"` for sentences.
#' @param label For references in LaTeX, as in `\ref{tab:rules}`; needs a caption. Letters from A to Z, digits and
#'   `: . _ - / +` only.
#' @param bar Whether a bar behind each probability shows its size.
#' @param css Whether to add the styles that the table needs; `FALSE` if the page has its own.
#' @return One string of class `"sbrl_text"`, which prints as it is.
#' @seealso [knit_print.sbrl()], [sbrl_report()], [relabel()] for names that readers know.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' as_markdown(model)
#' as_markdown(model, style = "list", interval = FALSE, counts = FALSE)
#' as_latex(model, caption = "Who survived?", label = "tab:rules")
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
  table <- text_table(model, options, style)
  caption <- if (!is.null(caption)) escape_markdown(visible_text(caption))
  new_text(if (style == "table") markdown_table(table, caption) else markdown_list(table, caption), "markdown")
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
  table <- text_table(model, options, style, "paper")
  body <- c(if (style == "table") latex_tabular(table) else latex_list(table), latex_notes(table, style))
  new_text(latex_frame(body, caption, label, style), "latex")
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
  table <- text_table(model, options, style)
  caption <- if (!is.null(caption)) escape_html(visible_text(caption))
  body <- if (style == "table") html_table(table, caption, bar) else html_list(table, caption)
  notes <- sprintf("<p class=\"sbrl-note\">%s</p>", escape_html(table$notes))
  lines <- c("<div class=\"sbrl-rules\">", if (css) c("<style>", html_css, "</style>"), body, notes, "</div>")
  new_text(paste(lines, collapse = "\n"), "html")
}

# Tables and sentences in LaTeX, without packages.

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
  columns <- table$columns
  cells <- vapply(columns, latex_cells, character(length(table$is_class)))
  cells <- matrix(cells, ncol = length(columns))
  is_text <- vapply(columns, \(column) column$kind == "text", NA)
  cells[table$is_class, is_text] <- paste0("\\hspace*{1em}", cells[table$is_class, is_text])
  kinds <- latex_kinds(table)
  broken <- startsWith(kinds, "p")
  cells[, broken] <- paste("\\raggedright", cells[, broken])
  rows <- apply(cells, 1L, paste, collapse = " & ")
  c(
    if (any(broken)) latex_narrow, sprintf("\\begin{tabular}{%s}", paste(kinds, collapse = "")), "\\hline",
    paste(paste(vapply(columns, latex_title, ""), collapse = " & "), "\\tabularnewline"), "\\hline",
    paste(rows, latex_ends(table)), "\\hline", "\\end{tabular}"
  )
}

# A rule that has its classes below it is set apart by some space.
latex_ends <- function(table) {
  is_last <- table$is_class & !c(table$is_class[-1L], TRUE)
  ifelse(is_last, "\\tabularnewline[4pt]", "\\tabularnewline")
}

# The mark takes no room, so that the numbers stay in line.
latex_cells <- function(column) {
  mark <- ifelse(column$mark, sprintf("\\rlap{%s}", escape_latex(thin_mark)), "")
  paste0(escape_latex(column$text), mark)
}

latex_title <- function(column) {
  title <- escape_latex(column$title)
  width <- wrapped_width(column$title)
  if (!is_number_column(column) || nchar(column$title, "width") <= width) {
    return(title)
  }
  sprintf("\\parbox[b]{%.1fem}{\\raggedleft %s}", 0.55 * width + 0.5, title)
}

# A line of less than this many em is that of a page with wide margins, where a long table is set smaller.
narrow_line <- 36
latex_narrow <- sprintf("\\ifdim\\linewidth<%dem \\footnotesize\\setlength{\\tabcolsep}{3pt}\\fi", narrow_line)

# How the columns are set. Where they need more than a narrow line, rules are broken to what the other columns leave of
# the line, whatever its width, and names of classes next to them to a fixed width.
latex_kinds <- function(table) {
  columns <- table$columns
  kinds <- ifelse(vapply(columns, is_number_column, NA), "r", "l")
  longest <- vapply(columns, \(column) max(nchar(column$text, "width")), 1L)
  # A character takes half an em, and some a little more.
  widths <- 0.52 * pmax(longest, wrapped_width(column_titles(columns))) + 0.1
  if (sum(widths + 1.2) <= narrow_line) {
    return(kinds)
  }
  is_rule <- column_titles(columns) == "Rule"
  is_wide <- vapply(columns, \(column) column$kind == "text", NA) & !is_rule & widths > 9
  widths[is_wide] <- 9
  kinds[is_wide] <- "p{9em}"
  others <- sprintf("%.1fem-%d\\tabcolsep", sum(widths[!is_rule]), 2L * length(columns))
  kinds[is_rule] <- sprintf("p{\\dimexpr\\linewidth-%s\\relax}", others)
  kinds
}

latex_list <- function(table) {
  words <- text_sentences(table)
  rule <- ifelse(words$rule == "", "", paste0(" ", escape_latex(words$rule), " \\textbf{then}"))
  lines <- sprintf("%s\\textbf{%s}%s %s", words$number, words$opening, rule, escape_latex(words$answer))
  c("\\begin{flushleft}", paste0(lines, c(rep("\\\\", length(lines) - 1L), "")), "\\end{flushleft}")
}

latex_notes <- function(table, style) {
  if (length(table$notes) == 0L) {
    return(NULL)
  }
  notes <- paste(escape_latex(table$notes), collapse = " ")
  sprintf(if (style == "list") "\\noindent {\\small %s}\\par" else "\\par\\smallskip {\\small %s}", notes)
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

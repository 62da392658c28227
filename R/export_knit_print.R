# A model in an R Markdown document: a table in the language of the document.

#' Rule lists in R Markdown documents
#'
#' In an R Markdown or Quarto document, a model is shown as a table, in HTML, PDF, Word and every other format.
#'
#' Chunk options change the table: `tab.cap` gives a caption; `sbrl.digits`, `sbrl.interval`, `sbrl.counts`,
#' `sbrl.level` and `sbrl.style` are the arguments of [as_html()], [as_latex()] and [as_markdown()], and `sbrl.bar`
#' is that of `as_html()`. `print(model)`, or the chunk option `render = knitr::normal_print`, shows the plain text
#' instead. So does a document that knitr weaves without pandoc, unless it is LaTeX.
#'
#' The results of [as_sql()] and the like appear as blocks of code, or unchanged if they are in the language of the
#' document.
#'
#' @param x A model made by [sbrl()] or by version 1.4, or a text made by one of the exports.
#' @param options The chunk's options.
#' @param ... Ignored.
#' @return An object of class `"knit_asis"`.
#' @seealso [as_html()], [as_latex()], [as_markdown()], [sbrl_report()].
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' if (requireNamespace("knitr", quietly = TRUE)) {
#'   knitr::knit_print(model, options = list(tab.cap = "Who survived?", sbrl.digits = 2))
#' }
#' @exportS3Method knitr::knit_print
knit_print.sbrl <- function(x, options = list(), ...) { # nolint: object_name_linter. knitr's generic.
  x <- check_model(x, "x", legacy = TRUE)
  language <- document_language()
  if (is_legacy(x) || language == "text") {
    return(knitr::normal_print(x))
  }
  args <- knit_arguments(options, language)
  text <- switch(language,
    html = do.call(as_html, c(list(x), args)),
    latex = do.call(as_latex, c(list(x), args)),
    do.call(as_markdown, c(list(x), args))
  )
  knitr::asis_output(raw_block(text, language))
}

#' @rdname knit_print.sbrl
#' @exportS3Method knitr::knit_print
knit_print.sbrl_text <- function(x, options = list(), ...) { # nolint: object_name_linter. knitr's generic.
  check_text_result(x)
  if (attr(x, "language") %in% c(document_language(), "markdown")) {
    return(knitr::asis_output(raw_block(x, attr(x, "language"))))
  }
  text <- paste(format.sbrl_text(x), collapse = "\n")
  knitr::asis_output(fence(text, attr(x, "language")))
}

# Pages that a browser shows with their styles; GitHub, say, takes HTML but not its styles.
html_formats <- c("html", "html4", "html5", "revealjs", "slidy", "slideous", "dzslides", "s5")

# knitr has the format of the document; pandoc turns Markdown into all other formats.
document_language <- function() {
  if (knitr::is_latex_output()) {
    return("latex")
  }
  to <- knitr::pandoc_to()
  if (is.null(to)) {
    return("text")
  }
  if (sub("[+-].*$", "", to) %in% html_formats) "html" else "markdown"
}

knit_arguments <- function(options, language) {
  names <- c("digits", "interval", "counts", "level", "style", if (language == "html") "bar")
  given <- options[paste0("sbrl.", names)]
  args <- stats::setNames(given, names)
  args <- args[!vapply(args, is.null, NA)]
  c(args, list(caption = options$tab.cap))
}

# A raw block keeps pandoc's hands off; documents without pandoc take the text as it is.
raw_block <- function(text, language) {
  text <- paste(as.character(text), collapse = "\n")
  raw <- language != "markdown" && !is.null(knitr::pandoc_to())
  paste0("\n\n", if (raw) fence(text, sprintf("{=%s}", language)) else text, "\n\n")
}

# Longer than any run of tildes inside. Not of backticks: with `collapse = TRUE` knitr removes the end of a block where
# another one begins, so that what follows in the chunk would become a part of this one.
fence <- function(text, info) {
  runs <- unlist(regmatches(text, gregexpr("~+", text)))
  mark <- strrep("~", max(4L, nchar(runs) + 1L))
  paste0("\n", mark, info, "\n", text, "\n", mark, "\n")
}

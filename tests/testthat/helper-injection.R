# Names that try to leave the text they are written in, for each language that the package writes. One that gets out
# makes a file `pwned` in the working directory, a table or an element of that name, or changes the title of a page.
# PostgreSQL cuts names at 63 bytes: none is longer.
injections <- c(
  r_quote = "\"); file.create(\"pwned\"); (\"", r_name = "`; file.create('pwned'); `",
  r_comment = "x\nfile.create('pwned')", r_call = "I(file.create('pwned'))",
  r_escape = "\\\"); file.create('pwned') #", r_inline = "`r file.create('pwned')`",
  r_chunk = "\n```{r}\nfile.create('pwned')\n```\n", yaml = "---\ntitle: pwned\n---\n",
  yaml_call = "!r file.create('pwned')", sql_text = "'; CREATE TABLE pwned (x integer); --",
  sql_name = "\"; CREATE TABLE pwned (x integer); --", sql_escape = "\\'; CREATE TABLE pwned (x integer); --",
  sql_comment = "*/; CREATE TABLE pwned (x integer); /*", sql_dollar = "$$; CREATE TABLE pwned (x integer); $$",
  psql = "'\n\\! touch pwned\n", xml = "\"/><pwned a=\"", xml_data = "]]><pwned/><![CDATA[", xml_entity = "&pwned;",
  xml_comment = "--><pwned/><!--", html = "<script>document.title='pwned'</script>",
  html_image = "<img src=x onerror=\"document.title='pwned'\">",
  html_end = "</td></table></style><svg onload=document.title='pwned'>",
  html_quote = "\"><script>document.title='pwned'</script>",
  html_entity = "&lt;script&gt;document.title='pwned'&lt;/script&gt;",
  markdown = "[x](javascript:pwned) ![x](pwned.png)",
  markdown_raw = "```{=html}\n<script>document.title='pwned'</script>\n```",
  latex = "\\immediate\\write18{touch pwned}", latex_file = "\\input{/etc/passwd}",
  latex_pipe = "\\input|\"touch pwned\" ", latex_end = "\\end{tabular}\\input{/etc/passwd}",
  latex_write = "\\newwrite\\f\\immediate\\openout\\f=pwned", latex_hat = "^^5cinput^^7b/etc/passwd^^7d",
  latex_brace = "}\\input{/etc/passwd}{", shell = "$(touch pwned)", shell_tick = "`touch pwned`",
  shell_end = "'; touch pwned; '", shell_pipe = "\" | touch pwned #",
  js_quote = "\"); require('fs').writeFileSync('pwned', ''); (\"",
  js_tick = "${require('fs').writeFileSync('pwned', '')}",
  js_comment = "\nrequire('fs').writeFileSync('pwned', '')\n",
  js_line = "\u2028require('fs').writeFileSync('pwned', '')",
  js_escape = "\\\"; require('fs').writeFileSync('pwned', '') //", feel = "\" or true, \"pwned",
  python = "'; open('pwned', 'w'); '", shell_bare = "`touch${IFS}pwned`", format = "%s%n$1\\1"
)

# A model for each, in which a feature, its level, the label and the classes have that name; with the rows it is for.
injected_cases <- local({
  cases <- NULL
  function() {
    if (is.null(cases)) cases <<- lapply(injections, injected_case)
    cases
  }
})

# Every other model has sets of levels.
injected_case <- function(text) {
  is_rich <- isTRUE(match(text, injections) %% 2 == 0)
  levels <- if (is_rich) c(text, paste0(text, "!"), "other", "rest", NA) else c(text, "other", NA)
  d <- data.frame(rep(levels, each = if (is_rich) 12 else 20), rep(paste0(text, c(" yes", " no")), c(22, 38)))
  names(d) <- c(text, paste(text, "label"))
  model <- quick_fit(d, label = names(d)[2], iters = 50, conditions = if (is_rich) "rich" else "plain")
  stopifnot(nrow(model$rs) > 1, !is_rich || model$format == 3L)
  sql_case_of(model, d)
}

expect_nothing_ran <- function(folder = ".") {
  found <- list.files(folder, "^pwned")
  unlink(file.path(folder, found))
  expect_identical(found, character())
}

# The page as a browser has it after running its scripts.
page_in_browser <- function(html) {
  page <- tempfile(fileext = ".html")
  profile <- tempfile("profile")
  on.exit(unlink(c(page, profile), recursive = TRUE))
  writeLines(enc2utf8(html), page, useBytes = TRUE)
  args <- c("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom",
            shQuote(paste0("--user-data-dir=", profile)), shQuote(paste0("file://", page)))
  # without the library that `make sanitize` loads first
  words <- c("-u", "LD_PRELOAD", browser_program(), args)
  seen <- suppressWarnings(system2("env", words, stdout = TRUE, stderr = FALSE, timeout = 120))
  paste(seen, collapse = "\n")
}

browser_program <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome"))
  unname(found[nzchar(found)][1])
}

title_of <- function(page) sub("(?s).*<title>(.*?)</title>.*", "\\1", page, perl = TRUE)

skip_if_no_browser <- function() {
  skip_on_cran()
  skip_if(is.na(browser_program()), "Chromium is not installed")
}

# Compiles a document body; the files that LaTeX read and wrote.
files_of_latex <- function(body, shell_escape) {
  folder <- tempfile("tex")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "t.tex")
  text <- c("\\documentclass{article}", "\\usepackage[T1]{fontenc}", "\\begin{document}", body, "\\end{document}")
  writeLines(enc2utf8(text), file, useBytes = TRUE)
  args <- c("-interaction=nonstopmode", "-halt-on-error", "-recorder",
    if (shell_escape) "-shell-escape" else "-no-shell-escape",
            "-output-directory", shQuote(folder), shQuote(file))
  status <- system2("pdflatex", args, stdout = file.path(folder, "said"))
  record <- if (file.exists(file.path(folder, "t.fls"))) readLines(file.path(folder, "t.fls"))
  list(status = status, files = record, log = readLines(file.path(folder, "t.log"), warn = FALSE),
       made = list.files(folder, "^pwned"))
}

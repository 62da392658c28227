# Checks what people read: spelling, texts for figures, code blocks that never run, and phrases that the house style
# avoids. prose.R [spelling | figures | blocks | phrases ...]; all of them without arguments.

documents <- c(
  "README.Rmd", "NEWS.md", "CONTRIBUTING.md", "SECURITY.md",
  list.files("dev", "[.]md$", recursive = TRUE, full.names = TRUE),
  Sys.glob(c("vignettes/*.Rmd", "vignettes/articles/*.Rmd")),
  "inst/rmarkdown/templates/sbrl_report/skeleton/skeleton.Rmd", "inst/cheatsheet.html"
)
sources <- grep("[.]Rmd$", documents, value = TRUE)
pages <- list.files("man", "[.]Rd$", full.names = TRUE)
code <- c(
  list.files("R", "[.]R$", full.names = TRUE), list.files("src", "[.](rs|c|h)$", recursive = TRUE, full.names = TRUE),
  list.files(c("dev", "tests", "tools", "inst", "pkgdown"), "[.](R|rs|sh|py|js)$", recursive = TRUE, full.names = TRUE)
)
code <- code[!grepl("/target/|/vendor/|dev/tools/prose.R$", code)]
read <- function(file) readLines(file, encoding = "UTF-8", warn = FALSE)

not_prose <- c(
  "<style>(.|\n)*?</style>", "<(pre|code)>(.|\n)*?</\\1>", "&[a-z]+;", "<!--(.|\n)*?-->", "`[^`]*`",
  "\\$\\$(.|\n)*?\\$\\$", "\\$[^$\n]*\\$", "\\]\\([^)\n]*\\)", "https?://[^ )>\n]+", "<[^>]*>"
)

# Lines outside code blocks, with everything that is not prose blanked out. Line numbers stay.
prose_lines <- function(file) {
  lines <- read(file)
  header <- if (identical(lines[1], "---")) seq_len(which(lines == "---")[2]) else integer()
  is_fence <- grepl("^\\s*(```|~~~)", lines)
  lines[is_fence | cumsum(is_fence) %% 2 == 1] <- ""
  lines[setdiff(header, grep("^title:", lines))] <- ""
  text <- paste(lines, collapse = "\n")
  for (part in not_prose) {
    found <- gregexpr(part, text, perl = TRUE)
    regmatches(text, found) <- lapply(regmatches(text, found), \(x) gsub("[^\n]", " ", x))
  }
  strsplit(text, "\n", fixed = TRUE)[[1]]
}

# Words with digits and single letters are not looked at.
misspelt <- function(lines) {
  input <- tempfile()
  on.exit(unlink(input))
  writeLines(enc2utf8(gsub("[\u2018\u2019]", "'", lines)), input, useBytes = TRUE)
  words <- system2("hunspell", c("-l", "-i", "utf-8", "-d", "en_GB"), stdin = input, stdout = TRUE)
  unique(grep("[0-9]|^.$", sub("'s$", "", enc2utf8(words)), value = TRUE, invert = TRUE))
}

# Words that neither the dictionary nor inst/WORDLIST has.
check_spelling <- function() {
  if (!nzchar(Sys.which("hunspell"))) {
    cat("spelling: skipped, hunspell is not installed\n")
    return(character())
  }
  texts <- c(lapply(documents, prose_lines), lapply(pages, \(page) tools::RdTextFilter(page, keepSpacing = FALSE)))
  words <- lapply(texts, misspelt)
  known <- readLines("inst/WORDLIST", encoding = "UTF-8")
  unused <- setdiff(known, unlist(words))
  if (length(unused) > 0) cat("note: not used of inst/WORDLIST:", paste(unused, collapse = ", "), "\n")
  unknown <- lapply(words, setdiff, known)
  has_unknown <- lengths(unknown) > 0
  sprintf("%s: %s", c(documents, pages)[has_unknown], vapply(unknown[has_unknown], paste, "", collapse = ", "))
}

# The chunks of an R Markdown document: line, options and code.
chunks <- function(file) {
  lines <- read(file)
  from <- grep("^```\\{r", lines)
  to <- vapply(from, \(start) start + match(TRUE, grepl("^```\\s*$", lines[-seq_len(start)])), 1)
  Map(\(from, to) list(line = from, options = lines[from], code = lines[seq_len(to - from - 1) + from]), from, to)
}

draws_figure <- function(chunk) {
  draws <- "\\b(plot|autoplot|barplot|matplot|boxplot|hist|curve|pairs|plot_[a-z]+)\\("
  code <- sub("#.*$", "", chunk$code)
  # Lines of a function that the chunk defines are indented, and draw only when it is called.
  defines <- any(grepl("<- function", code))
  calls <- grepl(draws, code) & !grepl("<- function", code) & !(defines & grepl("^  ", code))
  any(calls) && !grepl("include = FALSE|eval = FALSE", chunk$options)
}

# A chunk that draws must have fig.alt; a picture in Markdown, HTML or a built vignette must have a text.
check_figures <- function() {
  in_chunks <- lapply(sources, function(file) {
    bad <- Filter(\(chunk) draws_figure(chunk) && !grepl("fig.alt", chunk$options), chunks(file))
    sprintf("%s:%d: a figure without fig.alt", file, vapply(bad, `[[`, 1L, "line"))
  })
  in_text <- lapply(c(documents, Sys.glob("inst/doc/*.html")), function(file) {
    text <- paste(read(file), collapse = "\n")
    if (grepl("!\\[\\s*\\]\\(|<img(?![^>]*alt=\"[^\"]{4,}\")", text, perl = TRUE)) {
      sprintf("%s: a picture without a text", file)
    }
  })
  as.character(unlist(list(in_chunks, in_text)))
}

# Vignettes and README show only code that runs when they are built, except the chunk of README that has its own
# picture. The code of README.md runs as somebody would copy it.
check_blocks <- function() {
  found <- lapply(grep("skeleton", sources, value = TRUE, invert = TRUE), function(file) {
    is_idle <- \(chunk) grepl("eval *= *FALSE", chunk$options) && !grepl("^```\\{r picture", chunk$options)
    sprintf("%s:%d: a code block that is never run", file, vapply(Filter(is_idle, chunks(file)), `[[`, 1L, "line"))
  })
  as.character(c(unlist(found), run_readme()))
}

# In a new R, in a folder of its own.
run_readme <- function() {
  lines <- read("README.md")
  opens <- grep("^```r$", lines)
  code <- unlist(lapply(opens, \(from) lines[seq_len(match("```", lines[-seq_len(from)]) - 1) + from]))
  folder <- tempfile("readme")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writeLines(enc2utf8(grep("^#>", code, value = TRUE, invert = TRUE)), file.path(folder, "readme.R"), useBytes = TRUE)
  rscript <- shQuote(file.path(R.home("bin"), "Rscript"))
  command <- sprintf("cd %s && %s --vanilla readme.R", shQuote(folder), rscript)
  output <- suppressWarnings(system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(output, "status"))) paste("README.md: its code does not run:", utils::tail(output, 3))
}

# Each pattern with what to write instead.
everywhere <- c(
  "\\bobey" = "match", "\\bat hand\\b" = "available", "\\bin one go\\b" = "at once", "\\bso many\\b" = "this many",
  "\\bbeside\\b" = "next to, besides", "[0-9] %(?![%.a-z0-9(*])|%[0-9.]*[a-z] %%" = "95%",
  "what it rests on" = "the evidence behind it", "tells? most" = "most informative",
  "whatever the door" = "common path", "ends to cool" = "final temperature",
  "samples nothing" = "its states are not draws", "makes way" = "is dropped",
  "(shows?|speaks?) itself|stays? for itself" = "is shown", "scripts that want" = "to ..., set ...",
  "(list|model|report|picture|table|file|page|value|rule)s? speaks?\\b" = "reports"
)
# Only where users read.
for_users <- c(
  "\\b(says?|said|tells?|told)\\b" = "report, show, state", "\\black(s|ing)?\\b" = "be missing",
  "(?<!claims )(?<!it )(?<!need not )(?<!\")\\b(holds?|holding)\\b" = "contain, keep",
  "(?<!there )\\bis no (?!longer)[a-z]+" = "is not a",
  "\\b(stands?|standing)\\b" = "be"
)

# What people read of code: comments, and in R also text.
read_by_people <- function(file) {
  lines <- read(file)
  if (!grepl("[.]R$", file)) {
    mark <- if (grepl("[.](sh|py)$", file)) "#" else "//|/[*]|^ [*]"
    comments <- sub(sprintf("^.*?(%s)", mark), "", lines, perl = TRUE)
    return(ifelse(grepl(mark, lines), gsub("`[^`]*`", "", comments), ""))
  }
  tokens <- utils::getParseData(parse(file, keep.source = TRUE, encoding = "UTF-8"))
  # the text of tests is input
  tokens <- tokens[tokens$token %in% c("COMMENT", if (!grepl("^tests/", file)) "STR_CONST"), ]
  shown <- tapply(gsub("`[^`]*`", "", tokens$text), tokens$line1, paste, collapse = " ")
  replace(rep("", length(lines)), as.integer(names(shown)), shown)
}

find_phrases <- function(lines, file, patterns) {
  unlist(lapply(names(patterns), function(pattern) {
    found <- regmatches(lines, regexpr(pattern, lines, perl = TRUE, ignore.case = TRUE))
    at <- grep(pattern, lines, perl = TRUE, ignore.case = TRUE)
    if (length(at) > 0) sprintf("%s:%d: \"%s\" (%s)", file, at, found, patterns[[pattern]])
  }))
}

# What users read of R code: help, and the text of messages. Names of things, such as "hold", are text, too, so only
# text with a blank counts.
read_by_users <- function(file) {
  lines <- read(file)
  roxygen <- ifelse(grepl("^#'", lines), lines, "")
  tokens <- utils::getParseData(parse(file, keep.source = TRUE, encoding = "UTF-8"))
  tokens <- tokens[tokens$token == "STR_CONST" & grepl("[a-z] [a-z]", tokens$text), ]
  messages <- tapply(tokens$text, tokens$line1, paste, collapse = " ")
  roxygen[as.integer(names(messages))] <- messages
  gsub("`[^`]*`", "", roxygen)
}

# The texts of figures are in the headers of chunks, which are not prose otherwise.
figure_texts <- function(file) {
  lines <- read(file)
  ifelse(grepl("fig.(alt|cap)", lines), lines, "")
}

check_phrases <- function() {
  all <- c(everywhere, for_users)
  as.character(unlist(c(
    lapply(documents, \(file) find_phrases(prose_lines(file), file, all)),
    lapply(sources, \(file) find_phrases(figure_texts(file), file, all)),
    lapply(pages, \(file) find_phrases(gsub("\\\\code\\{[^}]*\\}", "", tools::RdTextFilter(file)), file, all)),
    lapply(code, \(file) find_phrases(read_by_people(file), file, everywhere)),
    lapply(grep("^R/", code, value = TRUE), \(file) find_phrases(read_by_users(file), file, for_users))
  )))
}

chosen <- commandArgs(trailingOnly = TRUE)
if (length(chosen) == 0) chosen <- c("spelling", "figures", "blocks", "phrases")
problems <- as.character(unlist(lapply(chosen, \(name) do.call(paste0("check_", name), list()))))
writeLines(problems)
cat(sprintf("prose (%s): %d complaints\n", paste(chosen, collapse = ", "), length(problems)))
quit(status = as.integer(length(problems) > 0))

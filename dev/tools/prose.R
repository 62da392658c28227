# Checks what people read: spelling, texts for figures, code blocks that never run, and phrases that the house style avoids.
# prose.R [spelling | figures | blocks | phrases ...]; all of them without arguments.

documents <- c(
  "README.Rmd", "NEWS.md", "CONTRIBUTING.md", "SECURITY.md", "dev/ARCHITECTURE.md", Sys.glob("dev/notes/*.md"),
  Sys.glob("vignettes/*.Rmd"), "inst/rmarkdown/templates/sbrl_report/skeleton/skeleton.Rmd", "inst/cheatsheet.html"
)
documents <- documents[file.exists(documents)]
code <- c(
  list.files("R", "[.]R$", full.names = TRUE), list.files("src", "[.](rs|c|h)$", recursive = TRUE, full.names = TRUE),
  list.files("dev", "[.](R|rs|sh)$", recursive = TRUE, full.names = TRUE)
)
code <- code[!grepl("/target/|/vendor/|dev/tools/prose.R$", code)]
read <- function(file) readLines(file, encoding = "UTF-8", warn = FALSE)

# Lines outside code blocks, with everything that is not prose blanked out. Line numbers stay.
prose_lines <- function(file) {
  lines <- read(file)
  header <- if (identical(lines[1], "---")) seq_len(which(lines == "---")[2]) else integer()
  in_block <- cumsum(grepl("^\\s*(```|~~~)", lines)) %% 2 == 1 | grepl("^\\s*(```|~~~)", lines)
  lines[in_block] <- ""
  lines[setdiff(header, grep("^title:", lines))] <- ""
  text <- paste(lines, collapse = "\n")
  for (part in c("<style>(.|\n)*?</style>", "<(pre|code)>(.|\n)*?</\\1>", "&[a-z]+;", "<!--(.|\n)*?-->", "`[^`]*`", "\\$\\$(.|\n)*?\\$\\$", "\\$[^$\n]*\\$", "\\]\\([^)\n]*\\)", "https?://[^ )>\n]+", "<[^>]*>")) {
    found <- gregexpr(part, text, perl = TRUE)
    regmatches(text, found) <- lapply(regmatches(text, found), \(x) gsub("[^\n]", " ", x))
  }
  strsplit(text, "\n", fixed = TRUE)[[1]]
}

# Words that neither the dictionary nor inst/WORDLIST has; words with digits are not looked at.
check_spelling <- function() {
  if (!nzchar(Sys.which("hunspell"))) {
    cat("spelling: skipped, hunspell is not installed\n")
    return(character())
  }
  misspelt <- function(lines) {
    input <- tempfile()
    on.exit(unlink(input))
    writeLines(enc2utf8(gsub("[\u2018\u2019]", "'", lines)), input, useBytes = TRUE)
    words <- system2("hunspell", c("-l", "-i", "utf-8", "-d", "en_GB"), stdin = input, stdout = TRUE)
    unique(grep("[0-9]|^.$", sub("'s$", "", enc2utf8(words)), value = TRUE, invert = TRUE))
  }
  pages <- list.files("man", "[.]Rd$", full.names = TRUE)
  texts <- c(
    stats::setNames(lapply(documents, prose_lines), documents),
    stats::setNames(lapply(pages, \(page) tools::RdTextFilter(page, keepSpacing = FALSE)), pages)
  )
  known <- readLines("inst/WORDLIST", encoding = "UTF-8")
  unused <- known
  found <- unlist(lapply(names(texts), function(file) {
    words <- misspelt(texts[[file]])
    unused <<- setdiff(unused, words)
    words <- setdiff(words, known)
    if (length(words) > 0) sprintf("%s: %s", file, paste(words, collapse = ", "))
  }))
  if (length(unused) > 0) cat("note: inst/WORDLIST has words that are not used:", paste(unused, collapse = ", "), "\n")
  found
}

# The chunks of an R Markdown document: options and code.
chunks <- function(file) {
  lines <- read(file)
  from <- grep("^```\\{r", lines)
  to <- vapply(from, \(start) start + match(TRUE, grepl("^```\\s*$", lines[-seq_len(start)])), 1)
  Map(\(from, to) list(line = from, options = lines[from], code = lines[seq_len(to - from - 1) + from]), from, to)
}
sources <- grep("[.]Rmd$", documents, value = TRUE)

# A chunk that draws must have fig.alt; a picture in Markdown or HTML must have a text.
check_figures <- function() {
  draws <- "\\b(plot|autoplot|barplot|matplot|boxplot|hist|curve|pairs|plot_[a-z]+)\\("
  in_chunks <- lapply(sources, \(file) lapply(chunks(file), function(chunk) {
    code <- sub("#.*$", "", chunk$code)
    is_function <- grepl("<- function", code)
    silent <- grepl("fig.alt|include = FALSE|eval = FALSE", chunk$options)
    if (any(grepl(draws, code) & !is_function) && !silent && !all(grepl("^  ", code[grepl(draws, code)]) & any(is_function))) {
      sprintf("%s:%d: a figure without fig.alt", file, chunk$line)
    }
  }))
  in_text <- lapply(documents, \(file) {
    lines <- read(file)
    bad <- grep("!\\[\\s*\\]\\(|<img(?![^>]*alt=\"[^\"]+\")", lines, perl = TRUE)
    if (length(bad) > 0) sprintf("%s:%d: a picture without a text", file, bad)
  })
  # Built vignettes, where they are.
  pages <- Sys.glob("inst/doc/*.html")
  in_pages <- lapply(pages, \(file) {
    text <- paste(read(file), collapse = "\n")
    if (grepl("<img(?![^>]*alt=\"[^\"]{4,}\")", text, perl = TRUE)) sprintf("%s: a picture without a text", file)
  })
  as.character(unlist(list(in_chunks, in_text, in_pages)))
}

# Vignettes and README show only code that runs when they are built, except the chunk of README that has its own picture.
check_blocks <- function() {
  found <- unlist(lapply(setdiff(sources, grep("skeleton", sources, value = TRUE)), \(file) lapply(chunks(file), function(chunk) {
    if (grepl("eval *= *FALSE", chunk$options) && !grepl("^```\\{r picture", chunk$options)) {
      sprintf("%s:%d: a code block that is never run", file, chunk$line)
    }
  })))
  as.character(c(found, run_readme()))
}

# The code blocks of README.md, as somebody would copy them, in a new R.
run_readme <- function() {
  lines <- read("README.md")
  opens <- grep("^```r$", lines)
  code <- unlist(lapply(opens, \(from) lines[seq_len(match("```", lines[-seq_len(from)]) - 1) + from]))
  folder <- tempfile("readme")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writeLines(enc2utf8(grep("^#>", code, value = TRUE, invert = TRUE)), file.path(folder, "readme.R"), useBytes = TRUE)
  command <- sprintf("cd %s && %s --vanilla readme.R", shQuote(folder), shQuote(file.path(R.home("bin"), "Rscript")))
  output <- suppressWarnings(system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(output, "status"))) paste("README.md: its code does not run:", utils::tail(output, 3))
}

# Each pattern with what to write instead. The first are checked everywhere, the others only where users read.
everywhere <- c(
  "\\bobey" = "match", "\\bat hand\\b" = "available", "\\bin one go\\b" = "at once", "\\bso many\\b" = "this many",
  "\\bbeside\\b" = "next to, besides", "[0-9] %(?![%.a-z0-9(*])|%[0-9.]*[a-z] %%" = "95%", "what it rests on" = "the evidence behind it",
  "tells? most" = "most informative", "whatever the door" = "common path", "ends to cool" = "final temperature",
  "samples nothing" = "its states are not draws", "makes way" = "is dropped", "(shows?|speaks?) itself|stays? for itself" = "is shown",
  "(list|model|report|picture|table)s? speaks?\\b" = "reports", "in which tongue" = "language"
)
for_users <- c(
  "\\b(says?|said|tells?|told)\\b" = "report, show, state", "\\bobeys?\\b" = "match", "\\black(s|ing)?\\b" = "be missing",
  "\\b(holds?|holding) (a|an|the|all|every|one|no|any|what|only|nothing|them|it|of)\\b" = "contain, keep",
  "(?<!there )\\bis no (?!longer)[a-z]+" = "is not a", "\\bstands? (in|at|next|on|behind)\\b" = "is in"
)

check_phrases <- function() {
  search <- function(lines, file, patterns) {
    unlist(lapply(names(patterns), function(pattern) {
      lines_found <- grep(pattern, lines, perl = TRUE, ignore.case = TRUE)
      found <- regmatches(lines, regexpr(pattern, lines, perl = TRUE, ignore.case = TRUE))
      if (length(lines_found) > 0) sprintf("%s:%d: \"%s\" (%s)", file, lines_found, found, patterns[[pattern]])
    }))
  }
  # What people read of code: comments, and in R also text.
  read_by_people <- function(file) {
    lines <- read(file)
    if (!grepl("[.]R$", file)) {
      mark <- if (grepl("[.]sh$", file)) "#" else "//|/[*]|^ [*]"
      return(ifelse(grepl(mark, lines), gsub("`[^`]*`", "", sub(sprintf("^.*?(%s)", mark), "", lines, perl = TRUE)), ""))
    }
    tokens <- utils::getParseData(parse(file, keep.source = TRUE, encoding = "UTF-8"))
    tokens <- tokens[tokens$token %in% c("COMMENT", "STR_CONST"), ]
    shown <- tapply(gsub("`[^`]*`", "", tokens$text), tokens$line1, paste, collapse = " ")
    replace(rep("", length(lines)), as.integer(names(shown)), shown)
  }
  roxygen <- function(lines) ifelse(grepl("^#'", lines), gsub("`[^`]*`", "", lines), "")
  as.character(unlist(c(
    lapply(documents, \(file) search(prose_lines(file), file, c(everywhere, for_users))),
    lapply(code, \(file) search(read_by_people(file), file, everywhere)),
    lapply(grep("^R/", code, value = TRUE), \(file) search(roxygen(read(file)), file, for_users))
  )))
}

chosen <- commandArgs(trailingOnly = TRUE)
if (length(chosen) == 0) chosen <- c("spelling", "figures", "blocks", "phrases")
problems <- unlist(lapply(chosen, \(name) do.call(paste0("check_", name), list())))
writeLines(as.character(problems))
cat(sprintf("prose (%s): %d complaints\n", paste(chosen, collapse = ", "), length(problems)))
quit(status = as.integer(length(problems) > 0))

# Builds the web site with pkgdown, makes it work without other servers, and checks its links: site.R <sources> <output>

build_site <- function(path, output) {
  options(pkgdown.internet = FALSE)
  # downlit would ask CRAN for the addresses of packages that are not installed
  utils::assignInNamespace("CRAN_urls", \() data.frame(Package = character(), URL = character()), "downlit")
  package <- pkgdown::as_pkgdown(path, override = list(destination = output))
  pkgdown::build_site(package, install = FALSE, preview = FALSE, new_process = FALSE)
  file.copy(file.path(path, "inst", "cheatsheet.html"), output)
  build_notes(path, output)
}

# The design notes, to which README.md links, and a page that lists them.
build_notes <- function(path, output) {
  notes <- dir(file.path(path, "dev", "notes"), "[.]md$", full.names = TRUE)
  titles <- vapply(notes, \(note) sub("^# ", "", readLines(note, 1, encoding = "UTF-8")), "")
  target <- file.path(output, "dev", "notes")
  dir.create(target, recursive = TRUE)
  file.copy(file.path(path, "dev", "notes", "measurements"), target, recursive = TRUE)
  index <- file.path(tempdir(), "index.md")
  links <- sprintf("- [%s](%s)", titles, basename(notes))
  write_text(c("# Design notes", "", "Why things are as they are.", "", links), index)
  Map(function(note, title) {
    rmarkdown::pandoc_convert(normalizePath(note),
      to = "html5", output = file.path(target, sub("md$", "html", basename(note))),
      options = c("--standalone", "--metadata", paste0("pagetitle=", title), "--css=../../note.css")
    )
  }, c(notes, index), c(titles, "Design notes"))
  file.copy(file.path(path, "pkgdown", "note.css"), output)
}

read_text <- function(file) paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
write_text <- function(text, file) writeLines(enc2utf8(text), file, useBytes = TRUE)
pages_of <- function(output) list.files(output, "[.]html$", recursive = TRUE)

matches <- function(pattern, text) regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]

# pkgdown/extra.js does what pkgdown.js and its libraries would do; formulas become MathML, which browsers show by
# themselves. There is no logo, so its empty image goes, too.
make_independent <- function(output) {
  foreign <- c(
    "<!--\\[if lt IE 9\\]>(.|\n)*?<!\\[endif\\]-->", "<script[^>]* src=\"(https?|file)://[^>]*></script>",
    "<script src=\"[./]*pkgdown[.]js\"></script>", "<link[^>]* rel=\"stylesheet\" href=\"https?://[^>]*>",
    "<link rel=\"stylesheet\" href=\"https?://[^>]*>", "<img src=\"\"[^>]*>"
  )
  for (page in file.path(output, pages_of(output))) {
    text <- read_text(page)
    for (pattern in foreign) text <- gsub(pattern, "", text, perl = TRUE)
    # Links that lead to files of the repository.
    text <- gsub("href=\"vignettes/(articles/)?([^\"]*)[.]Rmd\"", "href=\"articles/\\2.html\"", text)
    text <- gsub("href=\"inst/cheatsheet.html\"", "href=\"cheatsheet.html\"", text, fixed = TRUE)
    text <- gsub("href=\"([0-9]{4}-[a-z-]+)[.]md\"", "href=\"\\1.html\"", text)
    write_text(with_mathml(text), page)
  }
  unlink(file.path(output, "pkgdown.js"))
}

# What extra.js searches: the text below each heading. pkgdown's own index leaves out short words, so what it shows of a
# page cannot be read. A script, because browsers let no page on a disk read JSON.
write_index <- function(output) {
  pages <- setdiff(pages_of(output), "404.html")
  sections <- unlist(lapply(pages, \(page) sections_of(page, file.path(output, page))), recursive = FALSE)
  index <- jsonlite::toJSON(sections, auto_unbox = TRUE)
  write_text(paste0("window.searchIndex = ", index, ";"), file.path(output, "search.js"))
  unlink(file.path(output, "search.json"))
}

sections_of <- function(page, file) {
  text <- read_text(file)
  main <- matches("<main(.|\n)*?</main>", text)
  if (length(main) == 0) {
    return(NULL)
  }
  title <- sub(" \u2022 sbrl$", "", plain_text(matches("<title>(.|\n)*?</title>", text)[1]))
  parts <- strsplit(gsub("<(h[123][ >])", "\001<\\1", main), "\001", fixed = TRUE)[[1]]
  lapply(parts, function(part) {
    heading <- matches("^<h[123](.|\n)*?</h[123]>", part)
    id <- sub("^.* id=\"([^\"]*)\".*$", "\\1", matches("^<h[23][^>]* id=\"[^\"]*\"", part))
    list(
      path = page, title = title, id = c(id, "")[1], heading = if (length(id) > 0) plain_text(heading) else "",
      text = plain_text(sub("^<h[123](.|\n)*?</h[123]>", "", part, perl = TRUE))
    )
  })
}

plain_text <- function(html) {
  html <- gsub("<(script|style|math)[ >](.|\n)*?</\\1>|<a class=\"anchor\"[^>]*></a>", " ", html, perl = TRUE)
  html <- gsub("<(p|li|td|th|dt|dd|pre|h[1-6]|br|div)[ >/]", " <\\1 ", html)
  trimws(gsub("\\s+", " ", xml2::xml_text(xml2::read_html(paste0("<meta charset=\"utf-8\"><div>", html, "</div>")))))
}

with_mathml <- function(text) {
  pattern <- "<span class=\"math (inline|display)\">(.|\n)*?</span>"
  found <- unique(matches(pattern, text))
  if (length(found) == 0) {
    return(text)
  }
  tex <- gsub("&lt;", "<", gsub("&gt;", ">", gsub("&amp;", "&", gsub("<[^>]*>", "", found), fixed = TRUE)))
  tex <- gsub("^\\\\[(]|\\\\[)]$", "$", gsub("^\\\\\\[|\\\\\\]$", "$$", tex))
  input <- tempfile(fileext = ".md")
  on.exit(unlink(input))
  write_text(paste(tex, collapse = "\n\n"), input)
  html <- system2(rmarkdown::pandoc_exec(), c("--mathml", "--wrap=none", "-t", "html", input), stdout = TRUE)
  html <- matches("<math(.|\n)*?</math>", paste(enc2utf8(html), collapse = "\n"))
  stopifnot("each formula becomes one of MathML" = length(html) == length(found))
  for (i in seq_along(found)) text <- gsub(found[i], html[i], text, fixed = TRUE)
  text
}

# The addresses in a page that lead to the site itself, as path and anchor.
internal_links <- function(page, text) {
  addresses <- sub("^.*=\"(.*)\"$", "\\1", matches("(?<=\\s)(href|src)=\"[^\"]*\"", text))
  addresses <- unique(grep("^([a-z]+:|//|#$)", addresses, value = TRUE, invert = TRUE))
  file <- utils::URLdecode(sub("[?#].*$", "", addresses))
  folder <- dirname(page)
  path <- ifelse(file == "", page, if (folder == ".") file else file.path(folder, file))
  while (any(grepl("[^/]+/[.][.]/", path))) path <- sub("[^/]+/[.][.]/", "", path)
  path <- sub("(^|/)$", "\\1index.html", sub("^[.]/", "", path))
  anchor <- ifelse(grepl("#", addresses, fixed = TRUE), sub("^[^#]*#", "", addresses), "")
  data.frame(path = path, anchor = utils::URLdecode(anchor), row.names = NULL)
}

# Links that lead nowhere, pages that no link leads to, and what a page would load from another server.
check_site <- function(output) {
  pages <- pages_of(output)
  texts <- stats::setNames(lapply(file.path(output, pages), read_text), pages)
  texts <- lapply(texts, \(text) gsub("<!--(.|\n)*?-->", "", text, perl = TRUE))
  ids <- lapply(texts, \(text) sub("^.*=\"(.*)\"$", "\\1", matches("(?<=\\s)(id|name)=\"[^\"]*\"", text)))
  links <- Map(internal_links, pages, texts)
  broken <- Map(function(page, links) {
    is_there <- file.exists(file.path(output, links$path))
    has_anchor <- links$anchor == "" | !links$path %in% pages |
      vapply(seq_along(links$path), \(i) links$anchor[i] %in% ids[[links$path[i]]], NA)
    bad <- links[!is_there | !has_anchor, ]
    sprintf("%s: a broken link to %s%s", page, bad$path, ifelse(bad$anchor == "", "", paste0("#", bad$anchor)))
  }, pages, links)
  reached <- "index.html"
  while (length(more <- setdiff(intersect(unlist(lapply(links[reached], `[[`, "path")), pages), reached)) > 0) {
    reached <- c(reached, more)
  }
  # 404.html is shown by the server.
  lost <- setdiff(pages, c(reached, "404.html"))
  loads <- "<(script|img|iframe)[^>]* src=\"(https?:)?//|<link[^>]*stylesheet[^>]*href=\"(https?:)?//"
  foreign <- names(Filter(\(text) grepl(loads, text, perl = TRUE), texts))
  as.character(c(
    unlist(broken), sprintf("%s: no page links to it", lost),
    sprintf("%s: loads something from another server", foreign)
  ))
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 2) build_site(arguments[[1]], arguments[[2]])
output <- arguments[[length(arguments)]]
make_independent(output)
write_index(output)
problems <- unique(check_site(output))
writeLines(problems)
cat(sprintf("site: %d pages, %d complaints\n", length(pages_of(output)), length(problems)))
quit(status = as.integer(length(problems) > 0))

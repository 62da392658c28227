# Builds the web site of a package with what is installed here: site.R <package directory> <output> <script>
args <- commandArgs(trailingOnly = TRUE)

# No look-ups on GitHub or of fonts; and none on CRAN for where the help of packages is that are not here.
options(pkgdown.internet = FALSE)
no_packages <- function() data.frame(Package = character(), URL = character())
utils::assignInNamespace("CRAN_urls", no_packages, "downlit")
package <- pkgdown::as_pkgdown(args[[1]], override = list(destination = args[[2]]))
pkgdown::build_site(package, install = FALSE, preview = FALSE, new_process = FALSE)

# Formulas, which pkgdown leaves to a script from elsewhere, become MathML, which browsers know.
formulas_as_mathml <- function(text) {
  place <- gregexpr("(?s)<span class=\"math (inline|display)\">.*?</span>", text, perl = TRUE)
  spans <- regmatches(text, place)[[1]]
  if (length(spans) == 0) {
    return(text)
  }
  tex <- gsub("(?s)^<[^>]*>\\\\[\\[(]|\\\\[])]</span>$", "", spans, perl = TRUE)
  tex <- gsub("&amp;", "&", gsub("&gt;", ">", gsub("&lt;", "<", tex, fixed = TRUE), fixed = TRUE), fixed = TRUE)
  dollars <- ifelse(grepl("math display", spans, fixed = TRUE), "$$", "$")
  files <- tempfile(fileext = c(".md", ".html"))
  writeLines(paste0(dollars, gsub("\\s+", " ", trimws(tex)), dollars, "\n"), files[1])
  rmarkdown::pandoc_convert(files[1], to = "html", output = files[2], options = "--mathml")
  html <- paste(readLines(files[2], encoding = "UTF-8"), collapse = "\n")
  math <- regmatches(html, gregexpr("(?s)<math.*?</math>", html, perl = TRUE))[[1]]
  stopifnot(length(math) == length(spans))
  regmatches(text, place) <- list(math)
  text
}

# pkgdown's pages load icons, search and mathematics from other hosts. The site does without, and so works anywhere.
outside <- "<script[^>]* src=\"(https?:|file:)//[^>]*></script>|<link[^>]* href=\"https?://[^>]*(css|js)\"[^>]*>"
pages <- list.files(args[[2]], "[.]html$", recursive = TRUE, full.names = TRUE)
for (page in pages) {
  text <- paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("(?s)<form[^>]*role=\"search\".*?</form>", "", gsub(outside, "", text, perl = TRUE), perl = TRUE)
  writeLines(formulas_as_mathml(text), page, useBytes = TRUE)
}
file.copy(args[[3]], file.path(args[[2]], "pkgdown.js"), overwrite = TRUE)

# Whatever a page loads must be here.
loaded <- "<(script|img|link rel=\"stylesheet\")[^>]* (src|href)=\"[a-z]+://"
foreign <- Filter(function(page) any(grepl(loaded, readLines(page, warn = FALSE), perl = TRUE)), pages)
if (length(foreign) > 0) {
  stop("These pages load something from elsewhere: ", toString(foreign))
}

# Builds the web site of a package with what is installed here: site.R <package directory> <output> <script>
args <- commandArgs(trailingOnly = TRUE)

# No look-ups on GitHub or of fonts; and none on CRAN for where the help of packages is that are not here.
options(pkgdown.internet = FALSE)
no_packages <- function() data.frame(Package = character(), URL = character())
utils::assignInNamespace("CRAN_urls", no_packages, "downlit")
package <- pkgdown::as_pkgdown(args[[1]], override = list(destination = args[[2]]))
pkgdown::build_site(package, install = FALSE, preview = FALSE, new_process = FALSE)

# pkgdown's pages load icons, search and mathematics from other hosts. The site does without, and so works anywhere.
outside <- "<script[^>]* src=\"(https?:|file:)//[^>]*></script>|<link[^>]* href=\"https?://[^>]*(css|js)\"[^>]*>"
pages <- list.files(args[[2]], "[.]html$", recursive = TRUE, full.names = TRUE)
for (page in pages) {
  text <- paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("(?s)<form[^>]*role=\"search\".*?</form>", "", gsub(outside, "", text, perl = TRUE), perl = TRUE)
  writeLines(text, page, useBytes = TRUE)
}
file.copy(args[[3]], file.path(args[[2]], "pkgdown.js"), overwrite = TRUE)

# Whatever a page loads must be here.
loaded <- "<(script|img|link rel=\"stylesheet\")[^>]* (src|href)=\"[a-z]+://"
foreign <- Filter(function(page) any(grepl(loaded, readLines(page, warn = FALSE), perl = TRUE)), pages)
if (length(foreign) > 0) {
  stop("These pages load something from elsewhere: ", toString(foreign))
}

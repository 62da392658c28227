# Locales that change what R writes, for one expression.

# Their names on Unix and on Windows.
locales <- list(comma = c("de_DE.UTF-8", "de_DE.utf8", "German_Germany.utf8"),
                turkish = c("tr_TR.UTF-8", "tr_TR.utf8", "Turkish_Turkey.utf8"))

# Evaluates `code` while `category` is that of this locale. Skips the test where the locale cannot be had.
with_locale <- function(which, code) {
  category <- c(comma = "LC_NUMERIC", turkish = "LC_CTYPE")[[which]]
  old <- c(locale = Sys.getlocale(category), path = Sys.getenv("LOCPATH", NA))
  on.exit({
    suppressWarnings(Sys.setlocale(category, old[["locale"]]))
    if (is.na(old[["path"]])) Sys.unsetenv("LOCPATH") else Sys.setenv(LOCPATH = old[["path"]])
  })
  skip_if(!set_locale(category, locales[[which]]), paste("no locale", locales[[which]][1L]))
  code
}

set_locale <- function(category, names) {
  is_set <- function() any(vapply(names, \(name) nzchar(suppressWarnings(Sys.setlocale(category, name))), NA))
  is_set() || (build_locale(names[1L]) && is_set())
}

# Where glibc has the source of a locale, it is built in a temporary directory, once per process.
build_locale <- function(name) {
  path <- file.path(tempdir(), "locales")
  target <- file.path(path, name)
  if (!dir.exists(target) && nzchar(Sys.which("localedef"))) {
    dir.create(path, showWarnings = FALSE)
    source <- sub("[.].*", "", name)
    system2("localedef", c("-i", source, "-f", "UTF-8", shQuote(target)), stdout = FALSE, stderr = FALSE)
  }
  if (dir.exists(target)) Sys.setenv(LOCPATH = path)
  dir.exists(target)
}

# Fails, and names them, when files in R/ call each other in a circle or define a name twice: layers_r.R, run from the
# root. With the argument "all" it prints which files each file uses, and by which names.
paths <- list.files("R", "[.]R$", full.names = TRUE)
files <- sub("[.]R$", "", basename(paths))

# The value of each name that a file assigns at its top level. Nothing is run but the definitions of functions.
definitions <- lapply(stats::setNames(paths, files), function(path) {
  code <- Filter(\(part) is.call(part) && identical(part[[1L]], quote(`<-`)) && !is.call(part[[2L]]), parse(path))
  stats::setNames(lapply(code, `[[`, 3L), vapply(code, \(part) as.character(part[[2L]]), ""))
})
home <- stats::setNames(rep(files, lengths(definitions)), unlist(lapply(definitions, names)))
twice <- names(home)[duplicated(names(home))]

# Names of the package that a definition reads, its own arguments and variables left out.
uses <- function(value) {
  is_function <- is.call(value) && identical(value[[1L]], quote(`function`))
  found <- if (is_function) codetools::findGlobals(eval(value, baseenv())) else all.names(value)
  intersect(found, names(home))
}
used_names <- lapply(definitions, \(values) unique(unlist(lapply(values, uses))))
used_files <- Map(\(names, file) setdiff(unname(home[names]), file), used_names, files)

# All files that a file uses, directly or through others; a circle is made of files that reach each other.
reach <- function(file, seen = character()) {
  for (other in setdiff(used_files[[file]], seen)) seen <- reach(other, union(seen, other))
  seen
}
reached <- lapply(stats::setNames(files, files), reach)
circle_of <- function(file) sort(Filter(\(other) file %in% reached[[other]], reached[[file]]))
circles <- unique(Filter(\(circle) length(circle) > 1L, lapply(files, circle_of)))

show_uses <- function(file, among) {
  for (other in intersect(used_files[[file]], among)) {
    shared <- used_names[[file]][home[used_names[[file]]] == other]
    cat(sprintf("  %s -> %s: %s\n", file, other, paste(shared, collapse = ", ")))
  }
}

if ("all" %in% commandArgs(trailingOnly = TRUE)) for (file in files) show_uses(file, files)
for (circle in circles) {
  cat("circle:", circle, "\n")
  for (file in circle) show_uses(file, circle)
}
if (length(twice) > 0L) cat("defined twice:", twice, "\n")
if (length(circles) == 0L) cat("no circles between R files\n")
quit(status = as.integer(length(circles) + length(twice) > 0L))

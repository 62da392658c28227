# Fails, and names them, when files in R/ call each other in a circle, define a name twice, or use a file of a room that
# comes later: layers_r.R, run from the root. The room of a file is its name up to the first `_`; the first table of
# CONTRIBUTING.md lists the rooms in their order. With the argument "all" it prints which files each file uses, and by
# which names.
paths <- list.files("R", "[.]R$", full.names = TRUE)
files <- sub("[.]R$", "", basename(paths))

# Names that R or a generator gives, where they are not their own rooms; "" for files without code.
named_by_others <- c(
  sbrl = "fit", "extendr-wrappers" = "base", zzz = "framework", "sbrl-package" = "", data = "", glossary = ""
)
room_of <- function(file) {
  if (file %in% names(named_by_others)) named_by_others[[file]] else sub("_.*", "", file)
}
map <- grep("^\\| `[a-z]+_\\*`", readLines("CONTRIBUTING.md"), value = TRUE)
rooms <- sub("^\\| `([a-z]+)_.*", "\\1", map)
room <- match(vapply(files, room_of, ""), c(rooms, ""))

# The value of each name that a file assigns at its top level. Nothing is run but the definitions of functions.
definitions <- lapply(stats::setNames(paths, files), function(path) {
  code <- Filter(\(part) is.call(part) && identical(part[[1L]], quote(`<-`)) && !is.call(part[[2L]]), parse(path))
  stats::setNames(lapply(code, `[[`, 3L), vapply(code, \(part) as.character(part[[2L]]), ""))
})
home <- stats::setNames(rep(files, lengths(definitions)), unlist(lapply(definitions, names)))
twice <- names(home)[duplicated(names(home))]

# To read the signature of a function is not to use it.
without_signatures <- function(code) {
  if (is.call(code) && identical(code[[1L]], quote(formals))) {
    return(NULL)
  }
  if (is.call(code)) as.call(lapply(code, \(part) if (is.call(part)) without_signatures(part) else part)) else code
}

# Names of the package that a definition reads, its own arguments and variables left out.
uses <- function(value) {
  is_function <- is.call(value) && identical(value[[1L]], quote(`function`))
  value <- without_signatures(value)
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

# The files of later rooms that each file uses.
later <- function(file) used_files[[file]][which(room[match(used_files[[file]], files)] > room[match(file, files)])]
upward <- Filter(\(file) length(later(file)) > 0L, files)

if ("all" %in% commandArgs(trailingOnly = TRUE)) for (file in files) show_uses(file, files)
for (circle in circles) {
  cat("circle:", circle, "\n")
  for (file in circle) show_uses(file, circle)
}
if (length(upward) > 0L) cat("against the order of the rooms:\n")
for (file in upward) show_uses(file, later(file))
if (length(twice) > 0L) cat("defined twice:", twice, "\n")
if (anyNA(room)) cat("no room for", files[is.na(room)], "in the map of CONTRIBUTING.md\n")
unused <- setdiff(rooms, vapply(files, room_of, ""))
if (length(unused) > 0L) cat("no files of", unused, "\n")
n_flaws <- length(circles) + length(upward) + length(twice) + sum(is.na(room)) + length(unused)
if (n_flaws == 0L) cat(sprintf("no circles between R files, %d rooms in their order\n", length(rooms)))
quit(status = as.integer(n_flaws > 0L))

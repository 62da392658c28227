# Seconds spent in functions of a package, measured from outside by wrapping them in its namespace. Needs common.R.

# `functions` names each part of the work by the functions that may do it, the first that exists being meant: other
# commits have other names. A part that no function does is an error, not an empty column.
watch_functions <- function(functions, package) {
  space <- asNamespace(package)
  clock <- new.env()
  for (part in names(functions)) {
    there <- vapply(functions[[part]], exists, NA, envir = space, inherits = FALSE)
    if (!any(there)) {
      known <- paste(functions[[part]], collapse = " or ")
      stop(sprintf("%s has no function %s to watch", package, known), call. = FALSE)
    }
    clock[[part]] <- 0
    watch_one(functions[[part]][there][1L], part, space, clock)
  }
  clock
}

watch_one <- function(name, part, space, clock) {
  force(part)
  original <- get(name, envir = space)
  watched <- function(...) {
    start <- now()
    on.exit(clock[[part]] <- clock[[part]] + now() - start)
    original(...)
  }
  unlockBinding(name, space)
  assign(name, watched, envir = space)
  lockBinding(name, space)
}

reset_watch <- function(clock) {
  for (part in ls(clock)) {
    clock[[part]] <- 0
  }
}

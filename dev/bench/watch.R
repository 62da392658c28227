# Seconds spent in functions of a package, measured from outside by wrapping them in its namespace. Needs common.R.

watch_functions <- function(names, package) {
  space <- asNamespace(package)
  clock <- new.env()
  for (name in names) {
    clock[[name]] <- if (exists(name, envir = space, inherits = FALSE)) 0 else NA_real_
    if (!is.na(clock[[name]])) {
      watch_one(name, space, clock)
    }
  }
  clock
}

watch_one <- function(name, space, clock) {
  original <- get(name, envir = space)
  watched <- function(...) {
    start <- now()
    on.exit(clock[[name]] <- clock[[name]] + now() - start)
    original(...)
  }
  unlockBinding(name, space)
  assign(name, watched, envir = space)
  lockBinding(name, space)
}

reset_watch <- function(clock) {
  for (name in ls(clock)) {
    clock[[name]] <- 0 * clock[[name]]
  }
}

# Many lists as JSON: the file of their medoid, with the lists as tables of its report.

lists_as_portable <- function(x) {
  portable <- as_portable(x$medoid)
  tables <- list(lists = c(x$lists, list(chosen = x$chosen)), seen = as.list(x$seen))
  tables <- lapply(c(tables, own_tables(x)), lapply, as.double)
  portable$report <- c(portable$report, tables)
  portable
}

# The fields that a kind of lists adds, as one list of numeric vectors under the name of the kind.
own_tables <- function(x) UseMethod("own_tables")

is_portable_lists <- function(portable) {
  is.list(portable$report$lists)
}

# `readers` make the fields of a kind again from its table, see own_tables().
lists_from_portable <- function(portable, readers) {
  medoid <- from_portable(portable)
  report <- portable$report
  kind <- intersect(names(readers), names(report))
  if (length(kind) != 1L) {
    abort_sbrl("file", "it does not contain how the lists were made.")
  }
  # numbers too large for an R integer become NA, which is refused below
  whole <- function(x) suppressWarnings(as.integer(x))
  seen <- lapply(report$seen[c("candidate", "support", "group")], as.double)
  seen[c(1L, 3L)] <- lapply(seen[c(1L, 3L)], whole)
  lists <- list(lengths = whole(report$lists$lengths), rules = whole(report$lists$rules), counts = report$lists$counts)
  x <- new_lists(
    medoid, whole(report$lists$chosen), lists, list2DF(seen), readers[[kind]](report[[kind]], medoid, lists),
    paste0("sbrl_", kind)
  )
  tryCatch(check_lists(x, "x"), sbrl_error_model = function(e) {
    abort_sbrl("file", sub("^`x` is not a valid object of its class: ", "", conditionMessage(e)))
  })
}

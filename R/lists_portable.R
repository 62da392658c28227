# Many lists as JSON: the file of their medoid, with the lists as tables of its report.

#' @export
as_portable.sbrl_lists <- function(model, missing) { # nolint: object_name_linter. A method.
  x <- check_lists(model, "model")
  portable <- as_portable(x$medoid, missing)
  tables <- list(lists = c(x$lists, list(chosen = x$chosen)), seen = as.list(x$seen))
  tables <- lapply(c(tables, own_tables(x)), lapply, as.double)
  portable$report <- c(portable$report, tables)
  portable
}

# The fields that a kind of lists adds, as one list of numeric vectors under the name of the kind.
own_tables <- function(x) UseMethod("own_tables")

# The same fields again; `x` has all others.
own_fields <- function(x, table) UseMethod("own_fields")

#' @export
from_portable.sbrl_lists <- function(portable) { # nolint: object_name_linter. A method.
  medoid <- from_portable(unclass(portable))
  report <- portable$report
  kind <- intersect(lists_kinds, names(report))
  if (length(kind) != 1L) {
    abort_sbrl("file", "it does not contain how the lists were made.")
  }
  seen <- lapply(report$seen[c("candidate", "support", "group")], as.double)
  seen[c(1L, 3L)] <- lapply(seen[c(1L, 3L)], as_whole)
  lists <- lapply(report$lists[c("lengths", "rules")], as_whole)
  lists$counts <- report$lists$counts
  x <- new_lists(medoid, as_whole(report$lists$chosen), lists, list2DF(seen), list(), paste0("sbrl_", kind))
  x <- structure(c(unclass(x), own_fields(x, report[[kind]])), class = oldClass(x))
  tryCatch(check_lists(x, "x"), sbrl_error_model = function(e) {
    abort_sbrl("file", sub("^`x` is not a valid object of its class: ", "", conditionMessage(e)))
  })
}

# Lints the R code by the rules in .lintr. A newer lintr than any that was tried only shows what it finds.
newest_tried <- "3.2.0"
dirs <- c("R", "tests", "data-raw", "dev/tools", "dev/demo", "dev/bench", "dev/paper")
files <- list.files(dirs, pattern = "[.]R$", recursive = TRUE, full.names = TRUE)
longest_function <- 60

# lintr has no rule for the length of a function.
long_functions <- function(file) {
  tokens <- getParseData(parse(file, keep.source = TRUE, encoding = "UTF-8"))
  spans <- tokens[tokens$id %in% tokens$parent[tokens$token %in% c("FUNCTION", "'\\\\'")], ]
  long <- spans[spans$line2 - spans$line1 >= longest_function, ]
  if (nrow(long) > 0) sprintf("%s:%d: a function of more than %.0f lines", file, long$line1, longest_function)
}
long <- unlist(lapply(files, long_functions))
writeLines(as.character(long))

# R evaluates an argument when it is first used, so a check in a call of one of our own functions may never run: its
# value must get a name first. What is in braces is evaluated as a body, or a function of its own.
own_functions <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  code <- Filter(\(part) is.call(part) && identical(part[[1L]], quote(`<-`)) && is.name(part[[2L]]), parse(file))
  vapply(code, \(part) as.character(part[[2L]]), "")
}))
late_checks <- function(code, inside = "") {
  if (!is.call(code)) {
    return(NULL)
  }
  name <- if (is.name(code[[1L]])) as.character(code[[1L]]) else ""
  if (startsWith(name, "check_") && inside != "") {
    return(sprintf("%s() in a call of %s()", name, inside))
  }
  is_own <- name %in% own_functions && !startsWith(name, "%")
  within <- if (is_own) name else if (name %in% c("{", "function")) "" else inside
  unlist(lapply(as.list(code), \(part) if (!missing(part)) late_checks(part, within)))
}
late <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  found <- unlist(lapply(parse(file, encoding = "UTF-8"), late_checks))
  if (length(found) > 0L) sprintf("%s: %s may never run, because R evaluates arguments when they are used", file, found)
}))
writeLines(as.character(late))

lint_directory <- function(dir) {
  lints <- lintr::lint_dir(dir, relative_path = FALSE, parse_settings = TRUE)
  # Outside R/ names come from packages that are attached at run time. From lintr 3.2 on, a call over several lines
  # after `\(x)` is asked for braces; earlier versions have no such rule.
  Filter(\(lint) {
    (dir == "R" || lint$linter != "object_usage_linter") && !grepl("braces for any function spanning", lint$message)
  }, lints)
}
lints <- do.call(c, lapply(dirs, lint_directory))
for (lint in lints) print(lint)
n_lints <- length(lints) + length(long) + length(late)
cat(sprintf("lintr: %d files, %d complaints\n", length(files), n_lints))
quit(status = as.integer(n_lints > 0 && packageVersion("lintr") <= newest_tried))

# Runs the tests in dev/frameworks against the real packages in a library, and records their versions:
# frameworks.R <library> [test files, by patterns]. The library must have what the tests are to use; a test whose
# packages are missing is skipped. Debian has few of these packages, so this is not part of `make test`.
args <- commandArgs(trailingOnly = TRUE)
if (length(args) == 0L || !dir.exists(args[1L])) {
  stop("Which library? make test-frameworks FRAMEWORKS_LIB=<folder>")
}
.libPaths(c(args[1L], .libPaths()))
chosen <- paste(args[-1L], collapse = "|")
used <- new.env()

# Skips the rest of a test file, test by test, unless all these packages can be loaded; notes their versions.
tested_with <- function(...) {
  packages <- c(...)
  has <- vapply(packages, requireNamespace, NA, quietly = TRUE)
  for (package in packages[has]) assign(package, as.character(utils::packageVersion(package)), used)
  invisible(all(has))
}

env <- new.env(parent = globalenv())
env$tested_with <- function(...) {
  if (!tested_with(...)) testthat::skip(paste("not all there:", paste(c(...), collapse = ", ")))
}
Sys.setenv(TESTTHAT_PARALLEL = "false")
suppressPackageStartupMessages(library(sbrl))
library(testthat)
tests <- as.data.frame(test_dir(
  "dev/frameworks", env = env, filter = if (nzchar(chosen)) chosen, stop_on_failure = FALSE, load_package = "none",
  reporter = ProgressReporter$new(max_failures = Inf, show_praise = FALSE)
))
versions <- mget(sort(ls(used)), used)
is_failed <- tests$failed > 0 | tests$error
cat(paste(names(versions), versions, collapse = ", "), "\n")
cat(sprintf("frameworks: %d passed, %d failed, %d skipped\n", sum(!is_failed & !tests$skipped), sum(is_failed),
            sum(tests$skipped & !is_failed)))
if (!nzchar(chosen) && !any(is_failed)) {
  utils::write.csv(data.frame(package = names(versions), version = unlist(versions)),
                   "dev/notes/measurements/frameworks.csv", row.names = FALSE)
}
quit(status = as.integer(any(is_failed) || nrow(tests) == 0L))

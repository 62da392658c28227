# Runs the R tests against the installed package, skipping nothing: test_r.R [test files, by patterns]
chosen <- gsub(" +", "|", trimws(paste(commandArgs(trailingOnly = TRUE), collapse = " ")))
Sys.setenv(NOT_CRAN = "true")

start <- proc.time()[["elapsed"]]
tests <- as.data.frame(testthat::test_dir(
  "tests/testthat", package = "sbrl", load_package = "installed", filter = if (nzchar(chosen)) chosen,
  reporter = testthat::ProgressReporter$new(max_failures = Inf, show_praise = FALSE), stop_on_failure = FALSE
))
is_failed <- tests$failed > 0 | tests$error
is_skipped <- tests$skipped & !is_failed
if (any(is_skipped)) cat("skipped:", paste(tests$test[is_skipped], collapse = "; "), "\n")
cat(sprintf(
  "R tests: %d passed, %d failed, %d skipped (%d expectations), %.0f s\n", sum(!is_failed & !is_skipped),
  sum(is_failed), sum(is_skipped), sum(tests$nb), proc.time()[["elapsed"]] - start
))
quit(status = as.integer(any(is_failed) || nrow(tests) == 0L))

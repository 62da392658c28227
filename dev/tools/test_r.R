# Runs testthat on the installed package and writes "passed failed skipped" to a file: test_r.R <output> [<test files>]
arguments <- commandArgs(trailingOnly = TRUE)
output <- arguments[[1]]
chosen <- if (length(arguments) > 1 && nzchar(arguments[[2]])) arguments[[2]]
unlink(output)

results <- testthat::test_dir(
  "tests/testthat", package = "sbrl", load_package = "installed", filter = chosen,
  reporter = testthat::ProgressReporter$new(max_failures = Inf, show_praise = FALSE),
  stop_on_failure = FALSE
)
tests <- as.data.frame(results)
is_failed <- tests$failed > 0 | tests$error
is_skipped <- tests$skipped & !is_failed
n_failed <- sum(is_failed)
n_skipped <- sum(is_skipped)
n_passed <- nrow(tests) - n_failed - n_skipped
cat(n_passed, n_failed, n_skipped, "\n", file = output)

if (n_skipped > 0) cat("skipped:", paste(tests$test[is_skipped], collapse = "; "), "\n")
cat(sprintf("R tests: %d passed, %d failed, %d skipped (%d expectations), %.0f s\n",
            n_passed, n_failed, n_skipped, sum(tests$nb), sum(tests$real)))
quit(status = as.integer(n_failed > 0 || nrow(tests) == 0L))

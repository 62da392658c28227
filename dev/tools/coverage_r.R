# Runs the R tests with every line counted; writes "<file> <lines> <lines run>" per R file: coverage_r.R <output>
output <- commandArgs(trailingOnly = TRUE)[[1]]
failed <- tempfile()

# Not by covr's own runner, which gives up without a word on which test failed.
code <- sprintf(
  'setwd(%s)
   tests <- as.data.frame(testthat::test_dir(
     ".", package = "sbrl", load_package = "installed", reporter = "check", stop_on_failure = FALSE
   ))
   writeLines(tests$test[tests$failed > 0 | tests$error], %s)',
  encodeString(normalizePath("tests/testthat"), quote = "\""), encodeString(failed, quote = "\"")
)

# Only R is counted: C built with flags for counting would be left behind in src.
options(covr.flags = c(CFLAGS = ""))
counted <- covr::package_coverage(".", type = "none", code = code)
lines <- covr::tally_coverage(counted, by = "line")
# What r_runtime.R holds runs as a copy in the functions that as_r_function() writes, where nothing is counted.
lines <- lines[startsWith(lines$filename, "R/") & lines$filename != "R/r_runtime.R", ]
n <- table(lines$filename)
n_run <- tapply(lines$value > 0, lines$filename, sum)
writeLines(sprintf("%s %d %d", names(n), n, n_run[names(n)]), output)

missed <- lines[lines$value == 0, ]
cat("Lines that no test runs:\n", paste0(
  names(split(missed$line, missed$filename)), ": ", vapply(split(missed$line, missed$filename), toString, ""), "\n"
), sep = "")
if (length(readLines(failed)) > 0) {
  cat("Tests that failed while lines were counted:", readLines(failed), sep = "\n  ")
  quit(status = 1)
}

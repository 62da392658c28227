# Lints R/, tests/ and the development scripts; any lint is a failure. The rules are in .lintr.
longest_function <- 60L

# lintr has no rule for the length of a function.
long_functions <- function(file) {
  tokens <- getParseData(parse(file, keep.source = TRUE, encoding = "UTF-8"))
  functions <- tokens$parent[tokens$token %in% c("FUNCTION", "'\\\\'")]
  spans <- tokens[tokens$id %in% functions, ]
  n_lines <- spans$line2 - spans$line1 + 1L
  long <- spans[n_lines > longest_function, ]
  sprintf("%s:%d: a function of %d lines; %d is the limit", rep(file, nrow(long)), long$line1,
          n_lines[n_lines > longest_function], rep(longest_function, nrow(long)))
}

lint_directory <- function(dir) {
  lints <- lintr::lint_dir(dir, relative_path = FALSE, parse_settings = TRUE)
  # Outside R/ names come from packages that are attached at run time.
  if (dir != "R") {
    lints <- Filter(\(lint) lint$linter != "object_usage_linter", lints)
  }
  lapply(lints, print)
  length(lints)
}

dirs <- Filter(dir.exists, c("R", "tests", "data-raw", "dev/tools", "dev/demo", "dev/bench"))
files <- list.files(dirs, pattern = "[.]R$", recursive = TRUE, full.names = TRUE)
too_long <- unlist(lapply(files, long_functions))
writeLines(as.character(too_long))

n_lints <- sum(vapply(dirs, lint_directory, integer(1))) + length(too_long)
cat(sprintf("lintr: %d files, %d complaints\n", length(files), n_lints))
quit(status = as.integer(n_lints > 0))

# Rows like those of the US census of 1990, from ../shared/data/make_census_like.py. Attribute `rules`: the list that
# their labels follow, a line per rule with its probability, the default rule last.

census_like <- function(rows) {
  output <- tempfile()
  on.exit(unlink(paste0(output, c(".bin", ".txt", ".rules"))))
  script <- c("dev/paper/census.py", normalizePath(directory), format(rows, scientific = FALSE), output)
  stopifnot(system2(python_of("cba"), script) == 0)
  columns <- strsplit(readLines(paste0(output, ".txt")), "\t", fixed = TRUE)
  connection <- file(paste0(output, ".bin"), "rb")
  on.exit(close(connection), add = TRUE)
  read <- function(column) {
    codes <- readBin(connection, "integer", rows, size = 1, signed = FALSE)
    structure(codes + 1L, levels = column[-1], class = "factor")
  }
  table <- lapply(columns, read)
  names(table) <- vapply(columns, `[`, "", 1)
  structure(list2DF(table), rules = read.csv(paste0(output, ".rules")))
}

# Candidates and labels as files for the Markov chain in Python (chain.py) and the authors' program.

# The candidates as bits, row by row, for Python: a line per candidate.
write_problem <- function(model, train, directory) {
  parts <- strsplit(gsub("[{}]", "", model$rulenames), ",", fixed = TRUE)
  covers <- lapply(parts, function(items) {
    Reduce(`&`, lapply(items, function(item) {
      at <- regexpr("=", item, fixed = TRUE)
      as.character(train[[substr(item, 1, at - 1)]]) == substring(item, at + 1)
    }))
  })
  stopifnot(vapply(covers, any, NA))
  bits <- \(cover) paste(as.integer(cover), collapse = " ")
  write <- function(names, covers, name) {
    header <- c(sprintf("n_items: %d", length(names)), sprintf("n_samples: %d", nrow(train)))
    writeLines(c(header, paste(gsub(" ", "_", names), vapply(covers, bits, ""))), file.path(directory, name))
  }
  write(model$rulenames, covers, "rules.txt")
  write(c("{label=0}", "{label=1}"), list(train$label == "0", train$label == "1"), "labels.txt")
  writeLines(as.character(model$pool$lengths), file.path(directory, "lengths.txt"))
}

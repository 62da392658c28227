# Programs of other languages that run what the exports write: rows go to them as JSON, answers come back as JSON.

# The folder of the engines that `dev/tools/setup.sh exports` installs; make sets it.
exports_folder <- function() Sys.getenv("SBRL_EXPORTS")

exports_python <- function() {
  found <- file.path(exports_folder(), "bin/python")
  if (file.exists(found)) found else test_python()
}

skip_if_no_module <- function(module) {
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  skip_if(!nzchar(Sys.which("node")), "no Node")
  found <- dir.exists(file.path(exports_folder(), "node_modules", module))
  skip_if(!found, sprintf("Node has no %s: dev/tools/setup.sh exports", module))
}

skip_if_no_exports <- function(module) {
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  skip_if(!nzchar(Sys.which(exports_python())), "no Python")
  words <- c("-u", "LD_LIBRARY_PATH", exports_python(), "-c", shQuote(paste("import", module)))
  found <- suppressWarnings(system2("env", words, stdout = FALSE, stderr = FALSE))
  skip_if(found != 0, sprintf("Python has no %s: dev/tools/setup.sh exports", module))
}

# A case for another program: the file with the model, types and values of the columns, one list per row. Numbers have
# all their digits; JSON has no infinity, so that is written as text.
export_rows <- function(case) {
  plain <- lapply(case$data, \(x) if (is.object(x) && !is.factor(x)) as.double(x) else x)
  type <- \(x) if (is.numeric(x) && !is.factor(x)) "number" else if (is.logical(x)) "logical" else "text"
  values <- lapply(plain, \(x) replace(sql_values_text(x), is.na(x), NA))
  rows <- if (length(values) == 0) matrix("", nrow(case$data), 0) else unname(do.call(cbind, values))
  list(names = I(names(plain)), types = I(unname(vapply(plain, type, ""))), rows = rows)
}

# Types of the columns in which levels are text.
text_columns <- function(case) {
  is_text <- vapply(case$data, \(x) is.character(x) || is.factor(x), NA)
  stats::setNames(rep("text", sum(is_text)), names(case$data)[is_text])
}

# Writes the cases, runs the script, and reads the answers: for each case a list of rows, each rule, class and
# probabilities as text. `program` is followed by the names of the script and of the two files.
run_export <- function(cases, script, program, ending, folder = tempdir()) {
  # Node looks for modules from the folder of the script
  files <- tempfile(c("script", "in", "out"), c(folder, tempdir(), tempdir()), c(ending, ".json", ".json"))
  on.exit(unlink(files))
  writeLines(script, files[1], useBytes = TRUE)
  jsonlite::write_json(unname(cases), files[2], auto_unbox = TRUE, na = "null", digits = NA)
  said <- suppressWarnings(system2("env", c("-u", "LD_LIBRARY_PATH", program, files), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) stop(paste(utils::tail(said, 30), collapse = "\n"))
  lapply(jsonlite::read_json(files[3]), answer_table)
}

answer_table <- function(rows) {
  cells <- do.call(rbind, lapply(rows, \(row) vapply(row, \(x) if (is.null(x)) NA_character_ else as.character(x), "")))
  probs <- lapply(seq_len(ncol(cells))[-(1:2)], \(j) as.numeric(cells[, j]))
  answer <- data.frame(rule = suppressWarnings(as.numeric(cells[, 1])), class = cells[, 2], probs)
  stats::setNames(answer, c("rule", "class", paste0("p", seq_along(probs))))
}

# Cases for exports; `infinite`: also those with an infinite number as a level, which some languages cannot write.
export_cases <- function(n = 40, infinite = TRUE) {
  is_good <- function(case) {
    infinite || !any(vapply(case$model$features, \(feature) any(feature$levels %in% c("Inf", "-Inf")), NA))
  }
  cases <- Filter(is_good, c(typed_cases(), odd_cases(), random_cases(n), empty_cases(), rich_cases()))
  Filter(\(case) nrow(case$data) > 1, cases)
}

# The same rows with more gaps, which are to get the base rate.
export_gap_cases <- function(n = 40, infinite = TRUE) {
  cases <- export_cases(n, infinite)
  Map(with_gaps, cases, seq_along(cases))
}

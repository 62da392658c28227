# The data on which engines are compared with fits in memory, and how they get there.

# The sets that users bring, as far as they are there, and the table of every type.
engine_data <- function() {
  folder <- Sys.getenv("SBRL_DATA", file.path("..", "..", "..", "shared", "data"))
  sets <- c(adult_raw = "label", telco_raw = "label", census_income = "label")
  files <- file.path(folder, paste0(names(sets), ".csv.gz"))
  found <- lapply(files[file.exists(files)], \(file) utils::read.csv(file, na.strings = "", check.names = FALSE))
  names(found) <- names(sets)[file.exists(files)]
  c(list(every_type = every_type()), found)
}

expect_engine <- function(fit, read) {
  for (name in names(sets <- engine_data())) {
    data <- sets[[name]]
    rows <- read(name, data)
    args <- c(list(label = names(data)[ncol(data)], minsupport = 0.1), source_args)
    quiet <- \(...) suppressWarnings(suppressMessages(do.call(sbrl, c(list(...), args))))
    expect_same_model(fit(quiet, name), quiet(rows))
  }
}

# Tables are made of Parquet files that pyarrow writes.
parquet_of <- function(data, file) {
  csv <- tempfile(fileext = ".csv")
  on.exit(unlink(csv))
  columns <- lapply(data, sql_values_text)
  is_time <- vapply(data, inherits, NA, "POSIXct")
  columns[is_time] <- lapply(columns[is_time], \(x) sub("[+]00$", "", x))
  lines <- csv_lines(lapply(columns, as.character))
  header <- paste0("\"", gsub("\"", "\"\"", names(data), fixed = TRUE), "\"", collapse = ",")
  writeLines(enc2utf8(c(header, lines)), csv, useBytes = TRUE)
  type <- function(x) {
    if (inherits(x, "Date")) "date32" else if (inherits(x, "POSIXct")) "time" else typeof(x)
  }
  script <- paste(c(
    "import sys, json, pyarrow as pa, pyarrow.csv as c, pyarrow.parquet as q",
    "t = {'date32': pa.date32(), 'time': pa.timestamp('us'), 'integer': pa.int32(), 'double': pa.float64(),",
    "     'logical': pa.bool_(), 'character': pa.string()}",
    "names, types = json.load(open(sys.argv[3], encoding='utf-8'))",
    "o = c.ConvertOptions(column_types={n: t[k] for n, k in zip(names, types)}, strings_can_be_null=True,",
    "                     quoted_strings_can_be_null=False, null_values=[''], true_values=['TRUE'],",
    "                     false_values=['FALSE'])",
    "table = c.read_csv(sys.argv[1], convert_options=o)",
    "q.write_table(table, sys.argv[2])"
  ), collapse = "\n")
  files <- tempfile(c("script", "types"))
  on.exit(unlink(files), add = TRUE)
  writeLines(script, files[1])
  jsonlite::write_json(list(names(data), unname(vapply(data, type, ""))), files[2])
  said <- suppressWarnings(run_python_file(c(files[1], csv, file, files[2]), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) stop(paste(said, collapse = "\n"))
}

engine_source <- function(engine, dialect, table) {
  sbrl_source(engine$query, engine$stream, dialect, table)
}

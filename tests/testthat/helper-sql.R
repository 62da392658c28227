# Databases in which the tests run what as_sql() writes: each takes cases and returns what the queries give.

# A case: a model, rows to predict, and types of columns. The answer of a database is a data frame in the order of the
# rows: `rule`, `class`, and one column per probability.
sql_case_of <- function(model, data, columns = NULL, missing = "fallthrough") {
  keep <- vapply(model$features, \(feature) feature$name, "")
  list(model = model, data = data[intersect(names(data), keep)], columns = columns, missing = missing)
}

# The same rows with gaps that training did not have; those that they leave undecided are to get the base rate.
with_gaps <- function(case, seed) {
  set.seed(seed)
  case$data[] <- lapply(case$data, \(x) replace(x, stats::runif(length(x)) < 0.3, NA))
  case$missing <- "base_rate"
  case
}

case_query <- function(case, dialect, table) {
  write <- function(output) {
    as.character(as_sql(case$model, dialect, output = output, columns = case$columns, missing = case$missing))
  }
  values <- c(rule = write("rule"), class = write("class"), write("prob"))
  names(values) <- c("rule", "class", paste0("p", seq_len(length(values) - 2)))
  mark <- if (dialect == "spark") "`" else "\""
  row_id <- paste0(mark, "row_id", mark)
  columns <- paste(values, "AS", names(values), collapse = ", ")
  sprintf("SELECT %s, %s FROM %s ORDER BY %s", row_id, columns, table, row_id)
}

# What predict() returns, in the same shape.
case_expected <- function(case) {
  suppressWarnings({
    predict <- \(...) suppressMessages(stats::predict(..., missing = case$missing))
    probs <- predict(case$model, case$data, type = "matrix")
    if (ncol(probs) == 2) probs <- probs[, 2, drop = FALSE]
    colnames(probs) <- paste0("p", seq_len(ncol(probs)))
    data.frame(
      rule = predict(case$model, case$data, type = "rule"),
      class = as.character(predict(case$model, case$data, type = "class")), probs
    )
  })
}

expect_case <- function(answer, case, info = NULL) {
  expected <- case_expected(case)
  expect_identical(as.integer(answer$rule), expected$rule, info = info)
  expect_identical(enc2utf8(as.character(answer$class)), expected$class, info = info)
  shown <- grep("^p[0-9]+$", names(expected), value = TRUE)
  # SQLite reads 17 digits to within one unit of the last.
  expect_equal(unname(as.list(answer[shown])), unname(as.list(expected[shown])), tolerance = 1e-15, info = info)
}

sql_type <- function(x) {
  if (inherits(x, "Date")) {
    return("date")
  }
  if (inherits(x, "POSIXct")) {
    return("timestamp with time zone")
  }
  if (is.factor(x)) {
    return("text")
  }
  switch(typeof(x), character = "text", logical = "boolean", integer = "integer", double = "double precision")
}

# Text of each value that every database reads exactly; NA stays NA.
sql_values_text <- function(x) {
  if (inherits(x, "POSIXct")) {
    seconds <- as.double(x)
    whole <- as.POSIXct(floor(seconds), tz = "UTC", origin = "1970-01-01")
    rest <- substring(sprintf("%.6f", seconds - floor(seconds)), 2)
    text <- paste0(format(whole, "%Y-%m-%d %H:%M:%S", tz = "UTC"), rest, "+00")
    return(ifelse(is.na(x), NA, text))
  }
  if (is.double(x) && !inherits(x, "Date")) {
    text <- ifelse(is.infinite(x), ifelse(x > 0, "Infinity", "-Infinity"), sprintf("%.17g", x))
    return(ifelse(is.na(x), ifelse(is.nan(x), "NaN", NA), text))
  }
  # 100000L would be "1e+05"
  if (is.integer(x) && !is.object(x)) ifelse(is.na(x), NA, sprintf("%d", x)) else as.character(x)
}

create_table <- function(case, table, mark = "\"") {
  names <- gsub(mark, paste0(mark, mark), names(case$data), fixed = TRUE)
  columns <- sprintf("%s%s%s %s", mark, names, mark, vapply(case$data, sql_type, ""))
  sprintf("CREATE TABLE %s (%s);", table, paste(c(paste0(mark, "row_id", mark, " integer"), columns), collapse = ", "))
}

run_sqlite <- function(cases) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  lapply(cases, function(case) {
    as_stored <- function(x, name) {
      if (name %in% names(case$columns) || !inherits(x, c("Date", "POSIXct"))) {
        return(if (is.factor(x)) as.character(x) else if (is.object(x)) as.double(x) else x)
      }
      if (inherits(x, "Date")) as.character(x) else sub("[.]000000$", "", sub("[+]00$", "", sql_values_text(x)))
    }
    stored <- c(list(row_id = seq_len(nrow(case$data))), Map(as_stored, case$data, names(case$data)))
    # With no rows shown, RSQLite needs a type for a column of missing values only.
    DBI::dbWriteTable(connection, "t", structure(stored, class = "data.frame", row.names = seq_len(nrow(case$data))),
                      overwrite = TRUE)
    DBI::dbGetQuery(connection, case_query(case, "sqlite", "t"))[-1]
  })
}

# A program of PostgreSQL: on the path, or where Debian keeps it.
postgres_program <- function(name) {
  found <- c(Sys.which(name), sort(Sys.glob(file.path("/usr/lib/postgresql/*/bin", name)), decreasing = TRUE))
  found <- found[nzchar(found)]
  if (length(found) > 0) found[[1]] else ""
}

skip_if_no_postgresql <- function() {
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  found <- vapply(c("initdb", "pg_ctl", "psql"), postgres_program, "")
  skip_if(!all(nzchar(found)), "PostgreSQL is not installed")
  is_root <- Sys.info()[["effective_user"]] == "root"
  skip_if(is_root && (!nzchar(Sys.which("runuser")) || system2("id", "postgres", stdout = FALSE, stderr = FALSE) != 0),
          "PostgreSQL does not run as root, and there is no user postgres")
}

# Calls `use` with the directory of a server of its own, reached by a socket there; both are gone afterwards.
with_postgresql <- function(use) {
  home <- tempfile("pg", tmpdir = "/tmp")
  dir.create(home)
  is_root <- Sys.info()[["effective_user"]] == "root"
  if (is_root) system2("chown", c("postgres", home))
  data <- file.path(home, "data")
  as_user <- function(program, args) {
    # A library that `make sanitize` loads first would make the server hang.
    words <- c("-u", "LD_PRELOAD", if (is_root) c("runuser", "-u", "postgres", "--"), postgres_program(program), args)
    status <- system2("env", words, stdout = FALSE, stderr = FALSE)
    if (status != 0) stop(program, " failed")
  }
  on.exit(unlink(home, recursive = TRUE))
  as_user("initdb", c("-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C"))
  options <- shQuote(sprintf("-k %s -c listen_addresses='' -c fsync=off", home))
  as_user("pg_ctl", c("-D", data, "-w", "-l", file.path(home, "log"), "-o", options, "start"))
  on.exit(as_user("pg_ctl", c("-D", data, "-m", "immediate", "stop")), add = TRUE, after = FALSE)
  use(home)
}

# Every value quoted, a missing one left out: what COPY reads and writes.
csv_lines <- function(columns) {
  quoted <- lapply(columns, \(x) ifelse(is.na(x), "", paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\"")))
  do.call(paste, c(unname(quoted), sep = ","))
}

run_postgresql <- function(cases) {
  folder <- tempfile("sql")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  copy <- function(case, j) {
    rows <- c(list(as.character(seq_len(nrow(case$data)))), lapply(case$data, sql_values_text))
    c(
      create_table(case, paste0("t", j)), sprintf("COPY t%d FROM STDIN WITH (FORMAT csv);", j), csv_lines(rows), "\\.",
      sprintf("\\o %s", file.path(folder, j)),
      sprintf("COPY (%s) TO STDOUT WITH (FORMAT csv, HEADER, FORCE_QUOTE *);",
              case_query(case, "postgresql", paste0("t", j)))
    )
  }
  script <- file.path(folder, "script.sql")
  lines <- unlist(Map(copy, cases, seq_along(cases)))
  writeLines(enc2utf8(c("SET client_encoding = 'UTF8';", lines)), script, useBytes = TRUE)
  with_postgresql(function(home) {
    args <- c("-h", home, "-U", "postgres", "-d", "postgres", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", script)
    words <- c("-u", "LD_PRELOAD", postgres_program("psql"), args)
    said <- suppressWarnings(system2("env", words, stdout = TRUE, stderr = TRUE))
    if (!is.null(attr(said, "status"))) stop(paste(said, collapse = "\n"))
  })
  lapply(seq_along(cases), \(j) read_answer(file.path(folder, j)))
}

read_answer <- function(file) {
  answer <- utils::read.csv(file, na.strings = character(), colClasses = "character", encoding = "UTF-8")
  numbers <- setdiff(names(answer), "class")
  answer[numbers] <- lapply(answer[numbers], as.numeric)
  answer[-1]
}

# Python, where the databases without an R package are found.
test_python <- function() Sys.getenv("SBRL_PYTHON", "python3")

# R's own path of libraries may lead to another version of Python's.
run_python_file <- function(args, ...) {
  system2("env", c("-u", "LD_LIBRARY_PATH", test_python(), args), ...)
}

skip_if_no_python <- function(module) {
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  skip_if(!nzchar(Sys.which(test_python())), "no Python")
  found <- run_python_file(c("-c", shQuote(paste("import", module))), stdout = FALSE, stderr = FALSE)
  skip_if(found != 0, paste("Python has no", module))
}

python_script <- c(
  duckdb = "
import json, sys, duckdb
connection = duckdb.connect()
answers = []
for case in json.load(open(sys.argv[1], encoding='utf-8')):
    connection.execute(case['create'])
    marks = ', '.join('?' * len(case['rows'][0]))
    connection.executemany('INSERT INTO %s VALUES (%s)' % (case['table'], marks), case['rows'])
    answer = connection.execute(case['query'])
    names = [column[0] for column in answer.description]
    rows = [[None if value is None else str(value) for value in row] for row in answer.fetchall()]
    answers.append({'names': names, 'rows': rows})
json.dump(answers, open(sys.argv[2], 'w', encoding='utf-8'))
"
)

run_python <- function(cases, dialect) {
  files <- tempfile(c("script", "in", "out"))
  on.exit(unlink(files))
  write <- function(case, j) {
    table <- paste0("t", j)
    rows <- c(list(as.character(seq_len(nrow(case$data)))), lapply(case$data, sql_values_text))
    list(table = table, create = create_table(case, table, if (dialect == "spark") "`" else "\""),
         rows = unname(do.call(cbind, rows)), query = case_query(case, dialect, table))
  }
  writeLines(python_script[[dialect]], files[1])
  jsonlite::write_json(unname(Map(write, cases, seq_along(cases))), files[2], auto_unbox = TRUE, na = "null")
  said <- suppressWarnings(run_python_file(files, stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) stop(paste(said, collapse = "\n"))
  lapply(jsonlite::read_json(files[3]), function(answer) {
    # a rule may be missing
    cells <- do.call(rbind, lapply(answer$rows, \(row) vapply(row, \(x) if (is.null(x)) NA_character_ else x, "")))
    table <- stats::setNames(as.data.frame(cells), unlist(answer$names))
    numbers <- setdiff(names(table), "class")
    table[numbers] <- lapply(table[numbers], as.numeric)
    table[-1]
  })
}

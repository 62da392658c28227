# Engines outside R that tests read from: PostgreSQL and MariaDB servers, and DuckDB and Spark in a Python process.

# Calls `use` with a connection to a PostgreSQL server of its own.
with_postgresql_connection <- function(use) {
  skip_if_no_postgresql()
  skip_if_not_installed("RPostgreSQL")
  with_postgresql(function(home) {
    con <- DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = home, user = "postgres", dbname = "postgres")
    on.exit(try(DBI::dbDisconnect(con), silent = TRUE))
    DBI::dbExecute(con, "SET TIME ZONE 'UTC'")
    use(con)
  })
}

# A data frame as a table of PostgreSQL or MariaDB, with every digit.
write_sql_table <- function(con, name, data, dialect = "postgresql", create = TRUE) {
  mark <- if (dialect == "mysql") "`" else "\""
  quoted <- paste0(mark, gsub(mark, paste0(mark, mark), names(data), fixed = TRUE), mark)
  types <- vapply(data, sql_type, "")
  if (dialect == "mysql") {
    types <- c(text = "text", date = "date", "timestamp with time zone" = "datetime(6)", boolean = "boolean",
               integer = "integer", "double precision" = "double")[types]
  }
  if (create) DBI::dbExecute(con, sprintf("CREATE TABLE %s (%s)", name, paste(quoted, types, collapse = ", ")))
  cell <- function(x) {
    text <- sql_values_text(x)
    if (dialect == "mysql" && inherits(x, "POSIXct")) text <- sub("[+]00$", "", text)
    if (dialect == "mysql" && is.logical(x)) text <- as.character(as.integer(x))
    literal <- paste0("'", gsub("'", "''", text, fixed = TRUE), "'")
    ifelse(is.na(text), "NULL", literal)
  }
  rows <- paste0("(", do.call(paste, c(unname(lapply(data, cell)), sep = ", ")), ")")
  for (part in split(rows, ceiling(seq_along(rows) / 2000))) {
    DBI::dbExecute(con, sprintf("INSERT INTO %s VALUES %s", name, paste(part, collapse = ", ")))
  }
}

skip_if_no_mariadb <- function() {
  skip_on_cran()
  skip_if_not_installed("RMySQL")
  skip_if(!nzchar(Sys.which("mariadbd")) || !nzchar(Sys.which("mariadb-install-db")), "MariaDB is not installed")
}

# Calls `use` with a connection to a MariaDB server of its own.
with_mariadb_connection <- function(use) {
  skip_if_no_mariadb()
  home <- tempfile("my", tmpdir = "/tmp")
  dir.create(home)
  is_root <- Sys.info()[["effective_user"]] == "root"
  user <- if (is_root) "mysql" else Sys.info()[["effective_user"]]
  if (is_root) system2("chown", c("mysql", home))
  data <- file.path(home, "data")
  socket <- file.path(home, "socket")
  system2("mariadb-install-db", c("--no-defaults", paste0("--datadir=", data), paste0("--user=", user),
          "--auth-root-authentication-method=normal", "--skip-test-db"), stdout = FALSE, stderr = FALSE)
  pid <- file.path(home, "pid")
  system2("mariadbd", c("--no-defaults", paste0("--datadir=", data), paste0("--socket=", socket), "--skip-networking",
          paste0("--user=", user), paste0("--pid-file=", pid), "--character-set-server=utf8mb4",
          "--max-allowed-packet=64M"),
          stdout = FALSE, stderr = FALSE, wait = FALSE)
  on.exit({
    if (file.exists(pid)) tools::pskill(as.integer(readLines(pid)))
    for (i in 1:100) if (file.exists(pid)) Sys.sleep(0.1)
    unlink(home, recursive = TRUE)
  })
  for (i in 1:300) if (!file.exists(socket)) Sys.sleep(0.1)
  con <- DBI::dbConnect(asNamespace("RMySQL")$MySQL(), unix.socket = socket, user = "root", password = "")
  on.exit(try(DBI::dbDisconnect(con), silent = TRUE), add = TRUE, after = FALSE)
  DBI::dbExecute(con, "CREATE DATABASE sbrl CHARACTER SET utf8mb4")
  DBI::dbExecute(con, "USE sbrl")
  DBI::dbExecute(con, "SET NAMES utf8mb4")
  # for writing; what is read must not depend on it
  DBI::dbExecute(con, "SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')")
  DBI::dbExecute(con, "SET time_zone = '+00:00'")
  use(con)
}

# DuckDB and Spark ----

# An engine in a Python process: `query()` and `stream()` for sbrl_source(), `run()` for statements, `stop()`.
start_engine <- function(name) {
  skip_if_no_python(c(duckdb = "duckdb", spark = "pyspark")[[name]])
  skip_if_no_python("pyarrow")
  file <- tempfile("port")
  script <- test_path("engines", "engine.py")
  log <- file.path(tempdir(), "engine.log")
  run_python_file(c(shQuote(script), name, file), stdout = FALSE, stderr = log, wait = FALSE)
  for (i in 1:1200) if (!file.exists(file) || file.size(file) == 0) Sys.sleep(0.1)
  where <- as.integer(readLines(file))
  socket <- socketConnection("localhost", where[1], open = "r+b", blocking = TRUE, timeout = 3600)
  ask <- function(sql, rows, receive) {
    # an interrupt cancels the query
    is_done <- FALSE
    on.exit(if (!is_done) close(socket))
    request <- jsonlite::toJSON(list(sql = enc2utf8(sql), rows = rows), auto_unbox = TRUE)
    writeBin(c(charToRaw(enc2utf8(request)), as.raw(10)), socket)
    repeat {
      head <- read_engine_json(socket)
      is_done <- !is.null(head$error) || !is.null(head$end)
      if (!is.null(head$error)) stop(head$error)
      if (!is.null(head$end)) return(invisible())
      receive(read_engine_chunk(socket, head))
    }
  }
  query <- function(sql) {
    result <- NULL
    ask(sql, 0, \(chunk) result <<- chunk)
    result
  }
  list(
    query = query, run = query, stream = \(sql, receive, n) ask(sql, n, receive),
    stop = \() close(socket), pid = where[2]
  )
}

read_bytes <- function(socket, n) {
  bytes <- raw()
  while (length(bytes) < n) {
    more <- readBin(socket, "raw", n - length(bytes))
    if (length(more) == 0) stop("The engine has ended.")
    bytes <- c(bytes, more)
  }
  bytes
}

read_engine_json <- function(socket) {
  text <- rawToChar(read_bytes(socket, as.integer(rawToChar(read_bytes(socket, 10)))))
  Encoding(text) <- "UTF-8"
  jsonlite::fromJSON(text, simplifyDataFrame = FALSE)
}

read_engine_chunk <- function(socket, head) {
  n <- head$n
  read <- \(what, size) readBin(read_bytes(socket, n * size), what, n, size = size, endian = "little")
  columns <- lapply(head$columns, function(column) {
    is_missing <- read_bytes(socket, n) == as.raw(1)
    values <- if (column$type %in% c("double", "time")) read("double", 8) else read("integer", 4)
    values[is_missing] <- NA
    switch(column$type,
      logical = as.logical(values),
      date = structure(as.double(values), class = "Date"),
      time = structure(values / 1e6, class = c("POSIXct", "POSIXt"), tzone = "UTC"),
      text = as.character(unlist(column$levels))[values + 1L],
      values
    )
  })
  structure(columns, names = head$names, class = "data.frame", row.names = .set_row_names(n))
}

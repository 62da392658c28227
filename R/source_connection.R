# DBI connections: the dialect of a connection, and tables as a query names them.

# Classes of connections and their dialects: of the packages RSQLite, RPostgres, RPostgreSQL, duckdb, RMariaDB, RMySQL,
# sparklyr, and of odbc, whose classes are the names of the databases.
connection_dialects <- c(
  SQLiteConnection = "sqlite", SQLite = "sqlite", PqConnection = "postgresql", PostgreSQLConnection = "postgresql",
  PostgreSQL = "postgresql", duckdb_connection = "duckdb", spark_connection = "spark", "Spark SQL" = "spark",
  MariaDBConnection = "mysql", MySQLConnection = "mysql", MySQL = "mysql", MariaDB = "mysql"
)

connection_dialect <- function(con) {
  found <- connection_dialects[names(connection_dialects) %in% methods::is(con)]
  if (length(found) == 0L) {
    message <- paste(
      "sbrl does not support the SQL of a connection of class %s. Name its `dialect` in sbrl_source(), or in as_sql()."
    )
    abort_sbrl("argument", sprintf(message, quote_values(class(con)[1L])))
  }
  found[[1L]]
}

is_connection <- function(x) {
  methods::is(x, "DBIConnection")
}

# The parts of a table's name: of DBI::Id(), or a character vector.
table_parts <- function(table) {
  if (methods::is(table, "Id")) {
    return(unname(as.character(table@name)))
  }
  if (is.character(table)) as.vector(unclass(table)) else table
}

# What follows FROM: a quoted name, or the user's own SQL in I().
sql_from <- function(table, dialect) {
  if (inherits(table, "AsIs") && is_string(unclass(table))) {
    return(paste(enc2utf8(unclass(table)), "AS sbrl_table"))
  }
  table <- table_parts(table)
  check_table(table)
  check_that(!is.null(table), table, "table", "the name of a table, or the parts of one")
  sql_table(table, dialect)
}

check_table <- function(table) {
  ok <- is.null(table) || (is.character(table) && length(table) > 0L && !anyNA(table) && all(nzchar(table)) &&
    all(is_valid_text(table)))
  check_that(ok, table, "table", "the name of a table, or the parts of one")
}

sql_table <- function(table, dialect) {
  if (!is.null(table)) paste(sql_name(enc2utf8(table), dialect), collapse = ".")
}

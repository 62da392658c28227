# Larger sets on SQLite and PostgreSQL; run by `make test-engines`.

skip_on_cran()
skip_if(Sys.getenv("SBRL_ENGINES") == "", "run by make test-engines")
skip_if_not_installed("DBI")

test_that("SQLite and PostgreSQL give the models of larger sets", {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  expect_engine(\(quiet, name) quiet(con, table = name), function(name, data) {
    DBI::dbWriteTable(con, name, data)
    DBI::dbReadTable(con, name, check.names = FALSE)
  })
  with_postgresql_connection(function(con) {
    expect_engine(\(quiet, name) quiet(con, table = name), function(name, data) {
      write_sql_table(con, name, data)
      DBI::dbGetQuery(con, paste("SELECT * FROM", name))
    })
  })
})

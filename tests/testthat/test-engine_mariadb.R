# A real MariaDB server; run by `make test-engines`.

skip_on_cran()
skip_if(Sys.getenv("SBRL_ENGINES") == "", "run by make test-engines")
skip_if_not_installed("DBI")

test_that("MariaDB gives the model of its rows", {
  with_mariadb_connection(function(con) {
    expect_engine(
      \(quiet, name) quiet(con, table = name),
      function(name, data) {
        write_sql_table(con, name, data, "mysql")
        DBI::dbGetQuery(con, paste("SELECT * FROM", name))
      }
    )
    model <- fit_with(con, table = "every_type")
    rows <- DBI::dbGetQuery(con, "SELECT * FROM every_type")
    sql <- as_sql(model, con, table = "every_type", output = "rule")
    expect_equal(as.integer(DBI::dbGetQuery(con, sql)$rule), suppressWarnings(predict(model, rows, type = "rule")))
    expect_equal(sbrl_performance(model, sbrl:::as_source(con, "every_type")),
                 suppressWarnings(sbrl_performance(model, rows)))
    # RMySQL gives times as text
    write_sql_table(con, "many", many_values(), "mysql")
    rows <- DBI::dbGetQuery(con, "SELECT * FROM many")
    expect_sampled(sbrl:::as_source(con, "many"), rows)
    write_sql_table(con, "terms", terms_data(), "mysql")
    expect_same_terms(sbrl:::as_source(con, "terms"), DBI::dbGetQuery(con, "SELECT * FROM terms"))
  })
})

# DuckDB and Parquet files in a Python process; run by `make test-engines`.

skip_on_cran()
skip_if(Sys.getenv("SBRL_ENGINES") == "", "run by make test-engines")
skip_if_not_installed("DBI")

test_that("DuckDB and Parquet files give the model of their rows", {
  engine <- start_engine("duckdb")
  on.exit(engine$stop())
  folder <- tempfile("parquet")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  file <- \(name) file.path(folder, paste0(name, ".parquet"))
  read <- function(name, data) {
    parquet_of(data, file(name))
    engine$run(sprintf("CREATE TABLE %s AS SELECT * FROM read_parquet('%s')", name, file(name)))
    engine$query(paste("SELECT * FROM", name))
  }
  expect_engine(\(quiet, name) quiet(engine_source(engine, "duckdb", name)), read)
  expect_engine(
    \(quiet, name) quiet(engine_source(engine, "duckdb", I(sprintf("read_parquet('%s')", file(name))))),
    \(name, data) engine$query(paste("SELECT * FROM", name))
  )
  source <- engine_source(engine, "duckdb", "every_type")
  model <- fit_with(source)
  rows <- engine$query("SELECT * FROM every_type")
  expect_equal(sbrl_performance(model, source), suppressWarnings(sbrl_performance(model, rows)))
  data <- with_moment(many_values())
  parquet_of(data, file("many"))
  engine$run(sprintf("CREATE TABLE many AS SELECT * FROM read_parquet('%s')", file("many")))
  expect_sampled(engine_source(engine, "duckdb", "many"), engine$query("SELECT * FROM many"))
  parquet_of(terms_data(), file("terms"))
  engine$run(sprintf("CREATE TABLE terms AS SELECT * FROM read_parquet('%s')", file("terms")))
  expect_same_terms(engine_source(engine, "duckdb", "terms"), engine$query("SELECT * FROM terms"))
})

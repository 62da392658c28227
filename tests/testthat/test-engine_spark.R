# Spark in a Python process; run by `make test-engines`.

skip_on_cran()
skip_if(Sys.getenv("SBRL_ENGINES") == "", "run by make test-engines")
skip_if_not_installed("DBI")

test_that("Spark gives the model of its rows", {
  engine <- start_engine("spark")
  on.exit(engine$stop())
  folder <- tempfile("parquet")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  read <- function(name, data) {
    # Spark replaces variables in names, so that no query can name such a column
    names(data) <- gsub("${", "$(", names(data), fixed = TRUE)
    file <- file.path(folder, paste0(name, ".parquet"))
    parquet_of(data, file)
    engine$run(sprintf("CREATE OR REPLACE TEMPORARY VIEW %s AS SELECT * FROM parquet.`%s`", name, file))
    engine$query(paste("SELECT * FROM", name))
  }
  expect_engine(\(quiet, name) quiet(engine_source(engine, "spark", name)), read)
  source <- engine_source(engine, "spark", "every_type")
  model <- fit_with(source)
  rows <- engine$query("SELECT * FROM every_type")
  expect_equal(sbrl_performance(model, source), suppressWarnings(sbrl_performance(model, rows)))
  data <- with_moment(many_values())
  read("many", data)
  expect_sampled(engine_source(engine, "spark", "many"), engine$query("SELECT * FROM many"))
  read("terms", terms_data())
  expect_same_terms(engine_source(engine, "spark", "terms"), engine$query("SELECT * FROM terms"))
})

# Approximate cut points from a sample, which the user asks for.

skip_if_not_installed("DBI")
skip_if_not_installed("RSQLite")

sqlite_source <- function(data, use) {
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", data)
  use(con)
}

test_that("a sample gives cut points near the exact ones, and exact counts", {
  data <- many_values()
  exact <- fit_with(data)
  sqlite_source(data, function(con) {
    expect_error(with_few_pairs(fit_with(con, table = "t", discretize = "mdlp")), "cut_sample",
                 class = "sbrl_error_column")
    for (method in c("modl", "mdlp", "quantile")) {
      model <- with_few_pairs(fit_with(con, table = "t", cut_sample = 4000, discretize = method))
      expect_exact_counts(model, data)
    }
    model <- with_few_pairs(fit_with(con, table = "t", cut_sample = 4000))
    expect_named(model$approximate, c("level", "spike", "gaps", "whole"))
    # about as many rows as asked for, and those of the one heavy value
    expect_true(all(model$approximate > 3000 & model$approximate < 16000))
    cuts <- \(model, name) model$features[[match(name, vapply(model$features, `[[`, "", "name"))]]$cuts
    expect_lt(min(abs(cuts(model, "level") - 0.3)), 0.02)
    expect_lt(min(abs(cuts(model, "spike"))), 0.01)
    expect_identical(cuts(model, "few"), cuts(exact, "few"))
    types <- \(model) vapply(model$features, `[[`, "", "type")
    expect_identical(types(model), types(exact))
    # the same table gives the same sample
    expect_same_model(with_few_pairs(fit_with(con, table = "t", cut_sample = 4000)), model)
    # a sample of all rows is none
    all_rows <- with_few_pairs(fit_with(con, table = "t", cut_sample = 20000))
    expect_null(all_rows$approximate)
    expect_same_model(all_rows, exact)
    # columns with few pairs stay exact
    expect_same_model(fit_with(con, table = "t", cut_sample = 4000), exact)
  })
})

test_that("chunks have samples, too", {
  data <- with_moment(many_values())
  source <- chunk_source(data, 3001)
  expect_error(with_few_pairs(fit_with(source)), "cut_sample", class = "sbrl_error_column")
  model <- with_few_pairs(fit_with(source, cut_sample = 5000))
  expect_setequal(names(model$approximate), c("level", "spike", "gaps", "whole", "moment"))
  expect_true(all(model$approximate == 5000))
  expect_exact_counts(model, data)
  exact <- fit_with(data)
  all_rows <- with_few_pairs(fit_with(source, cut_sample = 20000))
  expect_null(all_rows$approximate)
  expect_identical(all_rows$features, exact$features)
  expect_identical(all_rows$score, exact$score)
})

test_that("PostgreSQL has samples of numbers and times", {
  with_postgresql_connection(function(con) {
    write_sql_table(con, "t", with_moment(many_values()))
    expect_sampled(sbrl:::as_source(con, "t"), DBI::dbGetQuery(con, "SELECT * FROM t"))
  })
})

test_that("whole-number weights count as rows of the sample", {
  data <- many_values()
  data$w <- sample(0:3, nrow(data), TRUE)
  sqlite_source(data, function(con) {
    model <- with_few_pairs(fit_with(con, table = "t", cut_sample = 4000, weights = "w"))
    again <- suppressWarnings(refit(model, data, weights = data$w))
    expect_equal(model$counts, again$counts)
  })
})

test_that("a model with approximate cut points says so wherever it goes", {
  data <- many_values(5000)
  model <- sqlite_source(data, \(con) with_few_pairs(fit_with(con, table = "t", cut_sample = 1000)))
  says <- "Cut points of .*`level`.* are approximate: from a sample of"
  expect_output(print(model), says)
  expect_output(print(model, style = "words"), says)
  flat <- \(lines) gsub("\\s+", " ", paste(lines, collapse = " "))
  expect_match(flat(capture.output(summary(model))), says)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  again <- sbrl_read_json(file)
  expect_identical(again$approximate, model$approximate)
  expect_match(flat(format(again)), says)
  expect_identical(suppressWarnings(refit(model, data))$approximate, model$approximate)
  expect_no_match(flat(format(fit_with(data))), "approximate")
  if (requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2")) {
    page <- tempfile(fileext = ".html")
    on.exit(unlink(page), add = TRUE)
    suppressMessages(sbrl_report(model, file = page))
    expect_match(flat(readLines(page)), "are approximate: from a sample of")
  }
  for (bad in list("many", c(level = -1), c(nothing = 5), c(few = NA_real_), c(5, 6), stats::setNames(5, NA))) {
    broken <- model
    broken$approximate <- bad
    expect_error(summary(broken), "approximate", class = "sbrl_error_model")
  }
  broken <- model
  broken$features[[1]] <- list()
  expect_error(generics::glance(broken), class = "sbrl_error_model")
  text <- readLines(file)
  writeLines(gsub("\"approximate\":\\{\"feature\":\\[[0-9]", "\"approximate\":{\"feature\":[77", text), file)
  expect_false(identical(readLines(file), text))
  expect_error(sbrl_read_json(file), class = "sbrl_error_file")
})

test_that("`cut_sample` is checked", {
  data <- many_values(500)
  expect_error(fit_with(data, cut_sample = 1000), "not in memory", class = "sbrl_error_argument")
  for (bad in list(10, "many", NA, c(1000, 2000))) {
    expect_error(fit_with(chunk_source(data), cut_sample = bad), "cut_sample", class = "sbrl_error_argument")
  }
  expect_error(cv_sbrl(data, cut_sample = 1000), "cut_sample", class = "sbrl_error_argument")
})

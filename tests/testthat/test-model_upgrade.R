# Files that release 2.0.0 wrote, with the predictions it made; see fixtures/2.0.0/make.R.
old_file <- function(name, extension) test_path("fixtures", "2.0.0", paste0(name, ".", extension))
old_data <- function() readRDS(old_file("data", "rds"))
old_names <- c("frame", "formula", "cuts", "times", "classes", "weighted", "map")

expect_old_predictions <- function(model, name) {
  expected <- readRDS(old_file("predictions", "rds"))[[name]]
  data <- old_data()
  for (type in names(expected)) {
    expect_identical(predict(model, data, type = type), expected[[type]], label = paste(name, type))
  }
}

test_that("models that 2.0.0 saved with saveRDS() predict what they predicted", {
  for (name in c(old_names, "many")) {
    model <- readRDS(old_file(name, "rds"))
    expect_null(model$format)
    expect_old_predictions(model, name)
    expect_no_condition(summary(model))
  }
})

test_that("JSON files of 2.0.0 are read, and are models of today", {
  for (name in old_names) {
    expect_match(readLines(old_file(name, "json"), 3L)[3L], "\"format_version\": 1", fixed = TRUE)
    model <- sbrl_read_json(old_file(name, "json"))
    expect_old_predictions(model, name)
    expect_identical(model$version, "2.0.0")
    expect_identical(model$format, sbrl:::model_format)
  }
})

test_that("both ways from 2.0.0 lead to the same model, and a new file keeps it", {
  for (name in old_names) {
    from_rds <- sbrl:::check_model(readRDS(old_file(name, "rds")))
    from_json <- sbrl_read_json(old_file(name, "json"))
    ours <- setdiff(names(from_rds), c("call", "terms"))
    expect_identical(unclass(from_json)[ours], unclass(from_rds)[ours], label = name)
    file <- tempfile(fileext = ".json")
    sbrl_write_json(readRDS(old_file(name, "rds")), file)
    again <- sbrl_read_json(file)
    expect_identical(unclass(again)[ours], unclass(from_rds)[ours], label = name)
  }
})

test_that("every function takes a model of 2.0.0", {
  model <- readRDS(old_file("frame", "rds"))
  data <- old_data()
  expect_output(print(model))
  expect_identical(rules(model), rules(sbrl_read_json(old_file("frame", "json"))))
  expect_match(as_sql(model), "CASE", fixed = TRUE)
  expect_s3_class(explain(model, data[1L, ]), "sbrl_explanation")
  expect_equal(sbrl_score(model, data, model$rulenames[model$rs$V1])[["log_posterior"]], model$score[["log_posterior"]])
  pdf(NULL)
  on.exit(dev.off())
  expect_no_error(plot(model))
})

# Files of format 2 as the development version wrote it before anything else entered, see fixtures/format-2/make.R.
test_that("models and JSON files of format 2 predict what they predicted, and a new file keeps them", {
  file <- function(name, extension) test_path("fixtures", "format-2", paste0(name, ".", extension))
  data <- readRDS(file("data", "rds"))
  expected <- readRDS(file("predictions", "rds"))
  for (name in names(expected)) {
    saved <- readRDS(file(name, "rds"))
    again <- tempfile(fileext = ".json")
    sbrl_write_json(saved, again)
    for (model in list(saved, sbrl_read_json(file(name, "json")), sbrl_read_json(again))) {
      found <- lapply(names(expected[[name]]), \(type) predict(model, data, type = type, missing = "fallthrough"))
      expect_identical(found, unname(expected[[name]]), label = name)
      expect_no_condition(summary(model))
    }
  }
  expect_identical(sbrl_read_json(file("mixed", "json"))$settings$missing, "base_rate")
})

test_that("models carry the number of their format, in R and in JSON", {
  model <- sbrl(tictactoe, iters = 100, nchain = 1, seed = 1)
  expect_identical(model$format, sbrl:::model_format)
  expect_length(sbrl:::upgrade_steps, sbrl:::model_format - 1L)
  file <- tempfile(fileext = ".json")
  sbrl_write_json(model, file)
  expect_match(readLines(file, 3L)[3L], sprintf("\"format_version\": %d,", model$format), fixed = TRUE)
})

test_that("a model of a newer format is refused by name", {
  model <- sbrl(tictactoe, iters = 100, nchain = 1, seed = 1)
  file <- tempfile(fileext = ".json")
  sbrl_write_json(model, file)
  newer <- sbrl:::newest_format + 1L
  text <- sub("\"format_version\": [0-9]+", sprintf("\"format_version\": %d", newer), readLines(file))
  writeLines(text, file)
  said <- sprintf("was written by a newer sbrl (format %d)", newer)
  expect_error(sbrl_read_json(file), said, fixed = TRUE, class = "sbrl_error_file")
  model$format <- newer
  expect_error(predict(model, tictactoe), said, fixed = TRUE, class = "sbrl_error_model")
  expect_error(print(model), said, fixed = TRUE, class = "sbrl_error")
})

test_that("models from shortly before 2.0.0, which have fewer settings, are complete", {
  model <- readRDS(old_file("frame", "rds"))
  complete <- sbrl:::check_model(model)$settings
  model$settings[c("lambda_first", "max_length")] <- NULL
  upgraded <- sbrl:::check_model(model, report = TRUE)$settings
  expect_identical(upgraded[c("lambda_first", "max_length")], list(lambda_first = NA_real_, max_length = Inf))
  expect_setequal(names(upgraded), names(complete))
  model$settings <- "none"
  expect_error(predict(model, old_data()), "`settings`", class = "sbrl_error_model")
})

test_that("a format that is no number is refused", {
  model <- sbrl(tictactoe, iters = 100, nchain = 1, seed = 1)
  for (format in list("2", 1.5, -1, NA_integer_, c(1L, 2L), list(2))) {
    model$format <- format
    expect_error(predict(model, tictactoe), "`format` must be a whole number", class = "sbrl_error_model")
  }
})

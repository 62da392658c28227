# tidypredict and orbital, in data frames and in SQLite.
people <- as.data.frame(Titanic)
people <- people[rep(seq_len(32), people$Freq), 1:4]
rownames(people) <- NULL
flowers <- iris

in_sqlite <- function(data, use) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbWriteTable(connection, "d", as.data.frame(lapply(data, \(x) if (is.factor(x)) as.character(x) else x)))
  use(dplyr::tbl(connection, "d"), connection)
}

test_that("tidypredict gives what predict() gives, in a data frame and in SQLite", {
  tested_with("tidypredict", "dplyr", "dbplyr", "RSQLite")
  model <- sbrl(Survived ~ ., data = people, iters = 500, nchain = 2, seed = 1, progress = FALSE)
  people$Sex[1:5] <- NA
  expected <- predict(model, people, missing = "fallthrough")$V2
  expect_equal(tidypredict::tidypredict_to_column(people, model)$fit, expected)
  in_sqlite(people, function(table, connection) {
    expect_equal(dplyr::collect(tidypredict::tidypredict_to_column(table, model))$fit, expected)
    sql <- tidypredict::tidypredict_sql(model, connection)
    expect_equal(DBI::dbGetQuery(connection, sprintf("SELECT %s AS fit FROM d", sql))$fit, expected)
  })
  many <- sbrl(Species ~ ., data = flowers, iters = 500, nchain = 2, seed = 1, progress = FALSE)
  in_sqlite(stats::setNames(flowers, sub("[.]", "_", names(flowers))), function(table, connection) {
    many <- sbrl(Species ~ ., data = stats::setNames(flowers, sub("[.]", "_", names(flowers))), iters = 500, nchain = 2,
                 seed = 1, progress = FALSE)
    sql <- vapply(tidypredict::tidypredict_sql(many, connection), as.character, "")
    answer <- DBI::dbGetQuery(connection, sprintf("SELECT %s FROM d", paste(sql, collapse = ", ")))
    names <- stats::setNames(flowers, sub("[.]", "_", names(flowers)))
    expect_equal(unname(as.matrix(answer)), unname(predict(many, names, type = "matrix")))
  })
})

test_that("orbital gives what predict() gives for a workflow, in a data frame and in SQLite", {
  tested_with("orbital", "parsnip", "workflows", "recipes", "dplyr", "dbplyr", "RSQLite")
  spec <- parsnip::set_engine(rule_list(), "sbrl", iters = 500, nchain = 2, seed = 1)
  recipe <- recipes::recipe(Survived ~ ., data = people)
  flow <- generics::fit(workflows::add_model(workflows::add_recipe(workflows::workflow(), recipe), spec), people)
  made <- orbital::orbital(flow, type = c("class", "prob"))
  expected <- cbind(predict(flow, people), predict(flow, people, type = "prob"))
  answer <- predict(made, people)
  expect_identical(as.character(answer$.pred_class), as.character(expected$.pred_class))
  expect_equal(answer$.pred_Yes, expected$.pred_Yes)
  expect_equal(answer$.pred_No, expected$.pred_No)
  in_sqlite(people, function(table, connection) {
    answer <- dplyr::collect(predict(made, table))
    expect_identical(as.character(answer$.pred_class), as.character(expected$.pred_class))
    expect_equal(answer$.pred_Yes, expected$.pred_Yes)
  })
  several <- generics::fit(spec, Species ~ ., data = flowers)
  answer <- predict(orbital::orbital(several, type = "prob"), flowers)
  expect_equal(as.data.frame(answer), as.data.frame(predict(several, flowers, type = "prob")))
})

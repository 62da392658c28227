# Methods for DALEX, iml, vip, butcher and mlr3, called as these packages call them. The packages themselves are tried
# by `make test-frameworks`.

test_that("DALEX gets a number per row, or a matrix, also for one row", {
  d <- two_factor_data()
  model <- quick_fit(d)
  expect_identical(yhat_sbrl(model, d), predict(model, d)$V2)
  expect_identical(yhat_sbrl(model, d[1, ]), predict(model, d[1, ])$V2)
  attr(model, "predict_function_target_column") <- "0"
  expect_identical(yhat_sbrl(model, d), predict(model, d)$V1)
  expect_identical(model_info_sbrl(model)$type, "classification")
  flowers <- quick_fit(Species ~ ., data = iris)
  expect_identical(yhat_sbrl(flowers, iris[1, ]), predict(flowers, iris[1, ], type = "matrix"))
  expect_identical(model_info_sbrl(flowers)$type, "multiclass")
  expect_s3_class(model_info_sbrl(flowers), "model_info")
})

test_that("iml gets one column per class", {
  flowers <- quick_fit(Species ~ ., data = iris)
  expected <- data.frame(predict(flowers, iris, type = "matrix"), check.names = FALSE)
  expect_identical(iml_predictor(flowers, "classification")(iris), expected)
  expect_identical(iml_predictor(flowers, "classification", type = "prob")(iris[1, ]), expected[1, ])
  classes <- iml_predictor(flowers, "classification", type = "class")(iris)
  expect_identical(names(classes)[max.col(classes)], as.character(predict(flowers, iris, type = "class")))
})

# The slow twin of rule_gains(): row by row.
naive_gain <- function(model, d, rule) {
  captured <- predict(model, d, type = "rule") == rule
  label <- as.character(d[[model$settings$label]])
  base <- table(label) / length(label)
  own <- table(label[captured]) / sum(captured)
  sum(log(own[label[captured]] / base[label[captured]]))
}

test_that("vip gets what the rules add to the log likelihood, by feature", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2, minsupport = 0.02)
  m <- nrow(model$rs) - 1
  expect_equal(unname(rule_gains(model)), vapply(c(seq_len(m), 0), \(j) naive_gain(model, d, j), 1))
  table <- vi_sbrl(model)
  expect_setequal(table$Variable, c("a", "b"))
  expect_false(is.unsorted(rev(table$Importance)))
  expect_equal(sum(table$Importance), sum(rule_gains(model)[seq_len(m)]))
  expect_s3_class(table, "vi")
  empty <- suppressWarnings(quick_fit(d["label"]))
  expect_identical(nrow(vi_sbrl(empty)), 0L)
})

test_that("a trimmed model predicts, prints and exports as before", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  small <- without_pool(without_course(without_call(model)))
  expect_lt(length(serialize(small, NULL)), length(serialize(model, NULL)) / 4)
  expect_identical(predict(small, tictactoe), predict(model, tictactoe))
  expect_identical(format(small, style = "words"), format(model, style = "words"))
  expect_identical(as_sql(small), as_sql(model))
  expect_identical(small$rulenames[list_rules(small)], model$rulenames[list_rules(model)])
  expect_identical(small$score, model$score)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(small, file)
  expect_identical(predict(sbrl_read_json(file), tictactoe), predict(model, tictactoe))
  empty <- suppressWarnings(quick_fit(two_factor_data()["label"]))
  expect_identical(predict(without_pool(empty), iris), predict(empty, iris))
  # a list as it was found may have rules that the model does not have
  both <- quick_fit(two_factor_data(), rule_maxlen = 2, minsupport = 0, lambda = 20, simplify = TRUE)
  expect_identical(rules(without_pool(both)), rules(both))
})

# What mlr3 calls a task, as far as the learner uses it.
mock_task <- function(data, target) {
  list(target_names = target, feature_names = setdiff(names(data), target), class_names = levels(data[[target]]),
       data = \(cols) data[cols])
}

test_that("mlr3's learner trains and predicts", {
  flowers <- droplevels(iris[1:100, ])
  levels(flowers$Species) <- c("setosa", "versicolor")
  task <- mock_task(flowers, "Species")
  model <- mlr3_train(task, rep(1:2, 50), list(lambda = 2.5, iters = 200, nchain = 1, seed = 1, rule_maxlen = 2))
  expect_identical(model$settings$lambda, 2.5)
  expect_equal(nobs(model), 150)
  expect_lt(length(serialize(model$call, NULL)), 2000)
  # a class that training did not have
  task$class_names <- c("virginica", "versicolor", "setosa")
  probs <- mlr3_predict(model, task, "prob", list())$prob
  expect_identical(colnames(probs), task$class_names)
  expect_identical(probs[, "setosa"], unname(predict(model, flowers, type = "matrix")[, "setosa"]))
  expect_identical(probs[, "virginica"], numeric(100))
  response <- mlr3_predict(model, task, "response", list(missing = "base_rate"))$response
  expect_identical(response, as.character(predict(model, flowers, type = "class")))
  importance <- mlr3_importance(model)
  expect_identical(importance, sort(importance, decreasing = TRUE))
  expect_error(mlr3_importance(NULL), "train it first", class = "sbrl_error_argument")
})

test_that("methods wait for the packages whose generic functions they are for", {
  waiting <- c("DALEX", "iml", "vip", "butcher", "tidypredict", "orbital", "mlr3", "parsnip")
  for (package in waiting) expect_gt(length(getHook(packageEvent(package, "onLoad"))), 0)
})

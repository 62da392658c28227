# mlr3, with its own tests of learners, and mlr3tuning.
tested_with("mlr3", "mlr3misc", "paradox", "mlr3measures")

lgr::get_logger("mlr3")$set_threshold("warn")
lgr::get_logger("bbotk")$set_threshold("warn")
learner <- function(...) mlr3::lrn("classif.sbrl", iters = 500, nchain = 2, ...)

test_that("the learner passes mlr3's own autotest", {
  library(mlr3)
  library(checkmate)
  suite <- new.env(parent = globalenv())
  for (file in list.files(system.file("testthat", package = "mlr3"), "helper.*[.]R$", full.names = TRUE)) {
    sys.source(file, suite)
  }
  set.seed(1)
  result <- suppressWarnings(suite$run_autotest(learner(), N = 50))
  expect_true(result, info = result$error)
  suite$expect_learner(learner())
})

test_that("it predicts as predict()", {
  task <- mlr3::tsk("penguins")
  set.seed(1)
  one <- learner(predict_type = "prob", seed = 1, rule_maxlen = 2)
  one$train(task)
  prediction <- one$predict(task)
  data <- as.data.frame(task$data())
  expect_equal(prediction$prob, predict(one$model, data, type = "matrix"), ignore_attr = TRUE)
  expect_identical(as.character(prediction$response), as.character(predict(one$model, data, type = "class")))
  expect_identical(one$selected_features(), sbrl:::used_columns(one$model))
  expect_setequal(names(one$importance()), task$feature_names)
  expect_lt(length(serialize(one$model$call, NULL)), 2000)
  alone <- one$predict(task, row_ids = 7)
  expect_equal(alone$prob, prediction$prob[7, , drop = FALSE], ignore_attr = TRUE)
})

test_that("lambda is a real number or \"auto\", and other values are refused", {
  expect_equal(learner(lambda = 2.5)$param_set$values$lambda, 2.5)
  expect_equal(learner(lambda = "auto")$param_set$values$lambda, "auto")
  expect_error(learner(lambda = "often"))
  expect_error(learner(rule_maxlen = 0))
})

test_that("resampling, other processes and files work", {
  task <- mlr3::tsk("sonar")
  set.seed(2)
  result <- mlr3::resample(task, learner(predict_type = "prob"), mlr3::rsmp("cv", folds = 3))
  expect_gt(result$aggregate(mlr3::msr("classif.auc")), 0.55)
  one <- learner()
  one$train(task)
  again <- unserialize(serialize(one, NULL))
  expect_identical(again$predict(task)$response, one$predict(task)$response)
  expect_lt(length(serialize(learner(), NULL)), 2e6)
})

test_that("mlr3tuning tunes lambda and bins", {
  tested_with("mlr3tuning")
  set.seed(3)
  tuned <- mlr3tuning::tune(
    mlr3tuning::tnr("random_search"), mlr3::tsk("sonar"),
    learner(predict_type = "prob", lambda = paradox::to_tune(1, 20), bins = paradox::to_tune(2, 6)), mlr3::rsmp("cv", folds = 2),
    mlr3::msr("classif.logloss"), term_evals = 3
  )
  expect_true(tuned$result_learner_param_vals$lambda %% 1 != 0)
  expect_true(is.finite(tuned$result_y))
})

# Packages that explain, weigh and trim models: DALEX, iml, vip, butcher, caret.
people <- as.data.frame(Titanic)
people <- people[rep(seq_len(32), people$Freq), 1:4]
people$Survived <- as.integer(people$Survived == "Yes")
features <- people[1:3]
model <- sbrl(Survived ~ ., data = people, iters = 500, nchain = 2, seed = 1, progress = FALSE)
flowers <- sbrl(Species ~ ., data = iris, iters = 500, nchain = 2, seed = 1, progress = FALSE)

test_that("DALEX reads predictions of one row and of many, of two classes and of three", {
  tested_with("DALEX", "ingredients", "iBreakDown")
  explainer <- DALEX::explain(model, data = features, y = people$Survived, verbose = FALSE)
  expect_identical(explainer$model_info$type, "classification")
  expect_identical(explainer$model_info$package, "sbrl")
  expect_identical(explainer$y_hat, predict(model, features)$V2)
  expect_identical(predict(explainer, features[1, ]), predict(model, features[1, ])$V2)
  expect_equal(DALEX::model_performance(explainer)$measures$auc, sbrl_performance(model, people)[["auc"]], tolerance = 1e-6)
  parts <- DALEX::predict_parts(explainer, features[1, ])
  expect_equal(parts$contribution[parts$variable == "prediction"], predict(model, features[1, ])$V2)
  expect_true(all(c("Class", "Sex", "Age") %in% DALEX::model_parts(explainer, B = 2)$variable))
  expect_s3_class(DALEX::model_profile(explainer, N = 20), "model_profile")
  negative <- DALEX::explain(model, data = features, y = 1 - people$Survived, predict_function_target_column = 1, verbose = FALSE)
  expect_equal(negative$y_hat, predict(model, features)$V1)
  several <- DALEX::explain(flowers, data = iris[1:4], y = iris$Species, verbose = FALSE)
  expect_identical(several$model_info$type, "multiclass")
  expect_identical(dim(predict(several, iris[1, ])), c(1L, 3L))
  expect_gt(DALEX::model_performance(several)$measures$accuracy, 0.9)
  expect_s3_class(DALEX::predict_parts(several, iris[1, 1:4]), "predict_parts")
})

test_that("iml has the classes as columns", {
  tested_with("iml")
  predictor <- iml::Predictor$new(flowers, data = iris[1:4], y = iris$Species)
  expect_equal(as.matrix(predictor$predict(iris[1, ])), predict(flowers, iris[1, ], type = "matrix"), ignore_attr = TRUE)
  expect_identical(names(predictor$predict(iris[1:3, ])), levels(iris$Species))
  set.seed(1)
  importance <- iml::FeatureImp$new(predictor, loss = "ce", n.repetitions = 2)$results
  expect_setequal(importance$feature, names(iris)[1:4])
  one <- iml::Predictor$new(model, data = features, y = people$Survived, class = "1")
  shapley <- iml::Shapley$new(one, x.interest = features[1, ], sample.size = 50)$results
  expect_setequal(shapley$feature, names(features))
  classes <- iml::Predictor$new(flowers, data = iris[1:4], y = iris$Species, type = "class")$predict(iris[c(1, 51), ])
  expect_equal(unname(rowSums(classes)), c(1, 1))
})

test_that("vip has importances of its own and by permutation", {
  tested_with("vip")
  table <- vip::vi(model)
  expect_setequal(table$Variable, names(features))
  expect_true(all(table$Importance >= 0))
  # what the rules and the default rule add is all there is
  total <- sum(sbrl:::rule_gains(model))
  expect_lte(sum(table$Importance), total + 1e-9)
  expect_s3_class(vip::vip(flowers), "ggplot")
  permuted <- vip::vi_permute(model, train = people, target = "Survived", metric = "rmse", nsim = 1,
                              pred_wrapper = \(object, newdata) predict(object, newdata)$V2)
  expect_setequal(permuted$Variable, names(features))
})

test_that("butcher leaves a model that predicts, prints and exports as before", {
  tested_with("butcher")
  small <- butcher::butcher(model)
  size <- \(x) length(serialize(x, NULL))
  expect_lt(size(small), size(model) / 3)
  expect_identical(predict(small, features), predict(model, features))
  expect_identical(capture.output(print(small, style = "words")), capture.output(print(model, style = "words")))
  expect_identical(as.character(as_sql(small)), as.character(as_sql(model)))
  file <- tempfile(fileext = ".json")
  sbrl_write_json(small, file)
  expect_identical(predict(sbrl_read_json(file), features), predict(model, features))
  expect_null(butcher::axe_call(model)$call)
})

test_that("butcher trims a fit of parsnip", {
  tested_with("butcher", "parsnip")
  fitted <- generics::fit(parsnip::set_engine(rule_list(), "sbrl", iters = 500, nchain = 2), Species ~ ., data = iris)
  small <- butcher::butcher(fitted)
  expect_identical(predict(small, iris, type = "prob"), predict(fitted, iris, type = "prob"))
})

test_that("caret trains, tunes and predicts", {
  tested_with("caret")
  set.seed(1)
  control <- caret::trainControl("cv", 3, classProbs = TRUE)
  trained <- caret::train(iris[1:4], iris$Species, method = sbrl_caret(), tuneLength = 2, iters = 300, trControl = control)
  expect_gt(max(trained$results$Accuracy), 0.8)
  expect_equal(as.matrix(predict(trained, iris, type = "prob")), predict(trained$finalModel, iris, type = "matrix"),
               ignore_attr = TRUE)
  expect_identical(nrow(predict(trained, iris[1, ], type = "prob")), 1L)
})

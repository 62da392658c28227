# parsnip, workflows, tune, yardstick, dials, recipes, rsample: the real packages.
tested_with("parsnip", "workflows", "tune", "yardstick", "dials", "recipes", "rsample", "hardhat")

boards <- transform(tictactoe, label = factor(label, labels = c("no", "yes")))
spec <- function(...) parsnip::set_engine(rule_list(rule_maxlen = 3, ...), "sbrl", iters = 500, nchain = 2, seed = 1)

test_that("rule_list() fits as sbrl() and predicts as predict()", {
  fitted <- generics::fit(spec(lambda = 8), label ~ ., data = boards)
  model <- sbrl(label ~ ., data = boards, lambda = 8, rule_maxlen = 3, iters = 500, nchain = 2, seed = 1, progress = FALSE)
  expect_identical(fitted$fit$rs, model$rs)
  expect_identical(predict(fitted, boards)$.pred_class, predict(model, boards, type = "class"))
  probs <- predict(fitted, boards, type = "prob")
  expect_identical(names(probs), c(".pred_no", ".pred_yes"))
  expect_identical(probs$.pred_yes, predict(model, boards)$V2)
  expect_identical(nrow(predict(fitted, boards[1, ], type = "prob")), 1L)
  expect_identical(predict(fitted, boards, type = "raw"), predict(model, boards))
})

test_that("conf_int gives the intervals of predict(), at any level", {
  fitted <- generics::fit(spec(), label ~ ., data = boards)
  for (level in c(0.95, 0.5)) {
    ends <- predict(fitted, boards, type = "conf_int", level = level)
    expected <- predict(fitted$fit, boards, type = "interval", level = level)
    expect_equal(ends$.pred_lower_yes, unname(expected[, "lower"]))
    expect_equal(ends$.pred_upper_yes, unname(expected[, "upper"]))
  }
  flowers <- generics::fit(spec(), Species ~ ., data = iris)
  ends <- predict(flowers, iris[1:3, ], type = "conf_int")
  expect_identical(dim(ends), c(3L, 6L))
  probs <- predict(flowers, iris[1:3, ], type = "prob")
  expect_true(all(ends$.pred_lower_setosa < probs$.pred_setosa & probs$.pred_setosa < ends$.pred_upper_setosa))
})

test_that("missing values, case weights and fit_xy() work", {
  gaps <- boards
  gaps$c1[1:50] <- NA
  expect_equal(nobs(generics::fit(spec(), label ~ ., data = gaps)$fit), 958)
  weights <- hardhat::frequency_weights(rep(1:2, 479))
  weighted <- generics::fit(spec(), label ~ ., data = boards, case_weights = weights)
  expect_equal(sum(weighted$fit$counts), sum(rep(1:2, 479)))
  xy <- generics::fit_xy(spec(), boards[setdiff(names(boards), "label")], boards$label)
  expect_equal(predict(xy, boards, type = "prob"), predict(generics::fit(spec(), label ~ ., data = boards), boards, type = "prob"))
})

test_that("the arguments that can be tuned have parameters, real-valued for lambda and eta", {
  tuned <- parsnip::set_engine(
    rule_list(lambda = tune::tune(), eta = tune::tune(), rule_maxlen = tune::tune(), minsupport = tune::tune()), "sbrl",
    bins = tune::tune(), iters = 100
  )
  set <- hardhat::extract_parameter_set_dials(tuned)
  expect_setequal(set$name, c("lambda", "eta", "rule_maxlen", "minsupport", "bins"))
  types <- vapply(set$object, \(parameter) parameter$type, "")
  expect_identical(types[match(c("lambda", "eta", "bins"), set$name)], c("double", "double", "integer"))
  set.seed(1)
  grid <- dials::grid_random(set, size = 20)
  expect_true(any(grid$lambda %% 1 != 0) && any(grid$eta %% 1 != 0))
  expect_true(all(grid$bins %in% 2:8))
  expect_identical(dials::range_get(prior_length(c(2, 5))), list(lower = 2, upper = 5))
})

test_that("a workflow with a recipe is tuned, finalised and measured", {
  set.seed(2)
  people <- as.data.frame(Titanic)
  people <- people[rep(seq_len(32), people$Freq), 1:4]
  tuned <- parsnip::set_engine(rule_list(lambda = tune::tune()), "sbrl", bins = tune::tune(), iters = 200, nchain = 1, seed = 1)
  recipe <- recipes::recipe(Survived ~ ., data = people)
  flow <- workflows::add_model(workflows::add_recipe(workflows::workflow(), recipe), tuned)
  folds <- rsample::vfold_cv(people, v = 3)
  metrics <- yardstick::metric_set(yardstick::roc_auc, yardstick::mn_log_loss, yardstick::accuracy)
  result <- tune::tune_grid(flow, folds, grid = 3, metrics = metrics)
  table <- tune::collect_metrics(result)
  expect_identical(sort(unique(table$.metric)), c("accuracy", "mn_log_loss", "roc_auc"))
  expect_false(anyNA(table$mean))
  expect_gt(max(table$mean[table$.metric == "roc_auc"]), 0.6)
  best <- tune::select_best(result, metric = "mn_log_loss")
  final <- generics::fit(tune::finalize_workflow(flow, best), people)
  expect_s3_class(hardhat::extract_fit_engine(final), "sbrl")
  expect_equal(hardhat::extract_fit_engine(final)$settings$lambda, best$lambda)
  expect_true(all(c(".pred_class", ".pred_Yes") %in% names(generics::augment(final, people[1:5, ]))))
  # a workflow that comes back from a file predicts the same
  again <- unserialize(serialize(final, NULL))
  expect_identical(predict(again, people, type = "prob"), predict(final, people, type = "prob"))
})

test_that("update() changes a specification", {
  changed <- update(spec(lambda = 8), lambda = 2, eta = 3)
  expect_identical(rlang::eval_tidy(changed$args$lambda), 2)
  expect_identical(rlang::eval_tidy(changed$args$rule_maxlen), 3)
})

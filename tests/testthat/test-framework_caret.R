# A small problem of factors and numbers, with gaps.
caret_data <- function(n = 150) {
  set.seed(3)
  d <- data.frame(
    x = stats::rnorm(n), size = factor(sample(c("S", "M", "L"), n, TRUE)), count = sample(0:9, n, TRUE)
  )
  d$y <- factor(ifelse(stats::runif(n) < ifelse(d$x > 0 | d$size == "S", 0.9, 0.1), "yes", "no"))
  d$x[sample.int(n, 8)] <- NA
  d$size[sample.int(n, 8)] <- NA
  d
}

# Where a machine has no time zone, loading caret warns of it.
skip_without_caret <- function() suppressWarnings(skip_if_not_installed("caret"))

train_caret <- function(..., number = 3) {
  set.seed(1)
  caret::train(
    ..., method = sbrl_caret(), iters = 200, nchain = 2, progress = FALSE,
    trControl = caret::trainControl(method = "cv", number = number, classProbs = TRUE)
  )
}

test_that("caret::train() fits, tunes and predicts", {
  skip_without_caret()
  d <- caret_data()
  grid <- expand.grid(lambda = c(2, 6), eta = 1, rule_maxlen = 1:2, minsupport = 0.1)
  trained <- train_caret(d[1:3], d$y, tuneGrid = grid)
  expect_identical(nrow(trained$results), 4L)
  expect_gt(max(trained$results$Accuracy), 0.7)
  expect_false(anyNA(trained$results))
  expect_s3_class(trained$finalModel, "sbrl")
  direct <- predict(trained$finalModel, d, type = "matrix")
  probs <- predict(trained, d[1:3], type = "prob", na.action = stats::na.pass)
  expect_equal(as.matrix(probs), direct, ignore_attr = TRUE)
  predicted <- predict(trained, d[1:3], na.action = stats::na.pass)
  expect_identical(levels(predicted), levels(d$y))
  expect_identical(as.character(predicted), as.character(predict(trained$finalModel, d, type = "class")))
  expect_true(all(caret::predictors(trained) %in% names(d)))
})

test_that("caret's own grids, weights, formulas and three classes work", {
  skip_without_caret()
  three <- train_caret(iris[1:4], iris$Species, tuneLength = 2)
  expect_gt(max(three$results$Accuracy), 0.8)
  expect_identical(colnames(predict(three, iris, type = "prob")), levels(iris$Species))
  d <- caret_data()
  grid <- data.frame(lambda = 3, eta = 1, rule_maxlen = 1, minsupport = 0.1)
  # Not through `...`, in which caret does not find weights.
  weighted <- caret::train(
    y ~ ., data = d, na.action = stats::na.pass, weights = rep_len(1:3, 150), method = sbrl_caret(), tuneGrid = grid,
    iters = 200, nchain = 2, progress = FALSE, trControl = caret::trainControl(method = "cv", number = 2)
  )
  expect_equal(nobs(weighted$finalModel), sum(rep_len(1:3, 150)))
  expect_match(weighted$finalModel$featurenames, "sizeS", all = FALSE)
})

test_that("the grids are settings that sbrl() takes, simplest first", {
  model <- sbrl_caret()
  set.seed(1)
  for (search in c("grid", "random")) {
    grid <- model$grid(iris[1:4], iris$Species, len = 3, search = search)
    expect_setequal(names(grid), model$parameters$parameter)
    for (i in seq_len(nrow(grid))) {
      expect_no_error(sbrl:::check_setting(as.list(grid[i, ])))
    }
    expect_false(is.unsorted(model$sort(grid)$rule_maxlen))
  }
  expect_identical(nrow(model$grid(iris[1:4], iris$Species, len = 1)), 1L)
})

test_that("a feature may be called label", {
  d <- data.frame(label = rep(c("a", "b"), 20), label.1 = 1:40)
  fit <- sbrl_caret()$fit(d, factor(d$label), NULL, data.frame(lambda = 3, eta = 1, rule_maxlen = 1, minsupport = 0.1),
                          c("a", "b"), TRUE, TRUE, iters = 50, nchain = 1, progress = FALSE)
  expect_true(all(c("label", "label.1") %in% vapply(fit$features, \(feature) feature$name, "")))
})

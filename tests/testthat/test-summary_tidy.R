# tidy(), glance(), augment() and the methods of stats.

test_that("logLik() is that of the predictions on the training data", {
  d <- two_factor_data(300)
  model <- quick_fit(d)
  ll <- logLik(model)
  expect_equal(as.double(ll), -300 * sbrl_performance(model, d)$log_loss)
  expect_equal(attr(ll, "df"), nrow(model$rs))
  expect_equal(nobs(model), 300)
  expect_equal(AIC(model), -2 * as.double(ll) + 2 * nrow(model$rs))
  expect_equal(BIC(model), -2 * as.double(ll) + log(300) * nrow(model$rs))
})

test_that("logLik() counts classes and weights", {
  iris3 <- quick_fit(iris, label = "Species")
  expect_equal(attr(logLik(iris3), "df"), 2 * nrow(iris3$rs))
  counts <- as.data.frame(Titanic)
  model <- quick_fit(counts[1:4], label = "Survived", weights = counts$Freq)
  expect_equal(nobs(model), 2201)
  expect_equal(
    as.double(logLik(model)), -2201 * sbrl_performance(model, counts, weights = counts$Freq)$log_loss
  )
})

test_that("fitted() needs the rows and gives their probabilities", {
  d <- two_factor_data(50)
  model <- quick_fit(d)
  expect_identical(fitted(model, d), predict(model, d, type = "matrix"))
  expect_error(fitted(model), "keeps no training rows", class = "sbrl_error_argument")
  expect_error(fitted(model, 1), class = "sbrl_error_argument")
})

test_that("as.data.frame() gives the rules", {
  model <- quick_fit(two_factor_data())
  expect_identical(as.data.frame(model), rules(model))
  expect_identical(as.data.frame(model, level = 0.5), rules(model, level = 0.5))
})

test_that("tidy() of two classes has one row per rule", {
  skip_if_not_installed("generics")
  model <- quick_fit(two_factor_data())
  tidied <- generics::tidy(model, conf.int = TRUE, conf.level = 0.9)
  expected <- rules(model, level = 0.9)
  expect_equal(tidied$position, expected$position)
  expect_equal(tidied$term, expected$antecedent)
  expect_equal(unique(tidied$class), "1")
  expect_equal(tidied$estimate, expected$prob)
  expect_equal(tidied$conf.low, expected$lower)
  expect_equal(tidied$conf.high, expected$upper)
  expect_equal(tidied$n, expected$n)
  a <- model$counts[, 2] + 1
  b <- model$counts[, 1] + 1
  captured <- rowSums(model$counts) > 0
  expect_equal(tidied$std.error[captured], sqrt(a * b / ((a + b)^2 * (a + b + 1)))[captured])
  expect_named(generics::tidy(model), c("position", "term", "class", "estimate", "std.error", "n"))
})

test_that("tidy() of three classes has one row per rule and class", {
  skip_if_not_installed("generics")
  model <- quick_fit(iris, label = "Species")
  tidied <- generics::tidy(model, conf.int = TRUE)
  expect_equal(nrow(tidied), 3 * nrow(model$rs))
  expect_equal(matrix(tidied$estimate, ncol = 3, byrow = TRUE), unname(model$probs))
  expect_equal(tidied$class, rep(model$classes, nrow(model$rs)))
  expect_true(all(tidied$conf.low < tidied$estimate & tidied$estimate < tidied$conf.high))
})

test_that("glance() is one row", {
  skip_if_not_installed("generics")
  model <- quick_fit(two_factor_data())
  glanced <- generics::glance(model)
  expect_identical(nrow(glanced), 1L)
  expect_equal(glanced$n_rules, nrow(model$rs) - 1)
  expect_equal(glanced$BIC, BIC(model))
  expect_equal(glanced$log_posterior, model$score[["log_posterior"]])
  expect_false(anyNA(glanced))
})

test_that("augment() adds predictions to any data", {
  skip_if_not_installed("generics")
  d <- two_factor_data(40)
  model <- quick_fit(d)
  augmented <- generics::augment(model, d)
  expect_equal(as.list(augmented)[names(d)], as.list(d))
  expect_equal(augmented$.pred_1, predict(model, d)$V2)
  expect_equal(augmented$.pred_0, predict(model, d)$V1)
  expect_identical(augmented$.pred_class, predict(model, d, type = "class"))
  expect_identical(augmented$.rule, predict(model, d, type = "rule"))
  expect_identical(generics::augment(model, newdata = d), augmented)
  expect_identical(nrow(generics::augment(model, d[0, ])), 0L)
  expect_identical(generics::augment(model, augmented), augmented)
  d$label <- ifelse(d$label == 1, "class", "other")
  expect_error(generics::augment(quick_fit(d), d), "two meanings", class = "sbrl_error_label")
  expect_error(generics::augment(model), "keeps no training rows", class = "sbrl_error_argument")
  expect_error(generics::augment(model, d, d), class = "sbrl_error_argument")
})

test_that("broom's functions find the methods", {
  skip_if_not_installed("generics")
  skip_if_not_built()
  lines <- fresh_r(c(
    "model <- sbrl(tictactoe, iters = 200, nchain = 1, seed = 1)",
    "stopifnot(!isNamespaceLoaded('generics'))",
    "cat('rows:', nrow(generics::tidy(model)) == nrow(model$rs), '\\n')"
  ))
  expect_match(lines, "rows: TRUE", all = FALSE)
})

test_that("models of sbrl 1.4 and unknown arguments are refused", {
  legacy <- structure(
    list(rs = data.frame(V1 = 0L, V2 = 0.5), rulenames = "{a=u}", featurenames = "a=u", mat_feature_rule = matrix(1)),
    class = "sbrl"
  )
  expect_error(logLik(legacy), "1.4", class = "sbrl_error_model")
  expect_error(nobs(legacy), class = "sbrl_error_model")
  expect_error(logLik(quick_fit(two_factor_data()), REML = TRUE), class = "sbrl_error_argument")
})

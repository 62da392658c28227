# coef(), residuals() and anova().

test_that("coef() gives probabilities or log odds by rule", {
  model <- quick_fit(two_factor_data(), rule_maxlen = 2)
  expect_identical(coef(model), stats::setNames(model$rs$V2, rules(model)$antecedent))
  expect_equal(coef(model, "log_odds"), stats::qlogis(coef(model)))
  many <- quick_fit(iris, label = "Species")
  expect_identical(unname(coef(many)), unname(many$probs))
  expect_identical(dimnames(coef(many)), list(rules(many)$antecedent, levels(iris$Species)))
  expect_error(coef(model, "odds"), "`type`", class = "sbrl_error_argument")
})

test_that("residuals() of two classes are those of a binomial model", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  p <- predict(model, d)$V2
  expect_equal(residuals(model, d), d$label - p)
  expect_equal(residuals(model, d, "pearson"), (d$label - p) / sqrt(p * (1 - p)))
  deviance <- residuals(model, d, "deviance")
  expect_identical(sign(deviance), sign(d$label - p))
  expect_equal(sum(deviance^2), -2 * as.double(logLik(model)))
  d$label[3] <- NA
  expect_identical(which(is.na(residuals(model, d))), 3L)
  expect_identical(which(is.na(residuals(model, d, "deviance"))), 3L)
  expect_error(residuals(model), "keeps no training rows", class = "sbrl_error_argument")
  expect_error(residuals(model, d["label"]), class = "sbrl_error_column")
  expect_error(residuals(model, d, "working"), "`type`", class = "sbrl_error_argument")
})

test_that("residuals() of more classes have a column for each", {
  model <- quick_fit(iris, label = "Species")
  truth <- outer(as.character(iris$Species), levels(iris$Species), `==`)
  expect_equal(unname(residuals(model, iris)), unname(truth - predict(model, iris, type = "matrix")))
  expect_identical(colnames(residuals(model, iris, "pearson")), levels(iris$Species))
  expect_equal(sum(residuals(model, iris, "deviance")^2), -2 * as.double(logLik(model)))
})

test_that("anova() says what to use instead", {
  expect_error(anova(quick_fit(two_factor_data())), "sbrl_score", class = "sbrl_error_argument")
})

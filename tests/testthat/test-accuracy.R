# Raw data, no preparation: one fold of what dev/bench/accuracy.R measures in full. Skipped where there are no data.

held_out_auc <- function(d, ...) {
  set.seed(1)
  test <- sample(nrow(d), nrow(d) %/% 5)
  model <- sbrl(label ~ ., data = d[-test, ], rule_maxlen = 2, seed = 1, progress = FALSE, ...)
  list(auc = sbrl_performance(model, d[test, ])$auc, n_rules = nrow(model$rs) - 1L)
}

test_that("telco as read.csv() gives it", {
  skip_on_cran()
  result <- held_out_auc(benchmark_data("telco_raw", as_factors = FALSE))
  expect_gt(result$auc, 0.81)
  expect_lte(result$n_rules, 25)
})

test_that("adult as read.csv() gives it", {
  skip_on_cran()
  result <- held_out_auc(benchmark_data("adult_raw", as_factors = FALSE))
  expect_gt(result$auc, 0.89)
  expect_lte(result$n_rules, 32)
})

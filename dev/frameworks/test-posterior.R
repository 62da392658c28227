# posterior, loo and rstantools on draws of rule lists, also in Debian, and vip's importances of a posterior.
d <- transform(tictactoe[1:300, ], label = factor(label))
model <- sbrl(label ~ ., data = d, iters = 500, nchain = 2, seed = 1, progress = FALSE)
draws <- suppressWarnings(sbrl_posterior(model, d, draws = 200, seed = 1, progress = FALSE))

test_that("posterior, loo and rstantools take the draws", {
  tested_with("posterior", "loo", "rstantools")
  table <- posterior::as_draws_df(draws)
  expect_true(all(c("log_posterior", "length") %in% names(table)))
  expect_true(all(is.finite(posterior::summarise_draws(table)$rhat)))
  expect_identical(dim(rstantools::posterior_epred(draws, newdata = d[1:3, ]))[2], 3L)
  expect_s3_class(suppressWarnings(loo::loo(draws, data = d)), "loo")
})

test_that("vip reports the inclusion of features", {
  tested_with("vip")
  expect_true(all(vip::vi(draws)$Variable %in% names(d)))
})

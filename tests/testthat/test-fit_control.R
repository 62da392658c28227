test_that("rarely used arguments may come in `control` or by name, but not both", {
  fit <- function(...) sbrl(tictactoe, rule_maxlen = 2, iters = 300, nchain = 1, seed = 1, progress = FALSE, ...)
  by_name <- fit(target_rules = 60, simplify = FALSE)
  in_control <- fit(control = sbrl_control(target_rules = 60, simplify = FALSE))
  same <- setdiff(names(by_name), c("call", "timing"))
  expect_identical(unclass(in_control)[same], unclass(by_name)[same])
  expect_lte(length(in_control$rulenames), 60)
  expect_identical(fit(simplify = FALSE, control = sbrl_control(target_rules = 60))$rs, by_name$rs)
  expect_error(
    fit(target_rules = 60, control = sbrl_control(target_rules = 50)), "`target_rules` must be given once",
    class = "sbrl_error_argument"
  )
  expect_error(fit(control = list(target_rules = 60)), "`control` must be what", class = "sbrl_error_argument")
  expect_error(fit(target_rule = 60), "Did you mean `target_rules`", class = "sbrl_error_argument")
})

test_that("cross-validation and bags take `control` too", {
  data <- tictactoe[seq(1, 958, 4), ]
  few <- sbrl_control(max_rules = 5)
  expect_error(suppressWarnings(sbrl_bag(data, times = 2, control = few, progress = FALSE)), "candidates")
  cv <- cv_sbrl(data, lambda = 3, rule_maxlen = 1, folds = 2, iters = 100, nchain = 1, seed = 1, progress = FALSE,
                control = sbrl_control(max_rules = 500))
  expect_identical(cv$arguments$max_rules, 500)
  expect_s3_class(refit(cv, control = sbrl_control(max_rules = 400)), "sbrl")
})

test_that("a number of candidates in `control` replaces the formula's support, too", {
  fit <- function(...) {
    sbrl(label ~ ., tictactoe, iters = 300, nchain = 1, seed = 1, progress = FALSE, ...)
  }
  expect_identical(fit(control = sbrl_control(target_rules = 60))$rulenames, fit(target_rules = 60)$rulenames)
})

test_that("what is wrong with a rarely used argument is found when it is given", {
  expect_error(sbrl_control(simplifi = TRUE), "`simplifi`. Did you mean `simplify`", class = "sbrl_error_argument")
  expect_error(sbrl_control(1, 1, TRUE, FALSE, 0, NULL, 7), "1 argument too many", class = "sbrl_error_argument")
  expect_error(sbrl_control(max_rules = -1), "`max_rules`", class = "sbrl_error_argument")
  expect_error(sbrl_control(target_rules = "many"), "`target_rules`", class = "sbrl_error_argument")
  expect_error(sbrl_control(cut_sample = 3), "`cut_sample`", class = "sbrl_error_argument")
  expect_output(print(sbrl_control(target_rules = 60)), "target_rules = 60")
})

test_that("rules() has one row per rule, default rule last", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  table <- rules(model)
  m <- nrow(model$rs) - 1L
  expect_named(table, c("position", "antecedent", "length", "n", "n_0", "n_1", "prob", "lower", "upper", "coverage"))
  expect_identical(table$position, c(seq_len(m), 0L))
  expect_identical(table$antecedent, c(model$rulenames[model$rs$V1], "(default rule)"))
  expect_identical(table$prob, model$rs$V2)
  expect_identical(table$n, table$n_0 + table$n_1)
  expect_identical(table$coverage[m + 1L], 1)
  expect_identical(sum(table$n), 400)
  expect_true(all(table$lower < table$prob & table$prob < table$upper))
  wide <- rules(model, level = 0.99)
  expect_true(all(wide$lower < table$lower & wide$upper > table$upper))
})

test_that("class names of any kind become column names", {
  d <- transform(two_factor_data(), label = c("not at all", "n=,\"")[label + 1L])
  expect_identical(names(rules(quick_fit(d)))[5:6], c("n_n=,\"", "n_not at all"))
})

test_that("rules() checks its arguments", {
  model <- quick_fit(two_factor_data())
  for (level in list(0, 1, -1, NA, "a", NULL, c(0.5, 0.9))) {
    expect_error(rules(model, level = level), class = "sbrl_error_argument")
  }
  expect_error(rules(model, lvl = 0.5), class = "sbrl_error_argument")
})

# The bound on the length of the best list.

test_that("the paper's example comes out", {
  expect_identical(sbrl_max_length(c(100, 100), n_items = 10, lambda = 3)[["paper"]], 36)
  expect_identical(sbrl_max_length(c(50, 50), n_items = 10, lambda = 3)[["paper"]], 24)
  expect_identical(sbrl_max_length(c(50, 50), n_items = 10, lambda = 3)[["pool"]], NA_real_)
})

test_that("a model gives both forms, and its own list is within them", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  bound <- sbrl_max_length(model)
  expect_named(bound, c("paper", "pool"))
  expect_true(all(bound >= nrow(model$rs) - 1L))
  by_hand <- sbrl_max_length(c(332, 626), n_items = 27, lambda = 10, pool = c(27, 224, 140))
  expect_identical(bound, by_hand)
})

test_that("no list is longer than its pool", {
  expect_lte(sbrl_max_length(c(5000, 5000), n_items = 3, lambda = 10, pool = c(3, 1))[["pool"]], 4)
  expect_lte(sbrl_max_length(c(5000, 5000), n_items = 3, lambda = 10)[["paper"]], 7)
})

test_that("bad arguments are named", {
  bad <- list(
    list(x = 10, n_items = 3), list(x = c(1, NA), n_items = 3), list(x = "a", n_items = 3),
    list(x = c(5, -1), n_items = 3),
    list(x = c(5, 5), n_items = -1), list(x = c(5, 5), n_items = 2.5), list(x = c(5, 5), n_items = 3, lambda = 0),
    list(x = c(5, 5), n_items = 3, alpha = 0), list(x = c(5, 5), n_items = 3, alpha = c(1, 1, 1)),
    list(x = c(5, 5), n_items = 3, pool = -1), list(x = c(5, 5), n_items = 3, extra = 1)
  )
  for (args in bad) {
    expect_error(do.call(sbrl_max_length, args), class = "sbrl_error_argument")
  }
})

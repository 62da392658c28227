test_that("tic-tac-toe has 391 candidates and its best list is found for every seed", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  expect_identical(tabulate(model$pool$lengths), c(27L, 224L, 140L))
  expect_length(model$rulenames, 391)
  for (seed in 1:20) {
    model <- sbrl(tictactoe, rule_maxlen = 3, seed = seed, progress = FALSE)
    expect_equal(round(model$score[["log_posterior"]], 4), -100.6965)
    expect_setequal(model$rulenames[model$rs$V1], x_wins)
  }
})

test_that("candidates are those of a brute-force search, in byte order", {
  d <- titanic()
  for (support in c(0, 0.05, 0.1, 0.5, 1)) {
    model <- suppressWarnings(quick_fit(d,
      label = "Survived", rule_maxlen = 3, minsupport_pos = support, minsupport_neg = support
    ))
    expect_identical(model$rulenames, naive_pool(d, "Survived", 3, support))
  }
})

test_that("support thresholds are exact at the boundary", {
  # 100 rows per class, so that n rows are a share of n / 100, which as a double is often a little too large.
  has_r <- function(n, support) {
    d <- data.frame(a = rep(rep(c("r", "s"), 2), c(n, 100 - n, n, 100 - n)), label = rep(0:1, each = 100))
    model <- suppressWarnings(quick_fit(d, iters = 10, nchain = 1, minsupport_pos = support, minsupport_neg = support))
    "{a=r}" %in% model$rulenames
  }
  for (n in 1:99) {
    expect_true(has_r(n, n / 100))
    expect_false(has_r(n, (n + 1) / 100))
  }
})

test_that("the fitted model is sound on several data sets and settings", {
  cases <- list(
    list(tictactoe, rule_maxlen = 3), list(two_factor_data(), rule_maxlen = 2),
    list(two_factor_data(30), rule_maxlen = 2, lambda = 1),
    list(titanic(), label = "Survived", rule_maxlen = 3), list(two_factor_data(), rule_minlen = 2, rule_maxlen = 2),
    list(two_factor_data(), alpha = c(0.5, 3), lambda = 5000, eta = 40), list(two_factor_data(), rule_maxlen = 11)
  )
  for (args in cases) {
    expect_sound(do.call(quick_fit, args), args[[1]])
  }
})

test_that("threads and memory stress do not change the result", {
  fit <- function(threads) without_clock(quick_fit(tictactoe, rule_maxlen = 3, nchain = 7, threads = threads))
  one <- fit(1)
  expect_identical(fit(2), one)
  expect_identical(fit(7), one)
  small <- function() without_clock(quick_fit(two_factor_data(60), iters = 50, rule_maxlen = 2))
  calm <- small()
  gctorture2(step = 200)
  on.exit(gctorture2(step = 0))
  stressed <- small()
  gctorture2(step = 0)
  expect_identical(stressed, calm)
})

test_that("the locale's sorting order does not matter", {
  old <- Sys.getlocale("LC_COLLATE")
  on.exit(Sys.setlocale("LC_COLLATE", old))
  locales <- c("en_US.UTF-8", "de_DE.UTF-8", "en_GB.UTF-8", "C.UTF-8", "C.utf8")
  found <- Find(\(name) nzchar(suppressWarnings(Sys.setlocale("LC_COLLATE", name))), locales)
  skip_if(is.null(found), "no UTF-8 locale")
  d <- two_factor_data()
  d$a <- c("B", "a", "\u00e9")[d$a]
  d$b <- c("_x", "X")[d$b]
  Sys.setlocale("LC_COLLATE", found)
  here <- without_clock(quick_fit(d, rule_maxlen = 2))
  Sys.setlocale("LC_COLLATE", "C")
  expect_identical(without_clock(quick_fit(d, rule_maxlen = 2)), here)
  expect_identical(here$featurenames, sort(here$featurenames, method = "radix"))
})

test_that("set.seed() governs, and R's generator advances by one draw", {
  fit <- function() without_clock(sbrl(tictactoe, iters = 200, rule_maxlen = 3, nchain = 2, progress = FALSE))
  set.seed(5)
  first <- fit()
  after <- stats::runif(1)
  set.seed(5)
  expect_identical(fit(), first)
  set.seed(5)
  stats::runif(1)
  expect_identical(stats::runif(1), after)
  set.seed(6)
  expect_false(identical(fit()$trace, first$trace))

  d <- two_factor_data()
  set.seed(5)
  quick_fit(d, seed = 99)
  set_by_seed <- stats::runif(1)
  set.seed(5)
  expect_identical(stats::runif(1), set_by_seed)
  expect_identical(quick_fit(d, seed = 99)$seed, 99)
  expect_false(identical(quick_fit(two_factor_data(), seed = 1)$trace, quick_fit(two_factor_data(), seed = 2)$trace))
})

test_that("target_rules picks a support on the one per cent grid", {
  model <- quick_fit(tictactoe, rule_maxlen = 3, target_rules = 100)
  expect_lte(length(model$rulenames), 100)
  support <- unique(unname(model$settings$minsupport))
  expect_length(support, 1)
  expect_equal(100 * support, round(100 * support))
  looser <- quick_fit(tictactoe, rule_maxlen = 3, minsupport_pos = support - 0.01, minsupport_neg = support - 0.01)
  expect_gt(length(looser$rulenames), 100)
})

test_that("too many candidates stop with advice", {
  expect_error(quick_fit(tictactoe, rule_maxlen = 3, max_rules = 100), class = "sbrl_error_max_rules")
  expect_length(quick_fit(tictactoe, rule_maxlen = 3, max_rules = 391)$rulenames, 391)
})

test_that("tibbles and data tables work like data frames", {
  d <- two_factor_data()
  plain <- without_clock(quick_fit(d))
  tibble_like <- structure(d, class = c("tbl_df", "tbl", "data.frame"))
  expect_identical(without_clock(quick_fit(tibble_like)), plain)
  skip_if_not_installed("tibble")
  as_tibble <- getExportedValue("tibble", "as_tibble")
  expect_identical(without_clock(quick_fit(as_tibble(d))), plain)
  expect_identical(predict(quick_fit(d), as_tibble(d)), predict(quick_fit(d), d))
})

test_that("a wrapper's own default sign counts as given", {
  d <- transform(two_factor_data(), label = ifelse(label == 1, "ok", "zz"))
  wrapper <- function(tdata, pos = "ok") sbrl(tdata, iters = 100, pos_sign = pos, seed = 1, progress = FALSE)
  expect_identical(wrapper(d)$classes, c("zz", "ok"))
})

test_that("the call is kept, the data are not", {
  d <- two_factor_data()
  model <- quick_fit(d)
  by_value <- do.call(sbrl, list(d, iters = 100, nchain = 1, progress = FALSE))
  expect_lt(as.numeric(utils::object.size(by_value$call)), 5000)
  expect_identical(by_value$call[[1]], quote(sbrl))
  expect_lt(length(serialize(model, NULL)), length(serialize(quick_fit(two_factor_data(100)), NULL)) * 2)
})

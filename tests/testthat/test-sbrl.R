# Fitting: settings, methods, limits, seeds and threads.

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

test_that("method = \"map\" finds the best list of tic-tac-toe from every seed", {
  for (seed in 1:5) {
    model <- sbrl(tictactoe, rule_maxlen = 3, method = "map", seed = seed, progress = FALSE)
    expect_equal(model$score[["log_posterior"]], -100.6965, tolerance = 1e-6)
  }
  expect_identical(model$settings$method, "map")
  expect_identical(sum(model$chains$iterations), 300000)
  expect_output(print(summary(model)), "10 chains, 15,000 iterations", fixed = TRUE)
  expect_output(print(summary(model)), "5 annealing runs, 285,000 iterations", fixed = TRUE)
})

test_that("method = \"map\" gives the same list on any number of threads", {
  fits <- lapply(1:3, \(threads) quick_fit(two_factor_data(300), method = "map", threads = threads, seed = 2))
  expect_identical(fits[[2]]$rs, fits[[1]]$rs)
  expect_identical(fits[[3]]$rs, fits[[1]]$rs)
})

test_that("no list is longer than max_length, and summary() says when it is as long", {
  for (method in c("mcmc", "map")) {
    short <- sbrl(tictactoe, rule_maxlen = 3, method = method, max_length = 3, iters = 3000, nchain = 2, seed = 1,
                  progress = FALSE)
    expect_identical(nrow(short$rs), 4L)
    expect_lte(max(short$trace$length), 3)
    expect_output(print(summary(short)), "as long as `max_length` allows", fixed = TRUE)
  }
  long <- sbrl(tictactoe, rule_maxlen = 3, max_length = Inf, iters = 3000, nchain = 2, seed = 1, progress = FALSE)
  expect_no_match(paste(capture.output(print(summary(long))), collapse = "\n"), "max_length")
})

test_that("method = \"map\" finds the best known lists of at most three to six rules", {
  # proved by branch and bound for three and four rules; the best of long runs for five and six
  best <- c(`3` = -483.246085, `4` = -417.504130, `5` = -280.1786, `6` = -257.0425)
  for (max_length in names(best)) {
    model <- sbrl(tictactoe, rule_maxlen = 3, method = "map", max_length = as.integer(max_length), seed = 2,
                  progress = FALSE)
    expect_equal(model$score[["log_posterior"]], best[[max_length]], tolerance = 1e-6)
  }
})

test_that("method and max_length survive JSON, and files from before have none of them", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  model <- quick_fit(two_factor_data(), method = "map", max_length = 7)
  sbrl_write_json(model, file)
  expect_identical(sbrl_read_json(file)$settings[c("method", "max_length")], list(method = "map", max_length = 7))
  text <- paste(readLines(file), collapse = "\n")
  text <- sub("\"max_length\":[^,}]*,", "", sub("\"map\":[^,}]*,", "", text))
  expect_no_match(text, "max_length|\"map\"")
  text <- sub("\"format_version\": [0-9]+", "\"format_version\": 1", text)
  writeLines(text, file)
  expect_identical(sbrl_read_json(file)$settings[c("method", "max_length")], list(method = "mcmc", max_length = Inf))
})

test_that("lambda = \"auto\" is a fit with 5, then one with the length found", {
  auto <- quick_fit(tictactoe, rule_maxlen = 3, lambda = "auto", iters = 3000)
  first <- quick_fit(tictactoe, rule_maxlen = 3, lambda = 5, iters = 3000)
  second <- quick_fit(tictactoe, rule_maxlen = 3, lambda = nrow(first$rs) - 1, iters = 3000)
  expect_identical(auto$settings$lambda_first, 5)
  expect_equal(auto$settings$lambda, nrow(first$rs) - 1)
  expect_identical(second$settings$lambda_first, NA_real_)
  auto$settings$lambda_first <- NA_real_
  expect_identical(without_clock(auto), without_clock(second))
  expect_sound(auto, tictactoe)
})

test_that("lambda = \"auto\" is 1 at least", {
  empty <- function(lambda) suppressWarnings(quick_fit(two_factor_data(), lambda = lambda, minsupport = 1))
  expect_identical(nrow(empty(5)$rs), 1L)
  expect_identical(empty("auto")$settings$lambda, 1)
})

test_that("lambda = \"auto\" draws one number from R's generator", {
  d <- two_factor_data()
  set.seed(3)
  model <- quick_fit(d, lambda = "auto", seed = NULL)
  after <- stats::runif(1)
  set.seed(3)
  expect_identical(model$seed, floor(stats::runif(1) * 2^31))
  expect_identical(stats::runif(1), after)
})

test_that("summary() and JSON keep both", {
  model <- quick_fit(two_factor_data(), lambda = "auto")
  expect_match(
    capture.output(print(summary(model))), "lambda [0-9]+ \\(auto: the length found with lambda 5\\)",
    all = FALSE
  )
  expect_no_match(capture.output(print(summary(quick_fit(two_factor_data())))), "auto")
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  again <- sbrl_read_json(file)
  expect_identical(again$settings, model$settings)
  # a file of before
  text <- sub("\"lambda_first\":[^,}]*,", "", paste(readLines(file), collapse = "\n"))
  expect_no_match(text, "lambda_first")
  text <- sub("\"format_version\": [0-9]+", "\"format_version\": 1", text)
  writeLines(text, file)
  expect_identical(sbrl_read_json(file)$settings$lambda_first, NA_real_)
})

test_that("both fits share the time limit", {
  # Neither fit could finish its iterations, so each must have had a limit of its own.
  model <- suppressMessages(
    quick_fit(tictactoe, rule_maxlen = 3, lambda = "auto", iters = 1e9, time_limit = 0.8)
  )
  expect_true(model$stopped_early)
  expect_lt(sum(model$chains$iterations), 2e9)
  expect_false(is.na(model$settings$lambda_first))
  expect_sound(model, tictactoe)
})

test_that("a formula takes lambda = \"auto\" too", {
  d <- two_factor_data()
  by_formula <- quick_fit(label ~ a + b, data = d, lambda = "auto")
  by_frame <- quick_fit(d, lambda = "auto", rule_maxlen = 2, minsupport = 0.05)
  expect_identical(by_formula$settings$lambda, by_frame$settings$lambda)
  # equal, but the order of the rules may differ
  expect_equal(predict(by_formula, d), predict(by_frame, d))
})

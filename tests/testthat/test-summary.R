# Exactly one candidate, {a=u,b=p}, so that the list does not depend on the search.
one_candidate <- function() {
  d <- data.frame(a = rep(c("u", "v", "w"), c(60, 20, 20)), b = rep(c("p", "q"), c(60, 40)), day = "Monday")
  d$label <- as.integer(seq_len(100) <= 55 | seq_len(100) > 95)
  quick_fit(d, rule_minlen = 2, rule_maxlen = 2, minsupport_pos = 0.9, minsupport_neg = 0.9)
}

mask_seconds <- function(lines) {
  sub("(seconds: ).*", "\\1<binarise, mine, search>", sub("accepted: .*", "accepted: <rates>", lines))
}

test_that("summary() prints a page", {
  expect_snapshot(summary(one_candidate()), transform = mask_seconds)
  expect_snapshot(
    summary(suppressWarnings(quick_fit(two_factor_data(), minsupport_pos = 1, minsupport_neg = 1))),
    transform = mask_seconds
  )
})

test_that("its parts are right", {
  model <- quick_fit(tictactoe, rule_maxlen = 3, nchain = 3)
  parts <- summary(model, level = 0.9)
  expect_identical(parts$rules, rules(model, level = 0.9))
  expect_identical(parts$score, model$score)
  expect_identical(parts$candidates$by_length, c("1" = 27L, "2" = 224L, "3" = 140L))
  expect_identical(parts$search$n_chains, 3L)
  expect_true(parts$search$n_agreeing %in% 1:3)
  expect_gte(parts$search$gain_of_polish, -1e-9)
  expect_identical(parts$data$class_counts, c("0" = 332, "1" = 626))
})

test_that("candidates with the same cover are counted", {
  d <- transform(two_factor_data(), twin = a)
  expect_identical(summary(quick_fit(d))$candidates$n_repeated, 3L)
  expect_identical(summary(quick_fit(two_factor_data()))$candidates$n_repeated, 0L)
})

test_that("a fit that was stopped says so", {
  model <- sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = 0.5, seed = 1, progress = FALSE)
  expect_output(print(summary(model)), "stopped early")
})

test_that("a fit stopped before its first iteration says that nothing was searched", {
  model <- stopped_at_once()
  expect_output(print(summary(model)), "Search: none\n *stopped early by the time limit, .* nothing was searched")
  expect_identical(
    format(model)[nrow(model$rs) + 2L],
    "The fit was stopped early by the time limit, before the first iteration: nothing was searched."
  )
  searched <- quick_fit(tictactoe, rule_maxlen = 3, iters = 3)
  expect_length(format(searched), nrow(searched$rs) + 1L)
})

test_that("a decimal comma disturbs nothing", {
  old <- options(OutDec = ",", warn = 2)
  on.exit(options(old))
  expect_output(print(summary(quick_fit(two_factor_data()))), "Bayesian rule list")
})

test_that("candidates that cover the same rows are counted", {
  d <- two_factor_data()
  d$again <- d$b
  expect_match(paste(capture.output(summary(quick_fit(d))), collapse = "\n"), "2 cover the same rows as another")
})

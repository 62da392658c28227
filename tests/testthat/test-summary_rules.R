# rules(): the list as a data frame.

test_that("rules() has one row per rule, default rule last", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  table <- rules(model)
  m <- nrow(model$rs) - 1L
  expect_named(table, c(
    "position", "rule", "antecedent", "length", "n", "n_0", "n_1", "prob", "lower", "upper", "thin", "share",
    "cumulative_share"
  ))
  expect_identical(table$position, c(seq_len(m), 0L))
  expect_identical(table$antecedent, c(model$rulenames[model$rs$V1], "(default rule)"))
  expect_identical(table$prob, model$rs$V2)
  expect_identical(table$n, table$n_0 + table$n_1)
  expect_identical(table$cumulative_share[m + 1L], 1)
  expect_equal(table$share, table$n / 400)
  expect_identical(sum(table$n), 400)
  expect_true(all(table$lower < table$prob & table$prob < table$upper))
  wide <- rules(model, level = 0.99)
  expect_true(all(wide$lower < table$lower & wide$upper > table$upper))
})

test_that("class names of any kind become column names", {
  d <- transform(two_factor_data(), label = c("not at all", "n=,\"")[label + 1L])
  expect_identical(names(rules(quick_fit(d)))[6:7], c("n_n=,\"", "n_not at all"))
})

test_that("rules() prints one line per rule at 80 columns, and cuts what does not fit", {
  d <- two_factor_data()
  d$a <- factor(d$a, labels = c(strrep("long ", 40), "v", "w"))
  model <- quick_fit(d, rule_maxlen = 2)
  expect_gt(nrow(model$rs), 2)
  lines <- at_80_columns(capture.output(print(rules(model))))
  expect_true(all(nchar(lines) <= 80))
  expect_length(grep("^( *[0-9]+[.]| +[(]default)", lines), nrow(model$rs))
  expect_identical(capture.output(summary(model))[grep("^1[.]", capture.output(summary(model)))], lines[2])
  expect_output(print(rules(model)["n"]), "n")
  expect_s3_class(as.data.frame(rules(model)), "data.frame", exact = TRUE)
})

test_that("a rule is thin if it captured few rows or if its interval is wide", {
  d <- data.frame(x = rep(c("a", "b", "c"), c(29, 30, 941)))
  d$label <- c(rep(1, 29), rep(0:1, c(15, 15)), rep(0:1, c(900, 41)))
  table <- rules(quick_fit(d, minsupport = 0, iters = 3000))
  expect_identical(nrow(table), 4L)
  expect_true(!any(table$thin[table$n >= 100]))
  wide <- table$upper - table$lower > 0.3
  expect_identical(table$thin, unname(table$n < 30 | wide))
  expect_output(print(table), "thin evidence", fixed = TRUE)
})

test_that("rules() checks its arguments", {
  model <- quick_fit(two_factor_data())
  for (level in list(0, 1, -1, NA, "a", NULL, c(0.5, 0.9))) {
    expect_error(rules(model, level = level), class = "sbrl_error_argument")
  }
  expect_error(rules(model, lvl = 0.5), class = "sbrl_error_argument")
})

# Which rules have little evidence.

test_that("a rule is thin if it captured few rows or its interval is wide", {
  d <- data.frame(a = rep(c("x", "y"), c(29, 471)), label = rep(c(1, 0, 1), c(29, 235, 236)))
  model <- quick_fit(d, minsupport = 0.01)
  thin <- sbrl:::thin_rules(model)
  table <- rules(model)
  expect_identical(thin, table$n < 30 | table$upper - table$lower > 0.3)
  expect_true(29 %in% table$n[thin])
  # 30 rows, half of them positive, have an interval of 0.34; at a lower level it is narrower.
  d <- data.frame(a = rep(c("x", "y"), c(30, 470)), label = c(rep(0:1, 15), rep(0, 470)))
  wide <- quick_fit(d, minsupport = 0.01)
  rule <- which(rowSums(wide$counts) == 30)
  expect_true(sbrl:::thin_rules(wide)[rule])
  expect_false(sbrl:::thin_rules(wide, level = 0.5)[rule])
  expect_match(sbrl:::thin_note(thin), "^[*] thin evidence: fewer than 30 rows")
  expect_null(sbrl:::thin_note(c(FALSE, FALSE)))
})

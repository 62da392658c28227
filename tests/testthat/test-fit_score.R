# Log prior, likelihood and posterior of any list.

test_that("the reference values of tic-tac-toe come out to four decimals", {
  # `expected`: log prior, log likelihood and log posterior, or the prefix bound alone.
  expect_reference <- function(rules, lambda, eta, alpha, expected) {
    model <- quick_fit(tictactoe, iters = 10, nchain = 1, rule_maxlen = 3, lambda = lambda, eta = eta, alpha = alpha)
    score <- sbrl_score(model, tictactoe, rules)
    score <- if (length(expected) == 3L) score[1:3] else score[["prefix_bound"]]
    expect_true(all(abs(score - expected) < 0.6e-4), label = paste(format(score, digits = 10), collapse = ", "))
  }
  expect_reference(character(), 10, 1, c(1, 1), c(-10, -621.4429, -631.4429))
  expect_reference(x_wins, 10, 1, c(1, 1), c(-59.93407, -40.78215, -100.71623))
  expect_reference(x_wins, 5, 1, c(1, 1), c(-60.47925, -40.78215, -101.2614))
  expect_reference(x_wins, 7.5, 1, c(1, 1), c(-59.73553, -40.78215, -100.5177))
  expect_reference(x_wins, 4, 2, c(2, 0.5), c(-53.93407, -74.86967, -128.8037))

  o_wins <- c("{c4=o,c5=o,c6=o}", "{c1=o,c4=o,c7=o}")
  expect_reference(c("{c8=o}", "{c6=o}"), 10, 1, c(1, 1), -389.1824)
  expect_reference(o_wins, 10, 1, c(1, 1), -35.78715)
  expect_reference(o_wins, 4, 2, c(2, 0.5), -33.01181)
})

test_that("scores of random lists equal the naive twin's", {
  cases <- list(
    list(data = tictactoe, label = "label", rule_maxlen = 2, lambda = 10, eta = 1, alpha = c(1, 1)),
    list(data = titanic(), label = "Survived", rule_maxlen = 3, lambda = 2.5, eta = 2, alpha = c(0.3, 1.7)),
    list(data = two_factor_data(), label = "label", rule_maxlen = 2, lambda = 1e-6, eta = 0.1, alpha = c(5, 0.01)),
    list(data = two_factor_data(60), label = "label", rule_maxlen = 1, lambda = 1e6, eta = 1e3, alpha = c(1, 1))
  )
  set.seed(7)
  for (case in cases) {
    model <- quick_fit(case$data,
      iters = 10, label = case$label, rule_maxlen = case$rule_maxlen, lambda = case$lambda,
      eta = case$eta, alpha = case$alpha, minsupport_pos = 0.02, minsupport_neg = 0.02
    )
    for (size in c(0:6, length(model$rulenames))) {
      chosen <- sample(length(model$rulenames), min(size, length(model$rulenames)))
      naive <- naive_score(model, case$data, chosen)
      expect_equal(sbrl_score(model, case$data, chosen)[1:3], naive, tolerance = 1e-10)
    }
  }
})

test_that("the prefix bound is never below the score of a completion", {
  model <- quick_fit(two_factor_data(), iters = 10, rule_maxlen = 2, lambda = 3.4, alpha = c(0.5, 2))
  n <- length(model$rulenames)
  set.seed(11)
  for (repetition in 1:50) {
    whole <- sample(n, sample(1:n, 1))
    completion <- sbrl_score(model, two_factor_data(), whole)[["log_posterior"]]
    for (k in 0:length(whole)) {
      expect_gte(sbrl_score(model, two_factor_data(), whole[seq_len(k)])[["prefix_bound"]], completion - 1e-9)
    }
  }
})

test_that("rules go by name or index, on any data with the label", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  chosen <- c(3L, 1L)
  expect_identical(sbrl_score(model, d, chosen), sbrl_score(model, d, model$rulenames[chosen]))
  expect_identical(sbrl_score(model, d, NULL), sbrl_score(model, d))
  other <- two_factor_data(100, seed = 3)
  expect_equal(sbrl_score(model, other, chosen)[1:3], naive_score(model, other, chosen))
  # Columns that no rule uses may be missing, rows without a label count for nothing.
  only_label <- d["label"]
  expect_identical(sbrl_score(model, only_label), sbrl_score(model, d))
  expect_warning(
    score <- sbrl_score(model, rbind(d, data.frame(a = "u", b = "p", label = NA)), chosen),
    class = "sbrl_warning_label"
  )
  expect_identical(score, sbrl_score(model, d, chosen))
})

test_that("rules are taken as rules() gives them, with the default rule at the end", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  expected <- c(model$score, sbrl_score(model, d, model$rs$V1)["prefix_bound"])
  expect_equal(sbrl_score(model, d, rules(model)$antecedent), expected)
  expect_equal(sbrl_score(model, d, model$rs$V1), expected)
  expect_identical(sbrl_score(model, d, "(default rule)"), sbrl_score(model, d))
  expect_error(sbrl_score(model, d, c("(default rule)", "{a=u}")), "default rule", class = "sbrl_error_argument")
})

test_that("the order of conditions does not matter", {
  d <- two_factor_data()
  names(d)[1:2] <- c("a", "b,c")
  levels(d$a) <- c("u", "v,b,c=p", "w,")
  model <- quick_fit(d, rule_maxlen = 2, minsupport = 0)
  both <- which(model$pool$lengths == 2L)
  expect_gt(length(both), 3)
  for (rule in both) {
    items <- model$items$name[model$pool$items[sum(model$pool$lengths[seq_len(rule - 1L)]) + 1:2]]
    given <- sprintf("{%s}", paste(rev(items), collapse = ","))
    if (given %in% c(model$rulenames[duplicated(model$rulenames)])) next
    expect_identical(sbrl:::resolve_rules(given, model), rule)
    expect_identical(sbrl_score(model, d, given), sbrl_score(model, d, rule))
  }
  expect_error(sbrl_score(model, d, "{b,c=p,b,c=p}"), "rulenames", class = "sbrl_error_argument")
  expect_error(sbrl_score(model, d, "{b,c=p,a=u,b,c=q}"), "rulenames", class = "sbrl_error_argument")
  expect_error(sbrl_score(model, d, strrep(",", 1e5)), "rulenames", class = "sbrl_error_argument")
  flipped <- c("{a=u,b,c=p}", "{b,c=p,a=u}")
  expect_error(sbrl_score(model, d, flipped), "more than once", class = "sbrl_error_argument")
})

test_that("the rows are `tdata` or `data`", {
  d <- two_factor_data()
  model <- quick_fit(d)
  expect_identical(sbrl_score(model, data = d, rules = 1), sbrl_score(model, d, 1))
  expect_error(sbrl_score(model, d, data = d), "one of the two", class = "sbrl_error_argument")
  expect_error(sbrl_score(model), "one of the two", class = "sbrl_error_argument")
  expect_error(sbrl_score(model, data = 1), "`data`", class = "sbrl_error_argument")
  expect_error(sbrl_score(model, data = d["a"]), "`data` has no label", class = "sbrl_error_label")
})

test_that("bad rules and labels are named", {
  d <- two_factor_data()
  model <- quick_fit(d)
  expect_error(sbrl_score(model, d, "{a=z}"), class = "sbrl_error_argument")
  expect_error(sbrl_score(model, d, c("{a=u}", "{a=u}")), class = "sbrl_error_argument")
  for (bad in list(c(0, 1), -1, 1.5, 99, NA, NaN, Inf, TRUE, list(-1), NA_character_)) {
    expect_error(sbrl_score(model, d, bad), class = "sbrl_error_argument")
  }
  expect_error(sbrl_score(model, d[c("a", "b")]), class = "sbrl_error_label")
  expect_error(sbrl_score(model, transform(d, label = label + 1)), class = "sbrl_error_label")
  expect_error(sbrl_score(model, d["label"], 1), class = "sbrl_error_column")
  expect_error(sbrl_score(model, "d"), class = "sbrl_error_argument")
  expect_error(sbrl_score(list(), d), class = "sbrl_error_argument")
  expect_condition_snapshot({
    sbrl_score(model, d, "{a=z}")
    sbrl_score(model, d, 99)
    sbrl_score(model, d, c(1, 1))
    sbrl_score(model, d[c("a", "b")])
    sbrl_score(model, transform(d, label = label + 1))
  })
})

# What version 1.4 got wrong: one test per row of the table, named by the row's input. R survives, the answer is right.

test_that("a column called `blood type`", {
  d <- two_factor_data()
  names(d)[1] <- "blood type"
  model <- quick_fit(d, rule_maxlen = 2)
  expect_sound(model, d)
  expect_true(all(c("{blood type=u}", "{blood type=u,b=p}") %in% model$rulenames))
})

test_that("a level `very high`", {
  d <- two_factor_data()
  levels(d$b)[1] <- "very high"
  model <- quick_fit(d, rule_maxlen = 2)
  expect_sound(model, d)
  expect_true(all(c("{b=very high}", "{a=u,b=very high}") %in% model$rulenames))
})

test_that("`cut(x, c(-Inf,-1,0,1,Inf))` (label `(1, Inf]`)", {
  set.seed(4)
  x <- stats::rnorm(300)
  d <- data.frame(x = cut(x, c(-Inf, -1, 0, 1, Inf)), label = as.integer(x + stats::rnorm(300) > 0))
  model <- quick_fit(d)
  expect_true("{x=(1, Inf]}" %in% model$rulenames)
  expect_sound(model, d)
})

test_that("`cut()` labels in general (commas)", {
  set.seed(4)
  x <- stats::rnorm(300)
  d <- data.frame(x = cut(x, 4), y = cut(-x, 5), label = as.integer(x + stats::rnorm(300) > 0))
  model <- quick_fit(d, rule_maxlen = 6)
  expect_identical(max(model$pool$lengths), 2L)
  # The same list as with labels that have no comma.
  plain <- transform(d, x = factor(x, labels = letters[1:4]), y = factor(y, labels = letters[1:5]))
  expect_identical(quick_fit(plain, rule_maxlen = 6)$score, model$score)
  expect_sound(model, d)
})

test_that("levels `x` and `x=1`", {
  d <- data.frame(g = rep(c("x", "x=1", "y"), each = 100), label = rep(c(0, 1, 0), c(105, 90, 105)))
  model <- quick_fit(d)
  for (j in seq_len(nrow(model$rs) - 1L)) {
    level <- substring(model$rulenames[model$rs$V1[j]], 4, nchar(model$rulenames[model$rs$V1[j]]) - 1)
    expect_equal(unname(model$counts[j, "1"]), sum(d$label[d$g == level]))
  }
})

test_that("column named `a=b`; two columns of one name", {
  d <- two_factor_data()
  names(d)[1] <- "a=b"
  expect_sound(quick_fit(d), d)
  names(d)[1:2] <- "b"
  expect_error(quick_fit(d), "`b`", class = "sbrl_error_column")
})

test_that("logical column, 97.5 % accurate", {
  d <- two_factor_data()
  d$flag <- xor(d$label == 1, seq_len(400) %% 40 == 0)
  model <- quick_fit(d, iters = 2000)
  expect_match(model$rulenames[model$rs$V1[1]], "flag=")
})

test_that("numeric column that separates the classes", {
  d <- two_factor_data()
  d$x <- d$label + seq_len(400) / 1000
  model <- quick_fit(d, iters = 2000)
  expect_match(model$rulenames[model$rs$V1[1]], "x=")
  expect_identical(predict(model, d, type = "class"), factor(d$label))
})

test_that("only numeric columns; row 1 covered by no rule", {
  set.seed(2)
  d <- data.frame(x = c(1e6, stats::rnorm(299)), y = stats::rnorm(300))
  d$label <- as.integer(d$x + stats::rnorm(300) > 0)
  model <- quick_fit(d, iters = 2000)
  expect_gt(nrow(model$rs), 1)
  expect_sound(model, d)
})

test_that("third value in the label", {
  d <- two_factor_data()
  d$label[1:60] <- 2
  expect_identical(quick_fit(d)$classes, c("0", "1", "2"))
  expect_error(quick_fit(d, pos_sign = "1", neg_sign = "0"), "\"2\"", class = "sbrl_error_label")
})

test_that("one `NA` label", {
  d <- two_factor_data()
  d$label[17] <- NA
  expect_warning(model <- quick_fit(d), "1 row")
  expect_sound(model, d[-17, ])
})

test_that("`NA` in a feature", {
  d <- two_factor_data()
  d$a[1:10] <- NA
  model <- quick_fit(d, minsupport_pos = 0, minsupport_neg = 0)
  expect_true("{a=NA}" %in% model$rulenames)
  expect_sound(model, d)
})

test_that("one two-level factor only", {
  d <- two_factor_data()[c("b", "label")]
  expect_sound(quick_fit(d), d)
})

test_that("a constant feature alone; exactly one candidate", {
  constant <- transform(two_factor_data()["label"], a = "k")
  expect_warning(model <- quick_fit(constant), class = "sbrl_warning_no_candidate")
  expect_identical(nrow(model$rs), 1L)
  d <- data.frame(a = rep(c("u", "v"), c(60, 40)), label = rep(c(1, 0, 1), c(55, 44, 1)))
  one <- quick_fit(d, minsupport_pos = 0.95, minsupport_neg = 0.95)
  expect_identical(one$rulenames, "{a=u}")
  expect_sound(one, d)
})

test_that("support too high: no candidate", {
  expect_warning(model <- quick_fit(two_factor_data(), minsupport_pos = 1, minsupport_neg = 1), "support")
  expect_identical(model$rs$V1, 0L)
})

test_that("yes/no or TRUE/FALSE label with default signs", {
  d <- two_factor_data()
  expect_identical(quick_fit(transform(d, label = c("no", "yes")[label + 1]))$classes, c("no", "yes"))
  expect_identical(quick_fit(transform(d, label = label == 1))$classes, c("FALSE", "TRUE"))
})

test_that("one class only", {
  expect_error(quick_fit(transform(two_factor_data(), label = 1)), "only \"1\"", class = "sbrl_error_label")
})

test_that("`lambda = 0`, `eta = 0`, negative, NA, Inf, character", {
  for (bad in list(0, -1, NA, Inf, "10")) {
    expect_error(quick_fit(two_factor_data(), lambda = bad), "`lambda`", class = "sbrl_error_argument")
    expect_error(quick_fit(two_factor_data(), eta = bad), "`eta`", class = "sbrl_error_argument")
  }
})

test_that("`lambda = 5000`", {
  expect_sound(quick_fit(two_factor_data(), lambda = 5000), two_factor_data())
})

test_that("`lambda = 10` with 9 candidates or fewer", {
  for (lambda in c(4, 5, 6, 10)) {
    model <- quick_fit(two_factor_data(), lambda = lambda)
    expect_length(model$rulenames, 5)
    expect_sound(model, two_factor_data())
  }
})

test_that("`alpha = c(1.9, 1.9)`, `c(.5, .5)`", {
  for (alpha in list(c(1.9, 1.9), c(0.5, 0.5))) {
    model <- quick_fit(two_factor_data(), alpha = alpha)
    expected <- (model$counts[, 2] + alpha[2]) / (rowSums(model$counts) + sum(alpha))
    # 1.4 gave the prior's mean where no row was captured
    expected[rowSums(model$counts) == 0] <- mean(two_factor_data()$label)
    expect_equal(model$rs$V2, unname(expected))
  }
})

test_that("`alpha = c(-5, -5)`", {
  expect_error(quick_fit(two_factor_data(), alpha = c(-5, -5)), "`alpha`", class = "sbrl_error_argument")
})

test_that("`rule_maxlen = 11`", {
  expect_length(quick_fit(two_factor_data(), rule_maxlen = 11)$rulenames, 11)
})

test_that("default-only list", {
  model <- suppressWarnings(quick_fit(two_factor_data(), minsupport_pos = 1, minsupport_neg = 1))
  expect_match(format(model)[2], "^else  \\(default rule\\)  then positive probability = 0\\.[0-9]{8}$")
})

test_that("`set.seed()`", {
  d <- two_factor_data()
  seeded <- function(seed) {
    set.seed(seed)
    without_clock(sbrl(d, iters = 200, nchain = 2, progress = FALSE))
  }
  expect_identical(seeded(1), seeded(1))
  expect_false(identical(seeded(1)$trace, seeded(2)$trace))
})

test_that("`setTimeLimit(3)`, Ctrl-C", {
  # Ctrl-C needs a terminal: see test-fit_job.R.
  on.exit(setTimeLimit())
  expect_error({
    setTimeLimit(elapsed = 0.3, transient = TRUE)
    sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, progress = FALSE)
  }, "time limit")
})

test_that("`predict(m, newdata = d)`", {
  model <- quick_fit(two_factor_data())
  expect_identical(predict(model, newdata = two_factor_data()), predict(model, two_factor_data()))
})

test_that("new level at predict", {
  model <- quick_fit(two_factor_data(), iters = 2000)
  new <- data.frame(a = "never", b = "never")
  expect_warning(prob <- predict(model, new)$V2, "never", class = "sbrl_warning_column")
  expect_identical(prob, model$rs$V2[nrow(model$rs)])
})

test_that("newdata lacks a column that no rule uses", {
  d <- two_factor_data()
  # No level of it has the support of a candidate.
  model <- quick_fit(transform(d, id = paste0("k", rep_len(1:20, 400))), iters = 2000)
  expect_true("id=k1" %in% model$featurenames)
  expect_length(predict(model, d)$V2, 400)
})

test_that("factor level `1.0`, newdata has the number 1", {
  d <- transform(two_factor_data(), b = factor(ifelse(b == "p", "1.0", "2.50")))
  model <- quick_fit(d, iters = 2000)
  expect_warning(rule <- predict(model, transform(d, b = as.numeric(as.character(b))), type = "rule"), NA)
  expect_identical(rule, predict(model, d, type = "rule"))
  d <- two_factor_data()
  expect_warning(predict(quick_fit(d, iters = 2000), transform(d, a = 1, b = 1)), "numbers")
})

test_that("`nchain = 0`, `iters = -5`, `iters = 1.5`", {
  expect_error(quick_fit(two_factor_data(), nchain = 0), "`nchain`", class = "sbrl_error_argument")
  expect_error(quick_fit(two_factor_data(), iters = -5), "`iters`", class = "sbrl_error_argument")
  expect_error(quick_fit(two_factor_data(), iters = 1.5), "`iters`", class = "sbrl_error_argument")
})

test_that("40 lines of mining chatter per fit", {
  expect_silent(quick_fit(tictactoe, rule_maxlen = 3))
})

test_that("result depends on `LC_COLLATE`", {
  # Set for a child process too in test-sbrl.R; here, the order is that of the bytes whatever the locale.
  d <- transform(two_factor_data(), a = c("B", "a", "\u00e9")[a], b = c("_x", "X")[b])
  model <- quick_fit(d, rule_maxlen = 2)
  expect_identical(model$rulenames, sort(model$rulenames, method = "radix"))
  expect_identical(model$featurenames, sort(model$featurenames, method = "radix"))
})

test_that("50 000 rows x 1 104 candidates", {
  skip_on_cran()
  set.seed(6)
  d <- as.data.frame(lapply(1:24, \(j) sample(c("a", "b"), 5e4, replace = TRUE)), col.names = paste0("x", 1:24))
  d$label <- stats::rbinom(5e4, 1, ifelse(d$x1 == "a", 0.8, 0.3))
  model <- quick_fit(d, rule_maxlen = 2, lambda = 2)
  expect_gte(length(model$rulenames), 1104)
  expect_length(predict(model, d)$V2, 5e4)
  expect_lt(as.numeric(utils::object.size(model)), 5e6)
})

# What version 1.4 got wrong (one test per row that concerns categorical data): R survives and the answer is right.

test_that("a column called `blood type`, a level `very high`", {
  d <- mk()
  names(d)[1] <- "blood type"
  levels(d$b)[1] <- "very high"
  model <- quick_fit(d, rule_maxlen = 2)
  expect_sound(model, d)
  expect_true(all(c("{blood type=u}", "{b=very high}", "{blood type=u,b=very high}") %in% model$rulenames))
})

test_that("levels `x` and `x=1`: each prints its own probability", {
  d <- data.frame(g = rep(c("x", "x=1", "y"), each = 100), label = rep(c(0, 1, 0), c(105, 90, 105)))
  model <- quick_fit(d)
  for (j in seq_len(nrow(model$rs) - 1L)) {
    level <- substring(model$rulenames[model$rs$V1[j]], 4, nchar(model$rulenames[model$rs$V1[j]]) - 1)
    expect_equal(unname(model$counts[j, "1"]), sum(d$label[d$g == level]))
  }
})

test_that("a column named `a=b`", {
  d <- mk()
  names(d)[1] <- "a=b"
  expect_sound(quick_fit(d), d)
})

test_that("a logical column that is 97.5 % accurate is used", {
  d <- mk()
  d$flag <- xor(d$label == 1, seq_len(400) %% 40 == 0)
  model <- quick_fit(d, iters = 2000)
  expect_match(model$rulenames[model$rs$V1[1]], "flag=")
})

test_that("one NA label", {
  d <- mk()
  d$label[17] <- NA
  expect_warning(model <- quick_fit(d), "1 row")
  expect_sound(model, d[-17, ])
})

test_that("NA in a feature", {
  d <- mk()
  d$a[1:10] <- NA
  expect_sound(quick_fit(d), d)
})

test_that("one two-level factor only", {
  d <- mk()[c("b", "label")]
  expect_sound(quick_fit(d), d)
})

test_that("a constant feature alone; exactly one candidate", {
  expect_warning(model <- quick_fit(transform(mk()["label"], a = "k")), class = "sbrl_warning_no_candidate")
  expect_identical(nrow(model$rs), 1L)
  d <- data.frame(a = rep(c("u", "v"), c(60, 40)), label = rep(c(1, 0, 1), c(55, 44, 1)))
  one <- quick_fit(d, minsupport_pos = 0.95, minsupport_neg = 0.95)
  expect_identical(one$rulenames, "{a=u}")
  expect_sound(one, d)
})

test_that("lambda of 5000, and more than there are candidates", {
  for (lambda in c(9, 10, 5000)) {
    expect_sound(quick_fit(mk(), lambda = lambda), mk())
  }
})

test_that("fractional alpha is used as given", {
  for (alpha in list(c(1.9, 1.9), c(0.5, 0.5))) {
    model <- quick_fit(mk(), alpha = alpha)
    expect_equal(model$rs$V2, unname((model$counts[, 2] + alpha[2]) / (rowSums(model$counts) + sum(alpha))))
  }
})

test_that("rule_maxlen of 11", {
  expect_length(quick_fit(mk(), rule_maxlen = 11)$rulenames, 11)
})

test_that("a default-only list prints its default rule", {
  model <- suppressWarnings(quick_fit(mk(), minsupport_pos = 1, minsupport_neg = 1))
  expect_match(format(model)[2], "^else  \\(default rule\\)  then positive probability = 0\\.[0-9]{8}$")
})

test_that("a fit is silent", {
  expect_silent(quick_fit(tictactoe, rule_maxlen = 3))
})

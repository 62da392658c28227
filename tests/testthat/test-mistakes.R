# Mistakes that new users make, each with the message that helps them on. The words are snapshots.

people <- function() {
  data.frame(
    age = rep(20:79, 2), city = rep(c("Rome", "Paris", "Berlin"), 40),
    bought = factor(rep(c("no", "yes"), each = 30, times = 2))
  )
}

test_that("a mistake in the call is named, with a way out", {
  d <- people()
  model <- sbrl(bought ~ ., data = d, iters = 500, nchain = 2, seed = 1)
  expect_snapshot(error = TRUE, {
    sbrl(d)
    sbrl(d, label = "Bought")
    sbrl(d, bought ~ .)
    sbrl("bought", d)
    sbrl(bougt ~ ., data = d)
    sbrl(bought ~ weather, data = d)
    sbrl(bought ~ "age", data = d)
    sbrl(bought ~ age)
    sbrl(bought ~ age, data = d, weights = "age")
    sbrl(bought ~ age, data = d, weights = wheights)
    sbrl(bought ~ age, data = d[0, ])
    sbrl(bought ~ age, data = d, lambda = "5")
    sbrl(bought ~ age, data = d, lamda = 5)
    sbrl(bought ~ age, data = d, seed = "a")
    predict(model)
    predict(model, d["city"])
    sbrl_report(model, d, "report.pdf")
  })
})

test_that("a term that is text inside a call is not a mistake", {
  d <- people()
  expect_no_error(sbrl(bought ~ I(city == "Rome") + age, data = d, iters = 100, nchain = 1, seed = 1))
})

test_that("numbers that are text give one warning, also in cross-validation; codes and factors give none", {
  d <- transform(people(), age = as.character(age))
  fit <- \(d, ...) sbrl(bought ~ ., data = d, iters = 100, nchain = 1, seed = 1, ...)
  expect_warning(fit(d), "numbers in `age` are text", class = "sbrl_warning_number_text")
  expect_warning(fit(transform(d, age = paste0("1,0", age))), "`age`", class = "sbrl_warning_number_text")
  expect_no_warning(fit(transform(d, age = factor(age))))
  expect_no_warning(fit(transform(d, age = substr(age, 1, 1))))
  expect_no_warning(fit(transform(d, age = paste0("no. ", age))))
  expect_no_warning(expect_warning(
    cv_sbrl(bought ~ ., data = d, folds = 2, lambda = 2, rule_maxlen = 1, iters = 100, nchain = 1, seed = 1),
    "`age`", class = "sbrl_warning_number_text"
  ))
})

test_that("a list without rules is called that", {
  d <- transform(people(), id = sprintf("c%d", seq_along(age)))
  expect_warning(model <- sbrl(bought ~ id, data = d), "Lower `minsupport`", class = "sbrl_warning_no_candidate")
  expect_identical(format(model), "no rules; always: P(yes) = 0.50 (120 rows)")
})

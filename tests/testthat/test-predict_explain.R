# Explanations agree with predictions, and every reason given is true.

# What is wrong with an explanation of row i, or NULL; all from the definition of a rule list.
first_lie <- function(model, data, i, why, naive) {
  rule <- suppressWarnings(predict(model, data[i, , drop = FALSE], type = "rule"))
  prob <- suppressWarnings(predict(model, data[i, , drop = FALSE], type = "matrix"))
  evidence <- why$evidence
  row <- if (rule == 0L) nrow(model$rs) else rule
  passed <- if (rule == 0L) nrow(model$rs) - 1L else rule - 1L
  # Position of the first item that fails, rule by rule.
  failing <- lapply(naive[seq_len(passed)], function(antecedent) {
    obeys <- vapply(antecedent, \(item) naive_obeys(data[[item$name]][i], item), NA)
    antecedent[[which(!obeys)[1]]]
  })
  features <- vapply(failing, \(item) item$name, "")
  values <- lapply(features, \(name) data[[name]][i])
  interval <- suppressWarnings(predict(model, data[i, , drop = FALSE], type = "interval"))
  holds <- c(
    rule = identical(why$position, as.integer(rule)),
    probability = isTRUE(all.equal(evidence$prob, as.vector(prob), tolerance = 0)),
    interval = isTRUE(all.equal(c(why$prob, why$lower, why$upper), as.vector(interval))),
    counts = isTRUE(all.equal(evidence$n, unname(model$counts[row, ]))),
    share = isTRUE(all.equal(why$share, rules(model)$n[row] / sum(rules(model)$n))),
    passed = identical(why$passed$position, seq_len(passed)),
    features = identical(why$passed$feature, features),
    missing = identical(why$passed$reason == "missing", vapply(values, is.na, NA)),
    decides = rule == 0L || identical(why$conditions$feature, vapply(naive[[rule]], \(item) item$name, "")),
    text = length(format(why)) >= 1L && !anyNA(format(why)),
    table = nrow(as.data.frame(why)) == passed + 1L
  )
  if (!all(holds)) names(holds)[!holds][1]
}

# The label leans on every feature, so that lists of some length are found.
random_explained <- function(n = 150) {
  gaps <- function(x) replace(x, sample(n, n %/% 8), NA)
  d <- data.frame(
    `blood type` = gaps(sample(c("A", "B", "", "a,b = {c}"), n, replace = TRUE)),
    size = gaps(factor(sample(c("S", "M", "L"), n, replace = TRUE), levels = c("S", "M", "L"), ordered = TRUE)),
    age = gaps(round(stats::rnorm(n, 40, 12), 1)),
    day = gaps(as.Date("2024-01-31") + sample(300, n, replace = TRUE)),
    flag = sample(c(TRUE, FALSE), n, replace = TRUE),
    check.names = FALSE
  )
  signs <- cbind(d$`blood type` == "A", d$size == "S", d$age > 45, d$day > as.Date("2024-06-30"), d$flag, is.na(d$age))
  score <- drop((signs %in% TRUE |> matrix(n)) %*% sample(c(-3, 3), 6, replace = TRUE)) + stats::rnorm(n)
  d$label <- cut(score, c(-Inf, stats::quantile(score, if (stats::runif(1) < 0.5) 0.5 else c(0.3, 0.6)), Inf), FALSE)
  d
}

test_that("explanations agree with predict() on random data, row by row", {
  n_rules <- integer()
  for (seed in 1:40) {
    set.seed(seed)
    d <- random_explained()
    # empty text among the levels gives a warning
    model <- suppressWarnings(
      quick_fit(d, iters = 1000, rule_maxlen = sample(3, 1), minsupport = 0.05, seed = seed, lambda = 5)
    )
    new <- random_explained(20)
    # Levels and numbers that training never saw.
    new$`blood type`[1:2] <- c("unheard of", NA)
    new$age[3:4] <- c(1e6, -Inf)
    why <- explain(model, new)
    naive <- antecedents_of(model, model$rs$V1[-nrow(model$rs)])
    lies <- unlist(lapply(seq_len(nrow(new)), \(i) first_lie(model, new, i, why[[i]], naive)))
    expect_identical(lies, NULL, info = paste("seed", seed))
    n_rules <- c(n_rules, nrow(model$rs) - 1L)
  }
  # Lists of some length, or the test shows little.
  expect_gt(mean(n_rules), 1.5)
})

test_that("missing values and levels never seen are named as such, without a warning", {
  model <- quick_fit(two_factor_data(), rule_maxlen = 2)
  expect_silent(why <- explain(model, data.frame(a = c("u", "zebra", NA), b = c("p", "q", "p"))))
  expect_identical(why[[2]]$passed$reason[why[[2]]$passed$feature == "a"][1], "unseen")
  expect_match(paste(format(why[[2]]), collapse = " "), "zebra, which was not\\s+seen in\\s+training")
  expect_identical(why[[3]]$passed$reason[why[[3]]$passed$feature == "a"][1], "missing")
  expect_match(paste(format(why[[3]]), collapse = " "), "a is missing")
})

test_that("one row gives an explanation, others a list of them", {
  model <- quick_fit(two_factor_data())
  one <- data.frame(a = "u", b = "p")
  expect_s3_class(explain(model, one), "sbrl_explanation")
  expect_s3_class(explain(model, one[c(1, 1), ]), "sbrl_explanations")
  expect_length(explain(model, one[0, ]), 0)
  expect_identical(nrow(as.data.frame(explain(model, one[0, ]))), 0L)
  many <- as.data.frame(explain(model, one[c(1, 1), ]))
  expect_identical(names(many), c("row", names(as.data.frame(explain(model, one)))))
  expect_identical(names(many), names(as.data.frame(explain(model, one[0, ]))))
  expect_identical(unique(many$row), 1:2)
})

test_that("formulas, weights and lists of the default rule only are explained too", {
  d <- two_factor_data()
  d$x <- seq_len(nrow(d)) / 10
  model <- quick_fit(label ~ log(x) + a, data = d)
  why <- explain(model, d[7, ])
  expect_identical(why$position, predict(model, d[7, ], type = "rule"))
  used <- c(why$passed$feature, why$conditions$feature)
  expect_true(all(used %in% c("log(x)", "a")))
  empty <- suppressWarnings(quick_fit(data.frame(a = 1, label = 0:1)))
  why <- explain(empty, data.frame(z = 1))
  expect_identical(why$position, 0L)
  expect_match(format(why), "only the default rule", all = FALSE)
  expect_identical(nrow(why$passed), 0L)
})

test_that("explanations read well", {
  local_reproducible_output(width = 90)
  people <- as.data.frame(datasets::Titanic)
  survival <- quick_fit(Survived ~ Class + Sex + Age, data = people, weights = Freq, rule_maxlen = 2, iters = 5000)
  expect_snapshot({
    explain(survival, data.frame(Class = "Crew", Sex = NA, Age = "Adult"))
    explain(quick_fit(Species ~ ., data = iris, iters = 5000), iris[c(1, 120), ])
  })
})

test_that("wrong arguments give clear errors", {
  model <- quick_fit(two_factor_data())
  expect_condition_snapshot({
    explain(model)
    explain(model, 1)
    explain(model, two_factor_data()["label"])
    explain(model, two_factor_data()[1, ], level = 1)
    explain(model, two_factor_data()[1, ], n = 1)
    explain(1)
  })
})

test_that("a length of time is told with its unit, as the data give it", {
  d <- data.frame(wait = as.difftime(1:200, units = "mins"), label = rep(0:1, each = 100))
  model <- quick_fit(d)
  said <- format(explain(model, data.frame(wait = as.difftime(3, units = "hours"))))
  expect_match(paste(said, collapse = " "), "it is 3 hours", fixed = TRUE)
})

test_that("explain() of other packages finds the method, whichever is loaded first", {
  skip_on_cran()
  skip_if_not_built()
  for (package in c("generics", "dplyr")) {
    if (!requireNamespace(package, quietly = TRUE)) next
    use <- c(
      "model <- sbrl::sbrl(sbrl::tictactoe, iters = 100, nchain = 1, seed = 1)",
      "row <- sbrl::tictactoe[1, ]",
      sprintf("cat(class(explain(model, row)), class(%s::explain(model, row)), class(sbrl::explain(model, row)))",
              package)
    )
    load <- sprintf("suppressPackageStartupMessages(library(%s))", package)
    expected <- paste(rep("sbrl_explanation", 3), collapse = " ")
    # fresh_r() attaches sbrl first
    expect_identical(utils::tail(fresh_r(c(load, use)), 1), expected, info = package)
    again <- c("detach('package:sbrl', unload = TRUE)", load, "suppressPackageStartupMessages(library(sbrl))")
    expect_identical(utils::tail(fresh_r(c(again, use)), 1), expected, info = package)
    not_attached <- c("detach('package:sbrl')", use[1:2], sprintf("cat(class(%s::explain(model, row)))", package))
    expect_identical(utils::tail(fresh_r(not_attached), 1), "sbrl_explanation", info = package)
  }
})

test_that("a function called explain() in another package stays what it is", {
  skip_on_cran()
  skip_if_not_built()
  # as DALEX has it: no generic function, and a model as its first argument
  said <- fresh_r(c(
    "other <- new.env()", "other$explain <- function(model, data) 'its own'", "attach(other, name = 'package:DALEX')",
    "model <- sbrl(tictactoe, iters = 100, nchain = 1, seed = 1)", "cat(explain(model, tictactoe))"
  ))
  expect_identical(utils::tail(said, 1), "its own")
})

test_that("times that name three zones are read in the first", {
  set.seed(1)
  d <- data.frame(time = as.POSIXct("2024-01-01", tz = "UTC") + 3600 * seq_len(120), label = rep(0:1, each = 60))
  rows <- d
  attr(rows$time, "tzone") <- c("UTC", "CET", "CEST")
  model <- quick_fit(d)
  expect_identical(explain(model, rows[1:3, ]), explain(model, d[1:3, ]))
  expect_identical(format(explain(quick_fit(rows), rows[1, ])), format(explain(model, d[1, ])))
  expect_identical(get_data_feature_mat(rows, model$featurenames), get_data_feature_mat(d, model$featurenames))
})

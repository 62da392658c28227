# How summary() reports cut points.

cut_data <- function(n = 400) {
  set.seed(4)
  d <- data.frame(age = stats::runif(n, 18, 90), income = stats::rexp(n, 1 / 3e4), `two words` = stats::rnorm(n),
                  flag = rep_len(0:1, n), g = rep_len(c("u", "v"), n), check.names = FALSE)
  d$label <- stats::rbinom(n, 1, ifelse(d$age > 60 | d$age < 30, 0.9, 0.1))
  d
}

test_that("the cut points of each number are counted, and of nothing else", {
  d <- cut_data()
  model <- quick_fit(d)
  cuts <- sbrl:::summarise_cuts(model)
  numbers <- Filter(\(feature) feature$type %in% c("number", "integer"), model$features)
  expect_identical(cuts$feature, vapply(numbers, \(feature) feature$name, ""))
  expect_identical(cuts$n_cuts, lengths(lapply(numbers, `[[`, "cuts")))
  expect_identical(cuts$cuts[1], paste(numbers[[1]]$cuts, collapse = ", "))
  line <- sbrl:::format_cuts(cuts)
  expect_match(line[1], "^Cut points: `age` [1-4], `income` [0-9], `two words` [0-9]")
  expect_match(paste(line, collapse = " "), "(`bins = 5` ", fixed = TRUE)
  expect_identical(sbrl:::format_cuts(sbrl:::summarise_cuts(quick_fit(two_factor_data()))), character())
})

test_that("`bins` above what was found, and own cut points above `bins`, are described", {
  d <- cut_data()[c("age", "label")]
  described <- \(...) paste(sbrl:::format_cuts(sbrl:::summarise_cuts(quick_fit(d, ...))), collapse = " ")
  expect_match(described(bins = 50), "`age` [0-9]+ \\(`bins = 50` would allow 49 each\\)")
  own <- described(discretize = list(age = c(30, 40, 50, 60)))
  expect_identical(own, "Cut points: `age` 4 (`bins = 5` allows 4 each)")
  days <- data.frame(day = as.Date("2024-01-01") + 0:199, label = rep(0:1, each = 100))
  expect_identical(sbrl:::summarise_cuts(quick_fit(days))$cuts, "2024-04-10")
})

test_that("many names, and long ones, stay within 80 columns where that is possible", {
  set.seed(5)
  d <- as.data.frame(matrix(stats::rnorm(30 * 100), 100))
  d$label <- rep_len(0:1, 100)
  lines <- sbrl:::format_cuts(sbrl:::summarise_cuts(quick_fit(d, iters = 50)))
  expect_true(all(nchar(lines) <= 80))
  expect_match(paste(lines, collapse = " "), "and 10 more", fixed = TRUE)
  names(d)[1] <- "two\nlines"
  expect_match(sbrl:::format_cuts(sbrl:::summarise_cuts(quick_fit(d, iters = 50)))[1], "`two\\nlines`", fixed = TRUE)
})

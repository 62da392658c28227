# Numbers become the same text in every locale: what is written, printed and computed in a locale with a decimal comma,
# or with the dotted and dotless i of Turkish, is compared with the usual.

# Numbers, levels that are numbers, times with fractions of a second, and a formula with numbers in it.
locale_data <- local({
  set.seed(1)
  time <- as.POSIXct("2024-01-01", tz = "UTC") + cumsum(stats::runif(300)) / 8
  data.frame(
    INDEX = stats::rnorm(300), IF = factor(sample(c(0.5, 1.25, 1e-7), 300, TRUE)), time = time, label = rep(0:1, 150)
  )
})

# Everything with numbers in it that one model gives, without the times that the work took.
locale_outcome <- function(d = locale_data) {
  d$label <- ifelse(d$INDEX > 0.25 | d$IF == "1.25", 1, d$label)
  model <- quick_fit(d, rule_maxlen = 2, minsupport = 0.05, lambda = 6, alpha = c(0.5, 1.5))
  formula <- label ~ log(INDEX + 10.5) + cut(INDEX, c(-Inf, 0.5, Inf)) + IF
  terms <- sbrl(formula, d, lambda = 4.5, iters = 500, nchain = 2, seed = 1, progress = FALSE)
  bag <- sbrl_bag(d, times = 3, iters = 50, nchain = 1, seed = 1, progress = FALSE)
  folds <- cv_sbrl(d, folds = 2, lambda = c(1.5, 5), iters = 50, nchain = 1, seed = 1, progress = FALSE)
  draws <- suppressWarnings(sbrl_posterior(model, d, draws = 40, warmup = 20, seed = 1, progress = FALSE))
  proof <- sbrl_certify(model, d, max_nodes = 50, progress = FALSE)
  model$timing[] <- terms$timing[] <- bag$medoid$timing[] <- draws$medoid$timing[] <- proof$seconds <- 0
  # other types than in training: text for numbers and times, numbers for levels
  other <- data.frame(INDEX = sub(",", ".", base::sprintf("%.3f", d$INDEX), fixed = TRUE),
                      IF = as.numeric(as.character(d$IF)), time = paste0(format(d$time), ".5"))
  list(
    json = lapply(list(model, terms, bag), json_text),
    predictions = suppressWarnings(list(predict(model, other), predict(terms, d), predict(model, d))),
    exports = lapply(list(as_dmn, as_pmml, as_javascript, as_html, as_latex, as_markdown), \(f) as.character(f(model))),
    sql = lapply(c("ansi", "sqlite", "postgresql", "mysql"), \(dialect) as.character(as_sql(model, dialect))),
    code = lapply(list(model, terms), \(x) format(as_r_function(x))),
    shown = lapply(list(model, terms, bag, folds, draws, proof, explain(model, d[1:5, ])), format),
    summaries = lapply(list(model, terms, bag, draws), \(x) utils::capture.output(summary(x))),
    errors = c(said_by(quick_fit(d, lambda = -0.5)), said_by(quick_fit(transform(d, label = INDEX)))),
    measures = sbrl_performance(model, d)
  )
}

json_text <- function(model) {
  file <- tempfile()
  on.exit(unlink(file))
  readLines(sbrl_write_json(model, file))
}

said_by <- function(code) tryCatch(code, error = conditionMessage)

usual_outcome <- locale_outcome()

test_that("a locale with a decimal comma changes nothing that is written or computed", {
  expect_identical(with_locale("comma", locale_outcome()), usual_outcome)
})

test_that("options(OutDec =) changes nothing that is written or computed", {
  old <- options(OutDec = ",")
  on.exit(options(old))
  expect_identical(locale_outcome(), usual_outcome)
})

test_that("a Turkish locale changes nothing that is written or computed", {
  expect_identical(with_locale("turkish", locale_outcome()), usual_outcome)
})

test_that("the locale and the options are afterwards what they were", {
  with_locale("comma", {
    before <- Sys.getlocale("LC_NUMERIC")
    expect_identical(sbrl:::number_text(0.5), "0.5")
    expect_error(sbrl:::with_point(stop("no")))
    expect_identical(Sys.getlocale("LC_NUMERIC"), before)
    expect_identical(base::sprintf("%.1f", 0.5), "0,5")
  })
  old <- options(OutDec = "_")
  on.exit(options(old))
  expect_identical(sbrl:::number_text(0.5), "0.5")
  expect_identical(getOption("OutDec"), "_")
})

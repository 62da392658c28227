# The exported function must give what predict() gives, and must need nothing but base R.

expect_same <- function(model, data, info = NULL, missing = "fallthrough") {
  predicted <- function(type) {
    suppressMessages(suppressWarnings(predict(model, data, type = type, missing = missing)))
  }
  written <- function(...) as_r_function(model, ..., missing = missing)(data)
  expected <- predicted("matrix")
  k <- length(model$classes)
  expect_identical(written(), if (k == 2) unname(expected[, 2]) else expected, info = info)
  expect_identical(written("matrix"), expected, info = info)
  for (output in c("class", "rule")) {
    expect_identical(written(output), predicted(output), info = paste(info, output))
  }
}

# The same, or an error that names a column of another type.
expect_same_or_refused <- function(model, data, info = NULL) {
  refused <- tryCatch({
    as_r_function(model)(data)
    NULL
  }, error = conditionMessage)
  if (is.null(refused)) {
    expect_same(model, data, info)
  } else {
    expect_match(refused, "needs a column|wrong length", info = info)
  }
}

# The same data in another type, as a file or another package might give it.
in_other_types <- function(d) {
  as_text <- function(x) if (inherits(x, "POSIXct")) format(x, "%Y-%m-%d %H:%M:%OS6") else as.character(x)
  other <- function(x) {
    switch(pick(c("same", "text", "factor", "asis", "number", "date")),
      same = x,
      text = as_text(x),
      factor = factor(as_text(x)),
      asis = I(x),
      number = if (is.numeric(x) || is.logical(x) || is.object(x) && !is.factor(x)) as.double(x) else x,
      date = if (inherits(x, "POSIXct")) as.Date(x) else if (inherits(x, "Date")) as.POSIXct(x) else x
    )
  }
  d[] <- lapply(d, other)
  d
}

test_that("random models give the same in R code", {
  skip_on_covr() # its counters would be copied into the code
  n_fits <- 0
  for (seed in 1:120) {
    set.seed(seed)
    args <- random_arguments(random_frame())
    model <- suppressWarnings(tryCatch(do.call(sbrl, args), sbrl_error = \(e) NULL))
    if (is.null(model)) next
    n_fits <- n_fits + 1
    d <- args$tdata
    expect_same(model, d, seed)
    expect_same(model, d[0, , drop = FALSE], seed)
    plain <- vapply(d, \(x) is.atomic(x) && is.null(dim(x)) && !is.complex(x), NA)
    d <- d[plain]
    d[] <- lapply(d, \(x) replace(x, stats::runif(length(x)) < 0.2, NA))
    expect_same(model, d, seed)
    expect_same(model, d, seed, missing = "base_rate")
    expect_same_or_refused(model, in_other_types(d), seed)
  }
  expect_gt(n_fits, 60)
})

test_that("levels never seen, odd levels and numbers as levels give the same", {
  skip_on_covr() # its counters would be copied into the code
  d <- data.frame(g = rep(c("1.0", "1", "b\\\"c\n", "\u65e5\u672c\U1F600"), each = 50), label = rep(0:1, 100))
  d$label[d$g %in% c("1.0", "b\\\"c\n")] <- 1
  d$label[d$g == "\u65e5\u672c\U1F600"] <- 0
  model <- quick_fit(d, minsupport = 0.01)
  expect_gt(nrow(model$rs), 1)
  expect_same(model, d)
  expect_same(model, data.frame(g = c("never", NA, "", "1")))
  expect_same(model, data.frame(g = c(1, 2, NA, NaN, Inf)))
  expect_same(model, data.frame(g = c(TRUE, NA)))
  wide <- list(g = structure(c(5e-324, 1e-323), class = "integer64")) # the bits of 1 and 2
  wide <- structure(wide, class = "data.frame", row.names = 1:2)
  expect_error(as_r_function(model)(wide), "needs a column `g` of text", fixed = TRUE)
})

test_that("numbers as levels are compared as numbers, however they are written", {
  d <- data.frame(g = rep(c(1e5, 0.1 + 0.2), each = 50), label = rep(0:1, each = 50))
  model <- quick_fit(d)
  expect_gt(nrow(model$rs), 1)
  expect_same(model, d)
  expect_same(model, data.frame(g = factor(c("100000", "1e5", NA))))
})

test_that("two rules are some fifteen lines that a person can read", {
  d <- data.frame(age = rep(20:79, 5), sex = rep(c("f", "m"), 150))
  d$label <- as.integer(d$age > 60 | (d$sex == "m" & d$age < 30))
  model <- quick_fit(d, rule_maxlen = 2, lambda = 2)
  expect_identical(nrow(model$rs), 3L)
  expect_lte(length(format(as_r_function(model))), 18)
})

test_that("a value that is missing is refused where the code is to refuse it", {
  model <- quick_fit(two_factor_data())
  d <- two_factor_data()
  d[1, ] <- NA
  expect_error(as_r_function(model, missing = "error")(d), "missing")
  expect_same(model, two_factor_data(), missing = "error")
})

test_that("empty text that is missing is missing in R code, too", {
  skip_on_covr() # its counters would be copied into the code
  for (case in empty_cases()) {
    for (missing in c("fallthrough", "base_rate")) {
      expect_same(case$model, case$data, missing = missing)
      expect_same(case$model, data.frame(lapply(case$data, factor)), missing = missing)
    }
  }
})

test_that("transformed variables of a formula are computed", {
  skip_on_covr() # its counters would be copied into the code
  set.seed(3)
  d <- data.frame(x = stats::rexp(300), c = pick(letters[1:4], 300, replace = TRUE), e = stats::runif(300))
  names(d)[3] <- "\u00e9 t"
  d$y <- as.integer(log(d$x) > -0.3 | d$c %in% c("a", "b"))
  odd <- as.name("\u00e9 t")
  formula <- eval(bquote(y ~ log(x) + I(c %in% c("a", "b")) + sqrt(.(odd)) + paste(c, "\u00e9") + I(x > pi / 3)))
  model <- sbrl(formula, data = d, iters = 500, nchain = 2, seed = 1, rule_maxlen = 2)
  expect_gt(nrow(model$rs), 1)
  expect_same(model, d)
  d$x[1:9] <- NA
  expect_same(model, d)
  scaled <- function(x) x / 10
  model <- sbrl(y ~ scaled(x), data = d, iters = 100, nchain = 1, seed = 1)
  expect_error(as_r_function(model), "scaled", class = "sbrl_error_model")
})

test_that("the code runs in an R that has no sbrl, in any locale", {
  skip_on_covr() # its counters would be copied into the code
  d <- data.frame("na\"me \u00e9" = rep(c("\u00e9", "o", NA), 50), n = stats::rnorm(150), check.names = FALSE)
  d$label <- as.integer(d[[1]] %in% "\u00e9" | d$n > 1)
  model <- quick_fit(d, rule_maxlen = 2)
  files <- tempfile(c("score", "data", "out", "run"))
  on.exit(unlink(files))
  code <- format(as_r_function(model))
  expect_true(all(utf8ToInt(paste(code, collapse = "")) < 127))
  writeLines(code, files[1])
  saveRDS(d, files[2])
  writeLines(c(
    "stopifnot(!requireNamespace('sbrl', quietly = TRUE))",
    sprintf("saveRDS(dget(%s)(readRDS(%s)), %s)", deparse1(files[1]), deparse1(files[2]), deparse1(files[3]))
  ), files[4])
  env <- c("LC_ALL=C", "R_LIBS=", "R_LIBS_USER=/nowhere", "R_LIBS_SITE=/nowhere")
  rscript <- file.path(R.home("bin"), "Rscript")
  said <- system2(rscript, c("--vanilla", shQuote(files[4])), env = env, stdout = TRUE, stderr = TRUE)
  skip_if(any(grepl("requireNamespace", said)), "sbrl is in R's own library")
  expect_identical(said, character())
  expect_identical(readRDS(files[3]), predict(model, d)$V2)
})

test_that("the function survives saving and has no tie to the package", {
  skip_on_covr() # its counters would be copied into the code
  model <- quick_fit(two_factor_data())
  f <- as_r_function(model)
  expect_identical(environment(f), baseenv())
  expect_identical(unserialize(serialize(f, NULL))(two_factor_data()), predict(model, two_factor_data())$V2)
  expect_output(print(f), "else|rule", fixed = FALSE)
  expect_identical(capture.output(print(f)), unlist(strsplit(format(f), "\n")))
})

test_that("a list without rules, missing columns and bad arguments are dealt with", {
  empty <- suppressWarnings(quick_fit(two_factor_data()["label"]))
  expect_same(empty, two_factor_data())
  f <- as_r_function(quick_fit(two_factor_data()))
  expect_error(f(data.frame(z = 1)), "needs a column `a`", fixed = TRUE)
  expect_error(f(1), "data frame")
  expect_error(f(data.frame(a = I(list(1)), b = 1)), "needs a column `a`", fixed = TRUE)
  expect_error(as_r_function(two_factor_data()), class = "sbrl_error_argument")
  expect_error(as_r_function(quick_fit(two_factor_data()), output = "interval"), class = "sbrl_error_argument")
})

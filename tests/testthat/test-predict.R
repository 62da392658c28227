# Predictions: types of result, new data of other types, missing values.

within_model <- function(model, ...) {
  structure(utils::modifyList(unclass(model), list(...)), class = "sbrl")
}

test_that("types agree with each other and with the list", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  rule <- predict(model, d, type = "rule")
  prob <- predict(model, d)
  m <- nrow(model$rs) - 1L
  expect_type(rule, "integer")
  expect_identical(prob, list(V1 = 1 - prob$V2, V2 = model$rs$V2[ifelse(rule == 0, m + 1L, rule)]))
  expect_identical(predict(model, d, type = "prob"), prob)
  expect_identical(predict(model, d, type = "matrix"), cbind("0" = prob$V1, "1" = prob$V2))
  expect_identical(predict(model, d, type = "class"), factor(ifelse(prob$V2 > 0.5, "1", "0"), levels = c("0", "1")))
  interval <- predict(model, d, type = "interval")
  expect_identical(colnames(interval), c("prob", "lower", "upper"))
  expect_identical(interval[, "prob"], prob$V2)
  j <- match(1L, rule)
  shapes <- unname(model$counts[1, ] + 1)
  expect_equal(interval[[j, "lower"]], stats::qbeta(0.025, shapes[2], shapes[1]))
  narrow <- predict(model, d, type = "interval", level = 0.5)
  expect_true(all(narrow[, "lower"] > interval[, "lower"] & narrow[, "upper"] < interval[, "upper"]))
})

test_that("each row gets the first rule that it matches", {
  model <- quick_fit(tictactoe, rule_maxlen = 3, iters = 3000)
  antecedents <- antecedents_of(model)[model$rs$V1]
  covers <- vapply(antecedents, \(antecedent) naive_cover(tictactoe, antecedent), logical(958))
  first <- apply(covers, 1, \(row) if (any(row)) which(row)[1] else 0L)
  expect_identical(predict(model, tictactoe, type = "rule"), first)
})

test_that("tdata and newdata are the same thing", {
  d <- two_factor_data()
  model <- quick_fit(d)
  expect_identical(predict(model, newdata = d), predict(model, d))
  expect_identical(predict(model, newdata = d, type = "class"), predict(model, tdata = d, type = "class"))
  expect_condition_snapshot({
    predict(model)
    predict(model, d, newdata = d)
    predict(model, "d")
    predict(model, newdata = NULL)
    predict(model, d, type = "response")
    predict(model, d, type = c("prob", "class"))
    predict(model, d, levels = 0.9)
    predict(model, d, type = "interval", level = 1)
  })
})

test_that("zero rows give zero results", {
  d <- two_factor_data()
  model <- quick_fit(d)
  none <- d[0, ]
  expect_identical(predict(model, none), list(V1 = numeric(), V2 = numeric()))
  expect_identical(predict(model, none, type = "matrix"), matrix(0, 0, 2, dimnames = list(NULL, c("0", "1"))))
  expect_identical(predict(model, none, type = "class"), factor(character(), levels = c("0", "1")))
  expect_identical(predict(model, none, type = "rule"), integer())
  expect_identical(dim(predict(model, none, type = "interval")), c(0L, 3L))
})

test_that("order, extra columns, unused columns and the label do not matter", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 1)
  expected <- predict(model, d)
  expect_identical(predict(model, d[c("b", "label", "a")]), expected)
  expect_identical(predict(model, d[c("a", "b")]), expected)
  expect_identical(predict(model, transform(d, extra = I(as.list(a)))), expected)
  set.seed(1)
  shuffled <- sample(400)
  expect_identical(predict(model, d[shuffled, ])$V2, expected$V2[shuffled])
  with_noise <- quick_fit(transform(d, noise = rep_len(c("k", "l"), 400)), iters = 5000)
  used <- unlist(lapply(antecedents_of(with_noise)[with_noise$rs$V1], \(items) vapply(items, \(item) item$name, "")))
  expect_length(predict(with_noise, d[unique(used)])$V2, 400)
})

test_that("a missing column that the rules use is named", {
  model <- quick_fit(tictactoe, rule_maxlen = 3, iters = 3000)
  expect_condition_snapshot(predict(model, data.frame(x = 1:3)))
  d <- two_factor_data()
  small <- quick_fit(d, iters = 5000)
  expect_error(predict(small, structure(d[c(1, 1, 2, 2)], names = c("a", "a", "b", "b"))), class = "sbrl_error_column")
})

test_that("levels never seen fall through with one warning", {
  d <- two_factor_data()
  model <- quick_fit(d, iters = 5000)
  new <- data.frame(a = c("u", "zz", NA, "yy"), b = factor(c("new", "p", "q", NA)))
  conditions <- list()
  prob <- withCallingHandlers(predict(model, new, missing = "fallthrough"), warning = function(w) {
    conditions <<- c(conditions, list(w))
    invokeRestart("muffleWarning")
  })
  expect_length(conditions, 1)
  expect_s3_class(conditions[[1]], "sbrl_warning_column")
  expect_length(prob$V2, 4)
  expect_no_warning <- function(code) expect_warning(code, NA)
  # Levels that no row has, and missing values, are nothing to warn of.
  expect_no_warning(predict(model, transform(d, a = factor(a, levels = c("x1", "w", "v", "u")))))
  expect_no_warning(predict(model, data.frame(a = NA, b = NA), missing = "fallthrough"))
  expect_no_warning(
    predict(model, data.frame(a = addNA(factor(c("u", NA))), b = NA_character_), missing = "fallthrough")
  )
})

test_that("the warning names columns and values", {
  model <- quick_fit(tictactoe, iters = 3000, rule_maxlen = 3)
  new <- tictactoe[1:8, ]
  new[1:9] <- lapply(new[1:9], as.character)
  new$c5 <- paste0("odd", 1:8)
  new$c1 <- 1:8
  expect_condition_snapshot(predict(model, new))
})

test_that("columns match by value, whatever their type", {
  d <- two_factor_data()
  same <- function(fitted, new) {
    expect_warning(out <- predict(quick_fit(fitted, rule_maxlen = 2), new, type = "rule"), NA)
    expect_identical(out, predict(quick_fit(fitted, rule_maxlen = 2), fitted, type = "rule"))
  }
  same(d, transform(d, a = as.character(a), b = factor(b, levels = c("q", "p"))))
  flag <- transform(d, b = b == "p")
  same(flag, transform(flag, b = as.character(b)))
  same(transform(flag, b = as.character(b)), flag)
  numbers <- transform(d, b = factor(ifelse(b == "p", "1.0", "2")))
  same(numbers, transform(numbers, b = as.numeric(as.character(b))))
  same(transform(d, b = as.integer(b)), transform(d, b = as.double(b)))
  same(transform(d, b = as.integer(b)), transform(d, b = as.character(as.integer(b))))
  dates <- transform(d, b = ifelse(b == "p", "2024-01-31", "2024-02-01"))
  same(dates, transform(dates, b = as.Date(b)))
  latin1 <- c(p = "\xe9", q = "x")[as.character(d$b)]
  Encoding(latin1) <- "latin1"
  same(transform(d, b = latin1), transform(d, b = enc2utf8(latin1)))
})

test_that("two levels that are one number: the one written like it wins", {
  d <- data.frame(x = rep(c("1.0", "1", "2"), 100), label = rep(c(1, 0, 0), 100))
  model <- quick_fit(d)
  expect_identical(predict(model, data.frame(x = 1)), predict(model, data.frame(x = "1")))
})

test_that("mismatched types warn", {
  d <- two_factor_data()
  model <- quick_fit(d, iters = 5000)
  expect_condition_snapshot({
    predict(model, transform(d, a = as.integer(a)))
    predict(model, transform(d, a = a == "u"))
  })
  expect_error(predict(model, transform(d, a = I(as.list(a)))), class = "sbrl_error_column")
})

test_that("a model saved and read in a new process predicts the same", {
  skip_if_not_built()
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  files <- tempfile(fileext = c(".rds", ".rds", ".rds"))
  on.exit(unlink(files))
  saveRDS(model, files[1])
  saveRDS(d, files[2])
  out <- fresh_r(c(
    sprintf("model <- readRDS(%s)", deparse(files[1])),
    sprintf("saveRDS(list(predict(model, readRDS(%s)), format(model)), %s)", deparse(files[2]), deparse(files[3]))
  ))
  expect_null(attr(out, "status"))
  expect_identical(readRDS(files[3]), list(predict(model, d), format(model)))
})

test_that("a model that was tampered with is refused", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  broken <- list(
    within_model(model, rs = transform(model$rs, V1 = 1e9)),
    within_model(model, probs = model$probs[1, , drop = FALSE]),
    within_model(model, items = transform(model$items, feature = 99L)),
    within_model(model, pool = within(model$pool, items[] <- -1L)), structure(list(), class = "sbrl")
  )
  for (object in broken) {
    expect_error(predict(object, d), class = "sbrl_error_model")
  }
})

# Missing values that training did not have ----

gap_model <- function() {
  d <- two_factor_data()
  quick_fit(d, rule_maxlen = 1)
}

test_that("rows that a missing value leaves undecided are counted in one warning, and fall through", {
  model <- gap_model()
  d <- two_factor_data()[1:20, ]
  first <- sub("[{]([ab])=.*", "\\1", model$rulenames[model$rs$V1[1]])
  d[[first]][c(2, 5)] <- NA
  expect_warning(got <- predict(model, d), "2 of 20 rows, a value", fixed = TRUE, class = "sbrl_warning_missing")
  expect_silent(same <- predict(model, d, missing = "fallthrough"))
  expect_identical(got, same)
  expect_error(predict(model, d, missing = "error"), "2 of 20", class = "sbrl_error_missing")
  rate <- predict(model, d, missing = "base_rate", type = "matrix")
  expect_equal(unname(rate[2, ]), unname(model$settings$class_counts / 400))
  expect_identical(predict(model, d, missing = "base_rate", type = "rule")[c(2, 5)], c(NA_integer_, NA_integer_))
  whole <- !is.na(d[[first]])
  expect_identical(rate[whole, ], predict(model, d[whole, ], type = "matrix"))
  share <- model$settings$class_counts[[2]] / 400
  interval <- predict(model, d, missing = "base_rate", type = "interval")[2, ]
  expect_equal(interval, c(prob = share, lower = qbeta(0.025, 2 * share, 2 - 2 * share),
                           upper = qbeta(0.975, 2 * share, 2 - 2 * share)))
  expect_error(predict(model, d, missing = "drop"), class = "sbrl_error_argument")
  expect_identical(explain(model, d[2, ], missing = "base_rate")$prob, rate[[2, 2]])
  expect_output(print(explain(model, d[2, ], missing = "base_rate")), "leaves open whether rule 1 matches")
})

test_that("a missing value that could change nothing, or that training had, is no surprise", {
  d <- two_factor_data()
  d$a[1:40] <- NA
  expect_silent(predict(quick_fit(d), d))
  # captured by the first rule, whatever comes later
  model <- gap_model()
  features <- sub("[{]([ab])=.*", "\\1", model$rulenames[model$rs$V1])
  later <- setdiff(features, features[1])
  expect_length(later, 1)
  d <- two_factor_data()
  captured <- d[predict(model, d, type = "rule") == 1, ]
  expect_gt(nrow(captured), 0)
  captured[[later]] <- NA
  expect_silent(predict(model, captured))
})

test_that("a model from a file keeps the policy the file says", {
  model <- gap_model()
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file, missing = "base_rate")
  again <- sbrl_read_json(file)
  d <- two_factor_data()[1:5, ]
  d[1, ] <- NA
  expect_identical(predict(again, d), predict(model, d, missing = "base_rate"))
  expect_identical(as_r_function(again)(d), predict(again, d)$V2)
})

test_that("one class for all rows is said once", {
  d <- two_factor_data()
  d$label <- rep(c(1, 0, 0, 0, 0), 80)
  model <- suppressWarnings(quick_fit(d))
  expect_message(predict(model, d, type = "class"), "All 400 rows are predicted to be \"0\"", fixed = TRUE,
                 class = "sbrl_message_one_class")
  expect_silent(predict(model, d))
  expect_silent(predict(model, d[1, ], type = "class"))
  expect_silent(predict(gap_model(), d, type = "class"))
})

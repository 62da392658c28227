# A search that ends when its list has settled: what is asked, what is recorded, what people read.

settle_data <- function() {
  d <- two_factor_data(120)
  d$n <- with_own_generator(3, \() stats::rnorm(120))
  d
}

test_that("a formula without iters settles; a data frame and given iters are as before", {
  d <- settle_data()
  model <- sbrl(label ~ ., d, seed = 1, progress = FALSE)
  expect_true(is.na(model$settings$iters))
  expect_named(model$settings$settled, settled_fields)
  expect_true(model$settings$settled[["verdict"]] %in% 1:2)
  expect_true(all(model$chains$iterations >= 30000))
  expect_match(settled_sentence(model), "^(Search settled|Proved): ")
  expect_identical(utils::tail(format(model), 1L), settled_sentence(model))
  expect_identical(summary(model)$search$settled, settled_sentence(model))
  expect_no_match(format(model, style = "1.4"), "settled|Proved")

  given <- sbrl(label ~ ., d, iters = 500, nchain = 3, seed = 1, progress = FALSE)
  expect_identical(given$chains$iterations, rep(500, 3))
  expect_null(given$settings$settled)
  expect_no_match(format(given), "settled|Proved")
  frame <- sbrl(d, seed = 1, iters = 500, nchain = 2, progress = FALSE)
  expect_null(frame$settings$settled)
  expect_error(sbrl(d, iters = NULL), class = "sbrl_error_argument")
})

test_that("seeds and threads do not matter once it has settled, and only nchain is that many chains", {
  d <- settle_data()
  fit <- function(...) sbrl(label ~ ., d, ..., progress = FALSE)
  one <- fit(seed = 1, threads = 1)
  expect_identical(fit(seed = 1, threads = 2)[c("rs", "found", "settings")[1:2]], one[c("rs", "found")])
  expect_identical(fit(seed = 2)$found, one$found)
  expect_identical(fit(seed = 3, method = "map")$found, one$found)
  expect_identical(nrow(fit(seed = 1, nchain = 4)$chains), 4L)
})

test_that("update(), bags and cross-validation settle again, and refit() knows nothing of new rows", {
  d <- settle_data()
  model <- sbrl(label ~ ., d, seed = 1, progress = FALSE)
  again <- update(model, lambda = 5)
  expect_true(is.na(again$settings$iters))
  expect_false(is.null(again$settings$settled))
  expect_null(refit(model, d)$settings$settled)
  bag <- sbrl_bag(model, d, times = 2, seed = 1, progress = FALSE)
  expect_true(is.na(medoid(bag)$settings$iters))
  cv <- cv_sbrl(label ~ ., d, lambda = 3, rule_maxlen = 1, folds = 2, seed = 1, progress = FALSE)
  expect_false(is.null(refit(cv)$settings$settled))
  auto <- sbrl(label ~ ., d, lambda = "auto", seed = 1, progress = FALSE)
  expect_false(is.null(auto$settings$settled))
})

test_that("iters = NULL, written out, means the same as no iters with a formula, and is refused with a data frame", {
  d <- settle_data()
  fit <- function(...) sbrl(label ~ ., d, ..., seed = 1, nchain = 3, progress = FALSE)
  expect_identical(fit(iters = NULL)$found, fit()$found)
  expect_false(is.null(update(fit(iters = 300), iters = NULL)$settings$settled))
  validate <- function(x, ...) {
    cv_sbrl(x, ..., lambda = 3, rule_maxlen = 1, folds = 2, nchain = 3, seed = 1, progress = FALSE)
  }
  cv <- validate(label ~ ., data = d, iters = NULL)
  expect_identical(cv$results, validate(label ~ ., data = d)$results)
  expect_false(is.null(refit(cv, iters = NULL)$settings$settled))
  expect_false(is.null(refit(validate(label ~ ., data = d, iters = 300), iters = NULL)$settings$settled))
  expect_error(validate(d, iters = NULL), "`iters` must be one whole number", class = "sbrl_error_argument")
  bag <- function(x, ...) medoid(sbrl_bag(x, ..., times = 2, seed = 1, nchain = 3, progress = FALSE))
  expect_true(is.na(bag(label ~ ., data = d, iters = NULL)$settings$iters))
  expect_true(is.na(bag(fit(iters = 300), data = d, iters = NULL)$settings$iters))
  expect_error(bag(d, iters = NULL), "`iters` must be one whole number", class = "sbrl_error_argument")
})

test_that("draws of a posterior and alternatives do not pass for lists on which the search settled", {
  d <- settle_data()
  model <- sbrl(label ~ ., d, seed = 1, progress = FALSE)
  posterior <- suppressWarnings(sbrl_posterior(model, d, draws = 100, seed = 1, progress = FALSE))
  others <- c(list(medoid(posterior)), alternatives(posterior, within = 20)$model)
  expect_gt(length(others), 1L)
  for (other in others) {
    expect_null(other$settings$settled)
    expect_no_match(format(other), "settled|Proved")
  }
})

test_that("JSON and RDS keep it, and nonsense is refused", {
  model <- sbrl(label ~ ., settle_data(), seed = 1, progress = FALSE)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  back <- sbrl_read_json(file)
  expect_identical(back$settings$settled, model$settings$settled)
  expect_true(is.na(back$settings$iters))
  expect_identical(settled_sentence(back), settled_sentence(model))
  damaged <- model
  damaged$settings$settled[["chains"]] <- -1
  expect_error(summary(damaged), "settled", class = "sbrl_error_model")
})

test_that("each verdict has its sentence", {
  say <- function(..., stopped = FALSE) {
    settled_sentence(list(
      settings = list(settled = settled_numbers(c(...))), rulenames = letters, stopped_early = stopped
    ))
  }
  expect_match(say(1, 9, 10, 2, 2), "found by 9 of 10 independent chains; 2 searches of another kind found nothing")
  expect_match(say(1, 1, 10, 3, 4), "3 of 4 searches of another kind and 1 of 10 independent chains")
  expect_match(say(0, 1, 10, 0, 4), "another seed may give another list .* iters = 1e6")
  expect_match(say(0, 0, 10, 0, 0, stopped = TRUE), "time limit")
  expect_match(say(2, 10, 10, 0, 0), "Proved: no list of these 26 candidates is better.")
  expect_null(settled_sentence(list(settings = list())))
})

test_that("an interval between two cut points takes more words", {
  items <- list(feature = c(1L, 1L, 1L, 2L), lo = c(1L, 2L, 3L, 2L), hi = c(1L, 2L, 3L, 2L))
  features <- list(list(cuts = c(1, 2)), list(cuts = double()))
  expect_identical(item_words(items, features), c(1L, 2L, 1L, 1L))
})

test_that("a time limit ends it, and says so", {
  found <- list(
    iterations = c(done = 12000, planned = NA), result = list(chains = list(iterations = c(10000, 2000, 0)))
  )
  expect_message(
    inform_time_limit(found, 0.5), "after 0.5 s, before the list had settled: 12,000 iterations of 2 chains done",
    class = "sbrl_message_time_limit"
  )
})

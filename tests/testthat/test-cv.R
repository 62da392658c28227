# Cross-validation: folds, seeds, leaks between folds, and refit().

quick_cv <- function(tdata, ..., folds = 4, iters = 300, nchain = 2, seed = 1, progress = FALSE) {
  cv_sbrl(tdata, ..., folds = folds, iters = iters, nchain = nchain, seed = seed, progress = progress)
}

# Numbers and factors, with gaps; y depends on x and a.
mixed <- function(n = 200, seed = 5) {
  set.seed(seed)
  d <- data.frame(x = stats::rnorm(n), a = sample(c("u", "v", NA), n, TRUE), z = stats::runif(n))
  d$label <- stats::rbinom(n, 1, ifelse(d$x > 0.5 | d$a %in% "u", 0.85, 0.15))
  d$x[sample.int(n, 10)] <- NA
  d
}

test_that("folds are stratified to within one row, in each class and in all", {
  set.seed(11)
  for (folds in c(2, 3, 7, 10)) {
    label <- c(rep("x", 11), sample(c("x", "y", "z"), 104, TRUE), rep("z", 22))
    d <- data.frame(a = rep_len(c("p", "q"), 137), label = label)
    cv <- quick_cv(d, lambda = 3, rule_maxlen = 1, folds = folds, iters = 10, nchain = 1)
    by_class <- table(cv$truth, cv$fold)
    expect_identical(ncol(by_class), as.integer(folds))
    expect_lte(max(apply(by_class, 1, \(n) diff(range(n)))), 1)
    expect_lte(diff(range(colSums(by_class))), 1)
  }
})

test_that("folds are dealt at random: a row is in each fold, and with each other row, equally often", {
  codes <- rep(1:2, 6)
  set.seed(1)
  dealt <- replicate(3000, sbrl:::assign_folds(codes, 3))
  expect_gt(stats::chisq.test(table(dealt[1, ]))$p.value, 1e-4)
  # Of the 5 other rows of its class one shares the fold of the first row.
  expect_gt(stats::binom.test(sum(dealt[1, ] == dealt[3, ]), 3000, 1 / 5)$p.value, 1e-4)
  expect_gt(stats::binom.test(sum(dealt[1, ] == dealt[2, ]), 3000, 1 / 3)$p.value, 1e-4)
})

test_that("each fold is an sbrl() fit to the other rows, which learns its own cut points", {
  d <- mixed()
  cv <- quick_cv(d, lambda = c(3, 10), rule_maxlen = 2)
  for (i in c(1, 6)) {
    at <- cv$per_fold[i, ]
    rows <- cv$fold != at$fold
    model <- sbrl(d[rows, ], lambda = cv$grid$lambda[at$setting], rule_maxlen = 2, iters = 300, nchain = 2,
                  seed = at$seed, progress = FALSE)
    test <- d[!rows, ]
    expect_identical(cv$predictions[[at$setting]][!rows, ], predict(model, test, type = "matrix"))
    expect_equal(unlist(at[c("auc", "log_loss", "accuracy", "brier", "n")]), unlist(sbrl_performance(model, test)))
    expect_equal(at$length, nrow(model$rs) - 1)
  }
  # What is in the fold left out cannot matter to the fit: put nonsense there.
  left_out <- cv$fold == 1
  spoilt <- d
  spoilt$x[left_out] <- 1e6
  spoilt$label[left_out] <- rev(spoilt$label[left_out])
  again <- quick_cv(spoilt, lambda = 3, rule_maxlen = 2, folds = cv$fold)
  model <- sbrl(d[!left_out, ], lambda = 3, rule_maxlen = 2, iters = 300, nchain = 2, seed = cv$per_fold$seed[1],
                progress = FALSE)
  expect_identical(again$predictions[[1]][left_out, ], predict(model, spoilt[left_out, ], type = "matrix"))
})

test_that("results are means and standard errors over the folds", {
  cv <- quick_cv(mixed(), lambda = c(2, 6), eta = c(1, 2), rule_maxlen = 1)
  expect_identical(nrow(cv$results), 4L * 4L)
  expect_identical(as.data.frame(cv), cv$results)
  for (i in seq_len(nrow(cv$results))) {
    at <- cv$results[i, ]
    x <- cv$per_fold[cv$per_fold$setting == at$setting, ]
    expect_equal(at$mean, mean(x[[at$measure]]))
    expect_equal(at$se, stats::sd(x[[at$measure]]) / 2)
    expect_equal(at$length, mean(x$length))
    expect_equal(at$lambda, cv$grid$lambda[at$setting])
  }
})

test_that("the choice is the best, and the simplest within one standard error", {
  results <- data.frame(
    measure = "auc", mean = c(0.80, 0.89, 0.90, 0.89, 0.89), se = 0.02, length = c(1, 5, 9, 5, 5),
    conditions = c(1, 5, 9, 7, 5)
  )
  grid <- data.frame(lambda = c(1, 5, 9, 2, 2), rule_maxlen = c(1, 1, 1, 2, 1))
  expect_identical(sbrl:::choose_settings(results, grid, "auc"), list(best = 3L, one_se = 5L))
  results$measure <- "log_loss"
  expect_identical(sbrl:::choose_settings(results, grid, "log_loss"), list(best = 1L, one_se = 1L))
  results$mean <- NA_real_
  expect_error(sbrl:::choose_settings(results, grid, "log_loss"), class = "sbrl_error_argument")
})

test_that("the simplest list has the fewest conditions to read, then the fewest rules, then the better mean", {
  results <- data.frame(
    measure = "auc", mean = c(0.90, 0.89, 0.885, 0.89, 0.88), se = 0.02, length = c(9, 3, 6, 5, 5),
    conditions = c(18, 9, 6, 6, 6)
  )
  grid <- data.frame(rule_maxlen = c(3, 3, 1, 2, 2), minsupport = 0.1)
  # three rules of three conditions are not simpler than five rules with six; of these, the better one is taken
  expect_identical(sbrl:::choose_settings(results, grid, "auc"), list(best = 1L, one_se = 4L))
  results$mean[4:5] <- 0.88
  grid$minsupport[5] <- 0.2
  expect_identical(sbrl:::choose_settings(results, grid, "auc")$one_se, 5L)
})

test_that("the numbers of conditions are those of the fitted lists", {
  cv <- quick_cv(mixed(), lambda = 4, rule_maxlen = 1:2)
  expect_identical(cv$per_fold$conditions[cv$per_fold$setting == 1], cv$per_fold$length[cv$per_fold$setting == 1])
  second <- cv$per_fold[cv$per_fold$setting == 2, ]
  model <- sbrl(mixed()[cv$fold != 1, ], lambda = 4, rule_maxlen = 2, iters = 300, nchain = 2, seed = second$seed[1],
                progress = FALSE)
  expect_identical(second$conditions[1], sum(rules(model)$length))
  expect_equal(unique(cv$results$conditions[cv$results$setting == 2]), mean(second$conditions))
})

test_that("a level not seen in the other folds gives a warning only if the rules use its column", {
  d <- two_factor_data(120)
  d$id <- ifelse(seq_len(120) == 1L, "rare", "common")
  expect_no_warning(cv <- quick_cv(d, lambda = 3, rule_maxlen = 1))
  expect_false(any(vapply(cv$predictions, anyNA, NA)))
  d$a <- replace(as.character(d$a), 1L, "rare")
  expect_warning(quick_cv(d, lambda = 3, rule_maxlen = 1), "`a` \\(\"rare\"\\)", class = "sbrl_warning_fits")
})

test_that("a cross-validation of 2.0.0, which did not count conditions, is still shown and fitted", {
  cv <- quick_cv(mixed(), lambda = c(2, 6), rule_maxlen = 1)
  old <- cv
  old$results$conditions <- NULL
  old$per_fold$conditions <- NULL
  expect_no_match(format(old), "conditions")
  expect_match(format(cv), "conditions", all = FALSE)
  expect_output(print(summary(old)), "rules")
  expect_s3_class(refit(old, iters = 50, progress = FALSE), "sbrl")
  cv$results$conditions <- "many"
  expect_error(print(cv), "results", class = "sbrl_error_object")
})

test_that("a setting's result depends neither on the others nor on their order", {
  d <- mixed()
  all <- quick_cv(d, lambda = c(2, 6), rule_maxlen = 1:2)
  one <- quick_cv(d, lambda = 6, rule_maxlen = 1)
  back <- quick_cv(d, grid = data.frame(rule_maxlen = c(2, 1), lambda = 6))
  expect_identical(one$predictions[[1]], all$predictions[[2]])
  expect_identical(back$predictions, all$predictions[c(4, 2)])
  expect_identical(one$per_fold[-1], all$per_fold[5:8, -1], ignore_attr = TRUE)
})

test_that("set.seed() and seed govern everything, and R's generator is left alone", {
  d <- mixed()
  run <- function(seed = NULL) {
    quick_cv(d, lambda = 5, rule_maxlen = 1, seed = seed)[c("per_fold", "predictions", "fold")]
  }
  set.seed(4)
  first <- run()
  after <- stats::runif(1)
  set.seed(4)
  seed <- floor(stats::runif(1) * 2^31)
  expect_identical(stats::runif(1), after)
  set.seed(9, kind = "Wichmann-Hill")
  before <- .Random.seed
  expect_identical(run(seed), first)
  expect_identical(.Random.seed, before)
  set.seed(1, kind = "Mersenne-Twister")
  expect_false(identical(run(5)$fold, first$fold))
  expect_false(identical(run(2^40)$fold, run(2^40 + 1)$fold))
})

test_that("results are the same on any number of threads and on futures", {
  skip_if_not_installed("future.apply")
  skip_if_not_built()
  skip_on_cran()
  d <- mixed()
  run <- function(...) quick_cv(d, lambda = c(2, 6), rule_maxlen = 1:2, ...)[c("results", "per_fold", "predictions")]
  here <- run()
  expect_identical(run(threads = 1), here)
  old <- future::plan("multisession", workers = 2)
  on.exit(future::plan(old))
  expect_true(sbrl:::has_parallel_plan())
  expect_identical(run(), here)
  expect_error(quick_cv(d, lambda = 5, rule_maxlen = 3, max_rules = 5), "fold 1, .*max_rules", class = "sbrl_error")
  future::plan("sequential")
  expect_false(sbrl:::has_parallel_plan())
})

test_that("a cluster of R processes gives the same results, and data that are too large for it a clear error", {
  skip_if_not_installed("future.apply")
  skip_if_not_built()
  skip_on_cran()
  d <- mixed()
  run <- function() quick_cv(d, lambda = c(2, 6), rule_maxlen = 1)[c("results", "per_fold", "predictions")]
  here <- run()
  old <- future::plan("cluster", workers = rep("localhost", 2))
  options <- options(future.globals.maxSize = 500 * 1024^2)
  on.exit({
    future::plan(old)
    options(options)
  })
  expect_identical(run(), here)
  options(future.globals.maxSize = 1000)
  expect_error(run(), "future.globals.maxSize.*sbrl_source", class = "sbrl_error_future")
  expect_error(sbrl_bag(d, times = 2, iters = 100, nchain = 1), "future.globals.maxSize", class = "sbrl_error_future")
  # each way out that the message names is one
  d$fold <- rep_len(1:4, nrow(d))
  rows <- d[names(d) != "fold"]
  by_hand <- vapply(1:4, function(fold) {
    model <- fit_with(chunk_source(rows[d$fold != fold, ]))
    expect_same_model(model, fit_with(rows[d$fold != fold, ]))
    sbrl_performance(model, chunk_source(rows[d$fold == fold, ]))$log_loss
  }, 1)
  expect_true(all(is.finite(by_hand)))
  d$fold <- NULL
  future::plan("sequential")
  expect_identical(run(), here)
})

test_that("on futures progress goes through progressr where that is loaded, unless it is not wanted", {
  skip_if_not_installed("future.apply")
  skip_if_not_installed("progressr")
  skip_if_not_built()
  skip_on_cran()
  old <- future::plan("multisession", workers = 2)
  # in scripts that package signals nothing without this
  options <- options(progressr.enable = TRUE)
  on.exit({
    future::plan(old)
    options(options)
  })
  count <- function(...) {
    n <- 0
    withCallingHandlers(
      cv_sbrl(two_factor_data(), lambda = 3, rule_maxlen = 1, folds = 3, iters = 50, nchain = 1, seed = 1, ...),
      progression = function(p) {
        n <<- n + identical(p$type, "update")
        tryInvokeRestart("muffleProgression")
      }
    )
    n
  }
  loadNamespace("progressr")
  expect_identical(count(), 3)
  expect_identical(count(progress = TRUE), 3)
  expect_identical(count(progress = FALSE), 0)
})

test_that("formulas, refit() and do.call() work", {
  d <- mixed()
  cv <- cv_sbrl(label ~ exp(x) + a, data = d, lambda = c(2, 6), rule_maxlen = 1, folds = 3, seed = 1, iters = 300,
                nchain = 2, progress = FALSE)
  named <- cv_sbrl(formula = label ~ exp(x) + a, d, lambda = c(2, 6), rule_maxlen = 1, folds = 3, seed = 1, iters = 300,
                   nchain = 2, progress = FALSE)
  expect_identical(named$results, cv$results)
  model <- refit(cv, "best", progress = FALSE)
  direct <- sbrl(label ~ exp(x) + a, data = d, lambda = cv$grid$lambda[cv$best], rule_maxlen = 1, seed = 1, iters = 300,
                 nchain = 2, progress = FALSE)
  expect_identical(without_clock(model), without_clock(direct))
  expect_identical(predict(model, d), predict(direct, d))
  expect_identical(model$call, quote(refit(cv, choice = "best", progress = FALSE)))
  expect_identical(refit(cv, 2, seed = 7, progress = FALSE)$seed, 7)
  expect_identical(refit(cv, 2, progress = FALSE)$settings$lambda, 6)
  simple <- do.call(cv_sbrl, list(d, lambda = 2, rule_maxlen = 1, folds = 2, iters = 10, nchain = 1, progress = FALSE))
  expect_lt(object.size(simple$call), 5000)
  if (requireNamespace("generics", quietly = TRUE)) {
    expect_identical(generics::refit(cv, "best", progress = FALSE)$rs, model$rs)
  }
})

test_that("rows of weight 0 and rows without a label are in no fold, weights count", {
  d <- mixed()
  w <- rep_len(c(1, 2, 0, 3), 200)
  d$label[c(1, 5)] <- NA
  expect_warning(cv <- quick_cv(d, weights = w, lambda = 5, rule_maxlen = 1), "2 row", class = "sbrl_warning_label")
  out <- w == 0 | is.na(d$label)
  expect_identical(is.na(cv$fold), out)
  expect_identical(is.na(cv$truth), out)
  expect_identical(is.na(cv$predictions[[1]][, 1]), out)
  expect_equal(sum(cv$per_fold$n), sum(w[!out]))
  test <- which(cv$fold == 2)
  p <- cv$predictions[[1]][test, 2]
  loss <- -log(ifelse(d$label[test] == 1, p, 1 - p))
  expect_equal(cv$per_fold$log_loss[2], stats::weighted.mean(loss, w[test]))
})

test_that("lambda = \"auto\" alone and together with numbers", {
  auto <- quick_cv(mixed(), lambda = "auto", rule_maxlen = 1)
  both <- quick_cv(mixed(), lambda = c("auto", 5), rule_maxlen = 1)
  expect_identical(both$predictions[[1]], auto$predictions[[1]])
  expect_identical(both$predictions[[2]], quick_cv(mixed(), lambda = 5, rule_maxlen = 1)$predictions[[1]])
  expect_identical(refit(auto, progress = FALSE)$settings$lambda_first, 5)
})

test_that("a session that has drawn no random number yet has drawn none after cross-validation", {
  skip_if_not_built()
  said <- fresh_r(c(
    "stopifnot(!exists('.Random.seed', globalenv()))",
    "cv <- cv_sbrl(tictactoe, lambda = 8, folds = 2, seed = 1, iters = 100, nchain = 1)",
    "cat(exists('.Random.seed', globalenv()))"
  ))
  expect_identical(said, "FALSE")
})

test_that("one message says how many fits a time limit stopped", {
  fit <- function() {
    cv_sbrl(
      tictactoe,
      folds = 2, iters = 1e9, lambda = 8, rule_maxlen = 3, time_limit = 0.1, progress = FALSE
    )
  }
  expect_no_message(expect_message(fit(), "stopped 2 of 2 fits", class = "sbrl_message_time_limit"))
})

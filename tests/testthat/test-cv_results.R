# Tables, choices and pictures of a cross-validation.

shown_cv <- function() {
  cv_sbrl(
    tictactoe, lambda = c(1, 8), rule_maxlen = 1:2, folds = 3, seed = 1, iters = 300, nchain = 2, progress = FALSE
  )
}

test_that("print(), format() and summary() show the settings and the choice", {
  cv <- shown_cv()
  expect_snapshot(print(cv))
  expect_snapshot(print(summary(cv)))
  expect_identical(capture.output(back <- print(cv)), format(cv))
  expect_identical(back, cv)
  table <- summary(cv)$table
  expect_equal(table$auc, cv$results$mean[cv$results$measure == "auc"])
  expect_equal(table$brier_se, cv$results$se[cv$results$measure == "brier"])
})

test_that("plot() draws every measure, autoplot() the same points", {
  cv <- shown_cv()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (measure in list(NULL, "auc", "accuracy", "brier")) {
    expect_identical(plot(cv, measure = measure), cv)
  }
  plot(cv, labels = FALSE, main = "title", xlim = c(0, 10))
  expect_error(plot(cv, measure = "rmse"), class = "sbrl_error_argument")
  expect_error(plot(cv, labels = NA), class = "sbrl_error_argument")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(cv)
  expect_s3_class(picture, "ggplot")
  built <- ggplot2::ggplot_build(picture)$data
  at <- cv$results[cv$results$measure == cv$measure, ]
  expect_setequal(round(built[[3]]$y, 8), round(at$mean, 8))
  expect_setequal(built[[4]]$label, sbrl:::setting_labels(cv$grid))
  expect_length(ggplot2::ggplot_build(ggplot2::autoplot(cv, "auc", labels = FALSE))$data, 3)
})

test_that("labels end before the axis does, on a narrow picture too", {
  cv <- shown_cv()
  for (width in c(3, 5, 7, 12)) {
    grDevices::pdf(NULL, width, 5)
    plot(cv)
    at <- sbrl:::fitting_labels(sbrl:::plot_points(cv, NULL), graphics::par("pin")[1])
    end <- at$length + graphics::strwidth("M", cex = 0.9) + graphics::strwidth(at$label, cex = 0.7)
    if (width > 3) expect_true(all(end <= graphics::par("usr")[2]))
    grDevices::dev.off()
  }
  narrow <- sbrl:::fitting_labels(sbrl:::plot_points(cv, NULL), 2)
  expect_identical(nzchar(narrow$label), narrow$choice != "other")
})

test_that("autoplot() of a cross-validation has the theme of the other pictures", {
  skip_if_not_installed("ggplot2")
  model <- quick_fit(two_factor_data())
  expect_identical(ggplot2::autoplot(shown_cv())$theme, ggplot2::autoplot(model, "coverage")$theme)
})

test_that("a plot of one setting works", {
  cv <- cv_sbrl(
    two_factor_data(), lambda = 3, rule_maxlen = 1, folds = 2, seed = 1, iters = 100, nchain = 1, progress = FALSE
  )
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(cv), cv)
  expect_match(format(cv), "1 setting", all = FALSE)
})

test_that("labels keep clear of each other and of points", {
  set.seed(1)
  for (i in 1:50) {
    n <- sample(2:12, 1)
    x <- sample(1:3, n, TRUE)
    y <- round(stats::runif(n), 1)
    at <- sbrl:::spread_labels(x, y, 0.1, list(width = rep(1.5, n), height = 0.05), c(-0.1, 1.1))
    expect_true(all(at > -0.1 & at < 1.1))
    for (a in seq_len(n)) {
      touches <- abs(x - x[a]) < 1.5 & abs(at - at[a]) < 0.049
      expect_identical(sum(touches), 1L)
      expect_false(any(x > x[a] + 0.1 & x < x[a] + 1.6 & abs(y - at[a]) < 0.049))
    }
  }
})

test_that("progress goes to the error stream, and only if wanted", {
  run <- function(progress) {
    capture.output(
      cv <- cv_sbrl(
        two_factor_data(), lambda = 3, rule_maxlen = 1, folds = 3, iters = 50, nchain = 1, progress = progress
      ),
      type = "message"
    )
  }
  expect_match(paste(run(TRUE), collapse = " "), "2 of 3 fits")
  expect_identical(run(FALSE), character())
})

test_that("setTimeLimit() ends a cross-validation, and the next one works", {
  on.exit(setTimeLimit())
  set.seed(2)
  before <- .Random.seed
  expect_error(
    {
      setTimeLimit(elapsed = 0.5, transient = TRUE)
      cv_sbrl(tictactoe, folds = 10, iters = 1e8, seed = 1, progress = FALSE)
    },
    "time limit"
  )
  setTimeLimit()
  expect_identical(.Random.seed, before)
  expect_s3_class(shown_cv(), "cv_sbrl")
})

test_that("warnings of the fits come as one", {
  expect_warning(
    cv_sbrl(
      two_factor_data(60), lambda = 3, rule_maxlen = 1, minsupport = 1, folds = 3, iters = 10, nchain = 1,
      progress = FALSE
    ),
    "3 of 3 fits gave warnings, the first: No condition", class = "sbrl_warning_fits"
  )
})

test_that("bad arguments are refused by name, before any fit", {
  d <- two_factor_data(40)
  cv <- function(...) cv_sbrl(d, ..., iters = 1e9, progress = FALSE)
  alone <- transform(d, label = c("x", rep(c("y", "z"), length.out = 39)))
  expect_condition_snapshot({
    cv(lambda = -1)
    cv(lambda = c("auto", "many"))
    cv(lambda = numeric())
    cv(eta = "1")
    cv(rule_maxlen = list(1))
    cv(minsupport = 2)
    cv(folds = 1)
    cv(folds = 2.5)
    cv(folds = 39)
    cv(folds = c(1, 2))
    cv(folds = c(NA, rep_len(1:2, 39)))
    cv(folds = 1 + d$label)
    cv(measure = "rmse")
    cv(grid = list(lambda = 1))
    cv(grid = data.frame(lambda = 1), lambda = 2)
    cv(grid = data.frame(colour = 1))
    cv(grid = data.frame(lambda = NA))
    cv(grid = data.frame(bins = 2), bins = 3)
    cv(lamda = 3)
    cv(threads = 0)
    cv(seed = -1)
    cv(keep_data = NA)
    cv(label = "colour")
    cv(time_limit = -1)
    cv_sbrl(alone)
    cv_sbrl(1)
    cv_sbrl()
    cv_sbrl(d, 1, 1, 1, 0.1, 0.1, 7)
    cv_sbrl(label ~ a, data = d, label = "label")
  })
})

test_that("refit() says what is wrong", {
  cv <- cv_sbrl(
    two_factor_data(), lambda = 3, rule_maxlen = 1, folds = 2, iters = 10, nchain = 1, progress = FALSE,
    keep_data = FALSE
  )
  expect_null(cv$frame)
  expect_error(refit(cv), "keep_data", class = "sbrl_error_argument")
  expect_error(refit(cv, "worst"), "choice", class = "sbrl_error_argument")
  expect_error(refit(cv, 2), "choice", class = "sbrl_error_argument")
  expect_error(refit(shown_cv(), weights = 1), "weights", class = "sbrl_error_argument")
})

test_that("given folds may be text, and a fold of one class has no AUC", {
  d <- two_factor_data(90)
  folds <- rep_len(c("a", "b", "c"), 90)
  folds[which(d$label == 1)[1:3]] <- "one class"
  cv <- cv_sbrl(d, lambda = 3, rule_maxlen = 1, folds = factor(folds), iters = 50, nchain = 1, progress = FALSE)
  expect_identical(cv$fold, folds)
  expect_identical(cv$per_fold$fold, c("a", "b", "c", "one class"))
  expect_identical(is.na(cv$per_fold$auc), c(FALSE, FALSE, FALSE, TRUE))
  expect_equal(cv$results$mean[1], mean(cv$per_fold$auc[1:3]))
  expect_equal(cv$results$se[1], stats::sd(cv$per_fold$auc[1:3]) / sqrt(3))
})

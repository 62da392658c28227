# Labels of K classes drawn from probabilities that are sharpened by `power`.
sharpened <- function(n, k, power, seed = 1) {
  set.seed(seed)
  probs <- matrix(stats::rexp(n * k)^1.5, n)
  probs <- probs / rowSums(probs)
  codes <- apply(probs, 1, \(p) sample.int(k, 1, prob = p))
  list(codes = codes, probs = probs^power / rowSums(probs^power))
}

test_that("the slope is that of logistic regression, for two and more classes", {
  two <- sharpened(800, 2, 1.5)
  weights <- rep(c(1, 2, 0.5, 3), 200)
  found <- sbrl:::calibration_measures(two$codes, two$probs, weights)
  z <- log(two$probs[, 2] / two$probs[, 1])
  y <- two$codes - 1
  joint <- suppressWarnings(stats::glm(y ~ z, stats::binomial(), weights = weights))
  shift <- suppressWarnings(stats::glm(y ~ 1, stats::binomial(), weights = weights, offset = z))
  expect_equal(found[["slope"]], stats::coef(joint)[[2]], tolerance = 1e-6)
  expect_equal(found[["slope_se"]], sqrt(stats::vcov(joint)[2, 2]), tolerance = 1e-3)
  expect_equal(found[["intercept"]], stats::coef(shift)[[1]], tolerance = 1e-6)
  # one predictor and a free intercept for each class but the first: the log likelihood is at its top
  three <- sharpened(900, 3, 2)
  found <- sbrl:::calibration_measures(three$codes, three$probs)
  logs <- log(three$probs)
  minus_log_likelihood <- function(b) {
    odds <- b[3] * logs + rep(c(0, b[1], b[2]), each = nrow(logs))
    -sum(odds[cbind(seq_along(three$codes), three$codes)] - log(rowSums(exp(odds))))
  }
  best <- stats::optim(c(0, 0, 1), minus_log_likelihood, method = "BFGS", control = list(reltol = 1e-14))
  expect_equal(found[["slope"]], best$par[3], tolerance = 1e-4)
  expect_identical(found[["intercept"]], NA_real_)
})

test_that("probabilities that are too extreme have a slope below 1", {
  for (k in c(2, 3, 5)) {
    for (power in c(0.5, 1, 2)) {
      rows <- sharpened(4000, k, power, seed = k)
      found <- sbrl:::calibration_measures(rows$codes, rows$probs)
      expect_lt(abs(found[["slope"]] - 1 / power), 4 * found[["slope_se"]])
    }
  }
})

test_that("what the labels do not determine is NA", {
  separated <- cbind(c(0.9, 0.8, 0.2, 0.1), c(0.1, 0.2, 0.8, 0.9))
  expect_identical(sbrl:::calibration_measures(c(1, 1, 2, 2), separated)[["slope"]], NA_real_)
  constant <- matrix(0.5, 10, 2)
  found <- sbrl:::calibration_measures(rep(1:2, 5), constant)
  expect_identical(found[["slope"]], NA_real_)
  expect_equal(found[["intercept"]], 0)
  expect_identical(sbrl:::calibration_measures(rep(1, 5), constant[1:5, ])[["intercept"]], NA_real_)
})

test_that("summary() reports the slope of a cross-validation or a bag on request", {
  d <- two_factor_data(300)
  model <- quick_fit(d, lambda = 3)
  cv <- cv_sbrl(d, lambda = c(3, 10), rule_maxlen = 1, folds = 3, iters = 200, nchain = 1, seed = 1, progress = FALSE)
  slopes <- summary(cv, calibration = TRUE)$table$calibration_slope
  for (setting in 1:2) {
    fit <- stats::glm(d$label ~ stats::qlogis(cv$predictions[[setting]][, 2]), family = stats::binomial())
    expect_equal(slopes[setting], stats::coef(fit)[[2]], tolerance = 1e-6)
  }
  expect_output(print(summary(cv, calibration = TRUE)), "slope")
  expect_null(summary(cv)$table$calibration_slope)
  about <- summary(model, calibration = cv)
  expect_equal(about$calibration$slope, slopes[1])
  expect_output(print(about), "Calibration slope on rows not seen: .* \\(3 folds, setting 1\\)")
  bag <- sbrl_bag(model, d, times = 5, seed = 1, progress = FALSE)
  about <- summary(model, calibration = bag)
  expect_equal(about$calibration$slope, mean(bag$fits$slope))
  expect_output(print(about), "out of bag, mean of 5 lists")
  expect_null(summary(model)$calibration)
  expect_error(summary(model, calibration = 1), "`calibration`", class = "sbrl_error_argument")
  iris_bag <- sbrl_bag(Species ~ ., data = iris, times = 2, iters = 100, nchain = 1, seed = 1, progress = FALSE)
  expect_error(summary(model, calibration = iris_bag), "classes of the model", class = "sbrl_error_argument")
  cv$predictions <- NULL
  expect_error(summary(cv, calibration = TRUE), class = "sbrl_error_object")
})

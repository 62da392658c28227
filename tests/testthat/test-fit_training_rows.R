# The rows that a model, a bag or a posterior was fitted to are asked for again: other rows are refused.

quick <- list(iters = 200, nchain = 1, progress = FALSE, seed = 1)

some_rows <- function(n = 300, seed = 3) {
  set.seed(seed)
  d <- data.frame(x = stats::rnorm(n), z = stats::rnorm(n), a = factor(sample(letters[1:4], n, TRUE)))
  d$x[1:5] <- NA
  log_odds <- ifelse(is.na(d$x), 0, 1.5 * d$x) + (d$a == "b")
  d$y <- factor(stats::rbinom(n, 1, stats::plogis(log_odds)), labels = c("no", "yes"))
  d
}

model_of <- function(...) do.call(sbrl, c(list(...), quick))
bag_of <- function(...) do.call(sbrl_bag, c(list(...), quick))
teach_with <- function(bag, data, ...) do.call(sbrl, c(list(y ~ ., data = data, teacher = bag, ...), quick))
expect_refused <- function(object) expect_error(object, "must be the training rows", class = "sbrl_error_data")

# As many rows of each class, but the columns belong to other rows.
shuffled <- function(d, columns) {
  for (column in columns) d[[column]] <- rev(d[[column]])
  d
}

test_that("a list taught by a bag refuses the rows of the bag in another order, and with other features", {
  d <- some_rows()
  bag <- bag_of(y ~ ., data = d, times = 4)
  expect_refused(teach_with(bag, d[rev(seq_len(nrow(d))), ]))
  expect_refused(teach_with(bag, d[c(2:nrow(d), 1), ]))
  for (column in c("x", "a")) expect_refused(teach_with(bag, shuffled(d, column)))
  # which rows were drawn more than once shows
  expect_refused(teach_with(bag, d[order(d$y), ]))
  expect_s3_class(teach_with(bag, d), "sbrl")
  # rows that never counted may come and go
  unlabelled <- rbind(d, transform(d[1:3, ], y = NA))
  expect_identical(suppressWarnings(teach_with(bag, unlabelled))$rs, teach_with(bag, d)$rs)
})

test_that("a list taught by a bag refuses other weights, also where their sums are the same", {
  d <- some_rows()
  w <- rep(c(0.5, 1, 1.7), 100)
  bag <- bag_of(y ~ ., data = d, weights = w, times = 4)
  expect_s3_class(suppressWarnings(teach_with(bag, d, weights = w)), "sbrl")
  other <- w
  same <- which(d$y == "no")
  other[same] <- rev(w[same])
  expect_refused(teach_with(bag, d, weights = other))
  expect_refused(teach_with(bag, d))
  tiny <- bag_of(y ~ ., data = d, weights = w * 1e-9, times = 4)
  expect_s3_class(suppressWarnings(teach_with(tiny, d, weights = w * 1e-9)), "sbrl")
  expect_refused(teach_with(tiny, d, weights = other * 1e-9))
})

test_that("a bag whose seeds are unknown cannot teach", {
  d <- some_rows()
  bag <- bag_of(y ~ ., data = d, times = 4)
  for (seed in c(-1, 0.5, 2^60, NA)) {
    unknown <- bag
    unknown$fits$seed[2] <- seed
    expect_error(teach_with(unknown, d), "seeds", class = "sbrl_error_model")
  }
  # others than those of its samples
  changed <- bag
  changed$fits$seed <- changed$fits$seed + 1
  expect_error(teach_with(changed, d), "seeds", class = "sbrl_error_data")
})

test_that("a bag made with the settings of a model refuses other rows", {
  d <- some_rows()
  model <- model_of(y ~ ., data = d)
  again <- \(data, ...) sbrl_bag(model, data, times = 2, seed = 1, progress = FALSE, ...)
  expect_s3_class(again(d), "sbrl_bag")
  expect_refused(again(some_rows(seed = 4)))
  expect_refused(again(shuffled(d, "y")))
  expect_refused(again(d[-1, ]))
  expect_refused(again(d, weights = rep(2, nrow(d))))
  weighted <- model_of(y ~ ., data = d, weights = rep(2, nrow(d)))
  expect_error(sbrl_bag(weighted, d, times = 2), "`weights` is missing", class = "sbrl_error_argument")
})

test_that("posterior and certificate refuse shuffled features and labels", {
  d <- some_rows()
  model <- model_of(y ~ ., data = d)
  for (column in c("x", "y")) {
    other <- shuffled(d, column)
    expect_refused(sbrl_posterior(model, other, draws = 20, progress = FALSE))
    expect_refused(sbrl_certify(model, other, max_nodes = 10, progress = FALSE))
  }
  expect_s3_class(sbrl_certify(model, d, max_nodes = 10, progress = FALSE), "sbrl_certificate")
})

test_that("leave-one-out refuses shuffled features, also those that only draws other than the medoid use", {
  set.seed(1)
  levels <- \() factor(sample(letters[1:3], 200, TRUE))
  d <- data.frame(x = levels(), a = levels(), z = levels(), q = levels())
  d$y <- stats::rbinom(200, 1, ifelse(d$x == "a", 0.8, 0.3))
  model <- model_of(y ~ ., data = d, lambda = 2)
  x <- suppressWarnings(sbrl_posterior(model, d, draws = 200, warmup = 50, chains = 2, seed = 1, progress = FALSE))
  expect_lt(length(sbrl:::used_columns(medoid(x))), 4)
  expect_setequal(rules(x, by = "feature")$feature, c("x", "a", "z", "q"))
  for (column in c("x", "a", "z", "q")) expect_refused(sbrl_loo(x, shuffled(d, column)))
  expect_s3_class(suppressWarnings(sbrl_loo(x, d)), "sbrl_loo")
})

test_that("the calibration of a summary or a report is that of the same rows", {
  d <- some_rows()
  model <- model_of(y ~ ., data = d)
  other <- some_rows(seed = 4)
  expect_error(summary(model, calibration = bag_of(y ~ ., data = other, times = 2)), "`calibration` must be",
               class = "sbrl_error_data")
  cross <- \(data, ...) cv_sbrl(y ~ ., data = data, lambda = 3, rule_maxlen = 1, folds = 2, iters = 50, nchain = 1,
                                seed = 1, progress = FALSE, ...)
  expect_error(summary(model, calibration = cross(other)), "`calibration` must be", class = "sbrl_error_data")
  expect_error(summary(model, calibration = cross(d, weights = rep(2, nrow(d)))), class = "sbrl_error_data")
  # as many rows of each class: seen where the cross-validation has kept the rows
  expect_error(summary(model, calibration = cross(shuffled(d, "x"))), "`calibration`", class = "sbrl_error_data")
  for (keep in c(TRUE, FALSE)) {
    expect_s3_class(summary(model, calibration = cross(d, keep_data = keep)), "summary.sbrl")
  }
  expect_error(sbrl_report(model, file = tempfile(fileext = ".html"), bag = bag_of(y ~ ., data = other, times = 2)),
               "`bag` must be", class = "sbrl_error_data")
})

test_that("a report takes the posterior of the same rows only", {
  d <- tictactoe[1:400, ]
  model <- model_of(d)
  twice <- model_of(d, weights = rep(2, 400))
  expect_identical(twice$rulenames, model$rulenames)
  x <- suppressWarnings(
    sbrl_posterior(twice, d, weights = rep(2, 400), draws = 20, warmup = 10, chains = 2, progress = FALSE)
  )
  expect_error(sbrl_report(model, file = tempfile(fileext = ".html"), posterior = x), "`posterior` must be",
               class = "sbrl_error_data")
})

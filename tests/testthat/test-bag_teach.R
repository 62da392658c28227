# Lists that learn from a bag.

quick <- list(iters = 200, nchain = 1, progress = FALSE, seed = 1)

taught_data <- function(n = 300, seed = 3) {
  set.seed(seed)
  d <- data.frame(x = stats::rnorm(n), z = stats::rnorm(n), a = factor(sample(letters[1:4], n, TRUE)))
  d$x[1:5] <- NA
  log_odds <- ifelse(is.na(d$x), 0, 1.5 * d$x) + (d$a == "b")
  d$y <- factor(stats::rbinom(n, 1, stats::plogis(log_odds)), labels = c("no", "yes"))
  d
}

bag_of <- function(...) do.call(sbrl_bag, c(list(...), quick))
teach_with <- function(...) do.call(teach, c(list(...), quick))

test_that("the list is learnt from out-of-bag probabilities, its counts are those of the labels", {
  d <- taught_data()
  bag <- bag_of(y ~ ., data = d, times = 8)
  model <- teach_with(bag, d)
  expect_s3_class(model, "sbrl")
  expect_identical(colSums(model$counts), c(no = sum(d$y == "no"), yes = sum(d$y == "yes")) + 0)
  # the same by hand: the average over the lists that have not seen a row
  rows <- list(codes = as.integer(d$y), classes = levels(d$y))
  sums <- n <- double(nrow(d))
  for (i in 1:8) {
    outside <- sbrl:::draw_sample(rows, bag$fits$seed[i]) == 0L
    sums[outside] <- sums[outside] + predict(sbrl:::list_model(bag, i), d[outside, ], type = "matrix")[, 2]
    n <- n + outside
  }
  soft <- ifelse(n > 0, sums / n, mean(d$y == "yes"))
  units <- sbrl:::whole_weights(cbind(1 - soft, soft), 8, 1)
  expect_true(all(units >= 0 & units == round(units) & rowSums(units) == 8))
  expect_true(all(abs(units[, 2] - 8 * soft) < 1))
  both <- rbind(d, d)
  both$y <- factor(rep(levels(d$y), each = nrow(d)), levels(d$y))
  cuts <- Filter(length, lapply(stats::setNames(model$features, vapply(model$features, \(f) f$name, "")), \(f) f$cuts))
  by_hand <- do.call(sbrl, c(list(y ~ ., data = both, weights = as.vector(units), discretize = cuts), quick))
  expect_identical(predict(by_hand, d, type = "rule"), predict(model, d, type = "rule"))
  expect_equal(refit(by_hand, d)$counts, model$counts, ignore_attr = TRUE)
})

test_that("whole weights have the right mean for any number of classes", {
  soft <- rbind(c(0.2, 0.3, 0.5), c(1, 0, 0), c(0.01, 0.01, 0.98))[rep(1:3, each = 4000), ]
  units <- sbrl:::whole_weights(soft, 4, 7)
  expect_true(all(rowSums(units) == 4 & units >= 0))
  means <- rowsum(units, rep(1:3, each = 4000)) / 4000
  expect_lt(max(abs(means - 4 * soft[c(1, 4001, 8001), ])), 0.04)
})

test_that("weights, classes and settings are those of the bag unless given", {
  bag <- bag_of(Species ~ ., data = iris, times = 6, weights = rep(1:3, 50))
  model <- teach_with(bag, iris, weights = rep(1:3, 50))
  expect_identical(sum(model$counts), 300)
  expect_identical(model$settings$rule_maxlen, 2)
  expect_identical(teach_with(bag, iris, weights = rep(1:3, 50)), model)
  short <- teach_with(bag, iris, weights = rep(1:3, 50), rule_maxlen = 1, shrink = TRUE)
  expect_identical(short$settings$rule_maxlen, 1)
  expect_identical(short$settings$shrinkage, sbrl:::shrinkage_strength(short))
  expect_identical(model$settings$shrinkage, 0)
})

test_that("a larger strength gives a longer list", {
  d <- taught_data(400)
  bag <- bag_of(y ~ ., data = d, times = 10)
  lengths <- vapply(c(1, 30), \(strength) nrow(teach_with(bag, d, strength = strength)$rs), 1L)
  expect_lt(lengths[1], lengths[2])
})

test_that("other rows, other objects and other arguments are refused", {
  d <- taught_data()
  bag <- bag_of(y ~ ., data = d, times = 4)
  expect_error(teach(bag, d[-1, ]), "training rows of the bag", class = "sbrl_error")
  expect_error(teach(bag), "training rows", class = "sbrl_error")
  expect_error(teach(medoid(bag), d), class = "sbrl_error")
  expect_error(teach(bag, d, strength = 0.5), class = "sbrl_error")
  expect_error(teach(bag, d, lamda = 3), "lambda", class = "sbrl_error")
})

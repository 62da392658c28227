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
learn <- function(...) do.call(sbrl, c(list(...), quick))

test_that("the list is learnt from out-of-bag probabilities, its counts are those of the labels", {
  d <- taught_data()
  bag <- bag_of(y ~ ., data = d, times = 8)
  model <- learn(y ~ ., data = d, teacher = bag, rule_maxlen = 2)
  expect_identical(model$teacher$outcome, "taught")
  expect_identical(colSums(model$counts), c(no = sum(d$y == "no"), yes = sum(d$y == "yes")) + 0)
  # the same by hand: the average over the lists that have not seen a row, and 15% of the label
  rows <- list(codes = as.integer(d$y), classes = levels(d$y))
  sums <- n <- double(nrow(d))
  for (i in 1:8) {
    outside <- sbrl:::draw_sample(rows, bag$fits$seed[i]) == 0L
    sums[outside] <- sums[outside] + predict(sbrl:::list_model(bag, i), d[outside, ], type = "matrix")[, 2]
    n <- n + outside
  }
  soft <- ifelse(n > 0, sums / n, mean(d$y == "yes"))
  # as predictions of another model, in any form
  same <- list(soft, cbind(1 - soft, soft), cbind(yes = soft, no = 1 - soft), data.frame(no = 1 - soft, yes = soft))
  for (teacher in same) {
    other <- learn(y ~ ., data = d, teacher = teacher, rule_maxlen = 2)
    expect_identical(other$rs, model$rs)
    expect_equal(other$teacher[-1], model$teacher[-1])
  }
  soft <- 0.85 * soft + 0.15 * (d$y == "yes")
  units <- sbrl:::whole_weights(cbind(1 - soft, soft), 8, 1)
  expect_true(all(units >= 0 & units == round(units) & rowSums(units) == 8))
  expect_true(all(abs(units[, 2] - 8 * soft) < 1))
  both <- rbind(d, d)
  both$y <- factor(rep(levels(d$y), each = nrow(d)), levels(d$y))
  cuts <- Filter(length, lapply(stats::setNames(model$features, vapply(model$features, \(f) f$name, "")), \(f) f$cuts))
  by_hand <- learn(y ~ ., data = both, weights = as.vector(units), discretize = cuts)
  expect_identical(predict(by_hand, d, type = "rule"), predict(model, d, type = "rule"))
  expect_equal(refit(by_hand, d)$counts, model$counts, ignore_attr = TRUE)
  expect_equal(refit(by_hand, d)$score, model$score)
})

test_that("weights and classes are those of the bag, in any order, and variables may be computed", {
  w <- rep(1:3, 50)
  bag <- bag_of(Species ~ log(Petal.Length) + Petal.Width, data = iris, times = 6, weights = w)
  model <- learn(Species ~ log(Petal.Length) + Petal.Width, data = iris, weights = w, teacher = bag)
  expect_identical(sum(model$counts), 300)
  expect_identical(model$teacher$source, "bag")
  expect_gt(model$teacher$agreement, 0.8)
  turned <- transform(iris, Species = factor(Species, rev(levels(Species))))
  again <- learn(Species ~ log(Petal.Length) + Petal.Width, data = turned, weights = w, teacher = bag)
  expect_equal(again$teacher$log_loss, model$teacher$log_loss)
})

test_that("other rows and other objects are refused", {
  d <- taught_data()
  bag <- bag_of(y ~ ., data = d, times = 4)
  expect_error(learn(y ~ ., data = d[-1, ], teacher = bag), "training rows of the bag", class = "sbrl_error")
  expect_error(learn(y ~ ., data = d, teacher = medoid(bag)), "teacher", class = "sbrl_error_argument")
  expect_error(learn(a ~ x, data = d, teacher = bag), class = "sbrl_error_data")
  expect_error(sbrl_bag(y ~ ., data = d, teacher = "trees"), "teacher", class = "sbrl_error")
})

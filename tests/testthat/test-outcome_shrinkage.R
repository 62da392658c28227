# Probabilities shrunk towards the base rate.

quick_fit <- function(..., iters = 300, nchain = 2, seed = 1, progress = FALSE) {
  sbrl(..., iters = iters, nchain = nchain, seed = seed, progress = progress)
}

noisy_data <- function(n, seed = 1, slope = 1.5) {
  set.seed(seed)
  d <- data.frame(x = stats::rnorm(n), z = stats::rnorm(n), a = sample(letters[1:4], n, TRUE))
  d$y <- stats::rbinom(n, 1, stats::plogis(slope * d$x + (d$a == "b")))
  d
}

test_that("shrunk probabilities are counts with rows of the base rate added", {
  d <- noisy_data(300)
  plain <- quick_fit(y ~ ., data = d, shrink = FALSE)
  shrunk <- quick_fit(y ~ ., data = d, shrink = TRUE)
  strength <- shrunk$settings$shrinkage
  expect_gt(strength, 0)
  expect_identical(plain$settings$shrinkage, 0)
  same <- c("rulenames", "counts", "score", "found", "pool")
  expect_identical(unclass(shrunk)[same], unclass(plain)[same])
  base <- mean(d$y)
  expected <- (shrunk$counts[, 2] + strength * base) / (rowSums(shrunk$counts) + strength)
  expect_equal(shrunk$rs$V2, unname(expected))
  expect_equal(plain$rs$V2, unname((plain$counts[, 2] + 1) / (rowSums(plain$counts) + 2)))
  inside <- function(p) abs(p - base)
  expect_true(all(inside(shrunk$rs$V2) <= inside(shrunk$counts[, 2] / rowSums(shrunk$counts)) + 1e-12))
  ends <- rules(shrunk, level = 0.9)
  n <- rowSums(shrunk$counts) + strength
  expect_equal(ends$lower, stats::qbeta(0.05, expected * n, (1 - expected) * n))
})

test_that("the strength is six times the likeliest one, and does not depend on the order of rules", {
  counts <- cbind(c(10, 30, 5), c(20, 12, 40), c(3, 8, 9))
  share <- colSums(counts) / sum(counts)
  # the probability of the labels, row by row, as in an urn
  urn <- function(strength) {
    sum(apply(counts, 1, function(n) {
      seen <- rep(seq_along(n), n)
      before <- vapply(seq_along(seen), \(i) sum(seen[seq_len(i - 1)] == seen[i]), 1)
      sum(log((before + strength * share[seen]) / (seq_along(seen) - 1 + strength)))
    }))
  }
  grid <- 2^seq(-5, 3, by = 0.5)
  expect_equal(sbrl:::dirichlet_log_likelihood(2.5, counts), urn(2.5))
  expect_identical(sbrl:::shrinkage_strength(list(counts = counts)), 6 * grid[which.max(vapply(grid, urn, 1))])
  strength <- \(counts) sbrl:::shrinkage_strength(list(counts = counts))
  expect_identical(strength(counts[c(2, 3, 1), ]), strength(counts))
})

test_that("pure rules are shrunk little, weak rules much, and a list without rules not at all", {
  strength <- function(...) sbrl:::shrinkage_strength(list(counts = rbind(...)))
  pure <- strength(c(60, 0), c(0, 80), c(0, 50), c(70, 0))
  weak <- strength(c(60, 40), c(30, 40), c(50, 50), c(70, 45))
  expect_lt(pure, 2)
  expect_identical(weak, 48)
  expect_identical(strength(c(60, 40)), 0)
  # an empty default rule and a class without rows add nothing
  expect_identical(strength(c(60, 10), c(20, 50), c(0, 0)), strength(c(60, 10), c(20, 50)))
  expect_identical(strength(c(60, 10, 0), c(20, 50, 0)), strength(c(60, 10), c(20, 50)))
})

test_that("shrinkage is off unless it is asked for, and summary() reports it", {
  d <- noisy_data(200)
  expect_identical(quick_fit(y ~ ., data = d)$settings$shrinkage, 0)
  expect_identical(quick_fit(d, label = "y")$settings$shrinkage, 0)
  expect_gt(quick_fit(formula = y ~ ., data = d, shrink = TRUE)$settings$shrinkage, 0)
  expect_gt(quick_fit(d, label = "y", shrink = TRUE)$settings$shrinkage, 0)
  expect_error(quick_fit(d, label = "y", shrink = NA), class = "sbrl_error")
  expect_output(print(summary(quick_fit(y ~ ., data = d, shrink = TRUE))), "Shrinkage: ")
})

test_that("shrunk models survive files, refit() and old formats", {
  d <- noisy_data(300)
  model <- quick_fit(y ~ ., data = d, shrink = TRUE)
  file <- tempfile(fileext = ".json")
  sbrl_write_json(model, file)
  read <- sbrl_read_json(file)
  expect_identical(read$probs, model$probs)
  expect_identical(read$settings$shrinkage, model$settings$shrinkage)
  expect_identical(refit(model, d)$probs, model$probs)
  other <- refit(model, noisy_data(400, seed = 2))
  expect_identical(other$settings$shrinkage, sbrl:::shrinkage_strength(other))
  damaged <- model
  damaged$settings$shrinkage <- 2 * model$settings$shrinkage
  expect_error(predict(damaged, d), "shrinkage", class = "sbrl_error")
})

test_that("shrunk lists are better calibrated and predict better where rows are few", {
  skip_on_cran()
  test <- noisy_data(4000, seed = 100, slope = 0.8)
  loss <- vapply(1:12, function(seed) {
    train <- noisy_data(150, seed, slope = 0.8)
    losses <- vapply(c(FALSE, TRUE), \(shrink) {
      model <- suppressMessages(quick_fit(y ~ ., data = train, shrink = shrink))
      sbrl_performance(model, test)$log_loss
    }, 1)
    losses[2] - losses[1]
  }, 1)
  expect_lt(mean(loss), 0)
  expect_gt(sum(loss <= 0), 8)
})

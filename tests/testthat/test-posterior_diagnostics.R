# Against the package posterior, where it is installed, and against formulas worked out by hand.

random_chains <- function(seed, n, chains, rho) {
  set.seed(seed)
  x <- matrix(stats::rnorm(n * chains), n)
  for (i in seq_len(n)[-1L]) x[i, ] <- rho * x[i - 1L, ] + sqrt(1 - rho^2) * x[i, ]
  x
}

cases <- function() {
  list(
    independent = random_chains(1, 200, 4, 0), slow = random_chains(2, 201, 4, 0.9),
    alternating = random_chains(3, 150, 2, -0.5),
    apart = random_chains(4, 100, 4, 0.3) + rep(c(0, 0, 0, 2), each = 100),
    whole = round(2 * random_chains(5, 120, 3, 0.5)),
    few = random_chains(6, 9, 2, 0)
  )
}

test_that("diagnostics are those of the package posterior", {
  skip_if_not_installed("posterior")
  for (x in cases()) {
    # it warns where it caps an effective size
    expected <- suppressWarnings(list(
      posterior::mcse_mean(x), posterior::rhat(x), posterior::ess_bulk(x), posterior::ess_tail(x)
    ))
    expect_equal(as.list(diagnose(x)[c("mcse", "rhat", "ess_bulk", "ess_tail")]), expected, ignore_attr = TRUE)
  }
})

test_that("autocovariances are sums of products", {
  x <- random_chains(7, 50, 1, 0.5)[, 1]
  y <- x - mean(x)
  slow <- vapply(0:49, \(lag) sum(y[seq_len(50 - lag)] * y[seq_len(50 - lag) + lag]) / 50, 1)
  expect_equal(autocovariance(x), slow)
})

test_that("chains that disagree have a large R-hat, and constant quantities none", {
  expect_gt(diagnose(cases()$apart)$rhat, 1.1)
  expect_lt(diagnose(cases()$independent)$rhat, 1.02)
  expect_identical(diagnose(matrix(3, 50, 4))$rhat, NA_real_)
  stuck <- matrix(rep(1:4, each = 50), 50)
  expect_identical(diagnose(stuck)$rhat, Inf)
})

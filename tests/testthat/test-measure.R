# AUC, log loss, accuracy and Brier score against slow twins, with their intervals.

random_problem <- function(seed) {
  set.seed(seed)
  n <- sample(2:40, 1)
  truth <- c(TRUE, FALSE, sample(c(TRUE, FALSE), n, TRUE))
  # Few distinct scores, so that there are ties, some closer together than one can see.
  score <- sample(c(0.1, 0.2, 0.1 + 0.2, 0.3, 0.9, stats::runif(2)), n + 2, TRUE)
  list(truth = truth, score = score, weights = sample(c(1, 2, 0.5, 3.7), n + 2, TRUE))
}

test_that("auc() equals the share of pairs, with ties and weights", {
  for (seed in 1:100) {
    p <- random_problem(seed)
    expect_equal(sbrl:::auc(p$truth, p$score), naive_auc(p$truth, p$score))
    expect_equal(sbrl:::auc(p$truth, p$score, p$weights), naive_auc(p$truth, p$score, p$weights))
  }
  expect_identical(sbrl:::auc(c(FALSE, TRUE), c(0, 1)), 1)
  expect_identical(sbrl:::auc(c(TRUE, FALSE), c(0, 1)), 0)
  expect_identical(sbrl:::auc(c(TRUE, TRUE), c(0, 1)), NA_real_)
})

test_that("roc_curve() counts rows at each threshold, and encloses the AUC", {
  for (seed in 1:30) {
    p <- random_problem(seed)
    roc <- sbrl:::roc_curve(p$truth, p$score, p$weights)
    expect_identical(unlist(roc[1, ], use.names = FALSE), c(Inf, 0, 0))
    expect_equal(unlist(roc[nrow(roc), -1], use.names = FALSE), c(1, 1))
    share <- function(rows, at) sum(p$weights[rows & p$score >= at]) / sum(p$weights[rows])
    expect_equal(roc$true_positive, vapply(roc$threshold, \(at) share(p$truth, at), 1))
    expect_equal(roc$false_positive, vapply(roc$threshold, \(at) share(!p$truth, at), 1))
    width <- diff(roc$false_positive)
    height <- (roc$true_positive[-1] + roc$true_positive[-nrow(roc)]) / 2
    expect_equal(sum(width * height), naive_auc(p$truth, p$score, p$weights))
  }
})

test_that("the AUC of many classes is Hand and Till's", {
  set.seed(1)
  for (k in 3:5) {
    codes <- c(seq_len(k), sample.int(k, 50, TRUE))
    probs <- matrix(round(stats::runif(length(codes) * k), 1), ncol = k)
    w <- stats::rexp(length(codes))
    pairs <- NULL
    for (i in seq_len(k)) {
      for (j in setdiff(seq_len(k), i)) {
        rows <- codes %in% c(i, j)
        pairs <- c(pairs, naive_auc(codes[rows] == i, probs[rows, i], w[rows]))
      }
    }
    expect_equal(sbrl:::auc_all(codes, probs, w), sum(pairs) / (k * (k - 1)))
  }
  # a class that is not there has no pairs
  expect_equal(
    sbrl:::auc_all(codes[codes < 3], probs[codes < 3, ], w[codes < 3]),
    {
      two <- codes < 3
      mean(c(naive_auc(codes[two] == 1, probs[two, 1], w[two]), naive_auc(codes[two] == 2, probs[two, 2], w[two])))
    }
  )
  expect_identical(sbrl:::auc_all(c(2L, 2L), matrix(1 / 3, 2, 3), c(1, 1)), NA_real_)
})

test_that("sbrl_performance() is what its help says, row by row", {
  train <- two_factor_data(300)
  test <- two_factor_data(200, seed = 7)
  model <- quick_fit(train)
  p <- predict(model, test)$V2
  y <- test$label
  expect_equal(
    sbrl_performance(model, test),
    data.frame(
      auc = naive_auc(y == 1, p), log_loss = mean(-log(ifelse(y == 1, p, 1 - p))), accuracy = mean((p > 0.5) == y),
      brier = mean((p - y)^2), n = 200
    )
  )
  w <- rep_len(c(0, 1, 2), 200)
  expect_equal(sbrl_performance(model, test, weights = w), sbrl_performance(model, test[rep(1:200, w), ]))
  renamed <- setNames(test, c("a", "b", "outcome"))
  expect_identical(sbrl_performance(model, renamed, label = "outcome"), sbrl_performance(model, test))
})

test_that("sbrl_performance() of three classes", {
  model <- sbrl(Species ~ ., iris, iters = 500, nchain = 2, seed = 1, progress = FALSE)
  p <- predict(model, iris, type = "matrix")
  y <- as.integer(iris$Species)
  got <- sbrl_performance(model, iris)
  expect_equal(got$log_loss, mean(-log(p[cbind(1:150, y)])))
  expect_equal(got$accuracy, mean(predict(model, iris, type = "class") == iris$Species))
  expect_equal(got$brier, mean(vapply(1:150, \(i) sum((p[i, ] - (1:3 == y[i]))^2) / 2, 1)))
  pair <- function(i, j) naive_auc(y[y %in% c(i, j)] == i, p[y %in% c(i, j), i])
  expect_equal(got$auc, mean(c(pair(1, 2), pair(2, 1), pair(1, 3), pair(3, 1), pair(2, 3), pair(3, 2))))
})

test_that("missing labels are counted, bad arguments refused", {
  d <- two_factor_data(100)
  model <- quick_fit(d)
  gaps <- d
  gaps$label[1:3] <- NA
  expect_warning(got <- sbrl_performance(model, gaps), "3 row", class = "sbrl_warning_label")
  expect_equal(got, sbrl_performance(model, d[-(1:3), ]))
  expect_error(sbrl_performance(1, d), class = "sbrl_error_argument")
  expect_error(sbrl_performance(model, 1), class = "sbrl_error_argument")
  expect_error(sbrl_performance(model, d["a"]), "no label column", class = "sbrl_error_label")
  expect_error(sbrl_performance(model, d, label = 1), class = "sbrl_error_argument")
  expect_error(sbrl_performance(model, d, weights = -1), class = "sbrl_error_argument")
  expect_error(sbrl_performance(model, d[0, ]), "at least one row", class = "sbrl_error_argument")
  expect_error(sbrl_performance(model, transform(d, label = label + 5)), class = "sbrl_error_label")
})

test_that("certain and wrong costs much, but not infinity", {
  expect_true(is.finite(sbrl:::row_log_loss(1L, matrix(c(0, 1), 1))))
})

test_that("the jackknife's standard error equals that of leaving out each row in turn", {
  for (seed in 1:10) {
    set.seed(seed)
    k <- sample(2:3, 1)
    n <- 40
    table <- matrix(stats::rgamma(4 * k, 1), ncol = k)
    probs <- (table / rowSums(table))[sample.int(4, n, TRUE), ]
    codes <- c(seq_len(k), sample.int(k, n - k, TRUE))
    without <- vapply(seq_len(n), \(i) sbrl:::measure_all(codes[-i], probs[-i, ], rep(1, n - 1)), numeric(4))
    slow <- sqrt((n - 1) / n * rowSums((without - rowMeans(without))^2))
    expect_equal(sbrl:::jackknife_se(sbrl:::measure_cells(codes, probs, rep(1, n))), slow)
  }
})

test_that("intervals of measures contain the measure, shrink with rows, and never collapse", {
  d <- two_factor_data(300)
  model <- quick_fit(d)
  few <- sbrl_performance(model, d, level = 0.95)
  many <- sbrl_performance(model, d, weights = rep(9, nrow(d)), level = 0.95)
  for (name in c("auc", "log_loss", "accuracy", "brier")) {
    ends <- unlist(few[paste0(name, c("_lower", "_upper"))])
    expect_true(ends[[1]] < few[[name]] && few[[name]] < ends[[2]])
    expect_equal(diff(unlist(many[paste0(name, c("_lower", "_upper"))])) / diff(ends), 1 / 3, tolerance = 0.1,
                 ignore_attr = TRUE)
  }
  expect_equal(unlist(few[c("accuracy_lower", "accuracy_upper")], use.names = FALSE),
               c(stats::binom.test(round(few$accuracy * 300), 300)$conf.int))
  expect_identical(few[1:5], sbrl_performance(model, d))
  # All right, all wrong: the interval still has a width.
  perfect <- sbrl:::auc_interval(1, c(20, 30), 1.96)
  expect_true(perfect[1] < 0.99 && perfect[1] > 0.8 && perfect[2] == 1)
  expect_equal(sbrl:::auc_interval(0, c(20, 30), 1.96), rev(1 - perfect))
  expect_identical(sbrl:::auc_interval(NA_real_, c(0, 30), 1.96), c(NA_real_, NA_real_))
  expect_error(sbrl_performance(model, d, level = 2), "`level`", class = "sbrl_error_argument")
})

test_that("Newcombe's interval of the AUC covers as it should", {
  set.seed(1)
  area <- stats::pnorm(1.2 / sqrt(2))
  covered <- replicate(400, {
    x <- c(stats::rnorm(40), stats::rnorm(40, 1.2))
    ends <- sbrl:::auc_interval(sbrl:::auc(rep(c(FALSE, TRUE), each = 40), x), c(40, 40), 1.96)
    ends[1] <= area && area <= ends[2]
  })
  expect_gt(mean(covered), 0.92)
})

# Bags: samples, fits, averaged predictions, measures out of bag, and the summary.

quick_bag <- function(..., times = 5, iters = 200, nchain = 1, seed = 1, progress = FALSE) {
  sbrl_bag(..., times = times, iters = iters, nchain = nchain, seed = seed, progress = progress)
}

# Numbers with gaps, a feature with a rare value, and one with few values.
numbers_data <- function(n = 250, seed = 8) {
  set.seed(seed)
  d <- data.frame(
    x = stats::rnorm(n), few = sample(c(0, 1, 2), n, TRUE, c(0.6, 0.39, 0.01)), a = sample(letters[1:3], n, TRUE)
  )
  d$label <- stats::rbinom(n, 1, stats::plogis(2 * d$x + (d$a == "b")))
  d$x[sample.int(n, 12)] <- NA
  d
}

drawn_rows <- function(bag, data, i) {
  rows <- list(codes = as.integer(factor(data$label)), classes = levels(factor(data$label)))
  sbrl:::draw_sample(rows, bag$fits$seed[i])
}

test_that("each list is an sbrl() fit to a bootstrap sample, with cut points of its own", {
  d <- numbers_data()
  bag <- quick_bag(d, rule_maxlen = 2)
  for (i in 1:5) {
    times <- drawn_rows(bag, d, i)
    expect_identical(sum(times), nrow(d))
    # `few` has cut points in every sample
    model <- sbrl(d[rep(seq_len(nrow(d)), times), ], rule_maxlen = 2, iters = 200, nchain = 1, seed = bag$fits$seed[i],
                  progress = FALSE)
    own <- sbrl:::list_model(bag, i)
    expect_identical(predict(own, d, type = "rule"), predict(model, d, type = "rule"))
    expect_equal(predict(own, d, type = "matrix"), predict(model, d, type = "matrix"))
    expect_identical(own$counts, model$counts)
    expect_equal(bag$fits$log_posterior[i], model$score[["log_posterior"]])
    expect_equal(bag$fits$length[i], nrow(model$rs) - 1)
    outside <- times == 0
    expect_equal(
      unlist(bag$fits[i, c("auc", "log_loss", "accuracy", "brier", "n")]),
      unlist(sbrl_performance(model, d[outside, ]))
    )
  }
})

test_that("weights multiply how often a row was drawn", {
  d <- numbers_data()
  set.seed(2)
  w <- sample(c(0, 1, 2.5), nrow(d), TRUE)
  bag <- quick_bag(d, weights = w)
  kept <- d[w > 0, ]
  times <- drawn_rows(bag, kept, 2)
  model <- sbrl(kept, weights = w[w > 0] * times, iters = 200, nchain = 1, seed = bag$fits$seed[2], progress = FALSE)
  expect_equal(predict(sbrl:::list_model(bag, 2), d, type = "matrix"), predict(model, d, type = "matrix"))
  expect_equal(bag$medoid$settings$n_rows, sum(w))
})

test_that("out-of-bag measures are those of lists that have not seen the row", {
  d <- numbers_data()
  bag <- quick_bag(d, times = 8)
  outside <- vapply(1:8, \(i) drawn_rows(bag, d, i) == 0, logical(nrow(d)))
  probs <- vapply(1:8, \(i) predict(sbrl:::list_model(bag, i), d, type = "matrix")[, 2], double(nrow(d)))
  average <- rowSums(probs * outside) / rowSums(outside)
  known <- rowSums(outside) > 0
  y <- d$label[known]
  p <- average[known]
  expect_equal(bag$out_of_bag[["log_loss"]], -mean(log(ifelse(y == 1, p, 1 - p))))
  expect_equal(bag$out_of_bag[["brier"]], mean((y - p)^2))
  expect_equal(bag$out_of_bag[["accuracy"]], mean((p > 0.5) == y))
  slope <- stats::glm(y ~ stats::qlogis(p), family = stats::binomial())
  expect_equal(bag$out_of_bag[["slope"]], stats::coef(slope)[[2]], tolerance = 1e-6)
  expect_equal(bag$out_of_bag[["slope_se"]], sqrt(diag(stats::vcov(slope)))[[2]], tolerance = 1e-3)
  shift <- stats::glm(y ~ 1, offset = stats::qlogis(p), family = stats::binomial())
  expect_equal(bag$out_of_bag[["intercept"]], stats::coef(shift)[[1]], tolerance = 1e-6)
  expect_equal(bag$spread[["sd"]], mean(sqrt(rowMeans((probs - rowMeans(probs))^2))))
  expect_equal(bag$spread[["other_class"]], mean((probs > 0.5) != (rowMeans(probs) > 0.5)))
  distance <- colSums((probs - rowMeans(probs))^2)
  expect_identical(bag$chosen, which.min(distance))
})

test_that("the medoid is an ordinary model with the counts of all rows", {
  for (d in list(numbers_data(), transform(iris, label = Species, Species = NULL))) {
    bag <- quick_bag(d, rule_maxlen = 2)
    model <- medoid(bag)
    expect_s3_class(model, "sbrl", exact = TRUE)
    expect_sound(model, d)
    expect_null(sbrl:::model_problem(model))
    own <- sbrl:::list_model(bag, bag$chosen)
    expect_identical(predict(model, d, type = "rule"), predict(own, d, type = "rule"))
    expect_identical(as_r_function(model, "matrix")(d), predict(model, d, type = "matrix"))
    expect_output(print(summary(model)), "Search: none")
  }
})

test_that("the same seed gives the same bag on any number of threads and on a future plan", {
  d <- numbers_data()
  without_threads <- function(bag) {
    bag$medoid$settings$threads <- NULL
    bag$call <- bag$medoid$call <- NULL
    bag
  }
  bag <- without_threads(quick_bag(d, threads = 1))
  expect_identical(without_threads(quick_bag(d, threads = 2)), bag)
  set.seed(99)
  before <- .Random.seed
  expect_identical(without_threads(quick_bag(d, threads = 7)), bag)
  expect_identical(.Random.seed, before)
  expect_false(identical(without_threads(quick_bag(d, seed = 2))$lists, bag$lists))
  # the first samples do not depend on how many follow
  expect_identical(quick_bag(d, times = 7)$fits$seed[1:5], bag$fits$seed)
  skip_if_not_installed("future.apply")
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old))
  expect_identical(without_threads(quick_bag(d)), bag)
})

test_that("formula, data frame and model lead to the same bag", {
  d <- numbers_data()
  by_formula <- quick_bag(label ~ log(x + 10) + few + a, data = d)
  expect_identical(by_formula$medoid$settings$rule_maxlen, 2)
  backwards <- rev(seq_len(nrow(d)))
  turned <- predict(by_formula, d[backwards, ], type = "matrix")
  expect_equal(predict(by_formula, d, type = "matrix"), turned[backwards, ])
  model <- sbrl(label ~ log(x + 10) + few + a, data = d, iters = 200, nchain = 1, seed = 5, progress = FALSE)
  by_model <- sbrl_bag(model, d, times = 5, seed = 1, progress = FALSE)
  expect_identical(by_model$lists, by_formula$lists)
  expect_identical(by_model$spread, by_formula$spread)
  expect_identical(formula(medoid(by_model)), formula(medoid(by_formula)))
  turned <- sbrl(d, pos_sign = "0", neg_sign = "1", lambda = "auto", target_rules = 20, iters = 200, nchain = 1,
                 seed = 5, progress = FALSE)
  bag <- sbrl_bag(turned, d, times = 3, seed = 1, progress = FALSE, eta = 2)
  expect_identical(bag$medoid$classes, c("1", "0"))
  expect_identical(bag$medoid$settings$eta, 2)
  expect_identical(bag$medoid$settings$lambda_first, 5)
  again <- quick_bag(d, times = 3, pos_sign = "0", neg_sign = "1", lambda = "auto", target_rules = 20, eta = 2)
  expect_identical(bag$lists, again$lists)
})

test_that("columns whose values a sample lacks do no harm", {
  set.seed(4)
  n <- 60
  d <- data.frame(
    three = c(1, 2, rep(0, n - 2)), lonely = c("once", rep(c("p", "q"), length.out = n - 1)),
    gap = c(NA, rep(1:3, length.out = n - 1)),
    size = factor(c("XL", sample(c("S", "M", "L"), n - 1, TRUE)), c("S", "M", "L", "XL"), ordered = TRUE)
  )
  d$label <- stats::rbinom(n, 1, ifelse(d$size >= "L", 0.9, 0.2))
  bag <- quick_bag(d, times = 12, rule_maxlen = 2, minsupport = 0)
  expect_silent(predict(bag, d, type = "matrix"))
  expect_identical(nrow(predict(bag, d, type = "matrix")), as.integer(n))
  expect_sound(medoid(bag), d)
  types <- vapply(bag$medoid$features, `[[`, "", "type")
  expect_identical(types[vapply(bag$medoid$features, `[[`, "", "name") == "three"], "integer")
})

test_that("summary() and print() answer the two questions", {
  d <- numbers_data()
  bag <- quick_bag(d, times = 6)
  about <- summary(bag)
  expect_match(about$verdict[1], "Another sample would most likely give")
  expect_identical(about$performance$predictions, c("average of all lists", "one list (mean)"))
  expect_equal(about$performance$log_loss, c(bag$out_of_bag[["log_loss"]], mean(bag$fits$log_loss)))
  expect_output(print(bag), "out of bag")
  expect_output(print(about), "Calibration slope of one list")
  expect_identical(print(invisible(bag)) |> utils::capture.output() |> length(), length(format(bag)))
  # lists that agree in everything, and lists that share nothing
  words <- function(dice, sd, other) {
    sbrl:::bag_verdict(c(dice = dice, sd = sd, sd_median = sd, sd_90 = sd, other_class = other))
  }
  expect_match(words(0.95, 0.01, 0)[1], "nearly the same list: two lists share 95%")
  expect_match(words(0.95, 0.01, 0)[2], "nearly the same")
  expect_match(words(0.2, 0.2, 0.2)[1], "give another list")
  expect_match(words(0.2, 0.2, 0.2)[2], "differ, too")
})

test_that("a clear structure is found again and again, noise is not", {
  set.seed(6)
  d <- data.frame(a = sample(c("u", "v"), 600, TRUE), b = sample(c("p", "q"), 600, TRUE))
  d$label <- stats::rbinom(600, 1, ifelse(d$a == "u", 0.9, ifelse(d$b == "p", 0.6, 0.1)))
  clear <- quick_bag(d, times = 10)
  noise <- as.data.frame(matrix(stats::rnorm(600 * 6), 600))
  noise$label <- stats::rbinom(600, 1, 0.5)
  vague <- quick_bag(noise, times = 10)
  expect_gt(clear$spread[["dice"]], 0.6)
  expect_lt(vague$spread[["dice"]], 0.4)
  by_feature <- rules(clear, by = "feature")
  expect_identical(by_feature$inclusion[by_feature$feature == "a"], 1)
  expect_lt(mean(vague$fits$slope, na.rm = TRUE), 0.7)
})

test_that("bad arguments are refused by name", {
  d <- two_factor_data()
  expect_error(sbrl_bag(d, times = 1), "`times`", class = "sbrl_error_argument")
  expect_error(sbrl_bag(d, times = 1e9), "`times`", class = "sbrl_error_argument")
  expect_error(sbrl_bag(d, bogus = 1), "Unknown argument", class = "sbrl_error_argument")
  expect_error(sbrl_bag(d, tims = 3), "times", class = "sbrl_error_argument")
  expect_error(sbrl_bag(d, lambda = -1), "`lambda`", class = "sbrl_error_argument")
  expect_error(sbrl_bag(d, progress = NA), "`progress`", class = "sbrl_error_argument")
  expect_error(sbrl_bag(), "`tdata` is missing", class = "sbrl_error_argument")
  expect_error(sbrl_bag(1:3), "`tdata`", class = "sbrl_error_argument")
  expect_error(sbrl_bag(quick_fit(d)), "`data` is missing", class = "sbrl_error_argument")
  expect_error(sbrl_bag(quick_fit(d), d["a"]), class = "sbrl_error")
  lonely <- transform(d, label = c("z", rep(c("x", "y"), length.out = nrow(d) - 1)))
  expect_error(sbrl_bag(lonely), "two rows of each class", class = "sbrl_error_label")
  own <- sbrl(numbers_data(), discretize = list(x = 0), iters = 50, nchain = 1, progress = FALSE)
  expect_error(sbrl_bag(own, numbers_data(), times = 2), "Give `discretize` again", class = "sbrl_error_argument")
  bag <- sbrl_bag(own, numbers_data(), times = 2, discretize = list(x = 0), progress = FALSE)
  expect_true(all(bag$medoid$features[[1]]$cuts == 0))
  expect_error(medoid(d), class = "sbrl_error_argument")
})

# Models of three and more classes.
iris_fit <- function(...) quick_fit(iris, label = "Species", rule_maxlen = 2, ...)

test_that("iris gives a readable list that predicts well", {
  fold <- rep_len(1:10, 150)
  right <- unlist(lapply(1:10, function(k) {
    model <- quick_fit(Species ~ ., data = iris[fold != k, ], rule_maxlen = 2, iters = 3000)
    predict(model, iris[fold == k, ], type = "class") == iris$Species[fold == k]
  }))
  expect_gt(mean(right), 0.93)
  expect_lte(nrow(iris_fit(iters = 3000)$rs), 6)
})

test_that("types of prediction have one column per class", {
  model <- iris_fit(iters = 2000)
  expect_identical(model$classes, levels(iris$Species))
  expect_named(model$rs, c("V1", "V2", "V3"))
  prob <- predict(model, iris)
  expect_named(prob, c("V1", "V2", "V3"))
  matrix <- predict(model, iris, type = "matrix")
  expect_identical(colnames(matrix), levels(iris$Species))
  expect_identical(unname(matrix), unname(do.call(cbind, prob)))
  expect_equal(rowSums(matrix), rep(1, 150))
  class <- predict(model, iris, type = "class")
  expect_identical(as.character(class), colnames(matrix)[max.col(matrix, "first")])
  interval <- predict(model, iris, type = "interval")
  expect_identical(interval[, "prob"], apply(matrix, 1, max))
  expect_true(all(interval[, "lower"] < interval[, "prob"] & interval[, "prob"] < interval[, "upper"]))
  expect_sound(model, iris)
  chosen <- model$rs$V1[-nrow(model$rs)]
  expect_equal(sbrl_score(model, iris, chosen)[1:3], naive_score(model, iris, chosen), tolerance = 1e-10)
})

test_that("printing, rules() and JSON know all classes", {
  d <- data.frame(a = rep(c("u", "v", "w"), c(60, 60, 60)), label = rep(c("x", "y", "z"), c(60, 60, 60)))
  model <- quick_fit(d, minsupport = 1, iters = 2000)
  expect_match(format(model)[2], "^If      \\{a=.\\} \\(rule\\[[1-3]\\]\\) then probability of x = 0\\.[0-9]{4}, y = ")
  table <- rules(model)
  expect_named(table, c(
    "position", "rule", "antecedent", "length", "n", "n_x", "n_y", "n_z", "prob_x", "prob_y", "prob_z", "class", "prob",
    "lower", "upper", "thin", "share", "cumulative_share"
  ))
  expect_identical(table$prob, do.call(pmax, table[c("prob_x", "prob_y", "prob_z")]))
  expect_setequal(table$class, c("x", "y", "z"))
  expect_output(print(summary(model)), "likeliest class")
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  model["call"] <- list(NULL)
  expect_identical(sbrl_read_json(file), model)
  expect_named(sbrl_max_length(model), c("paper", "pool"))
})

test_that("classes come in their natural order", {
  d <- two_factor_data(300)
  classes <- function(y, ...) quick_fit(transform(d, label = y), ...)$classes
  expect_identical(classes(rep_len(c(10, 9, -1), 300)), c("-1", "9", "10"))
  expect_identical(classes(rep_len(c("b", "B", "a"), 300)), c("B", "a", "b"))
  sizes <- factor(rep_len(c("lo", "hi", "mid"), 300), c("lo", "never", "mid", "hi"))
  expect_identical(classes(sizes), c("lo", "mid", "hi"))
  expect_identical(classes(rep_len(0:2, 300)), c("0", "1", "2"))
  expect_error(classes(rep_len(0:2, 300), pos_sign = "1"), "\"2\"", class = "sbrl_error_label")
  expect_error(classes(sprintf("%03d", seq_len(300))), "300 distinct values", class = "sbrl_error_label")
})

test_that("alpha and minsupport go by class", {
  alpha <- function(...) unname(iris_fit(...)$settings$alpha)
  # 2 in all by default, as for two classes
  expect_identical(alpha(), rep(2 / 3, 3))
  expect_identical(alpha(alpha = c(1, 1)), rep(2 / 3, 3))
  expect_identical(unname(quick_fit(Species ~ ., data = iris)$settings$alpha), rep(2 / 3, 3))
  expect_identical(unname(quick_fit(iris, label = "Species")$settings$alpha), rep(2 / 3, 3))
  expect_identical(unname(quick_fit(two_factor_data())$settings$alpha), c(1, 1))
  expect_identical(alpha(alpha = c(1, 1, 1)), c(1, 1, 1))
  expect_identical(alpha(alpha = 1), c(1, 1, 1))
  expect_identical(alpha(alpha = 2), c(2, 2, 2))
  expect_identical(alpha(alpha = c(virginica = 3, setosa = 1, versicolor = 2)), c(1, 2, 3))
  expect_error(alpha(alpha = c(1, 2)), "`alpha`", class = "sbrl_error_argument")
  support <- function(...) unname(iris_fit(...)$settings$minsupport)
  expect_identical(support(minsupport_pos = 0.3, minsupport_neg = 0.2), c(0.3, 0.3, 0.3))
  expect_identical(support(minsupport = 0.25), c(0.25, 0.25, 0.25))
  expect_identical(support(minsupport = c(virginica = 0.3, setosa = 0.1, versicolor = 0.2)), c(0.1, 0.2, 0.3))
  expect_identical(unname(quick_fit(two_factor_data(), minsupport = c(0.2, 0.3))$settings$minsupport), c(0.2, 0.3))
  for (bad in list(c(0.1, 0.2), -1, 2, NA, "a", numeric(), c(a = 0.1, b = 0.1, c = 0.1))) {
    expect_error(iris_fit(minsupport = bad), "`minsupport`", class = "sbrl_error_argument")
  }
})

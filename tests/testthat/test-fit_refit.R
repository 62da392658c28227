# refit() of a model: the same rules with counts of other data.

test_that("refit() of a model on its own data gives the same rules, counts and score", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  again <- refit(model, d)
  same <- c("rs", "rulenames", "counts", "probs", "classes", "features", "items", "pool", "settings", "terms")
  expect_identical(unclass(again)[same], unclass(model)[same])
  expect_equal(again$score, model$score)
  expect_identical(again$call, quote(refit(object = model, data = d)))
  expect_output(print(summary(again)), "Search: none")
  expect_identical(nrow(again$chains), 0L)
})

test_that("refit() keeps the rules and takes counts and probabilities from other data", {
  d <- two_factor_data()
  model <- quick_fit(d, rule_maxlen = 2)
  other <- two_factor_data(150, seed = 3)
  w <- rep_len(c(0, 1, 2.5), 150)
  again <- refit(model, other, weights = w)
  expect_identical(rules(again)$antecedent, rules(model)$antecedent)
  rule <- predict(model, other, type = "rule")
  for (position in unique(rule)) {
    row <- if (position == 0L) nrow(model$rs) else position
    at <- rule == position
    expected <- c(sum(w[at & other$label == 0]), sum(w[at & other$label == 1]))
    expect_equal(unname(again$counts[row, ]), expected)
    expect_equal(unname(again$probs[row, 2]), (expected[2] + 1) / (sum(expected) + 2))
  }
  expect_equal(again$score, sbrl_score(model, other, rules(model)$antecedent, weights = w)[1:3])
  expect_identical(again$settings$weighted, 1)
  expect_equal(nobs(again), sum(w))
  expect_sound(again, other[w > 0, ], w[w > 0])
  # the result is a model like any other
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(again, file)
  expect_identical(predict(sbrl_read_json(file), d), predict(again, d))
  expect_s3_class(explain(again, d[1, ]), "sbrl_explanation")
})

test_that("refit() of a model reads formulas, many classes, gaps and lists without rules", {
  model <- quick_fit(Species ~ sqrt(Sepal.Length) + Petal.Width, data = iris)
  again <- refit(model, iris[seq(1, 150, 2), ])
  expect_identical(again$classes, levels(iris$Species))
  expect_equal(sum(again$counts), 75)
  expect_identical(predict(again, iris, type = "rule"), predict(model, iris, type = "rule"))
  gaps <- replace(iris, "Species", list(replace(iris$Species, 1:10, NA)))
  expect_warning(part <- refit(model, gaps), "Dropped 10", class = "sbrl_warning_label")
  expect_equal(nobs(part), 140)
  none <- suppressWarnings(quick_fit(two_factor_data()["label"]))
  expect_equal(sum(refit(none, two_factor_data(50))$counts), 50)
  if (requireNamespace("generics", quietly = TRUE)) {
    expect_identical(generics::refit(model, iris)$rs, refit(model, iris)$rs)
  }
})

test_that("refit() of a model says what is wrong", {
  d <- two_factor_data()
  model <- quick_fit(d)
  expect_error(refit(model), "`data` is missing", class = "sbrl_error_argument")
  expect_error(refit(model, 1), "`data`", class = "sbrl_error_argument")
  expect_error(refit(model, d, iters = 5), "Unknown argument: `iters`", class = "sbrl_error_argument")
  expect_error(refit(model, d["label"]), class = "sbrl_error_column")
  expect_error(refit(model, d[c("a", "b")]), class = "sbrl_error_label")
  expect_error(refit(model, transform(d, label = label + 5)), "classes of the model", class = "sbrl_error_label")
  expect_error(suppressWarnings(refit(model, transform(d, label = NA))), class = "sbrl_error_label")
  expect_error(refit(1), "made by sbrl", class = "sbrl_error_argument")
})

test_that("refit() to rows of one class is never certain of it, not even where no row is captured", {
  d <- two_factor_data()
  iris2 <- transform(iris, Species = as.character(Species))
  models <- list(
    list(quick_fit(d, rule_maxlen = 2), d, "label"), list(quick_fit(d, rule_maxlen = 2, simplify = FALSE), d, "label"),
    list(quick_fit(d, rule_maxlen = 2, shrink = TRUE), d, "label"),
    list(quick_fit(iris2, label = "Species"), iris2, "Species"),
    list(quick_fit(iris2, label = "Species", shrink = TRUE, alpha = c(0.1, 2, 3)), iris2, "Species")
  )
  for (case in models) {
    model <- case[[1]]
    data <- case[[2]]
    for (class in model$classes) {
      rows <- data[data[[case[[3]]]] == class, ]
      for (i in list(seq_len(nrow(rows)), 1L)) {
        again <- refit(model, rows[i, ])
        expect_true(all(again$probs > 0 & again$probs < 1))
        gaps <- data
        gaps[names(gaps) != case[[3]]] <- NA
        base <- predict(again, gaps[1:2, ], type = "matrix", missing = "base_rate")
        expect_true(all(base > 0 & base < 1))
        expect_true(all(rules(again)$lower < 1 & rules(again)$upper > 0))
        file <- tempfile(fileext = ".json")
        sbrl_write_json(again, file)
        expect_identical(predict(sbrl_read_json(file), data), predict(again, data))
        unlink(file)
      }
    }
  }
})

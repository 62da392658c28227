# Kinds of columns: every one has what the generics need, and models without classes work.

kinds <- list(
  categorical = c("a", "b"), ordered = factor(c("S", "M", "L"), c("S", "M", "L"), ordered = TRUE),
  number = c(1.5, 2, 7), integer = c(0L, 3L, 7L), date = as.Date("2024-02-29") + 0:2,
  datetime = as.POSIXct("2024-03-31 01:30:00", tz = "UTC") + 3600 * 0:2,
  difftime = as.difftime(c(1, 2, 5), units = "hours")
)

test_that("each type has a class, and each R class of numbers its type", {
  expect_named(sbrl:::feature_classes, names(kinds))
  for (type in setdiff(names(kinds), c("categorical", "ordered"))) {
    expect_identical(sbrl:::number_type(kinds[[type]]), sbrl:::read_type(sbrl:::new_feature("x", type)))
  }
  for (x in list("a", TRUE, factor("a"), NULL)) expect_identical(sbrl:::number_type(x), "")
})

test_that("a feature of each kind learns, predicts and is exported", {
  set.seed(3)
  for (type in names(kinds)) {
    d <- data.frame(x = sample(kinds[[type]], 200, replace = TRUE))
    d$label <- as.integer(d$x == kinds[[type]][[2]])
    model <- quick_fit(d, rule_maxlen = 2, minsupport = 0.01)
    expect_identical(model$features[[1]]$type, type)
    expect_identical(predict(model, d, type = "class"), factor(d$label, labels = 0:1), label = type)
    expect_identical(as_r_function(model)(d), predict(model, d)$V2)
    expect_match(as_sql(model, "duckdb"), "CASE")
    expect_match(as_pmml(model), "SimplePredicate")
    expect_match(as_dmn(model), "FIRST")
    expect_match(as_javascript(model), "return { rule: 1", fixed = TRUE)
    expect_match(as_markdown(model), "x")
    expect_s3_class(explain(model, d[1, , drop = FALSE]), "sbrl_explanation")
  }
})

test_that("the features in a model are plain lists, whose types say everything", {
  model <- quick_fit(data.frame(x = rep(1:9, 20), label = rep(0:1, 90)))
  expect_false(any(vapply(model$features, is.object, NA)))
  expect_named(model$features[[1]], c("name", "type", "unit", "levels", "cuts"))
  expect_s3_class(sbrl:::class_features(model$features)[[1]], "sbrl_feature_number")
})

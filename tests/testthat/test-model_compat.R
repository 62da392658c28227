# A model as version 1.4 saved it.
legacy <- function() {
  structure(
    list(
      rs = data.frame(V1 = c(3L, 1L, 0L), V2 = c(0.9, 0.6, 0.1)),
      rulenames = c("{a=v,b=p}", "{a=w}", "{a=u}"),
      featurenames = c("a=u", "a=v", "a=w", "b=p", "b=q"),
      mat_feature_rule = cbind(c(0, 1, 0, 1, 0), c(0, 0, 1, 0, 0), c(1, 0, 0, 0, 0))
    ),
    class = "sbrl"
  )
}

test_that("the examples of 1.4's help pages run as they are", {
  data(tictactoe, envir = environment())
  for (name in names(tictactoe)) {
    tictactoe[name] <- as.factor(tictactoe[, name])
  }
  b <- round(2 * nrow(tictactoe) / 3, digits = 0)
  data_train <- tictactoe[1:b, ]
  data_test <- tictactoe[(b + 1):nrow(tictactoe), ]
  set.seed(1)
  model <- sbrl(data_train,
    iters = 20000, pos_sign = "1", neg_sign = "0", rule_minlen = 1, rule_maxlen = 3, minsupport_pos = 0.10,
    minsupport_neg = 0.10, lambda = 10.0, eta = 1.0, alpha = c(1, 1), nchain = 20
  )
  expect_output(print(model), "The rules list is : ", fixed = TRUE)
  expect_output(show.sbrl(model), "default rule", fixed = TRUE)
  yhat <- predict(model, data_test)
  expect_named(yhat, c("V1", "V2"))
  expect_gt(mean((yhat$V2 > 0.5) == (data_test$label == "1")), 0.97)
  squares <- get_data_feature_mat(tictactoe, c("c1=b", "c1=o", "c1=x"))
  expect_identical(dim(squares), c(958L, 3L))
  expect_identical(rowSums(squares), rep(1, 958))
  expect_identical(squares[, 2], as.numeric(tictactoe$c1 == "o"))
})

test_that("positional and named calls of the twelve arguments agree", {
  d <- two_factor_data()
  named <- quick_fit(d,
    iters = 300, pos_sign = "1", neg_sign = "0", rule_minlen = 1, rule_maxlen = 2, minsupport_pos = 0.05,
    minsupport_neg = 0.2, lambda = 5, eta = 2, alpha = c(2, 3), nchain = 3
  )
  by_position <- sbrl(d, 300, "1", "0", 1, 2, 0.05, 0.2, 5, 2, c(2, 3), 3, seed = 1, progress = FALSE)
  expect_identical(without_clock(by_position), without_clock(named))
  expect_identical(names(formals(sbrl))[1:12], c(
    "tdata", "iters", "pos_sign", "neg_sign", "rule_minlen", "rule_maxlen", "minsupport_pos", "minsupport_neg",
    "lambda", "eta", "alpha", "nchain"
  ))
  expect_identical(eval(formals(sbrl)$iters), 30000)
  reversed <- quick_fit(d, pos_sign = "0", neg_sign = "1")
  expect_identical(reversed$classes, c("1", "0"))
  expect_identical(quick_fit(d, rule_maxlen = 10)$rulenames, quick_fit(d, rule_maxlen = 2)$rulenames)
})

test_that("a label factor may keep unused levels", {
  d <- transform(two_factor_data(), label = factor(label, levels = 0:3))
  expect_identical(quick_fit(d)$classes, c("0", "1"))
})

test_that("what published code does with predictions works", {
  d <- two_factor_data()
  model <- quick_fit(d)
  yhat <- predict(model, d)
  expect_true(is.list(yhat) && is.vector(yhat$V2))
  expect_identical(as.vector(yhat$V2), predict(model, d, type = "prob")$V2)
  expect_identical(dim(data.frame(yhat)), c(400L, 2L))
  file <- tempfile()
  on.exit(unlink(file))
  utils::write.csv(yhat[1], file)
  expect_length(readLines(file), 401)
})

test_that("what published code does with the fields works", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  m <- nrow(model$rs) - 1L
  expect_length(model$rulenames[model$rs$V1], m)
  expect_length(sample(model$rulenames, 10), 10)
  expect_false(any(grepl("[{}]", gsub("\\{|\\}", "", model$rulenames))))
  expect_type(model$rs$V2 < 0.5, "logical")
  text <- sprintf("%s (rule[%d]) %.8f", model$rulenames[model$rs$V1[1]], model$rs$V1[1], model$rs$V2[1])
  expect_match(text, "^\\{.*\\} \\(rule\\[[0-9]+\\]\\) 0\\.[0-9]{8}$")
  expect_message(message(model))
  parts <- list(model$rs, model$rulenames, model$mat_feature_rule)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(parts, file)
  expect_identical(readRDS(file), parts)
})

test_that("a model fitted by 1.4 prints and predicts", {
  model <- legacy()
  expect_identical(capture.output(print(model))[2], "If      {a=u} (rule[3]) then positive probability = 0.90000000")
  new <- data.frame(a = c("u", "v", "v", "w", NA), b = c("q", "p", "q", "p", "p"))
  expect_identical(predict(model, new), list(V1 = 1 - c(0.9, 0.6, 0.1, 0.1, 0.1), V2 = c(0.9, 0.6, 0.1, 0.1, 0.1)))
  expect_identical(predict(model, new, type = "rule"), c(1L, 2L, 0L, 0L, 0L))
  expect_identical(predict(model, new, type = "class"), factor(c(1, 1, 0, 0, 0), levels = 0:1))
  expect_identical(dim(predict(model, newdata = new[0, ], type = "matrix")), c(0L, 2L))
  default_only <- legacy()
  default_only$rs <- default_only$rs[3, ]
  expect_identical(predict(default_only, new)$V2, rep(0.1, 5))
  skip_if_not_built()
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(model, file)
  out <- fresh_r(sprintf("m <- readRDS(%s); print(m); cat(predict(m, data.frame(a = 'u', b = 'p'))$V2)", deparse(file)))
  expect_identical(out[length(out)], "0.9")
})

test_that("what 1.4 did not keep is asked for in vain, clearly", {
  new <- data.frame(a = "u", b = "p", label = 1)
  expect_condition_snapshot({
    predict(legacy(), new, type = "interval")
    summary(legacy())
    rules(legacy())
    sbrl_score(legacy(), new)
    sbrl_write_json(legacy(), "model.json")
    predict(legacy(), new["b"])
  })
})

test_that("get_data_feature_mat() finds columns with odd names", {
  d <- data.frame(1:3, c("b", "x", NA), factor(c("", "=", "y")), c(TRUE, FALSE, NA))
  names(d) <- c("a", "a=b", "\u00e9 ,", "flag")
  items <- c("a=1", "a=b=x", "\u00e9 ,==", "\u00e9 ,=", "flag=TRUE", "a=nowhere")
  expect_identical(
    get_data_feature_mat(d, items),
    cbind(c(1, 0, 0), c(0, 1, 0), c(0, 1, 0), c(1, 0, 0), c(1, 0, 0), c(0, 0, 0))
  )
  expect_identical(dim(get_data_feature_mat(d, character())), c(3L, 0L))
  expect_condition_snapshot({
    get_data_feature_mat(d, "z=1")
    get_data_feature_mat(d, 1)
    get_data_feature_mat("d", "a=1")
  })
})

test_that("a data frame through model.matrix form agrees with the model's own capture", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  old_form <- structure(unclass(model)[1:4], class = "sbrl")
  expect_identical(predict(old_form, tictactoe), predict(model, tictactoe))
})

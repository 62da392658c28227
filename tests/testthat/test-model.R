# The fitted object: its fields, and that it survives files and other sessions.

test_that("the model begins with 1.4's fields and is plain data", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  expect_identical(names(model)[1:4], c("rs", "rulenames", "featurenames", "mat_feature_rule"))
  expect_identical(names(model$rs), c("V1", "V2"))
  expect_type(model$rs$V1, "integer")
  expect_identical(model$rs$V1[nrow(model$rs)], 0L)
  expect_identical(model$rulenames, sort(model$rulenames, method = "radix"))
  expect_identical(unserialize(serialize(model, NULL)), model)
  expect_named(model$score, c("log_prior", "log_likelihood", "log_posterior"))
  expect_named(model$timing, c("binarise", "mine", "search"))
  expect_identical(unname(model$probs[, 2]), model$rs$V2)
  expect_identical(rowSums(model$probs), rep(1, nrow(model$rs)))
})

test_that("mat_feature_rule says which items each candidate holds", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  expect_identical(dim(model$mat_feature_rule), c(27L, 391L))
  expect_null(dimnames(model$mat_feature_rule))
  expect_type(model$mat_feature_rule, "double")
  items <- strsplit(gsub("\\{|\\}", "", model$rulenames), ",")
  by_name <- vapply(items, \(names) model$featurenames %in% names, logical(27))
  expect_identical(model$mat_feature_rule, by_name + 0)
})

# The slow twin of item_matrix(): every cell is written.
dense_item_matrix <- function(items, pool) {
  cells <- matrix(0, nrow(items), length(pool$lengths))
  row <- match(pool$items, order(items$name, method = "radix"))
  cells[cbind(row, rep(seq_along(pool$lengths), pool$lengths))] <- 1
  cells
}

test_that("mat_feature_rule prints, indexes and saves like a matrix, whichever way it is reached", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  expected <- dense_item_matrix(model$items, model$pool)
  fresh <- function() quick_fit(tictactoe, rule_maxlen = 3)
  expect_identical(capture.output(print(fresh()$mat_feature_rule[, 1:20])), capture.output(print(expected[, 1:20])))
  expect_identical(capture.output(str(fresh()$mat_feature_rule)), capture.output(str(expected)))
  expect_match(capture.output(str(fresh())), "mat_feature_rule: num \\[1:27, 1:391\\]", all = FALSE)
  expect_true(is.matrix(fresh()$mat_feature_rule) && is.double(fresh()$mat_feature_rule))
  expect_identical(fresh()$mat_feature_rule[1:3, ], expected[1:3, ])
  expect_identical(fresh()[["mat_feature_rule"]][, 7], expected[, 7])
  expect_identical(fresh()$mat_feature_rule[5, 300, drop = FALSE], expected[5, 300, drop = FALSE])
  expect_identical(fresh()$mat_feature_rule[c(3, 10557)], expected[c(3, 10557)])
  expect_identical(unclass(fresh())$mat_feature_rule, expected)
  expect_identical(with(fresh(), mat_feature_rule), expected)
  expect_identical(colSums(fresh()$mat_feature_rule), colSums(expected))
  expect_identical(t(fresh()$mat_feature_rule), t(expected))
  expect_false(anyNA(fresh()$mat_feature_rule))
  for (version in 2:3) {
    file <- tempfile(fileext = ".rds")
    saveRDS(fresh()$mat_feature_rule, file, version = version)
    expect_identical(readRDS(file), expected)
    saveRDS(fresh(), file, version = version)
    expect_identical(readRDS(file)$mat_feature_rule, expected)
  }
})

test_that("writing into mat_feature_rule changes that copy only", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  expected <- dense_item_matrix(model$items, model$pool)
  copy <- model$mat_feature_rule
  copy[2, 3] <- 9
  expect_identical(copy, replace(expected, cbind(2, 3), 9))
  expect_identical(model$mat_feature_rule, expected)
  again <- copy
  again[1, 1] <- 5
  expect_identical(c(copy[1, 1], again[1, 1]), c(expected[1, 1], 5))
  expect_identical(unserialize(serialize(copy, NULL)), copy)
})

test_that("a large mat_feature_rule costs next to nothing until it is read, in memory or in a file", {
  n <- 50000L
  items <- data.frame(name = sprintf("a=%03d", 300:1))
  pool <- list(items = rep_len(c(1L, 7L, 300L, 20L, 299L), 3L * n), lengths = rep_len(c(2L, 4L), n))
  cells <- item_matrix(items, pool)
  bytes <- serialize(cells, NULL)
  expect_lt(length(bytes), 2e6)
  again <- unserialize(bytes)
  expect_identical(dim(again), c(300L, n))
  expect_identical(again[, 49999:50000], cells[, 49999:50000])
  expect_identical(again, dense_item_matrix(items, pool))
  # Reading changes nothing in the file; what was written to is saved as it is.
  expect_identical(serialize(again, NULL), bytes)
  again[1, 1] <- 3
  expect_identical(unserialize(serialize(again, NULL))[1, 1], 3)
  none <- list(items = integer(), lengths = integer())
  expect_identical(item_matrix(items, none), matrix(0, 300, 0))
  expect_identical(item_matrix(items[0, , drop = FALSE], none), matrix(0, 0, 0))
})

test_that("a cell that was changed to any other value is saved, whichever cell it is", {
  items <- data.frame(name = sprintf("a=%03d", 1:101))
  pool <- list(items = rep_len(c(1L, 7L, 7L, 101L, 20L), 300), lengths = rep_len(c(1L, 2L, 3L), 150))
  cells <- item_matrix(items, pool)
  bytes <- serialize(cells, NULL)
  for (cell in c(1, 2, 101, 102, 7676, length(cells))) {
    for (value in list(1 - cells[cell], 2, NA, NaN, -1)) {
      copy <- replace(cells, cell, value)
      expect_identical(unserialize(serialize(copy, NULL)), copy)
    }
    # and back again: it is what it was
    copy[cell] <- cells[cell]
    expect_identical(unserialize(serialize(copy, NULL)), dense_item_matrix(items, pool))
  }
  expect_lt(length(bytes), 3000)
})

# The slow twin of rule_names().
pasted_names <- function(items, pool) {
  rule <- rep(seq_along(pool$lengths), pool$lengths)
  vapply(seq_along(pool$lengths), \(i) sprintf("{%s}", paste(items$name[pool$items[rule == i]], collapse = ",")), "")
}

test_that("1.4's fields do not make a saved model large, and files of version 2 need no package", {
  set.seed(1)
  d <- as.data.frame(matrix(stats::rnorm(4000), 200))
  d$label <- as.integer(d[[1]] + d[[2]] > 0)
  model <- quick_fit(d, rule_maxlen = 2, minsupport = 0.01, discretize = "quantile", bins = 5)
  expect_gt(length(model$mat_feature_rule), 1e5)
  size <- \(x) length(serialize(x, NULL))
  # as large as the pool, from which they are made
  for (field in c("mat_feature_rule", "rulenames")) expect_lt(size(model[[field]]), 1.3 * size(model$pool) + 1e4)
  before <- size(model)
  names <- model$rulenames[2]
  cells <- sum(model$mat_feature_rule)
  expect_identical(size(model), before)
  again <- unserialize(serialize(model, NULL))
  expect_identical(again$rulenames, pasted_names(model$items, model$pool))
  expect_identical(c(again$rulenames[2], sum(again$mat_feature_rule)), c(names, cells))
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(model, file, version = 2)
  script <- "m <- readRDS(commandArgs(TRUE)); cat(length(m$rulenames), sum(m$mat_feature_rule), m$rulenames[2])"
  env <- c("R_LIBS=", "R_LIBS_USER=/nowhere", "R_LIBS_SITE=/nowhere")
  said <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-e", shQuote(script), shQuote(file)), env = env,
                  stdout = TRUE, stderr = TRUE)
  expect_identical(said, paste(length(model$rulenames), cells, names))
})

test_that("a damaged mat_feature_rule in a file is refused", {
  bad <- list(
    list(0L, 1L, 300L), list(301L, 1L, 300L), list(NA_integer_, 1L, 300L), list(1:2, c(2L, 1L), 300L),
    list(1:2, 1L, 300L), list(1:2, NA_integer_, 300L), list(1, 1L, 300L), list(1L, 1L, -1L), list(1L, 1L, integer())
  )
  for (state in bad) {
    expect_error(.External(sbrl:::external_item_matrix, state[[1]], state[[2]], state[[3]]), "not a matrix of items")
  }
})

test_that("rulenames are made when they are read, and are text like any other", {
  model <- quick_fit(tictactoe, rule_maxlen = 3)
  expected <- pasted_names(model$items, model$pool)
  expect_length(model$rulenames, length(expected))
  unread <- unserialize(serialize(model$rulenames, NULL))
  copy <- model$rulenames
  copy[2] <- "mine"
  expect_identical(copy, replace(expected, 2, "mine"))
  expect_identical(model$rulenames, expected)
  expect_identical(unread, expected)
  expect_identical(unserialize(serialize(copy, NULL)), copy)
  expect_identical(match(expected[7], rule_names(model$items, model$pool)), 7L)
  expect_identical(sort(rule_names(model$items, model$pool)), sort(expected))
  expect_false(anyNA(rule_names(model$items, model$pool)))
  expect_identical(rule_names(model$items, model$pool)[c(391, 392, NA)], expected[c(391, 392, NA)])
})

test_that("many rulenames are saved as what they are made from, unless they were changed", {
  items <- data.frame(name = enc2utf8(c("\u00e9=\u4e2d", "b=1", "c=2")))
  pool <- list(items = rep_len(1:3, 3000), lengths = rep_len(3L, 1000))
  names <- rule_names(items, pool)
  bytes <- serialize(names, NULL)
  again <- unserialize(bytes)
  expect_length(again, 1000)
  expect_identical(again, pasted_names(items, pool))
  expect_identical(Encoding(again[1]), "UTF-8")
  expect_identical(serialize(again, NULL), bytes)
  again[1000] <- "mine"
  expect_identical(unserialize(serialize(again, NULL)), replace(pasted_names(items, pool), 1000, "mine"))
  again[1000] <- NA
  expect_identical(unserialize(serialize(again, NULL))[1000], NA_character_)
})

test_that("rulenames hold any text, in UTF-8, and none at all", {
  items <- data.frame(name = enc2utf8(c("\u00e9=\u4e2d", strrep("long", 500), "b= ")))
  pool <- list(items = c(1L, 2L, 3L, 2L), lengths = c(3L, 0L, 1L))
  names <- rule_names(items, pool)
  expect_identical(names[1], sprintf("{%s}", paste(items$name, collapse = ",")))
  expect_identical(Encoding(names[1]), "UTF-8")
  expect_identical(names[3], sprintf("{%s}", items$name[2]))
  expect_identical(rule_names(items, list(items = integer(), lengths = integer())), character())
})

test_that("rulenames of what is no pool are refused", {
  for (bad in list(list(0L, 1L), list(4L, 1L), list(NA_integer_, 1L), list(1:2, 1L), list(1L, -1L), list(1, 1L))) {
    expect_error(.External(sbrl:::external_rule_names, bad[[1]], bad[[2]], c("a", "b", "c")), "not the items")
  }
  expect_error(.External(sbrl:::external_rule_names, 1L, 1L, 1L), "not the items")
})

test_that("chains and trace describe the search", {
  model <- quick_fit(tictactoe, rule_maxlen = 3, nchain = 3, iters = 1000)
  expect_identical(model$chains$chain, c(1, 2, 3))
  expect_identical(model$chains$iterations, rep(1000, 3))
  rates <- as.matrix(model$chains[c("add", "remove", "swap", "replace")])
  expect_true(all(rates >= 0 & rates <= 1))
  expect_true(all(model$chains$best_log_posterior <= model$score[["log_posterior"]] + 1e-9))
  expect_setequal(model$trace$chain, 1:3)
  expect_true(all(model$trace$log_posterior <= model$score[["log_posterior"]] + 1e-9))
})

test_that("probabilities follow counts and alpha", {
  model <- quick_fit(two_factor_data(), alpha = c(2, 0.5))
  expected <- (model$counts[, 2] + 0.5) / (rowSums(model$counts) + 2.5)
  expected[rowSums(model$counts) == 0] <- mean(two_factor_data()$label)
  expect_equal(model$rs$V2, unname(expected), tolerance = 1e-15)
})

# Simplified lists ----

# Few candidates and a prior that expects many rules: the best list has rules that capture nobody.
padded <- function(...) {
  d <- data.frame(x = rep(c("a", "b"), c(10, 190)))
  d$label <- c(rep(1, 4), rep(0, 196))
  quick_fit(d, lambda = 10, minsupport = 0, ...)
}

test_that("rules that captured nobody are left out, and the model remembers them", {
  found <- padded(simplify = FALSE)
  model <- padded()
  empty <- rowSums(found$counts)[seq_len(nrow(found$rs) - 1)] == 0
  expect_true(any(rowSums(found$counts) == 0))
  expect_identical(model$rs$V1, c(found$rs$V1[-nrow(found$rs)][!empty], 0L))
  expect_identical(model$found, list(rules = found$rs$V1[-nrow(found$rs)], score = found$score))
  expect_identical(found$found$score, found$score)
  d <- data.frame(x = rep(c("a", "b"), c(10, 190)), label = c(rep(1, 4), rep(0, 196)))
  expect_sound(model, d)
  expect_sound(found, d)
  expect_identical(model$score[["log_likelihood"]], found$score[["log_likelihood"]])
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  expect_identical(sbrl_read_json(file)$found, model$found)
})

test_that("a default rule that no row reached gives the base rate, and says so", {
  model <- padded()
  m <- nrow(model$rs)
  expect_identical(sum(model$counts[m, ]), 0)
  expect_equal(model$rs$V2[m], 0.02)
  expect_equal(unname(predict(model, data.frame(x = "never"), type = "interval")[1, ] |> suppressWarnings()),
               c(0.02, qbeta(c(0.025, 0.975), 0.04, 1.96)))
  expect_output(print(summary(model)), "No training row reached the default rule: it gives the base rate.")
  expect_match(format(model, style = "words")[m], "no row; the base rate")
  expect_output(print(suppressWarnings(explain(model, data.frame(x = "never")))), "gives the base rate")
  for (text in list(format(as_r_function(model)), as_sql(model), as_pmml(model), as_dmn(model),
                    as_javascript(model))) {
    expect_match(paste(text, collapse = "\n"), "no training row reached the default rule", fixed = TRUE)
  }
  # as found, it depends on the prior only
  found <- padded(simplify = FALSE)
  expect_equal(found$rs$V2[nrow(found$rs)], 0.5)
})

# The default rule of formula fits ----

test_that("with a formula, the default rule takes the place of a last rule that captures all rows left", {
  d <- data.frame(x = rep(c("a", "b", "c"), c(60, 60, 80)))
  d$label <- c(rep(0:1, c(5, 55)), rep(0:1, 30), rep(0:1, c(70, 10)))
  n_replaced <- 0
  for (seed in 1:12) {
    fit <- \(...) quick_fit(..., lambda = 6, minsupport = 0, rule_maxlen = 1, iters = 200, seed = seed)
    model <- fit(label ~ x, data = d)
    frame <- fit(d)
    m <- nrow(model$rs)
    # the same rows, in the order of formulas
    expect_equal(model$found$score, frame$found$score)
    expect_gt(sum(model$counts[m, ]), 0)
    expect_sound(model, d)
    expect_identical(frame$settings$else_rule, 0)
    if (sum(frame$counts[nrow(frame$rs), ]) > 0) {
      expect_equal(predict(model, d), predict(frame, d))
      expect_identical(model$settings$else_rule, 0)
      next
    }
    n_replaced <- n_replaced + 1
    expect_setequal(c(model$rs$V1, model$settings$else_rule), frame$rs$V1)
    expect_equal(predict(model, d), predict(frame, d))
    expect_equal(model$score[["log_likelihood"]], frame$score[["log_likelihood"]])
    whole <- fit(label ~ x, data = d, simplify = FALSE)
    expect_identical(c(whole$found$rules, 0L), whole$rs$V1)
  }
  expect_gt(n_replaced, 3)
})

test_that("such a default rule has rows everywhere, and a note says what new rows get", {
  d <- data.frame(x = rep(c("a", "b", "c"), c(60, 60, 80)))
  d$label <- c(rep(0:1, c(5, 55)), rep(0:1, 30), rep(0:1, c(70, 10)))
  fits <- lapply(1:12, \(seed) quick_fit(label ~ x, data = d, lambda = 6, minsupport = 0, iters = 200, seed = seed))
  model <- Find(\(model) model$settings$else_rule > 0, fits)
  note <- "the last rule matched all training rows that were left"
  expect_false(any(grepl("no row", format(model))))
  replaced <- "The default rule replaces a last rule that captured all training rows left: if x"
  expect_output(print(summary(model)), replaced)
  for (text in list(format(as_r_function(model)), as_sql(model), as_pmml(model), as_dmn(model), as_javascript(model),
                    as_html(model), as_markdown(model))) {
    expect_match(paste(text, collapse = "\n"), note, ignore.case = TRUE)
  }
  # what the last rule would have passed on
  default <- unname(model$probs[nrow(model$probs), 2])
  expect_identical(suppressWarnings(predict(model, data.frame(x = NA_character_)))$V2, default)
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  expect_identical(sbrl_read_json(file)$settings$else_rule, model$settings$else_rule)
  expect_identical(without_pool(model)$probs, model$probs)
  expect_identical(
    without_pool(model)$rulenames[without_pool(model)$settings$else_rule], model$rulenames[model$settings$else_rule]
  )
  damaged <- model
  damaged$settings$else_rule <- length(model$rulenames) + 1
  expect_error(predict(damaged, d), "else_rule", class = "sbrl_error_model")
})

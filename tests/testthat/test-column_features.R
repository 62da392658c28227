# Which columns become features, with which levels, and what is refused.

test_that("factor, text, logical and two-valued number give the same model", {
  d <- two_factor_data()
  reference <- quick_fit(d, rule_maxlen = 2)
  text <- transform(d, a = as.character(a), b = as.character(b))
  expect_identical(without_clock(quick_fit(text, rule_maxlen = 2)), without_clock(reference))
  for (flag in list(d$b == "q", as.integer(d$b), as.double(d$b) / 4, c("p", "q")[d$b], I(d$b == "q"))) {
    changed <- d
    changed$b <- flag
    model <- quick_fit(changed, rule_maxlen = 2)
    expect_identical(model$score, reference$score)
    expect_sound(model, changed)
  }
})

test_that("items are named feature=level, in level order", {
  d <- two_factor_data()
  d$a <- factor(d$a, levels = c("w", "unused", "v", "u"))
  d$b <- d$b == "p"
  d$c <- rep(c(1, 2.5), 200)
  model <- quick_fit(d)
  expect_identical(model$items$name, c("a=w", "a=v", "a=u", "b=FALSE", "b=TRUE", "c=1", "c=2.5"))
  expect_identical(model$featurenames, sort(model$items$name, method = "radix"))
  expect_identical(dim(model$mat_feature_rule), c(7L, length(model$rulenames)))
})

test_that("two-valued numbers keep as many digits as they need", {
  d <- two_factor_data()
  values <- list(
    c(0.1 + 0.2, 0.3), c(1 / 3, 2 / 3), c(1e5, 1e-20), c(-Inf, Inf), c(123456789, 123456789.5), c(0L, 100000L)
  )
  for (pair in values) {
    changed <- transform(d, b = pair[b])
    model <- quick_fit(changed, minsupport_pos = 0, minsupport_neg = 0)
    expect_identical(as.numeric(model$features[[2]]$levels), as.numeric(sort(pair)))
    expect_sound(model, changed)
  }
})

test_that("constant columns are dropped and noted", {
  d <- transform(two_factor_data(), one = 1, empty = NA, day = "Monday", gaps = factor(ifelse(a == "u", NA, "x")))
  model <- quick_fit(d)
  expect_identical(model$dropped, c("one", "empty", "day"))
  # One value with gaps is no constant.
  expect_true("gaps=x" %in% model$featurenames)
  expect_sound(model, d)
})

test_that("missing values match no condition on their feature except \"is missing\"", {
  d <- two_factor_data()
  d$a[1:40] <- NA
  d$b <- ifelse(seq_len(400) %% 7 == 0, NA, d$b == "p")
  model <- quick_fit(d, rule_maxlen = 2)
  expect_sound(model, d)
  expect_identical(grep("NA", model$featurenames, value = TRUE), c("a=NA", "b=NA"))
  expect_false(any(grepl("NA", quick_fit(two_factor_data())$featurenames)))
})

test_that("names and levels may hold anything", {
  odd <- c(
    "blood type", "a,b", "a=b", "=", ",", "{x}", "}", "'q'", "\"", "`", "two\nlines", "tab\t", "%d %s", "\\", "",
    "\u00e9t\u00e9", "\u65e5\u672c", "\U1F600", "caf\xe9", "TRUE", "NA", "1.0", "<U+00E9>"
  )
  Encoding(odd[odd == "caf\xe9"]) <- "latin1"
  set.seed(3)
  label <- rep_len(0:1, 200)
  for (i in seq_along(odd)) {
    name <- odd[i]
    # The same text as name and level, and three others: enough pairs, and quick.
    for (level in odd[(i + c(0, 4, 9, 17) - 1) %% length(odd) + 1]) {
      x <- ifelse(stats::runif(200) < 0.1 + 0.8 * label, level, "other")
      d <- data.frame(x, flag = stats::runif(200) < 0.5, label)
      names(d)[1] <- name
      model <- suppressWarnings(quick_fit(d, iters = 50, nchain = 1, rule_maxlen = 2))
      expect_true(paste0("{", enc2utf8(name), "=", enc2utf8(level), "}") %in% model$rulenames)
      rule <- predict(model, d, type = "rule")
      n_captured <- vapply(c(seq_len(nrow(model$rs) - 1L), 0L), \(position) sum(rule == position), 1L)
      expect_identical(as.double(n_captured), unname(rowSums(model$counts)))
    }
  }
})

test_that("names that look alike are told apart", {
  d <- data.frame(x = rep(c("x", "x=1", "y"), 100), z = rep(0:1, 150), label = rep(c(0, 1, 0), 100))
  names(d)[2] <- "x=1"
  d$g <- rep(c("a,h=b", "a", "c"), 100)
  d$h <- rep(c("q", "b", "r"), each = 100)
  model <- quick_fit(d, rule_maxlen = 2)
  expect_sound(model, d)
  # {g=a,h=b} is the item "a,h=b" of g and also the two items g=a, h=b.
  expect_identical(sum(model$rulenames == "{g=a,h=b}"), 2L)
  expect_error(sbrl_score(model, d, "{g=a,h=b}"), "index", class = "sbrl_error_argument")
})

test_that("labels of cut() work and count as one item", {
  set.seed(4)
  x <- stats::rnorm(300)
  d <- data.frame(x = cut(x, c(-Inf, -1, 0, 1, Inf)), y = cut(-x, 5), label = as.integer(x + stats::rnorm(300) > 0))
  model <- quick_fit(d, rule_maxlen = 6)
  expect_sound(model, d)
  expect_identical(max(model$pool$lengths), 2L)
  expect_true("{x=(1, Inf]}" %in% model$rulenames)
})

test_that("columns that cannot be used are named", {
  d <- two_factor_data(30)
  with_column <- function(x) {
    d$odd <- x
    d
  }
  invalid <- rep_len(c("ok", "\xff\xfe"), 30)
  Encoding(invalid) <- "UTF-8"
  bytes <- rep_len(c("ok", "\xe9"), 30)
  Encoding(bytes) <- "bytes"
  cases <- list(
    unknown = structure(1:30, class = "money"),
    list = as.list(1:30), matrix = matrix(1:60, 30), frame = d[1:2], complex = rep_len(c(1i, 2i), 30),
    raw = as.raw(1:30), invalid = invalid, bytes = bytes, invalid_factor = factor(1:30 %% 2, labels = unique(invalid))
  )
  for (case in names(cases)) {
    expect_error(quick_fit(with_column(cases[[case]])), "`odd`", class = "sbrl_error_column")
  }
  expect_condition_snapshot({
    quick_fit(with_column(cases$unknown))
    quick_fit(with_column(cases$list))
    quick_fit(with_column(cases$matrix))
    quick_fit(with_column(cases$complex))
    quick_fit(with_column(cases$invalid))
  })
  many <- data.frame(id = as.character(1:1001), label = rep_len(0:1, 1001))
  expect_condition_snapshot(quick_fit(many))
  expect_s3_class(suppressWarnings(quick_fit(many[1:1000, ])), "sbrl")
})

test_that("column names must exist and differ", {
  d <- two_factor_data(30)
  twice <- structure(cbind(d, d), names = c("a", "b", "label", "a", "b", "x"))
  nameless <- structure(d, names = c("a", NA, "label"))
  labels <- structure(d, names = c("a", "label", "label"))
  expect_condition_snapshot({
    quick_fit(twice)
    quick_fit(nameless)
    quick_fit(labels)
  })
})

test_that("no candidate gives the default rule and a warning", {
  d <- two_factor_data()
  expect_condition_snapshot(quick_fit(d, minsupport_pos = 1, minsupport_neg = 1))
  model <- suppressWarnings(quick_fit(d, minsupport_pos = 1, minsupport_neg = 1))
  expect_identical(model$rs$V1, 0L)
  expect_identical(model$rulenames, character())
  expect_sound(model, d)
  expect_warning(quick_fit(d["label"]), class = "sbrl_warning_no_candidate")
  expect_warning(quick_fit(transform(d, a = 1, b = "x")), class = "sbrl_warning_no_candidate")
  expect_warning(quick_fit(d, rule_minlen = 3, rule_maxlen = 5), class = "sbrl_warning_no_candidate")
})

test_that("columns that lack what their class needs are named", {
  d <- two_factor_data()
  d$odd <- structure(rep(1:2, 200), class = "factor")
  expect_error(quick_fit(d), "`odd`", class = "sbrl_error_column")
  d$odd <- structure(stats::runif(400), class = "difftime")
  expect_error(quick_fit(d), "`odd`", class = "sbrl_error_column")
})

test_that("a level called NA and a missing value have names of their own", {
  d <- two_factor_data()
  d$c <- ifelse(d$label == 1, "NA", "x")
  d$c[1:60] <- NA
  model <- quick_fit(d, iters = 2000)
  expect_identical(grep("^c=", model$featurenames, value = TRUE), c("c=<NA>", "c=NA", "c=x"))
  expect_sound(model, d)
})

test_that("it does not matter in which form a column comes", {
  set.seed(3)
  text <- sample(c("caf\u00e9", "b", "10", "2", NA), 300, replace = TRUE)
  y <- as.integer((text %in% c("b", "10")) != (stats::runif(300) < 0.1))
  latin <- text
  latin[1:150] <- iconv(latin[1:150], "UTF-8", "latin1")
  expect_true("latin1" %in% Encoding(latin))
  forms <- list(text, latin, I(text), structure(text, names = seq_along(text)))
  fits <- lapply(forms, \(x) without_clock(quick_fit(list2DF(list(x = x, label = y)), iters = 2000)))
  for (fit in fits) {
    expect_identical(fit, fits[[1]])
  }
  expect_identical(fits[[1]]$features[[1]]$levels, c("10", "2", "b", "caf\u00e9"))
  rule <- predict(fits[[1]], data.frame(x = text), type = "rule")
  levels <- c("unused", "caf\u00e9", "10", "b", "2")
  new <- c(forms, list(factor(text), factor(text, levels = levels), addNA(factor(text)), factor(latin)))
  for (x in new) {
    expect_warning(expect_identical(predict(fits[[1]], list2DF(list(x = x)), type = "rule"), rule), NA)
  }
  number <- suppressWarnings(as.numeric(text))
  kept <- predict(fits[[1]], data.frame(x = ifelse(is.na(number), NA, text)), type = "rule")
  expect_identical(predict(fits[[1]], data.frame(x = number), type = "rule"), kept)
  expect_identical(predict(fits[[1]], data.frame(x = as.integer(number)), type = "rule"), kept)
})

test_that("training data are read in place: no column is copied or changed", {
  n <- 2e5
  set.seed(4)
  d <- list2DF(c(
    lapply(1:20, \(j) structure(sample.int(4L, n, replace = TRUE), levels = letters[1:4], class = "factor")),
    list(seq_len(n), stats::rnorm(n), rep_len(0:1, n))
  ))
  names(d) <- c(paste0("x", 1:20), "whole", "real", "label")
  before <- serialize(d, NULL)
  training <- split_frame(d, NULL, NULL)
  outcome <- list(codes = d$label + 1L, weights = NULL, n_classes = 2L)
  gc(reset = TRUE)
  used <- sum(gc()[, 2])
  input <- learn_features(training, outcome, list(method = "quantile", bins = 3, own = list(), threads = 1L))
  # 23 columns are 20 MB
  expect_lt(sum(gc()[, 2]) - used, 2)
  expect_length(input$columns, 22)
  expect_identical(serialize(d, NULL), before)
})

test_that("times of class POSIXlt are the times of class POSIXct", {
  at <- as.POSIXct("2024-05-01 12:00:00", tz = "UTC") + 3600 * (1:200)
  d <- data.frame(at = at, label = rep(0:1, each = 100))
  slow <- d
  slow$at <- as.POSIXlt(at)
  model <- quick_fit(d)
  expect_identical(quick_fit(slow)$features, model$features)
  expect_identical(predict(model, slow), predict(model, d))
  expect_identical(quick_fit(label ~ at, data = slow)$features[[1]]$cuts, model$features[[1]]$cuts)
})

# Text with empty cells, which matter, and a factor with them.
with_empty <- function(n = 300) {
  set.seed(3)
  d <- data.frame(a = pick(c("u", "v", ""), n, replace = TRUE), b = factor(pick(c("p", "q", ""), n, replace = TRUE)))
  d$label <- stats::rbinom(n, 1, ifelse(d$a == "", 0.9, ifelse(d$b == "p", 0.6, 0.1)))
  d
}

test_that("empty text is a level, with one warning that names the columns", {
  d <- with_empty()
  expect_warning(model <- quick_fit(d), "`a`, `b`.*empty_as_missing = TRUE.*na.strings", class = "sbrl_warning_column")
  expect_true(all(c("a=", "b=") %in% model$featurenames))
  expect_warning(quick_fit(label ~ b, data = d), "in `b`[.]", class = "sbrl_warning_column")
  d$a <- replace(d$a, d$a == "", " ")
  levels(d$b)[levels(d$b) == ""] <- NA
  expect_no_warning(quick_fit(d))
  d$label <- ifelse(d$label == 1, "yes", "")
  expect_warning(quick_fit(d), "in `label`[.]", class = "sbrl_warning_column")
  expect_no_warning(quick_fit(d, neg_sign = ""))
})

test_that("with `empty_as_missing` empty text is missing, in training and later", {
  d <- with_empty()
  gaps <- d
  gaps$a[d$a == ""] <- NA
  gaps$b[d$b == ""] <- NA
  gaps$b <- droplevels(gaps$b)
  expect_no_warning(model <- quick_fit(d, empty_as_missing = TRUE, rule_maxlen = 2))
  expected <- quick_fit(gaps, rule_maxlen = 2)
  expect_identical(model$settings$empty_as_missing, 1)
  same <- c("rs", "rulenames", "featurenames", "counts", "score", "features", "items", "pool")
  expect_identical(unclass(model)[same], unclass(expected)[same])
  by_formula <- quick_fit(label ~ a + b, data = d, empty_as_missing = TRUE, rule_maxlen = 2)
  expect_identical(unclass(by_formula)[same], unclass(model)[same])
  expect_no_warning(predicted <- predict(model, d))
  expect_identical(predicted, predict(expected, gaps))
  row <- which(d$a == "")[1]
  expect_identical(explain(model, d[row, ]), explain(expected, gaps[row, ]))
  # missing and empty side by side, and a level for both
  d$a[1:40] <- NA
  d$b <- addNA(d$b)
  d$b[1:40] <- NA
  gaps[1:40, c("a", "b")] <- NA
  again <- quick_fit(d, empty_as_missing = TRUE, rule_maxlen = 2)
  expect_identical(unclass(again)[same], unclass(quick_fit(gaps, rule_maxlen = 2))[same])
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  expect_identical(predict(sbrl_read_json(file), d), predict(model, d))
  expect_error(quick_fit(d, empty_as_missing = NA), "empty_as_missing", class = "sbrl_error_argument")
  model$settings$empty_as_missing <- 2
  expect_error(predict(model, d), "empty_as_missing", class = "sbrl_error_model")
})

test_that("a label that is empty text is missing, too, if that is asked for", {
  d <- with_empty()
  d$label <- ifelse(seq_len(300) <= 20, "", ifelse(d$label == 1, "yes", "no"))
  fit <- function(...) quick_fit(d, ..., empty_as_missing = TRUE)
  expect_warning(model <- fit(), "Dropped 20 row", class = "sbrl_warning_label")
  expect_identical(model$classes, c("no", "yes"))
  expect_warning(measured <- sbrl_performance(model, d), "Dropped 20 row", class = "sbrl_warning_label")
  expect_identical(measured$n, 280)
})

test_that("cross-validation passes `empty_as_missing` on and warns of empty text once", {
  d <- with_empty()
  cv <- function(...) cv_sbrl(d, lambda = 3, rule_maxlen = 1, folds = 3, iters = 100, nchain = 1, progress = FALSE, ...)
  expect_no_warning(expect_warning(cv(seed = 1), "`a`, `b`", class = "sbrl_warning_column"))
  expect_no_warning(missing <- cv(seed = 1, empty_as_missing = TRUE))
  expect_identical(refit(missing, progress = FALSE)$settings$empty_as_missing, 1)
  d$label[1:20] <- ""
  d$label <- as.character(d$label)
  expect_warning(dropped <- cv(empty_as_missing = TRUE), "Dropped 20", class = "sbrl_warning_label")
  expect_identical(dropped$classes, c("0", "1"))
  grid <- data.frame(empty_as_missing = TRUE)
  expect_error(cv_sbrl(d, grid = grid), "empty_as_missing", class = "sbrl_error_argument")
})

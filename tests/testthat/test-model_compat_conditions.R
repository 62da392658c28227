# Look-up code written for 1.4 reads the conditions of a model by get_data_feature_mat().

# As published: the first candidate of the list all of whose conditions the row matches.
looked_up <- function(model, data) {
  matches <- get_data_feature_mat(data, model$featurenames)
  rules <- model$rs$V1[model$rs$V1 > 0]
  cells <- model$mat_feature_rule[, rules, drop = FALSE]
  fits <- t(t(matches %*% cells) == colSums(cells))
  apply(fits, 1, \(row) c(which(row), 0L)[1])
}

test_that("look-up code finds the rule of each row, whatever the columns are", {
  for (seed in 1:6) {
    data <- every_type(n = 300, seed = seed)
    data$size <- factor(data$whole %% 4, 0:5, ordered = TRUE)
    data$span <- as.difftime(round(data$wide), units = "mins")
    data$late <- data$day + 0.5
    for (keep in list(names(data), c("size", "label"), c("span", "label"), c("day", "time", "label"),
                      c("real", "whole", "label"), c("flag", "zero", "yes", "label"))) {
      rows <- data[intersect(names(data), keep)]
      names(rows)[grepl("^re", names(rows))] <- "real"
      model <- fit_with(rows, lambda = 10, minsupport = 0.02)
      expect_identical(unname(as.integer(looked_up(model, rows))), predict(model, rows, type = "rule"))
      others <- rows[rep(c(7, 3, 9), 20), ]
      expect_identical(unname(as.integer(looked_up(model, others))), predict(model, others, type = "rule"))
    }
  }
})

test_that("conditions of every form are read", {
  column <- function(x, condition) get_data_feature_mat(data.frame(x = x), paste0("x=", condition))[, 1]
  size <- factor(c("s", "m", "l", NA), c("s", "m", "l"), ordered = TRUE)
  expect_identical(column(size, "<=m"), c(1, 1, 0, 0))
  expect_identical(column(size, ">=m"), c(0, 1, 1, 0))
  expect_identical(column(size, "NA"), c(0, 0, 0, 1))
  expect_identical(column(c(1, 3, 5, NA, NaN, Inf), "[1,5)"), c(1, 1, 0, 0, 0, 0))
  expect_identical(column(c(1, 3, 5, NA, NaN, Inf), "<3"), c(1, 0, 0, 0, 0, 0))
  expect_identical(column(c(1, 3, 5, NA, NaN, Inf), ">=3"), c(0, 1, 1, 0, 0, 1))
  expect_identical(column(c(1e5, 2), "100000"), c(1, 0))
  days <- as.Date(c("2024-01-31", "2024-02-01", NA))
  expect_identical(column(days, "<2024-02-01"), c(1, 0, 0))
  times <- as.POSIXct(c("2024-01-31 23:59:59", "2024-02-01 12:00:00"), tz = "CET")
  expect_identical(column(times, ">=2024-02-01 12:00"), c(0, 1))
  expect_identical(column(as.difftime(c(30, 90), units = "mins"), ">=1 hours"), c(0, 1))
  # a level has the first word, and a level that no row has is not there
  expect_identical(column(factor(c("<=m", "m")), "<=m"), c(1, 0))
  expect_identical(column(factor(c("NA", NA)), "NA"), c(1, 0))
  expect_identical(column(factor(c("NA", NA)), "<NA>"), c(0, 1))
  expect_identical(column(factor(c("[1,2)", "[2,3)")), "[2,3)"), c(0, 1))
  expect_identical(column(factor("a"), ">50K"), 0)
  expect_error(column(c("s", "m"), "<=m"), "needs an ordered factor.*type = \"rule\"", class = "sbrl_error_column")
  expect_error(column(days, "<soon"), "type = \"rule\"", class = "sbrl_error_column")
  expect_error(get_data_feature_mat(data.frame(y = 1), "log(x)=<3"), "type = \"rule\"", class = "sbrl_error_column")
})

test_that("several signs are an error that has the line of code to use", {
  d <- data.frame(a = rep(c("x", "y", "z"), 40), label = rep(c("vhigh", "low", "high", "vhigh"), 30))
  error <- expect_error(quick_fit(d, pos_sign = c("vhigh", "high"), neg_sign = "low"), class = "sbrl_error_argument")
  code <- regmatches(conditionMessage(error), regexpr("tdata[$]label <- [^`]*", conditionMessage(error)))
  expect_identical(code, "tdata$label <- tdata$label %in% c(\"vhigh\", \"high\")")
  tdata <- d
  eval(parse(text = code))
  expect_identical(quick_fit(tdata)$classes, c("FALSE", "TRUE"))
  counts <- as.double(table(d$label == "low")[c("TRUE", "FALSE")])
  expect_identical(unname(quick_fit(tdata)$settings$class_counts), counts)
  expect_error(quick_fit(d, pos_sign = "low", neg_sign = c("vhigh", "high")), "!tdata[$]label %in%",
               class = "sbrl_error_argument")
})

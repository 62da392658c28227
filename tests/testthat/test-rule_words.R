# Conditions in words: one writer for all that people read.

test_that("conditions come from structure, whatever the names", {
  phrase <- function(type, first, last, levels = character(), cuts = double(), unit = "", name = "x") {
    sbrl:::describe_item(sbrl:::new_feature(name, type, unit, levels, cuts), first:last)
  }
  expect_identical(phrase("categorical", 2, 2, c("a", "b=c,d")), "x = b=c,d")
  expect_identical(phrase("categorical", 1, 1, c("", "b")), "x = \"\"")
  expect_identical(phrase("categorical", 1, 1, c(" a", "b")), "x = \" a\"")
  expect_identical(phrase("categorical", 1, 1, "two\nlines"), "x = two\\nlines")
  expect_identical(phrase("categorical", 0, 0, "a", name = "blood type"), "blood type is missing")
  expect_identical(phrase("ordered", 2, 2, c("S", "M", "L")), "x = M")
  expect_identical(phrase("ordered", 1, 2, c("S", "M", "L")), "x <= M")
  expect_identical(phrase("ordered", 2, 3, c("S", "M", "L")), "x >= M")
  expect_identical(phrase("number", 1, 1, cuts = c(28, 36.5)), "x < 28")
  expect_identical(phrase("number", 2, 2, cuts = c(28, 36.5)), "28 <= x < 36.5")
  expect_identical(phrase("number", 2, 3, cuts = c(28, 36.5)), "x >= 28")
  expect_identical(phrase("difftime", 1, 1, cuts = 5, unit = "hours"), "x < 5 hours")
  expect_identical(phrase("difftime", 2, 2, cuts = c(5, 8), unit = "hours"), "5 <= x < 8 hours")
  expect_identical(phrase("date", 1, 1, cuts = as.double(as.Date("2024-02-01"))), "x < 2024-02-01")
})

test_that("pictures, explanations, R code and pages have the same words, but for the signs", {
  set.seed(5)
  d <- data.frame(age = sample(20:60, 300, replace = TRUE), size = factor(sample(3, 300, TRUE), 1:3, ordered = TRUE))
  d$label <- as.integer((d$age >= 30 & d$age < 45) | d$size == 3)
  model <- quick_fit(d, discretize = list(age = c(30, 45)), minsupport = 0.01, rule_maxlen = 2)
  words <- sbrl:::rule_antecedents(model)
  expect_true(any(grepl("30 <= age <= 44", words, fixed = TRUE)))
  expect_identical(sbrl:::plot_data_rules(model, 0.95)$antecedent, c(words, "(default rule)"))
  expect_true(all(explain(model, d[1, ])$passed$antecedent %in% words))
  expect_true(all(paste("  #", words) %in% format(as_r_function(model))))
  typeset <- gsub("<=", "\u2264", gsub(">=", "\u2265", words, fixed = TRUE), fixed = TRUE)
  page <- as.character(as_html(model))
  expect_true(all(vapply(gsub("<", "&lt;", typeset, fixed = TRUE), grepl, NA, x = page, fixed = TRUE)))
})

# Two conditions on age in one rule, whole or not.
banded <- function(shift) {
  d <- data.frame(age = rep(20:69, 8))
  d$label <- as.integer(d$age >= 36 & d$age < 55)
  d$age <- d$age + shift
  d
}

two_bounds <- function(...) {
  quick_fit(..., discretize = list(age = c(30, 36, 45, 55)), rule_minlen = 2, rule_maxlen = 2, minsupport = 0.01,
            iters = 3000, lambda = 1)
}

test_that("two conditions on one number read as an interval wherever people read them", {
  for (shift in c(0, 0.5)) {
    d <- banded(shift)
    model <- two_bounds(label ~ age, data = d)
    first <- list_rules(model)[1]
    expect_match(model$rulenames[first], "age=<55.*age=>=36|age=>=36.*age=<55")
    words <- "36 <= age < 55"
    typeset <- "36 \u2264 age < 55"
    expect_identical(rule_antecedents(model)[1], words)
    expect_identical(rules(model)$rule[1], words)
    expect_match(format(model)[1], if (l10n_info()[["UTF-8"]]) typeset else words, fixed = TRUE)
    expect_output(print(summary(model)), words, fixed = TRUE)
    inside <- explain(model, data.frame(age = 40 + shift))
    expect_identical(inside$conditions$condition, words)
    expect_identical(nrow(inside$conditions), 1L)
    outside <- explain(model, data.frame(age = 60))
    expect_identical(outside$passed$condition, words)
    expect_identical(plot_data_rules(model, 0.95)$antecedent[1], words)
    page <- paste(as_html(model), collapse = "\n")
    expect_match(page, sub("<", "&lt;", typeset), fixed = TRUE)
    expect_match(paste(as_markdown(model), collapse = "\n"), "36 .{1,6} age .{1,4} 55")
    # names, lengths and predictions are as they were
    expect_identical(rules(model)$length[1], 2L)
    by_frame <- two_bounds(d[c("age", "label")])
    expect_identical(rules(by_frame)$rule[1], rule_antecedents(by_frame)[1])
    expect_match(rules(by_frame)$rule[1], " and ", fixed = TRUE)
    expect_match(as_sql(model), "\"age\" >= 36 AND \"age\" < 55", fixed = TRUE)
    scored <- as_r_function(model)
    expect_equal(scored(d), predict(model, d)$V2)
  }
})

test_that("only bounds of the same number are joined, and missing values stay a condition of their own", {
  number <- new_feature("x", "number", cuts = c(1, 2, 3))
  grade <- new_feature("g", "ordered", levels = c("a", "b", "c", "d"))
  codes <- list(1:2, 2:4, 2:3, 0L, 1:3, 2:4)
  table <- new_item_table(c(1L, 1L, 1L, 1L, 2L, 2L), codes, character(6))
  compact <- list(
    features = list(number, grade), items = as.list(table)[1:3], rule_items = c(1L, 2L, 5L, 6L, 3L, 4L, 2L, 1L),
    rule_lengths = c(4L, 2L, 2L)
  )
  joined <- join_intervals(compact)
  expect_identical(joined$rule_lengths, c(3L, 2L, 1L))
  words <- describe_items(joined$items, compact$features)[joined$rule_items]
  expect_identical(words, c("1 <= x < 2", "g <= c", "g >= b", "1 <= x < 3", "x is missing", "1 <= x < 2"))
  # the slow way: each code, condition by condition
  found <- item_codes(joined$items)[joined$rule_items]
  expect_identical(found[[1]], Reduce(intersect, codes[c(1, 2)]))
  expect_identical(found[[4]], codes[[3]])
})

test_that("characters that hide or reverse text are shown as question marks", {
  given <- c("a\u202eb", "\u009b1m", "\u001b[1m", "caf\u00e9")
  expect_identical(sbrl:::shown_text(given), c("a?b", "?1m", "?[1m", "caf\u00e9"))
  expect_identical(sbrl:::shown_text(c("", "a ", "\u00a0a", NA)), c("\"\"", "\"a \"", "\"\u00a0a\"", "<NA>"))
})

test_that("conditions on whole numbers speak of whole numbers", {
  visits <- rep(0:9, 40)
  d <- data.frame(visits = visits, label = as.integer(visits %in% c(0, 3, 4)))
  model <- quick_fit(d, discretize = list(visits = c(0.5, 2.5, 4.5)), iters = 2000)
  expect_identical(model$features[[1]]$type, "integer")
  words <- rules(quick_fit(d, discretize = list(visits = c(0.5, 2.5, 4.5)), iters = 2000))$rule
  named <- model$rulenames[model$rs$V1]
  expected <- c("{visits=<0.5}" = "visits < 1", "{visits=[2.5,4.5)}" = "3 <= visits <= 4",
                "{visits=>=4.5}" = "visits >= 5", "{visits=[0.5,2.5)}" = "1 <= visits <= 2")
  expect_identical(words[-length(words)], unname(expected[named]))
  one <- new_feature("x", "integer", cuts = c(0.5, 1.5, 1.7))
  expect_identical(describe_item(one, 2L), "x = 1")
  expect_identical(describe_item(one, 3L), "1.5 <= x < 1.7")
  # numbers that are not whole, here and in new data
  d$visits <- d$visits + 0.25
  expect_identical(quick_fit(d)$features[[1]]$type, "number")
  expect_length(predict(model, d)$V2, 400)
})

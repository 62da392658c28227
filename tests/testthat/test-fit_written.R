# Rules written as formulas and in words.

written_data <- function(n = 400) {
  set.seed(3)
  d <- data.frame(
    odor = sample(c("none", "foul", "almond", "x, y"), n, TRUE), age = round(stats::runif(n, 18, 90)),
    dose = stats::rnorm(n), day = as.Date("2024-01-01") + sample(300, n, TRUE), flag = stats::runif(n) < 0.5,
    time = as.POSIXct("2024-01-01", tz = "UTC") + 3600 * sample(300, n, TRUE),
    size = factor(sample(c("S", "M", "L", "XL"), n, TRUE), c("S", "M", "L", "XL"), ordered = TRUE),
    gap = replace(stats::rnorm(n), sample.int(n, n / 3), NA), span = as.difftime(stats::rexp(n), units = "hours")
  )
  d$`two words` <- sample(c("this and that", "a = b", "p"), n, TRUE)
  d$y <- stats::rbinom(n, 1, stats::plogis(-1 + 2 * (d$odor != "none") + (d$age > 50) - is.na(d$gap)))
  d
}

written_fit <- function(...) {
  sbrl(..., data = written_data(), iters = 100, nchain = 1, seed = 1, minsupport = 0.02)
}

# The rows that a rule covers, by the engine, which counts them in the list that has only this rule.
covered <- function(model, rule, data) {
  conditions <- resolve_of(model, rule)
  listed <- sbrl:::compact_list(model, conditions)
  rows <- sbrl:::encode_rows(model, listed, data, NULL)
  codes <- lapply(rows$training$columns, sbrl:::codes_of)
  items <- sbrl:::item_codes(listed$items)
  Reduce(`&`, lapply(listed$rule_items, \(item) codes[[listed$items$feature[item]]] %in% items[[item]]))
}

resolve_of <- function(model, rule) sbrl:::resolve_list(if (is.character(rule)) rule else list(rule), model)

test_that("a formula matches the rows that R finds with it", {
  d <- written_data()
  for (kind in c("plain", "rich")) {
    model <- written_fit(y ~ . + log(age), conditions = kind)
    rules <- list(
      ~ odor != "none", ~ odor == "foul" & age >= 44, ~ 44 > age & dose < 0.5, ~ !(age <= 30), ~ age > 30 & age <= 31,
      ~ odor %in% c("foul", "x, y") & (size >= "M"), ~ !odor %in% "foul" & !is.na(gap), ~ is.na(gap), ~ flag, ~ !flag,
      ~ flag == FALSE & size != "L" & size < "XL", ~ day >= as.Date("2024-03-01"), ~ day < "2024-05-05" & dose > -1e-3,
      ~ time <= as.POSIXct("2024-01-05 12:00", tz = "UTC"), ~ log(age) > 3.5, ~ `two words` == "this and that",
      ~ age == 40, ~ dose <= 0.1234567890123456, ~ !is.na(gap) & gap < 0, ~ size == "M"
    )
    for (rule in rules) {
      environment(rule) <- baseenv()
      expected <- eval(rule[[2]], d, asNamespace("base")) %in% TRUE
      expect_identical(covered(model, rule, d), expected, info = deparse(rule))
    }
  }
})

test_that("what is printed is read as the same condition", {
  cases <- c(rich_cases(), typed_cases(), list(
    list(model = written_fit(y ~ .)), list(model = written_fit(y ~ ., conditions = "rich")),
    list(model = relabel(written_fit(y ~ ., conditions = "rich"), c(
      odor = "Smell of it", age = "Age in years", "odor=none" = "foul", "odor=foul" = "no, {none}", "size=M" = "medium"
    )))
  ))
  for (case in cases) {
    model <- case$model
    features <- sbrl:::name_features(sbrl:::class_features(model$features), model)
    for (signs in list(sbrl:::ascii_signs, sbrl:::typeset_signs)) {
      words <- sbrl:::describe_items(model$items, features, signs)
      codes <- sbrl:::item_codes(model$items)
      # what is cut off can only be looked up
      whole <- which(!grepl("... and [0-9]+ more", words))
      read <- lapply(words[whole], \(words) sbrl:::with_codes(sbrl:::read_condition_words(words, features), features))
      expect_identical(lapply(read, \(one) as.integer(one$codes)), codes[whole])
      expect_identical(vapply(read, `[[`, 1L, "feature"), model$items$feature[whole])
    }
    chosen <- seq_len(min(200, length(model$rulenames)))
    words <- sbrl:::rule_antecedents(model, rules = chosen)
    index <- vapply(words, \(one) resolve_of(model, one)$index, 1L, USE.NAMES = FALSE)
    expect_identical(sbrl:::rule_antecedents(model, rules = index), words)
    expect_true(all(model$pool$lengths[index] <= model$pool$lengths[chosen]))
  }
})

test_that("the code of case_when() is read as the same conditions", {
  for (case in c(rich_cases(), typed_cases())) {
    program <- sbrl:::rule_program(case$model)
    for (item in program$conditions) {
      code <- sbrl:::item_expression(item)
      is_computed <- inherits(item$feature, c("sbrl_feature_datetime", "sbrl_feature_difftime"))
      if (is_computed && !sbrl:::is_missing_item(item)) next
      features <- sbrl:::class_features(case$model$features)
      read <- sbrl:::read_written(as.formula(call("~", code)), case$model)
      read <- sbrl:::with_codes(read[[1]], features)
      expect_identical(as.integer(read$codes), as.integer(item$codes))
    }
  }
})

test_that("written rules are scored as the candidates that they are, or as further candidates", {
  d <- written_data()
  model <- written_fit(y ~ .)
  expect_identical(sbrl_score(model, d, rules(model)$rule), sbrl_score(model, d, rules(model)$antecedent))
  expect_equal(sbrl_score(model, d, list(~ odor == "none", rules(model)$rule[2], 3L))[1:3],
               naive_score(model, transform(d, y = as.character(y)), c(
                 resolve_of(model, ~ odor == "none")$index, resolve_of(model, rules(model)$rule[2])$index, 3L)))
  # one more candidate of length 2: of 1 and of 3 conditions with cuts of its own, the latter counts as one of length 2
  own <- ~ age >= 33.7 & odor == "foul" & flag
  score <- sbrl_score(model, d, own)
  lengths <- c(model$pool$lengths, 2)
  inside <- d$age >= 33.7 & d$odor == "foul" & d$flag
  counts <- rbind(table(factor(d$y[inside], 0:1)), table(factor(d$y[!inside], 0:1)))
  expect_equal(score[["log_prior"]], naive_log_prior(2, lengths, model$settings$lambda, model$settings$eta))
  expect_equal(score[["log_likelihood"]], naive_log_likelihood(counts, model$settings$alpha))
  expect_gte(score[["prefix_bound"]], score[["log_posterior"]])
  expect_identical(sbrl_score(model, d, list(~ age >= 34 & odor == "foul" & flag)), score)
})

test_that("rules that cannot be read are refused by name, and nothing is evaluated", {
  d <- written_data()
  model <- written_fit(y ~ .)
  refused <- list(
    "no feature `oder`. Did you mean `odor`" = ~ oder == "none", "Did you mean \"none\"" = ~ odor == "nonne",
    "`cutoff` is a variable" = ~ age >= cutoff, "by `&`, not by `|`" = ~ age >= 65 | flag,
    "have no order" = ~ odor < "foul", "contains numbers" = ~ age > "a", "leaves two intervals" = ~ age != 4,
    "leaves two intervals" = ~ !(age == 4), "so no row matches" = ~ age < 3 & age > 5,
    "so no row matches" = ~ size < "S", "nothing before it" = y ~ age, "is not a condition" = ~ file.create("pwned"),
    "is code, which is not evaluated" = ~ age > file.create("pwned"), "not missing" = ~ age > NA,
    "is not a date" = ~ day > as.Date("yesterday"), "write an interval" = ~ age %in% c(1, 2),
    "is not a condition" = ~ age,
    "is a value where" = ~ 1 < 2, "matches no row" = ~ odor %in% c(), "contains dates" = ~ day > TRUE
  )
  for (i in seq_along(refused)) {
    expected <- names(refused)[i]
    expect_error(sbrl_score(model, d, refused[[i]]), expected, fixed = TRUE, class = "sbrl_error_argument")
  }
  for (rules in list("odor in {none, ...", "age < x", list(list(1)), list(NULL), list("a", "b"), quote(age > 3))) {
    expect_error(sbrl_score(model, d, rules), "`rules`", class = "sbrl_error_argument")
  }
  expect_error(sbrl_score(model, d, list(~ age > 40.2, ~ 40.2 < age)), "more than once", class = "sbrl_error_argument")
  expect_error(sbrl_score(model, d, list(~ flag, ~ flag == TRUE)), "more than once", class = "sbrl_error_argument")
  expect_warning(sbrl_score(model, d, ~ age > 1000), "none of the rows", class = "sbrl_warning_rule")
  expect_warning(sbrl_score(model, d, ~ age > 0.5), "all of the rows", class = "sbrl_warning_rule")
  expect_false(file.exists("pwned"))
})

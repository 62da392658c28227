# Sets of levels, intervals of several bins, "is not missing".

rich_fit <- function(...) sbrl(..., conditions = "rich", iters = 500, nchain = 2, seed = 1)

jobs <- c(
  "cook", "student", "unemployed", "clerk", "nurse", "driver", "teacher", "farmer", "smith", "baker", "judge", "monk"
)

job_data <- function(seed, n = 2000) {
  set.seed(seed)
  d <- data.frame(job = sample(jobs, n, TRUE))
  d$y <- stats::rbinom(n, 1, ifelse(d$job %in% jobs[1:3], 0.7, 0.3))
  d
}

test_that("a set of three of twelve levels is found as one condition", {
  found <- vapply(1:20, function(seed) {
    model <- rich_fit(y ~ ., data = job_data(seed))
    grepl("^job (not )?in [{]cook, student, unemployed[}]$", rules(model)$rule[1]) && nrow(model$rs) == 2
  }, NA)
  expect_gte(sum(found), 19)
})

shop <- function(n = 600) {
  set.seed(3)
  d <- data.frame(
    odor = sample(c("none", "foul", "almond", "x, y"), n, TRUE), age = round(stats::runif(n, 18, 90)),
    size = factor(sample(c("S", "M", "L", "XL", "XXL"), n, TRUE), c("S", "M", "L", "XL", "XXL"), ordered = TRUE),
    gap = replace(stats::rnorm(n), sample.int(n, n / 3), NA), rare = replace(sample(c("p", "q"), n, TRUE), 1:3, NA)
  )
  d$y <- stats::rbinom(n, 1, ifelse(d$odor != "none", 0.8, 0.2) - 0.1 * is.na(d$gap))
  d
}

test_that("rich conditions are those of plain fits, and sets, intervals and `is not missing`", {
  plain <- quick_fit(shop(), label = "y")
  rich <- quick_fit(shop(), label = "y", conditions = "rich")
  added <- setdiff(rich$featurenames, plain$featurenames)
  expect_identical(setdiff(plain$featurenames, rich$featurenames), character())
  n_bins <- vapply(rich$features, \(feature) length(feature$cuts) + 1, 1)
  spans <- sum(ifelse(n_bins > 3, choose(n_bins - 2, 2), 0))
  expect_identical(sum(grepl("^(age|gap)=[[]", added)), as.integer(spans))
  expect_setequal(grep("^(age|gap)=[[]", added, invert = TRUE, value = TRUE), c(
    "gap=!NA", "odor={almond,foul,\"x, y\"}", "odor={almond,foul,none}", "odor={almond,none,\"x, y\"}",
    "odor={foul,none,\"x, y\"}", "size=[L,XL]", "size=[M,L]", "size=[M,XL]"
  ))
  expect_identical(c(plain$format, rich$format), 2:3)
  expect_true("odor is not none" %in% sbrl:::rule_antecedents(rich, rules = seq_along(rich$rulenames)))
  expect_error(quick_fit(shop(), label = "y", conditions = "all"), "plain", class = "sbrl_error_argument")
})

test_that("no rule has two conditions on one feature", {
  model <- quick_fit(shop(), label = "y", conditions = "rich", rule_maxlen = 3, minsupport = 0)
  features <- split(model$items$feature[model$pool$items], rep(seq_along(model$pool$lengths), model$pool$lengths))
  expect_identical(anyDuplicated(unlist(lapply(seq_along(features), \(j) paste(j, features[[j]])))), 0L)
  expect_gt(sum(model$pool$lengths == 3), 0)
})

test_that("the conditions of a set match its levels, and no new or missing one", {
  for (case in rich_cases()) {
    model <- case$model
    every <- sbrl:::describe_items(model$items, sbrl:::class_features(model$features))
    expect_identical(anyDuplicated(every), 0L)
    naive <- lapply(antecedents_of(model)[model$rs$V1], \(rule) naive_cover(case$data, rule))
    expected <- vapply(seq_len(nrow(case$data)), \(i) c(which(vapply(naive, `[`, NA, i)), 0L)[1], 1L)
    expect_identical(suppressWarnings(predict(model, case$data, type = "rule")), expected)
  }
  model <- rich_fit(y ~ odor, data = shop())
  expect_match(rules(model)$rule[1], "odor (is not|=) none")
  set <- rich_fit(y ~ odor, data = transform(shop(), y = as.integer(odor != "none")))
  new <- data.frame(odor = c("none", "foul", "never", NA))
  expect_warning(found <- predict(set, new, type = "rule", missing = "fallthrough"), "never", class = "sbrl_warning")
  expect_identical(found[3:4], c(0L, 0L))
})

test_that("words name the shorter side of a set, and end long ones", {
  words <- function(levels, codes) {
    sbrl:::describe_item(sbrl:::new_feature("job", "categorical", levels = levels), codes)
  }
  expect_identical(words(jobs, 1:3), "job in {cook, student, unemployed}")
  expect_identical(words(jobs, 4:12), "job not in {cook, student, unemployed}")
  expect_identical(words(jobs, 2:12), "job is not cook")
  expect_identical(words(c("missing", "a,b", "c", "d"), c(1L, 2L)), "job in {\"missing\", \"a,b\"}")
  expect_identical(words(c("missing", "b", "c"), 2:3), "job is not \"missing\"")
  expect_identical(words(letters, 1:12), "job in {a, b, c, d, e, f, g, h, ... and 4 more}")
  expect_identical(words(letters, 1:26), "job is not missing")
  sizes <- sbrl:::new_feature("size", "ordered", levels = c("S", "M", "L", "XL"))
  expect_identical(sbrl:::describe_item(sizes, 2:3), "M <= size <= L")
})

test_that("names of sets can be read, whatever the levels are", {
  for (levels in list(jobs, odd_names, c("", " ", "a\nb", "\\", "\"", "],[", "{}"))) {
    expect_identical(sbrl:::read_levels(paste(sbrl:::quoted_levels(levels), collapse = ",")), levels)
  }
  expect_null(sbrl:::read_levels("a,,b"))
  expect_null(sbrl:::read_levels("a,{b"))
  for (case in c(rich_cases(), list(list(model = rich_fit(y ~ ., data = shop()), data = shop())))) {
    data <- case$data
    model <- case$model
    for (feature in model$features) {
      # what "is not missing" holds for cannot be seen from names if there are new levels
      if (length(feature$levels) > 0) {
        column <- data[[feature$name]]
        data[[feature$name]] <- replace(column, !as.character(column) %in% feature$levels, NA)
      }
    }
    data$size <- if (!is.null(data$size)) factor(data$size, c("S", "M", "L", "XL", "XXL"), ordered = TRUE)
    cells <- get_data_feature_mat(data, model$items$name)
    items <- lapply(seq_len(nrow(model$items)), function(i) {
      model$pool <- list(items = i, lengths = 1L)
      antecedents_of(model, 1L)[[1]]
    })
    expected <- vapply(items, \(item) naive_cover(data, item) + 0, double(nrow(data)))
    expect_equal(unname(cells), unname(expected))
  }
})

test_that("damaged sets are refused", {
  model <- rich_fit(y ~ odor + size, data = shop())
  set <- which(lengths(model$items$codes) > 0)[1]
  damaged <- list(
    \(items) replace(items, "codes", list(NULL)),
    \(items) replace(items, "codes", list(replace(items$codes, set, list(c(3L, 1L))))),
    \(items) replace(items, "codes", list(replace(items$codes, set, list(c(1L, 99L))))),
    \(items) replace(items, "codes", list(replace(items$codes, set, list(c(1, 3))))),
    \(items) replace(items, "codes", list(replace(items$codes, nrow(items), list(c(1L, 3L, 5L))))),
    \(items) replace(items, "name", list(sub("foul", "fool", items$name)))
  )
  for (damage in damaged) {
    bad <- model
    bad$items <- damage(model$items)
    expect_error(sbrl_score(bad, shop()), "not a valid model", class = "sbrl_error_model")
  }
})

test_that("lists whose groups differ have one pool; each predicts as before", {
  d <- job_data(5, 400)
  d$extra <- replace(stats::rnorm(400), 1:130, NA)
  bag <- sbrl_bag(y ~ ., data = d, times = 5, iters = 200, nchain = 1, seed = 1, conditions = "rich", progress = FALSE)
  each <- lapply(seq_along(bag$lists$lengths), \(i) predict(sbrl:::list_model(bag, i), d, type = "matrix"))
  expect_equal(predict(bag, d, type = "matrix"), Reduce(`+`, each) / length(each), tolerance = 1e-12)
  expect_gt(sum(lengths(bag$medoid$items$codes) > 0), 1)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(bag, file)
  expect_identical(predict(sbrl_read_json(file), d, type = "matrix"), predict(bag, d, type = "matrix"))
  again <- sbrl_bag(medoid(bag), d, times = 2, seed = 1, progress = FALSE)
  expect_identical(again$medoid$format, 3L)
})

test_that("a set of a fit that did not see a level stays without it", {
  own <- sbrl:::new_feature("x", "categorical", levels = c("a", "c", "d"))
  all <- sbrl:::new_feature("x", "categorical", levels = c("a", "b", "c", "d"))
  expect_identical(sbrl:::common_codes(all, own, c(1L, 3L)), c(1L, 4L))
  expect_identical(sbrl:::common_codes(all, own, 2:3), 3:4)
  expect_identical(sbrl:::common_codes(all, own, 1:3), 1:4)
})

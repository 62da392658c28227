# Formulas: which terms are taken, what is stored, and what is refused.

fit <- function(...) sbrl(..., iters = 300, nchain = 2, seed = 1, progress = FALSE)

people <- function(n = 300) {
  d <- two_factor_data(n)
  d$x <- seq_len(n) / 7
  d$`blood type` <- rep_len(c("A", "B", "0"), n)
  d
}

without_formula <- function(model) {
  model$terms <- NULL
  without_clock(model)
}

test_that("a formula picks label and features", {
  d <- people()
  features <- function(model) vapply(model$features, \(feature) feature$name, "")
  all <- fit(label ~ ., data = d, rule_maxlen = 1, minsupport = 0.1)
  expect_identical(without_formula(all), without_formula(quick_fit(d, iters = 300, minsupport = 0.1)))
  all <- fit(label ~ ., data = d)
  expect_identical(without_formula(all), without_formula(quick_fit(d, iters = 300, rule_maxlen = 2, minsupport = 0.05)))
  expect_identical(features(fit(label ~ a + x, data = d)), c("a", "x"))
  expect_identical(features(fit(label ~ . - b - `blood type`, data = d)), c("a", "x"))
  expect_identical(features(fit(label ~ `blood type` + a, d)), c("blood type", "a"))
  expect_identical(features(fit(label ~ 0 + a, d)), "a")
  expect_identical(features(fit(formula = label ~ b, data = d)), "b")
  expect_identical(features(fit(data = d, label ~ b)), "b")
  # The label may be any expression, and a column called `label` a feature.
  other <- fit(a == "u" ~ label + b, data = d)
  expect_identical(other$classes, c("FALSE", "TRUE"))
  expect_identical(other$settings$label, "a == \"u\"")
  expect_identical(features(other), c("label", "b"))
  expect_warning(none <- fit(label ~ 1, data = d), class = "sbrl_warning_no_candidate")
  expect_identical(nrow(none$rs), 1L)
  expect_identical(fit(label ~ a, data = d, pos_sign = 0)$classes, c("1", "0"))
})

test_that("transformed variables are computed for new data", {
  d <- people()
  model <- fit(label ~ log(x) + I(x > 20) + factor(round(x / 10)) + a, data = d, rule_maxlen = 2)
  expect_true(all(c("I(x > 20)=TRUE", "a=u", "factor(round(x/10))=1") %in% model$featurenames))
  d$x[7] <- NA
  rule <- suppressWarnings(predict(model, d, type = "rule"))
  same <- data.frame(rev(d))
  expect_identical(suppressWarnings(predict(model, same, type = "rule")), rule)
  scored <- sbrl_score(fit(label == 1 ~ log(x), data = people()), people(), 1)
  expect_true(all(is.finite(scored)))
  cut_at <- 12
  local_name <- fit(label ~ I(x > cut_at), data = d)
  expect_match(format(local_name), "x > cut_at", all = FALSE)
  expect_length(predict(local_name, d)$V2, 300)
})

test_that("only what the rules use is needed", {
  d <- people()
  model <- fit(label ~ log(x) + a, data = d, discretize = list("log(x)" = c(-5, -4)))
  expect_identical(model$dropped, "log(x)")
  expect_identical(predict(model, d["a"]), predict(model, d))
  uses_x <- fit(label ~ log(x), data = transform(d, x = label * 10 + stats::runif(300)))
  expect_condition_snapshot({
    predict(uses_x, d["a"])
    predict(uses_x, data.frame(x = letters))
  })
})

test_that("subset, weights and na.action are evaluated in the data", {
  d <- people()
  d$w <- rep_len(0:2, 300)
  d$a[1:9] <- NA
  part <- fit(label ~ a + b, data = d, subset = x > 10)
  expect_identical(part$counts, fit(label ~ a + b, data = d[d$x > 10, ])$counts)
  weighted <- fit(label ~ a + b, data = d, weights = w, simplify = FALSE)
  frame <- quick_fit(
    d[c("a", "b", "label")], weights = d$w, iters = 300, rule_maxlen = 2, minsupport = 0.05, simplify = FALSE
  )
  expect_identical(weighted$rs, frame$rs)
  expect_equal(sum(weighted$counts), sum(d$w))
  # Missing values stay by default: they are information.
  expect_true("a=NA" %in% fit(label ~ a, data = d)$featurenames)
  complete <- fit(label ~ a, data = d, na.action = na.omit)
  expect_identical(complete$settings$n_rows, 291)
  expect_false("a=NA" %in% complete$featurenames)
  both <- fit(label ~ a, data = d, weights = w, na.action = na.omit, subset = x > 5)
  expect_equal(both$settings$n_rows, sum(d$w[!is.na(d$a) & d$x > 5]))
  outside <- rep(2, 300)
  expect_identical(sum(fit(label ~ a, data = d, weights = outside)$counts), 600)
})

test_that("formula(), terms() and update() behave", {
  d <- people()
  model <- fit(label ~ ., data = d)
  expect_identical(deparse1(formula(model)), "label ~ a + b + x + `blood type`")
  expect_s3_class(terms(model), "terms")
  expect_identical(update(model, lambda = 3)$settings$lambda, 3)
  smaller <- update(model, . ~ . - x)
  expect_identical(deparse1(formula(smaller)), "label ~ a + b + `blood type`")
  by_frame <- sbrl(d, iters = 100, nchain = 1, progress = FALSE)
  expect_identical(update(by_frame, eta = 2)$settings$eta, 2)
  expect_error(formula(quick_fit(d)), class = "sbrl_error_model")
  expect_error(terms(quick_fit(d)), class = "sbrl_error_model")
  # A formula of plain columns drags no environment along.
  in_function <- function() {
    big <- stats::runif(1e5)
    fit(label ~ a, data = people())
  }
  expect_lt(length(serialize(in_function(), NULL)), 1e5)
  by_value <- do.call(sbrl, list(label ~ a, data = d, iters = 100, progress = FALSE))
  expect_lt(as.numeric(utils::object.size(by_value$call)), 5000)
})

test_that("what rules cannot mean is refused", {
  d <- people()
  expect_condition_snapshot({
    fit(label ~ a:b, data = d)
    fit(label ~ a * b, data = d)
    fit(label ~ a + offset(x), data = d)
    fit(~ a, data = d)
    fit(label ~ nowhere, data = d)
    fit(nowhere ~ a, data = d)
    fit(label ~ ., data = as.matrix(d))
    fit(label ~ .)
    fit(label ~ poly(x, 2), data = d)
    fit(label ~ cut(x, 3), data = d)
    fit(label ~ a + scale(x)[, 1], data = d)
    fit(label ~ a, data = d, label = "b")
    fit(label ~ a, data = d, weights = "w")
    fit(label ~ a, data = d, weights = -x)
    fit(label ~ a, data = d, subset = x > 1e6)
    fit(label ~ a, data = d, lamda = 5)
    sbrl(formula = "label ~ a", data = d)
    fit(label ~ I(x > mean(x)), data = d)
    fit(label ~ ., data = data.frame(. = d$a, label = d$label))
  })
})

test_that("the class of the data frame, its groups and row names do not matter", {
  d <- people()
  plain <- without_clock(fit(label ~ ., data = d))
  rownames(d) <- paste0("row", rev(seq_len(300)))
  expect_identical(without_clock(fit(label ~ ., data = d)), plain)
  skip_if_not_installed("tibble")
  as_tibble <- getExportedValue("tibble", "as_tibble")
  expect_identical(without_clock(fit(label ~ ., data = as_tibble(d))), plain)
})

# Through a file whose text is changed on the way.
through_file <- function(model, change = identity) {
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  writeLines(change(readLines(file)), file)
  sbrl_read_json(file)
}

# One transformed feature, which the only rule uses; `code` takes its place wherever the file names it.
with_feature <- function(code, d = transform(two_factor_data(), x = seq_len(400) / 40 + 10 * label)) {
  model <- fit(label ~ sqrt(x), data = d)
  through_file(model, \(text) gsub("sqrt(x)", gsub("\"", "\\\"", code, fixed = TRUE), text, fixed = TRUE))
}

test_that("a file whose formula calls anything but the harmless functions is refused", {
  expect_s3_class(with_feature("log(x)"), "sbrl")
  canary <- tempfile("canary")
  run <- sprintf("file.create(\"%s\")", canary)
  hostile <- c(
    run, sprintf("sqrt(%s)", run), sprintf("ifelse(%s, x, x)", run), sprintf("system(\"touch %s\")", canary),
    sprintf("\"system\"(\"touch %s\")", canary), sprintf("`system`(\"touch %s\")", canary),
    sprintf("base::system(\"touch %s\")", canary), sprintf("(base::system)(\"touch %s\")", canary),
    sprintf("(function(x) %s)(x)", run), sprintf("(\\\\(x) %s)(x)", run), sprintf("sapply(x, function(x) %s)", run),
    "do.call(\"system\", list(x))", "eval(parse(text = x))", "get(\"system\")(x)", "x(x)", "c(sqrt)[[1]](x)",
    "system(system)", "Recall(x)", "x <- 1", "{x}", "if (x) 1", "quote(x)", "library(x)", "x@y", "sbrl(x)"
  )
  for (code in hostile) {
    expect_error(
      {
        model <- with_feature(code)
        predict(model, two_factor_data())
        as_r_function(model)(two_factor_data())
      },
      "calls|damaged|agree", class = "sbrl_error_file", info = code
    )
    expect_false(file.exists(canary), info = code)
  }
})

test_that("as_r_function() writes code that calls harmless functions and no others", {
  d <- transform(two_factor_data(), x = seq_len(400) / 40 + 10 * label)
  expect_error(as_r_function(fit(label ~ rev(rev(x)), data = d)), "calls `rev`", class = "sbrl_error_model")
  model <- fit(label ~ sqrt(x), data = d)
  expect_identical(as_r_function(model)(d), predict(model, d)$V2)
  for (code in expression(Sys.getenv(x), Sys.getenv(Sys.getenv), base::Sys.getenv(x), (function(x) x)(x))) {
    changed <- model
    changed$terms <- stats::terms(eval(call("~", quote(label), code)))
    changed$features[[1]]$name <- variable_names(changed$terms)[2]
    expect_error(as_r_function(changed), class = "sbrl_error_model")
  }
})

test_that("a formula that disagrees with the rest of its file is refused", {
  d <- people()
  model <- fit(label ~ log(x) + a + b, data = d)
  set_formula <- function(text) \(lines) sub("^\"formula\": .*", sprintf("\"formula\": \"%s\",", text), lines)
  expect_s3_class(through_file(model, set_formula("label ~ b + a + log(x)")), "sbrl")
  others <- c(
    "label ~ a + b", "label ~ log(x) + a + b + x", "label ~ exp(x) + a + b", "a ~ log(x) + label + b", "label ~ .",
    "label ~ log(x) + a:b", "label ~ log(x) + a * b", "label ~ log(x) + a + b - 1", "label ~ 1", "1 ~ log(x) + a + b"
  )
  for (text in others) {
    expect_error(through_file(model, set_formula(text)), "agree|calls", class = "sbrl_error_file", info = text)
  }
})

test_that("a formula nested without end is an error, not a stack overflow", {
  model <- fit(label ~ a, data = people())
  long <- function(n) paste(rep("x", n), collapse = "+")
  texts <- c(
    paste0(strrep("(", 1e5), "a", strrep(")", 1e5)), strrep("-", 1e5), paste0(strrep("-", 3000), "a"), long(3e5),
    sprintf("I(%s)", long(3e5)), paste0("a", strrep("[1]", 3e5)), paste0("a", strrep("$a", 3e5)), strrep("a^", 1e5)
  )
  for (text in texts) {
    change <- function(lines) sub("^\"formula\": .*", sprintf("\"formula\": \"label ~ %s\",", text), lines)
    expect_error(through_file(model, change), class = "sbrl_error_file")
  }
  # As deep as is allowed, in every place.
  sum <- Reduce(\(left, right) call("+", left, right), rep(list(quote(x)), 99))
  d <- transform(people(), x = x + 30 * label)
  deep <- fit(eval(call("~", quote(label), call("I", sum))), data = d)
  again <- through_file(deep)
  expect_identical(predict(again, d), predict(deep, d))
  expect_identical(as_r_function(again)(d), predict(deep, d)$V2)
})

test_that("every function that a formula in a file may call is on the help page", {
  skip_if_not_built()
  page <- paste(unlist(as.character(tools::Rd_db("sbrl")[["sbrl_write_json.Rd"]])), collapse = "")
  listed <- gsub("\\%", "%", page, fixed = TRUE)
  shown <- c(harmless_functions, harmless_constants)
  found <- vapply(shown, \(name) grepl(paste0("\\code{", name), listed, fixed = TRUE), NA)
  expect_identical(shown[!found], character())
})

test_that("a model that was read from a file cannot be updated, and says so", {
  again <- through_file(fit(label ~ a, data = people()))
  expect_error(update(again, lambda = 3), "read from a file", class = "sbrl_error_model")
})

test_that("JSON keeps a formula, and can do no harm with it", {
  d <- people()
  round_trip <- through_file
  model <- fit(label ~ ., data = d)
  expect_identical(round_trip(model)[names(model) != "call"], unclass(model)[names(model) != "call"])
  computed <- fit(label ~ log(x) + I(x > 20.1) + a, data = transform(d, x = x + 30 * label))
  again <- round_trip(computed)
  expect_identical(predict(again, d), predict(computed, d))
  expect_identical(formula_text(again$terms), formula_text(computed$terms))
  with_pi <- fit(label ~ I(x > 4 * pi), data = transform(d, x = x + 30 * label))
  expect_identical(predict(round_trip(with_pi), d), predict(with_pi, d))
  for (text in c("1", "label", "~ a", "x y", "label ~", "label ~ (")) {
    broken <- \(lines) sub("^\"formula\": .*", sprintf("\"formula\": \"%s\",", text), lines)
    expect_error(round_trip(computed, broken), class = "sbrl_error_file")
  }
})

test_that("formula and data may be given by name in any order", {
  d <- people()
  plain <- without_clock(sbrl(label ~ a, d, iters = 100, seed = 1, progress = FALSE))
  others <- list(
    sbrl(formula = label ~ a, data = d, iters = 100, seed = 1, progress = FALSE),
    sbrl(data = d, formula = label ~ a, iters = 100, seed = 1, progress = FALSE),
    sbrl(formula = label ~ a, d, iters = 100, seed = 1, progress = FALSE),
    sbrl(iters = 100, seed = 1, progress = FALSE, data = d, formula = label ~ a)
  )
  for (other in others) {
    expect_identical(without_clock(other), plain)
    expect_s3_class(update(other, lambda = 3), "sbrl")
  }
})

test_that("terms that look at other rows are refused, whatever the data", {
  for (seed in 1:20) {
    set.seed(seed)
    d <- data.frame(x = stats::rnorm(100))
    d$label <- as.integer(d$x + stats::rnorm(100) > 0)
    d$x[5] <- NA
    refused <- list(
      label ~ I(x > mean(x, na.rm = TRUE)), label ~ ifelse(is.na(x), mean(x, na.rm = TRUE), x),
      label ~ pmin(x, quantile(x, 0.99, na.rm = TRUE)), label ~ rank(x)
    )
    for (formula in refused) {
      expect_error(fit(formula, data = d), class = "sbrl_error_argument")
    }
    expect_s3_class(fit(label ~ I(x > 0) + abs(x), data = d), "sbrl")
  }
})

test_that("a formula has defaults of its own, which any argument replaces", {
  d <- people()
  settings <- function(...) fit(label ~ ., data = d, ...)$settings
  expect_identical(unname(settings()$minsupport), c(0.05, 0.05))
  expect_identical(settings()$rule_maxlen, 2)
  expect_identical(settings(rule_maxlen = 3)$rule_maxlen, 3)
  expect_identical(settings(rule_minlen = 3)$rule_maxlen, 3)
  expect_identical(unname(settings(minsupport_pos = 0.2)$minsupport), c(0.1, 0.2))
  expect_identical(unname(settings(minsupport = 0.3)$minsupport), c(0.3, 0.3))
  expect_lte(length(fit(label ~ ., data = d, target_rules = 7)$rulenames), 7)
  wrapped <- function(...) fit(label ~ ., d, ...)
  expect_identical(wrapped(rule_maxlen = 1)$settings$rule_maxlen, 1)
  expect_identical(quick_fit(d)$settings$rule_maxlen, 1)
})

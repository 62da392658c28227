# What as_dmn() writes is run by engines of DMN and must give what predict() gives.

expect_dmn <- function(cases, script) {
  answers <- run_dmn(cases, script)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = paste("case", j))
}

test_that("feelin gives what predict() gives", {
  skip_if_no_module("feelin")
  expect_dmn(c(export_cases(20, infinite = FALSE), export_gap_cases(20, infinite = FALSE)), feelin_script)
})

test_that("dmn-eval-js gives what predict() gives", {
  skip_if_no_module("@hbtgmbh/dmn-eval-js")
  cases <- c(export_cases(15, infinite = FALSE), export_gap_cases(15, infinite = FALSE))
  cases <- Filter(Negate(is.null), lapply(cases, plain_dmn_case))
  expect_gt(length(cases), 30)
  expect_dmn(cases, dmn_eval_script)
})

# SpiffWorkflow brings the schema; lxml checks against it.
test_that("the schema of DMN 1.3 accepts the documents", {
  skip_if_no_exports("lxml, SpiffWorkflow")
  cases <- c(export_cases(10, infinite = FALSE), export_gap_cases(10, infinite = FALSE), injected_cases()[1:8])
  pages <- tempfile(rep("model", length(cases)), fileext = ".dmn")
  script <- tempfile(fileext = ".py")
  on.exit(unlink(c(pages, script)))
  Map(\(case, page) writeLines(as_dmn(case$model, missing = case$missing), page, useBytes = TRUE), cases, pages)
  writeLines(c(
    "import os, sys, SpiffWorkflow", "from lxml import etree",
    "folder = os.path.join(os.path.dirname(SpiffWorkflow.__file__), 'dmn', 'parser', 'schema')",
    "schema = etree.XMLSchema(etree.parse(os.path.join(folder, 'DMN13.xsd')))",
    "for page in sys.argv[1:]: schema.assertValid(etree.parse(page))", "print('all valid')"
  ), script)
  expect_identical(system2(exports_python(), shQuote(c(script, pages)), stdout = TRUE, stderr = TRUE), "all valid")
})

test_that("numbers are written without exponents and mean the same", {
  set.seed(1)
  x <- c(0, 1e5, -1e15, 1e300, 5e-324, -1.25e-7, 123456.789, 1 / 3, 2^53,
         stats::rnorm(50) * 10^stats::runif(50, -20, 20))
  text <- sbrl:::feel_number(x)
  expect_no_match(text, "[^-0-9.]")
  expect_identical(as.numeric(text), x)
})

test_that("names that FEEL does not allow get similar ones, all different", {
  names <- c("age", "blood type", "blood-type", "x_blood_type", "if", "1st", "\u00e9t\u00e9", "_", "", "_id")
  inputs <- sbrl:::feel_names(names)
  expect_identical(inputs[c(1, 4, 10)], names[c(1, 4, 10)])
  expect_identical(inputs[5:6], c("x_if", "x_1st"))
  expect_identical(anyDuplicated(inputs), 0L)
  expect_match(inputs, "^[A-Za-z_][A-Za-z0-9_]*$")
})

test_that("the table is as it was, with labels", {
  d <- data.frame("blood type" = rep(c("it's", "\"&\"", NA), 40), day = as.Date("2024-01-01") + 1:120,
                  check.names = FALSE)
  d$label <- as.integer(d[[1]] %in% "it's" | (is.na(d[[1]]) & d$day > as.Date("2024-03-10")))
  model <- quick_fit(d, rule_maxlen = 2, labels = c("blood type" = "Blood"))
  model$version <- "0.0.0"
  expect_snapshot({
    as_dmn(model, missing = "base_rate")
    attr(as_dmn(model), "inputs")
  })
})

test_that("a rule whose conditions exclude each other matches nothing", {
  program <- sbrl:::rule_program(quick_fit(data.frame(n = 1:100, label = rep(0:1, each = 50))))
  one <- program$conditions[[1]]
  other <- replace(one, "codes", list(setdiff(1:2, one$codes)))
  pair <- list(one, other)
  cells <- sbrl:::dmn_cells(pair, program$features, "number")
  expect_identical(cells, NA_character_)
  expect_identical(sbrl:::dmn_open(pair, cells, program$features, "number"), list("null"))
  known <- lapply(pair, replace, "may_be_open", FALSE)
  expect_length(sbrl:::dmn_open(known, cells, program$features, "number"), 0)
})

test_that("what cannot be written is refused by name", {
  control <- data.frame(x = rep(c("a\001", "b"), each = 50), label = rep(0:1, each = 50))
  d <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  infinite <- data.frame(x = rep(c(1, NA, Inf), each = 80), label = rep(c(0, 0, 1), each = 80))
  old <- data.frame(day = as.Date("0001-01-01") - c(1:100, 500:599), label = rep(0:1, each = 100))
  expect_condition_snapshot({
    as_dmn(two_factor_data())
    as_dmn(quick_fit(control))
    as_dmn(quick_fit(two_factor_data()), columns = c(a = "number"))
    as_dmn(quick_fit(d), missing = "error")
    as_dmn(quick_fit(infinite), columns = c(x = "number"))
    as_dmn(quick_fit(old))
    as_dmn(sbrl(label ~ log(x), data = d, iters = 100, nchain = 1, seed = 1))
  })
})

# What as_pmml() writes is read by another program, a PMML engine, and must give what predict() gives.

# jpmml_evaluator brings the engine and the schema; lxml checks against it.
pmml_script <- "
import io, json, os, sys, zipfile
import jpmml_evaluator
from lxml import etree
jars = os.path.join(os.path.dirname(jpmml_evaluator.__file__), 'dependencies')
jar = [os.path.join(jars, name) for name in os.listdir(jars) if name.startswith('pmml-model-1')][0]
schema = etree.XMLSchema(etree.parse(io.BytesIO(zipfile.ZipFile(jar).read('pmml.xsd'))))
answers = []
for case in json.load(open(sys.argv[1], encoding='utf-8')):
    schema.assertValid(etree.parse(case['file']))
    evaluator = jpmml_evaluator.make_evaluator(case['file']).verify()
    read = {'number': float, 'text': str, 'logical': lambda value: value == 'TRUE'}
    rows = []
    for row in case['rows']:
        values = [None if v is None else read[t](v) for v, t in zip(row, case['types'])]
        answer = evaluator.evaluate(dict(zip(case['names'], values)))
        rows.append([None if answer[name] is None else str(answer[name]) for name in case['outputs']])
    answers.append(rows)
json.dump(answers, open(sys.argv[2], 'w', encoding='utf-8'))
"

run_pmml <- function(cases) {
  files <- tempfile(c("script", "in", "out"))
  pages <- tempfile(rep("model", length(cases)), fileext = ".pmml")
  on.exit(unlink(c(files, pages)))
  write <- function(case, page) {
    is_text <- vapply(case$data, \(x) is.character(x) || is.factor(x), NA)
    columns <- stats::setNames(rep("text", sum(is_text)), names(case$data)[is_text])
    writeLines(as_pmml(case$model, columns, missing = case$missing), page, useBytes = TRUE)
    k <- length(case$model$classes)
    outputs <- c("rule", "class", if (k == 2) "prob" else paste0("prob_", case$model$classes))
    plain <- lapply(case$data, \(x) if (is.object(x) && !is.factor(x)) as.double(x) else x)
    type <- \(x) if (is.numeric(x) && !is.factor(x)) "number" else if (is.logical(x)) "logical" else "text"
    values <- lapply(plain, \(x) replace(sql_values_text(x), is.na(x), NA))
    list(file = page, outputs = outputs, names = I(names(plain)), types = I(unname(vapply(plain, type, ""))),
         rows = unname(do.call(cbind, values)))
  }
  writeLines(pmml_script, files[1])
  jsonlite::write_json(unname(Map(write, cases, pages)), files[2], auto_unbox = TRUE, na = "null")
  said <- suppressWarnings(system2(test_python(), files, stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) stop(paste(utils::tail(said, 20), collapse = "\n"))
  lapply(jsonlite::read_json(files[3]), function(rows) {
    cells <- do.call(rbind, lapply(rows, \(row) vapply(row, \(x) if (is.null(x)) NA_character_ else x, "")))
    probs <- lapply(seq_len(ncol(cells))[-(1:2)], \(j) as.numeric(cells[, j]))
    is_base <- grepl("^base_rate_", cells[, 1])
    answer <- data.frame(rule = suppressWarnings(as.numeric(cells[, 1])), class = cells[, 2], probs)
    answer$rule[is.na(answer$rule) & !is_base] <- 0
    stats::setNames(answer, c("rule", "class", paste0("p", seq_len(ncol(cells) - 2))))
  })
}

test_that("a PMML engine gives what predict() gives", {
  skip_if_no_python("jpmml_evaluator, lxml, jpype")
  # An engine of Java has no infinite level.
  finite <- \(case) !any(vapply(case$model$features, \(feature) any(feature$levels %in% c("Inf", "-Inf")), NA))
  cases <- Filter(finite, c(typed_cases(), odd_cases(), random_cases(40), empty_cases()))
  cases <- Filter(\(case) nrow(case$data) > 1, cases)
  answers <- run_pmml(cases)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = paste("case", j))
})

test_that("the document is as it was", {
  d <- data.frame("a<b>" = rep(c("it's", "\"&\"", NA), each = 40), rule = rep(c(TRUE, FALSE), 60), check.names = FALSE)
  d$label <- as.integer(d[[1]] %in% "it's" | (is.na(d[[1]]) & d$rule))
  model <- quick_fit(d, rule_maxlen = 2)
  model$version <- "0.0.0"
  expect_snapshot(as_pmml(model))
  expect_match(as_pmml(model, columns = c(rule = "text")), "name=\"rule\" optype=\"categorical\" dataType=\"string\"")
  expect_match(as_pmml(suppressWarnings(quick_fit(two_factor_data()["label"]))), "firstHit", fixed = TRUE)
})

test_that("empty text that is missing is a second way to be missing", {
  page <- as_pmml(empty_cases()[[1]]$model)
  second <- "<SimplePredicate field=\"letter\" operator=\"equal\" value=\"\"/>"
  expect_match(page, paste0("operator=\"isMissing\"/>", second), fixed = TRUE)
})

test_that("code points that no XML parser reads are refused, in levels, names and classes", {
  # Text from an escape would depend on the locale.
  for (odd in c(intToUtf8(0xFFFE), intToUtf8(0xFFFF))) {
    level <- paste0("a", odd)
    d <- data.frame(x = rep(c(level, "b"), each = 50), label = rep(0:1, each = 50))
    expect_error(as_pmml(quick_fit(d)), "code point U\\+FFF[EF]", class = "sbrl_error_model")
    named <- stats::setNames(d, c(level, "label"))
    expect_error(as_pmml(quick_fit(named)), "code point U\\+FFF[EF]", class = "sbrl_error_model")
    classes <- data.frame(x = rep(c("a", "b"), each = 50), label = rep(c(level, "b"), each = 50))
    expect_error(as_pmml(quick_fit(classes)), "code point U\\+FFF[EF]", class = "sbrl_error_model")
  }
})

test_that("what cannot be written is refused by name", {
  control <- data.frame(x = rep(c("a\001", "b"), each = 50), label = rep(0:1, each = 50))
  logged <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  expect_condition_snapshot({
    as_pmml(two_factor_data())
    as_pmml(quick_fit(control))
    as_pmml(quick_fit(two_factor_data()), columns = c(a = "number"))
    as_pmml(sbrl(label ~ log(x), data = logged, iters = 100, nchain = 1, seed = 1))
  })
})

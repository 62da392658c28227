# What as_javascript() writes is run in Node and must give what predict() gives.

expect_node <- function(cases, run = run_node) {
  answers <- run(cases)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = paste("case", j))
}

test_that("Node gives what predict() gives", {
  skip_if_no_node()
  all_rows <- \(case) nrow(case$data) > 0
  cases <- Filter(all_rows, c(typed_cases(), odd_cases(), random_cases(60), empty_cases(), rich_cases()))
  expect_node(cases)
})

test_that("rows that a missing value leaves undecided get the base rate in Node, if that is asked for", {
  skip_if_no_node()
  expect_node(export_gap_cases())
})

test_that("names that mean something to JavaScript are names", {
  skip_if_no_node()
  set.seed(1)
  names <- c("__proto__", "constructor", "toString", "row", "x1", "column", "score", "hasOwnProperty", "</script>")
  d <- as.data.frame(lapply(names, \(name) sample(names, 300, TRUE)), col.names = names, check.names = FALSE)
  d$label <- ifelse(d[[1]] == d[[2]] | d[[3]] == "__proto__", "__proto__", sample(names[2:3], 300, TRUE))
  model <- quick_fit(d, minsupport = 0.01, lambda = 20, iters = 3000, rule_maxlen = 2)
  expect_gt(nrow(model$rs), 2)
  expect_node(list(sql_case_of(model, d)))
  expect_no_match(as_javascript(model), "</", fixed = TRUE)
})

# As a script, where a function of the name of a global one replaces it.
named_script <- "
const vm = require('vm'), fs = require('fs');
const answers = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).map(({ name, source, rows }) => rows.map((row) => {
  const code = source + '\\n' + name + '(' + row + ');';
  const inside = new Function(source + '\\nreturn ' + name + '(' + row + ');');
  return [vm.runInNewContext(code).rule, inside().rule, 1];
}));
fs.writeFileSync(process.argv[3], JSON.stringify(answers));
"

test_that("a function of any name that is accepted works, and no global is accepted", {
  skip_if_no_node()
  set.seed(1)
  pool <- seq_len(400)
  d <- data.frame(n = c(NA, sample(pool)[-1]), t = as.POSIXct("2024-01-01", tz = "UTC") + sample(pool),
                  l = sample(c("u", NA), 400, TRUE), day = as.Date("2024-01-01") + sample(pool))
  is_late <- d$t >= as.POSIXct("2024-01-01 00:05:00", tz = "UTC")
  d$label <- as.integer(ifelse(is_late, d$l %in% "u", ifelse(d$day < as.Date("2024-06-01"), 1, d$n %in% 1:200)))
  model <- quick_fit(d, rule_maxlen = 2, lambda = 20, iters = 5000)
  expect_setequal(used_columns(model), c("n", "t", "l", "day"))
  tried <- which(pool %% 19 == 1)
  rows <- sprintf("{ n: %s, t: new Date(%.0f), l: %s, day: '%s' }", ifelse(is.na(d$n), "undefined", d$n),
                  1000 * as.double(d$t), ifelse(is.na(d$l), "null", "'u'"), d$day)[tried]
  code <- "console.log(Object.getOwnPropertyNames(globalThis).join(' '))"
  globals <- strsplit(system2("node", c("-e", shQuote(code)), stdout = TRUE), " ")[[1]]
  words <- unique(unlist(regmatches(as_javascript(model), gregexpr("[A-Za-z_$][A-Za-z0-9_$]*", as_javascript(model)))))
  names <- unique(c(globals, words, "__proto__", "async", "get", "of", "hasOwnProperty", "toString", "$", "_"))
  source <- lapply(names, \(name) tryCatch(as.character(as_javascript(model, name = name)), error = \(e) NULL))
  is_refused <- vapply(source, is.null, NA)
  expect_true(all(c("Object", "undefined", "JSON", "Date", "isNaN", "Error", "Math") %in% names[is_refused]))
  expect_false(any(c("row", "column", "x1", "score", "fetch", "level", "$") %in% names[is_refused]))
  cases <- lapply(which(!is_refused), \(j) list(name = names[j], source = source[[j]], rows = rows))
  expected <- predict(model, d, type = "rule")[tried]
  for (answer in run_export(cases, named_script, "node", ".js")) {
    expect_identical(as.integer(answer$rule), expected)
    expect_identical(as.integer(answer$class), expected)
  }
})

in_node <- function(model, rows, missing = "fallthrough") {
  file <- tempfile(fileext = ".js")
  on.exit(unlink(file))
  source <- sprintf("(function () { %s })();", vapply(rows, \(row) {
    paste(c(as_javascript(model, missing = missing), sprintf("try { console.log(JSON.stringify(score(%s))); }", row),
            "catch (e) { console.log(e.message); }"), collapse = "\n")
  }, ""))
  writeLines(source, file)
  suppressWarnings(system2("node", file, stdout = TRUE, stderr = TRUE))
}

test_that("dates and times come as text, as numbers or as dates of JavaScript", {
  skip_if_no_node()
  d <- data.frame(day = as.Date("2024-01-01") + 0:199, label = rep(0:1, each = 100))
  model <- quick_fit(d)
  rows <- sprintf(c("{ day: '%s' }", "{ day: new Date('%s') }", "{ day: new Date('%sT23:59:59Z') }"), "2024-04-09")
  above <- sub("04-09", "04-10", rows, fixed = TRUE)
  rows <- c(rows, "{ day: 19822 }", above, "{ day: 19823 }")
  expected <- rep(predict(model, data.frame(day = as.Date(c("2024-04-09", "2024-04-10"))), type = "rule"), each = 4)
  expect_identical(as.integer(sub(".*\"rule\":(\\d+).*", "\\1", in_node(model, rows))), expected)
  said <- in_node(model, c("{ day: 'yesterday' }", "{ day: true }", "{}", "null", "{ day: null }"))
  expect_match(said[1:2], "must be a date")
  expect_match(said[3:4], "needs a column", fixed = TRUE)
  expect_match(said[5], "\"rule\":0")
  start <- as.POSIXct("2024-05-01 12:00:00", tz = "UTC")
  times <- data.frame(at = start + 3600 * (1:200), label = rep(0:1, each = 100))
  model <- quick_fit(times)
  at <- start + 3600 * c(100, 101)
  seconds <- as.double(at)
  rows <- c(sprintf("{ at: new Date(%.0f) }", 1000 * seconds), sprintf("{ at: %.0f }", seconds), "{ at: 'x' }")
  said <- in_node(model, rows)
  expected <- rep(predict(model, data.frame(at = at), type = "rule"), 2)
  expect_identical(as.integer(sub(".*\"rule\":(\\d+).*", "\\1", said[1:4])), expected)
  expect_match(said[5], "must be a time")
})

test_that("a row is refused where that is asked for, and so are values of other types", {
  skip_if_no_node()
  model <- quick_fit(two_factor_data())
  expect_match(in_node(model, "{ a: null, b: null }", "error"), "missing")
  expect_match(in_node(model, "{ a: {}, b: 'p' }"), "must be text")
})

test_that("the code is as it was", {
  d <- data.frame("a<b>" = rep(c("it's", "\"&\"", NA), each = 40), rule = rep(c(TRUE, FALSE), 60), n = 1:120 / 7,
                  check.names = FALSE)
  d$label <- as.integer(d[[1]] %in% "it's" & d$n > 3 | (is.na(d[[1]]) & d$rule))
  model <- quick_fit(d, rule_maxlen = 2)
  model$version <- "0.0.0"
  expect_snapshot({
    as_javascript(model)
    as_javascript(suppressWarnings(quick_fit(two_factor_data()["label"])) |> replace("version", "0.0.0"), name = "f")
  })
})

test_that("what cannot be written is refused by name", {
  d <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  expect_condition_snapshot({
    as_javascript(two_factor_data())
    as_javascript(quick_fit(d), name = "a b")
    as_javascript(quick_fit(d), name = "function")
    as_javascript(quick_fit(d), name = "Object")
    as_javascript(quick_fit(d), missing = "no")
    as_javascript(sbrl(label ~ log(x), data = d, iters = 100, nchain = 1, seed = 1))
  })
})

# The JSON format outside R: the reader in inst/python predicts as predict(), and the schema in inst/schema describes
# it.

expect_reader <- function(cases, ...) {
  answers <- run_reader(cases, ...)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = paste("case", j))
}

test_that("the reader gives what predict() gives", {
  skip_if_no_plain_python()
  cases <- c(typed_cases(), odd_cases(), random_cases(60), empty_cases(), rich_cases())
  expect_reader(Filter(\(case) nrow(case$data) > 0, cases))
})

test_that("rows that a missing value leaves undecided get the base rate in Python, if that is asked for", {
  skip_if_no_plain_python()
  expect_reader(c(export_gap_cases(), list(with_gaps(sql_case_of(
    quick_fit(two_factor_data(), shrink = TRUE), two_factor_data()
  ), 1))))
})

test_that("dates, times and spans of time may be Python's own", {
  skip_if_no_plain_python()
  cases <- typed_cases()[5:7]
  expect_identical(vapply(cases, \(case) names(case$data), ""), c("day", "time", "span"))
  expect_reader(cases, as_types = list(day = "date", time = "time", span = "span"))
  expect_reader(cases[1], as_types = list(day = "day"))
})

test_that("columns of any name are columns in a formula, too", {
  skip_if_no_plain_python()
  set.seed(1)
  names <- unique(c(odd_names, "quote ' and \" and `", "back\\slash", "tab\t", ".5", ".x", "_a", "x.1", "\u00e9"))
  cases <- lapply(names, function(name) {
    d <- data.frame(x = sample(c("u", "v"), 60, TRUE), z = sample(c("u", "v"), 60, TRUE))
    d$label <- as.integer(d$x == "u" | d$z == "u")
    names(d)[1] <- name
    fit <- \() suppressWarnings(sbrl(label ~ ., data = d, iters = 200, nchain = 1, seed = 1, progress = FALSE))
    model <- tryCatch(fit(), sbrl_error = \(e) NULL)
    if (!is.null(model)) sql_case_of(model, d)
  })
  # R itself cannot say some of them in a formula
  cases <- Filter(Negate(is.null), cases)
  expect_gt(length(cases), length(names) - 4)
  expect_reader(cases)
})

python_says <- function(file, rows) {
  words <- c("-u", "LD_LIBRARY_PATH", test_python(), "-B", shQuote(c(reader_file(), file)))
  out <- suppressWarnings(system2("env", words, input = rows, stdout = TRUE, stderr = TRUE))
  paste(out, collapse = "\n")
}

test_that("what the reader cannot evaluate is refused by name", {
  skip_if_no_plain_python()
  files <- tempfile(rep("model", 4), fileext = ".json")
  on.exit(unlink(files))
  d <- transform(two_factor_data(), x = seq_len(400) / 400 + label)
  sbrl_write_json(sbrl(label ~ log(x), data = d, iters = 100, nchain = 1, seed = 1), files[1])
  expect_match(python_says(files[1], "[]"), "The rules use log(x), which is computed by R.", fixed = TRUE)
  # a computed feature that no rule uses is no obstacle
  unused <- sbrl(label ~ x + I(b == "p"), data = d, iters = 300, nchain = 2, seed = 1)
  expect_identical(used_columns(unused), "x")
  sbrl_write_json(unused, files[2])
  expect_match(python_says(files[2], "[{\"x\": 0.5}]"), "\"rule\"", fixed = TRUE)
  expect_match(python_says(files[2], "[{\"y\": 0.5}]"), "The row has no column 'x'.", fixed = TRUE)
  expect_match(python_says(files[2], "[{\"x\": \"0.5\"}]"), "Column 'x' must be a number, not '0.5'.", fixed = TRUE)
  writeLines(sub("\"format_version\": 2", "\"format_version\": 4", readLines(files[2])), files[3])
  expect_match(python_says(files[3], "[]"), "The file has format 4; this reader knows formats up to 3.", fixed = TRUE)
  sbrl_write_json(sbrl_bag(label ~ a + b, data = two_factor_data(), times = 3, iters = 100, nchain = 1, seed = 1,
                           progress = FALSE), files[3])
  expect_match(python_says(files[3], "[]"), "many lists", fixed = TRUE)
  writeLines("{}", files[4])
  expect_match(python_says(files[4], "[]"), "not a rule list")
  sbrl_write_json(quick_fit(two_factor_data()), files[4], missing = "error")
  said <- python_says(files[4], "[{\"a\": null, \"b\": null}]")
  expect_match(said, "A value is missing that rule 1 asks for.", fixed = TRUE)
})

# `make hostile` tries 20 times as many.
test_that("the reader refuses the files that sbrl_read_json() refuses, with a ModelError, and no others", {
  skip_if_no_plain_python()
  first <- as.integer(Sys.getenv("SBRL_HOSTILE_SEED", "1"))
  seeds <- seq(first, length.out = 1200 * as.integer(Sys.getenv("SBRL_HOSTILE", "1")))
  dir.create(folder <- tempfile("changed"))
  on.exit(unlink(folder, recursive = TRUE))
  files <- changed_files(seeds, folder)
  expect_identical(verdict_differences(files), character())
})

test_that("a model that no fit makes is refused in Python, too", {
  skip_if_no_plain_python()
  dir.create(folder <- tempfile("changed"))
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "model.json")
  sbrl_write_json(quick_fit(two_factor_data(), lambda = 2), file)
  good <- jsonlite::read_json(file)
  then <- good$rules[[1]]$then
  expect_gt(length(good$rules), 1)
  at <- \(..., value) set_at(good, list(...), value)
  changes <- list(
    good = good,
    reversed = at("rules", 1, "then", "probabilities", value = rev(then$probabilities)),
    impossible = at("rules", 1, "then", "probabilities", value = list(2, -1)),
    negative = at("rules", 1, "then", "counts", value = list(-1, 1)),
    zero = at("rules", 1, "candidate", value = 0L),
    twice = at("classes", value = list("0", "0")),
    default = at("rules", length(good$rules), value = NULL),
    alpha = at("prior", "alpha", value = NULL),
    counts = at("class_counts", value = list(0L, 0L)),
    formula = at("formula", value = "label ~ file.remove('x') + b"),
    one = at("formula", value = "label ~ a"),
    item = at("items", 1, "hi", value = 9L),
    level = at("items", 1, "name", value = "a=w"),
    settings = at("report", "settings", value = NULL),
    found = at("found", "candidates", value = list())
  )
  files <- file.path(folder, paste0(names(changes), ".json"))
  write <- \(content, file) jsonlite::write_json(content, file, auto_unbox = TRUE, null = "null", digits = NA)
  Map(write, changes, files)
  expect_identical(verdict_differences(files), character())
  expect_identical(sub(":.*", "", reader_verdicts(files)), c("read", rep("refused", length(files) - 1L)))
})

test_that("R and Python take sums of counts for those of the classes up to the same difference", {
  skip_if_no_plain_python()
  dir.create(folder <- tempfile("sums"))
  on.exit(unlink(folder, recursive = TRUE))
  d <- two_factor_data()
  files <- lapply(list(rep(1, 400), ifelse(d$label == 1, 3e6, 0.5)), function(weights) {
    file <- tempfile("model", folder, ".json")
    sbrl_write_json(sbrl(label ~ a, data = d, weights = weights, iters = 100, nchain = 1, seed = 1), file)
    good <- jsonlite::read_json(file)
    sums <- unlist(good$class_counts)
    most <- 1e-6 * max(1, sums[1]) + 1e-9 * sum(sums)
    vapply(c(-1.05, -0.95, 0.95, 1.05), function(part) {
      good$class_counts[[1]] <- sums[1] + part * most
      changed <- tempfile("changed", folder, ".json")
      jsonlite::write_json(good, changed, auto_unbox = TRUE, null = "null", digits = NA)
      changed
    }, "")
  })
  expect_identical(verdict_differences(unlist(files)), character())
  expected <- rep(c("refused", "read", "read", "refused"), 2)
  expect_identical(sub(":.*", "", reader_verdicts(unlist(files))), expected)
})

test_that("files of release 2.0.0 are read", {
  skip_if_no_plain_python()
  folder <- test_path("fixtures/2.0.0")
  for (name in c("frame", "classes", "cuts")) {
    model <- sbrl_read_json(file.path(folder, paste0(name, ".json")))
    row <- stats::setNames(as.list(rep(NA, length(used_columns(model)))), used_columns(model))
    rows <- jsonlite::toJSON(list(row), auto_unbox = TRUE, na = "null")
    said <- python_says(file.path(folder, paste0(name, ".json")), rows)
    answer <- jsonlite::fromJSON(said, simplifyVector = FALSE)[[1]]
    data <- as.data.frame(row, check.names = FALSE)
    expect_identical(answer$rule, predict(model, data, type = "rule", missing = "fallthrough"))
  }
})

test_that("the schema accepts every file that is written", {
  skip_if_no_exports("jsonschema")
  # A short limit would end the fit before there are candidates on a busy machine.
  stopped <- quick_fit(two_factor_data(), method = "map", shrink = TRUE)
  stopped$stopped_early <- TRUE
  stopped$settings$time_limit <- 0.2
  models <- c(lapply(c(typed_cases(), odd_cases(), random_cases(30), empty_cases(), rich_cases()), `[[`, "model"), list(
    sbrl(label ~ a + b, data = two_factor_data(), iters = 100, nchain = 2, seed = 1, labels = c(a = "A"),
         certify_nodes = 100),
    stopped,
    suppressWarnings(quick_fit(two_factor_data()["label"])),
    sbrl_bag(label ~ a + b, data = two_factor_data(), times = 3, iters = 100, nchain = 1, seed = 1, progress = FALSE)
  ))
  files <- tempfile(rep("model", length(models)), fileext = ".json")
  on.exit(unlink(files))
  Map(sbrl_write_json, models, files)
  released <- Sys.glob(test_path(c("fixtures/2.0.0/*.json", "fixtures/format-2/*.json")))
  expect_gt(length(released), 10)
  expect_identical(schema_problems(c(files, released)), rep("", length(models) + length(released)))
})

test_that("the schema refuses files from which something is missing, or in which something is wrong", {
  skip_if_no_exports("jsonschema")
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(quick_fit(two_factor_data()), file)
  good <- jsonlite::read_json(file)
  changes <- c(lapply(names(good), \(name) replace(good, name, NULL)), list(
    replace(good, "format_version", 4), replace(good, "missing", "later"), replace(good, "classes", list(list("0"))),
    replace(good, "more", 1), replace(good, "rules", list(list())), replace(good, "shrinkage", -1),
    replace(good, "candidates", list(list(list(0)))), replace(good, "class_counts", list(list("1", "2")))
  ))
  files <- tempfile(rep("model", length(changes)), fileext = ".json")
  on.exit(unlink(files), add = TRUE)
  write <- \(content, file) jsonlite::write_json(content, file, auto_unbox = TRUE, null = "null", digits = NA)
  Map(write, changes, files)
  expect_true(all(nzchar(schema_problems(files))))
})

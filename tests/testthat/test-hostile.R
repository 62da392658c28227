# Whatever is given to any function, it returns a valid result or raises an sbrl_error. R neither crashes nor hangs.
# SBRL_HOSTILE multiplies the number of trials (`make hostile`: 20), SBRL_HOSTILE_SEED is the first seed. To repeat a
# failure, source the helper files in an empty directory and call hostile_once("calls", <seed>, verbose = TRUE).

trials <- function(n) {
  first <- as.integer(Sys.getenv("SBRL_HOSTILE_SEED", "1"))
  seq(first, length.out = n * as.integer(Sys.getenv("SBRL_HOSTILE", "1")))
}

skip_if_no_child <- function() {
  skip_on_cran()
  skip_on_covr() # the child would count lines that nobody reads
  skip_on_os("windows")
  skip_if_not_built()
}

expect_no_failure <- function(failures, part) {
  shown <- c(utils::head(failures, 20), if (length(failures) > 20) "...")
  heading <- sprintf("%d failures in %s (seed, function, failure, call):", length(failures), part)
  expect(length(failures) == 0, paste(c(heading, shown), collapse = "\n"))
}

test_that("every exported function and every method is among the hostile calls", {
  skip_if_no_child()
  called <- vapply(good_calls, function_name, "")
  methods <- parseNamespaceFile("sbrl", dirname(system.file(package = "sbrl")))$S3methods
  # features are inside models, and some generics inside the package: nobody else can call these
  is_internal <- vapply(methods[, 1], exists, NA, asNamespace("sbrl"), inherits = FALSE) &
    !methods[, 1] %in% getNamespaceExports("sbrl")
  is_inside <- methods[, 2] == "rule_list" | startsWith(methods[, 2], "sbrl_feature") | is_internal
  generics <- sub(".*::", "", methods[!is_inside, 1])
  expect_setequal(setdiff(c(getNamespaceExports("sbrl"), generics), called), uncalled)
})

test_that("everything that takes a model is among the calls of damaged models", {
  skip_if_no_child()
  methods <- parseNamespaceFile("sbrl", dirname(system.file(package = "sbrl")))$S3methods
  generics <- sub(".*::", "", methods[methods[, 2] == "sbrl", 1])
  takes_model <- \(name) "model" %in% names(formals(getExportedValue("sbrl", name)))
  wanted <- c(generics, Filter(takes_model, getNamespaceExports("sbrl")))
  # update() evaluates the call again, whose data may be gone.
  called <- c(vapply(model_calls, function_name, ""), uncalled, "update")
  expect_identical(setdiff(wanted, called), character())
})

test_that("the calls are good ones before they are made hostile", {
  skip_if_no_child()
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("generics")
  folder <- tempfile("hostile")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  world <- hostile_world()
  world$out <- \() file.path(folder, "out.json")
  world$stored <- function() {
    sbrl_write_json(world$m2, world$out())
    world$out()
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  # Without parsnip and dials, these are refused.
  tidymodels <- c("rule_list", "prior_length", "prior_width")
  calls <- Filter(\(call) !function_name(call) %in% tidymodels, as.list(good_calls))
  for (call in calls) {
    utils::capture.output(flaw <- tryCatch({
      suppressWarnings(eval(call, world), classes = "sbrl_warning")
      NULL
    }, error = conditionMessage))
    expect_null(flaw, info = deparse1(call))
  }
})

test_that("an argument that a call does not need is checked all the same, and no method of its class runs", {
  skip_if_not_installed("ggplot2")
  skip_if_not_installed("generics")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  world <- hostile_world()
  # no method of its class may run before it is refused
  values <- list(structure(list(), class = "hostile"), bad_factor(2L, "hostile"))
  # in version 1.4, and in R, these have no effect
  ignored <- c("useS4", "row.names", "optional")
  is_known <- \(call) is.name(call[[1]]) && length(call) > 1 && !function_name(call) %in% c("rule_list", "prior_length")
  # what becomes of each value
  tried <- function(call) {
    unlist(lapply(values, function(value) {
      world$bogus <- value
      utils::capture.output(flaw <- tryCatch({
        suppressWarnings(suppressMessages(eval(call, world)))
        "accepted"
      }, sbrl_error = \(e) NULL, error = conditionMessage))
      flaw
    }))
  }
  accepted <- character()
  for (call in Filter(is_known, as.list(c(good_calls, expression(predict(m2, d2[0, ]), predict(mold, d2)))))) {
    method <- method_that_runs(call, world)
    call <- match.call(method, call)
    for (arg in setdiff(names(formals(method)), c("...", names(call)[2], ignored))) {
      one <- call
      one[[arg]] <- quote(bogus)
      flaws <- tried(one)
      if (length(flaws) > 0) accepted <- c(accepted, paste0(arg, ": ", flaws, " <- ", deparse1(one)))
    }
  }
  expect_identical(accepted, character())
})

test_that("hostile arguments give a valid result or an sbrl_error", {
  skip_if_no_child()
  expect_no_failure(run_hostile("calls", trials(1000)), "calls")
})

test_that("a damaged model file is refused, or gives a model that works", {
  skip_if_no_child()
  expect_no_failure(run_hostile("json", trials(5000)), "json")
})

test_that("a damaged model gives probabilities or an sbrl_error", {
  skip_if_no_child()
  expect_no_failure(run_hostile("models", trials(500)), "models")
})

test_that("chunks and tables that change, or hold anything, give a sound model or an sbrl_error", {
  skip_if_no_child()
  skip_if_not_installed("RSQLite")
  expect_no_failure(run_hostile("sources", trials(300)), "sources")
})

test_that("whatever a file is written to stays what it is, with its mode, and gets all of it or nothing", {
  skip_if_no_child()
  expect_no_failure(run_hostile("writers", trials(150)), "writers")
})

test_that("a crash, a hang, foreign errors and warnings, files and output are all noticed", {
  skip_if_no_child()
  world <- list2env(list(d = NULL), parent = environment(call_failure))
  failure <- \(call) paste(call_failure(call, world), collapse = "; ")
  expect_match(failure(quote(stop("x"))), "simpleError: x")
  expect_match(failure(quote(warning("x"))), "another warning: x")
  expect_match(failure(quote(file.create("left-over"))), "left a file")
  expect_match(failure(quote(predict(structure(1, class = "two")))), "no applicable method")
  expect_identical(failure(quote(sbrl(1))), "")
  expect_identical(invalid_result("predict", list(V1 = 0.5, V2 = 7)), "no probability")
  expect_identical(invalid_result("predict", c(0.5, NaN)), "no probability")
  ends <- run_hostile("crash", 1:2, patience = 5)
  expect_match(ends[1], "^1 R ends with status")
  expect_match(ends[2], "^2 R hangs")
})

# A model is plain data, so it can be edited, and a file can be damaged. Whatever was done to it, every function that
# takes it gives a sound answer or an error of class "sbrl_error".

# What anything may be replaced by.
junk <- function() {
  list(
    NULL, NA, NA_integer_, NA_character_, NaN, Inf, -1, 0L, 2^31, 1e300, "x", "", character(), integer(), list(),
    list(NULL), list(1, "a"), factor("a"), as.Date("2024-01-01"), mean, sum, quote(x), quote(f(x)), y ~ x, new.env(),
    1i, raw(2), TRUE, matrix(1, 2, 2), data.frame(a = 1:2), structure(1, class = "odd"),
    structure(list(), class = "data.frame"),
    methods::getClass("numeric"), "\xff", structure(1:3, dim = 3L), 1:3, expression(a), as.POSIXlt("2024-01-01")
  )
}

# One random change of a vector or list, in place or of its attributes.
edit <- function(x) {
  n <- length(x)
  if (is.function(x) || is.environment(x) || is.symbol(x) || isS4(x) || n == 0L) {
    return(pick(junk())[[1L]])
  }
  i <- sample.int(n, 1L)
  switch(sample.int(12L, 1L),
    pick(junk())[[1L]],
    x[-i],
    x[c(seq_len(n), i)],
    rev(x),
    x[sample.int(n)],
    replace(x, i, NA),
    if (is.numeric(x)) -x - 1L else replace(x, i, list(NULL)),
    if (is.numeric(x)) replace(x, i, pick(c(7, Inf, -1, 0, 0.5, 1e9))) else unclass(x),
    if (is.atomic(x)) as.list(x) else unname(x),
    if (is.atomic(x)) as.character(x) else stats::setNames(x, rep("a", n)),
    structure(x, dim = NULL, names = NULL),
    structure(x, class = pick(c("factor", "data.frame", "odd", "Date")))
  )
}

# The same somewhere inside: a path of random steps, the edit at its end.
damage <- function(x, depth = pick(1:4)) {
  if (depth == 1L || !is.list(x) || length(x) == 0L) {
    return(edit(x))
  }
  plain <- unclass(x)
  i <- sample.int(length(plain), 1L)
  plain[i] <- list(damage(plain[[i]], depth - 1L))
  if (is.null(plain[[i]]) && stats::runif(1) < 0.5) {
    plain[i] <- NULL
  }
  attributes_kept <- attributes(x)[setdiff(names(attributes(x)), "names")]
  attributes(plain) <- c(attributes(plain)["names"], attributes_kept)
  plain
}

damaged_model <- function(model) {
  changed <- tryCatch(suppressWarnings(damage(unclass(model), pick(2:4))), error = function(e) NULL)
  if (is.list(changed)) structure(changed, class = "sbrl") else damaged_model(model)
}

# 1.4 kept four fields.
as_legacy <- function(model) {
  structure(list(
    rs = model$rs, rulenames = model$rulenames, featurenames = model$featurenames,
    mat_feature_rule = model$mat_feature_rule + 0
  ), class = "sbrl")
}

typed_data <- function() {
  set.seed(3)
  n <- 200
  x <- stats::rnorm(n)
  data.frame(
    x = x, day = as.Date("2024-01-01") + round(100 * x), time = as.POSIXct("2024-01-01", tz = "UTC") + 1e5 * x,
    span = as.difftime(abs(x), units = "hours"), flag = x > 0.5,
    size = cut(x, 3, c("S", "M", "L"), ordered_result = TRUE), text = ifelse(x > 1, NA, "a"),
    label = as.integer(x + stats::rnorm(n) > 0)
  )
}

model_cases <- function() {
  d <- two_factor_data()
  typed <- typed_data()
  list(
    binary = list(quick_fit(tictactoe, rule_maxlen = 3, iters = 3000), tictactoe),
    weighted = list(quick_fit(d, weights = rep(1:2 / 3, 200)), d),
    classes = list(quick_fit(Species ~ ., data = iris), iris),
    formula = list(quick_fit(label ~ log(abs(x) + 1) + flag, data = typed), typed),
    typed = list(quick_fit(typed, rule_maxlen = 2, minsupport = 0.05), typed),
    empty = list(suppressWarnings(quick_fit(d, minsupport = 1)), d),
    legacy = list(as_legacy(quick_fit(d)), d)
  )
}

# Every function that takes a model. Each gets the model and rows.
model_doors <- function() {
  page <- tempfile(fileext = ".json")
  c(
    lapply(
      stats::setNames(nm = c("prob", "matrix", "class", "rule", "interval")),
      \(type) function(m, d) predict(m, d[1:3, ], type)
    ),
    list(
      print = function(m, d) print(m), format = function(m, d) format(m), message = function(m, d) as.character(m),
      show = function(m, d) show.sbrl(m), summary = function(m, d) print(summary(m)), rules = function(m, d) rules(m),
      explain = function(m, d) print(explain(m, d[1:2, ])), one = function(m, d) as.data.frame(explain(m, d[3, ])),
      r = function(m, d) as_r_function(m)(d[1:3, ]), sql = function(m, d) as_sql(m, "sqlite", "t"),
      pmml = function(m, d) as_pmml(m), dmn = function(m, d) as_dmn(m), js = function(m, d) as_javascript(m),
      html = function(m, d) as_html(m), latex = function(m, d) as_latex(m),
      markdown = function(m, d) as_markdown(m, style = "list"), table = function(m, d) as.data.frame(m),
      json = function(m, d) sbrl_read_json(sbrl_write_json(m, page)), score = function(m, d) sbrl_score(m, d, 1),
      bound = function(m, d) sbrl_max_length(m), performance = function(m, d) sbrl_performance(m, d),
      fitted = function(m, d) fitted(m, d), likelihood = function(m, d) stats::BIC(m), nobs = function(m, d) nobs(m),
      formula = function(m, d) formula(m), terms = function(m, d) terms(m),
      update = function(m, d) update(m, evaluate = FALSE),
      tidy = function(m, d) tidy.sbrl(m, conf.int = TRUE), glance = function(m, d) glance.sbrl(m),
      augment = function(m, d) augment.sbrl(m, d[1:3, ]), caret = function(m, d) sbrl_caret()$predictors(m),
      plot = function(m, d) plot(m), coverage = function(m, d) plot(m, "coverage"),
      trace = function(m, d) plot(m, "trace"),
      roc = function(m, d) plot(m, "roc", data = d), calibration = function(m, d) plot(m, "calibration", data = d)
    )
  )
}

# "sound", "sbrl_error", or what went wrong. A plot may complain about itself only by an error of ours.
outcome <- function(door, model, data) {
  tryCatch(
    {
      utils::capture.output(suppressWarnings(value <- door(model, data)))
      "sound"
    },
    sbrl_error = function(e) "sbrl_error",
    error = function(e) conditionMessage(e)
  )
}

within_model <- function(model, field, change) {
  model[[field]] <- change(model[[field]])
  model
}

test_that("a model with edited probabilities, counts or candidates predicts no nonsense", {
  m <- quick_fit(tictactoe, rule_maxlen = 3, iters = 3000)
  edits <- list(
    function(m) within_model(m, "probs", \(x) replace(x, TRUE, 7)),
    function(m) within_model(m, "probs", \(x) x[, 2:1]),
    function(m) within_model(m, "counts", \(x) x + 1),
    function(m) within_model(m, "rs", \(x) replace(x, "V2", list(rev(x$V2)))),
    function(m) within_model(m, "rs", \(x) replace(x, "V1", list(rev(x$V1)))),
    function(m) within_model(m, "pool", \(x) replace(x, "lengths", list(rev(x$lengths)))),
    function(m) within_model(m, "pool", \(x) replace(x, "items", list(rev(x$items)))),
    function(m) within_model(m, "items", \(x) replace(x, "lo", list(rev(x$lo)))),
    function(m) within_model(m, "features", rev),
    function(m) within_model(m, "classes", rev),
    function(m) within_model(m, "settings", \(x) replace(x, "alpha", list(10 * x$alpha)))
  )
  for (edit in edits) {
    expect_error(predict(edit(m), tictactoe), class = "sbrl_error_model")
  }
  expect_error(print(within_model(m, "rulenames", rev)), class = "sbrl_error_model")
})

test_that("a model that was found sound and is then edited is checked again", {
  m <- quick_fit(two_factor_data())
  expect_silent(predict(m, two_factor_data()))
  m$probs[] <- 7
  expect_error(predict(m, two_factor_data()), class = "sbrl_error_model")
  m <- quick_fit(two_factor_data())
  summary(m)
  m$pool$lengths[1] <- NA
  expect_error(summary(m), class = "sbrl_error_model")
  m <- quick_fit(two_factor_data())
  predict(m, two_factor_data())
  m[["settings"]][["lambda"]] <- "ten"
  expect_error(sbrl_score(m, two_factor_data()), class = "sbrl_error_model")
  class(m) <- "list"
  expect_error(predict.sbrl(m, two_factor_data()), class = "sbrl_error_argument")
})

test_that("the model checked last is forgotten at the next garbage collection", {
  predict(quick_fit(two_factor_data()), two_factor_data())
  gc()
  expect_null(last_checked$entry)
})

test_that("the error says which part of the model is wrong", {
  m <- quick_fit(two_factor_data())
  m$probs[] <- 7
  d <- two_factor_data()
  expect_error(predict(m, d), "`object` is not a valid model: `probs` must contain", class = "sbrl_error_model")
  m$probs <- NULL
  expect_error(as_sql(m), "`model` is not a valid model: `probs`", class = "sbrl_error_model")
})

test_that("better names of candidates are welcome", {
  m <- quick_fit(two_factor_data())
  m$rulenames <- gsub("=", " is ", m$rulenames, fixed = TRUE)
  expect_match(format(m)[2], "{a is u}", fixed = TRUE)
  expect_length(predict(m, two_factor_data(), type = "rule"), 400)
})

test_that("every function answers any damaged model with a sound result or an sbrl_error", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  cases <- model_cases()
  doors <- model_doors()
  set.seed(11)
  n <- as.integer(Sys.getenv("SBRL_DAMAGED_MODELS", "250"))
  problems <- character()
  for (trial in seq_len(n)) {
    case <- pick(names(cases))
    model <- damaged_model(cases[[case]][[1L]])
    for (door in pick(names(doors), 8L)) {
      found <- outcome(doors[[door]], model, cases[[case]][[2L]])
      if (!found %in% c("sound", "sbrl_error")) {
        problems <- c(problems, sprintf("%s of damaged %s model %d: %s", door, case, trial, found))
      }
    }
  }
  expect_identical(problems, character())
})

test_that("a garbage collection in the middle of the check does not lose the model", {
  model <- quick_fit(two_factor_data(), iters = 50)
  d <- two_factor_data(1)
  expected <- predict(model, d, type = "rule")
  for (trial in 1:3) {
    check_model(model)
    gctorture(TRUE)
    checked <- check_model(model)
    gctorture(FALSE)
    expect_identical(checked, model)
  }
  expect_identical(predict(model, d, type = "rule"), expected)
})

# The places of all parts of a model, at any depth.
places_of <- function(x, path = list()) {
  x <- unclass(x)
  if (!is.list(x)) {
    return(list())
  }
  keys <- if (is.null(names(x))) seq_along(x) else names(x)
  unlist(lapply(keys, \(key) c(list(c(path, key)), places_of(x[[key]], c(path, key)))), recursive = FALSE)
}

test_that("no method of a foreign class runs before a part of a model with that class is refused or made plain", {
  world <- hostile_world()
  file <- tempfile()
  on.exit(unlink(file))
  doors <- list(sbrl = \(x) sbrl_write_json(x, file), sbrl_lists = medoid, cv_sbrl = summary)
  ran <- character()
  for (name in c("m2", "m3", "mdays", "mcall", "mweights", "bag2", "draws2", "cv2")) {
    model <- world[[name]]
    door <- doors[[utils::tail(class(model), 1)]]
    places <- Filter(\(place) !is.null(value_at(model, place)), c(list(list()), places_of(model)))
    places <- Filter(\(place) !is.environment(value_at(model, place)), places)
    for (place in places) {
      old <- value_at(model, place)
      for (classes in list("hostile", c("hostile", oldClass(old)))) {
        # R calls the method of the first class for an object itself
        if (length(place) == 0 && (length(classes) == 1 || name == "cv2")) next
        foreign <- if (is.symbol(old)) old else structure(unclass(old), class = classes)
        tampered <- if (length(place) == 0) foreign else set_at(model, place, foreign)
        flaw <- tryCatch({
          suppressWarnings(door(tampered))
          NULL
        }, sbrl_error = \(e) NULL, error = conditionMessage)
        if (!is.null(flaw)) ran <- c(ran, paste(name, paste(place, collapse = "$"), flaw))
      }
    }
  }
  expect_identical(ran, character())
})

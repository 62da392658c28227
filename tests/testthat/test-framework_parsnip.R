# The model type rule_list() of parsnip.

is_func <- function(func) {
  stopifnot(all(names(func) %in% c("pkg", "fun", "range", "trans", "values")), is.character(func[["fun"]]))
}

# parsnip's functions as its help describes them: they check what they are given and write it down.
mock_parsnip <- function() {
  state <- new.env()
  state$models <- character()
  state$calls <- list()
  note <- function(name, ...) {
    state$calls[[length(state$calls) + 1]] <- list(name = name, ...)
    invisible()
  }
  known <- function(model) stopifnot(model %in% state$models)
  list(
    state = state,
    get_model_env = function() state,
    set_new_model = function(model) {
      stopifnot(!model %in% state$models)
      state$models <- c(state$models, model)
    },
    set_model_mode = function(model, mode) {
      known(model)
      note("mode", mode = mode)
    },
    set_model_engine = function(model, mode, eng) {
      known(model)
      note("engine", mode = mode, eng = eng)
    },
    set_dependency = function(model, eng, pkg = "parsnip", mode = NULL) {
      known(model)
      note("dependency", eng = eng, pkg = pkg)
    },
    set_model_arg = function(model, eng, parsnip, original, func, has_submodel) {
      known(model)
      is_func(func)
      note("arg", parsnip = parsnip, original = original, func = func, has_submodel = has_submodel)
    },
    set_fit = function(model, mode, eng, value) {
      known(model)
      stopifnot(
        setequal(names(value), c("interface", "protect", "func", "defaults")),
        value$interface %in% c("data.frame", "formula", "matrix"), is.list(value$defaults)
      )
      is_func(value$func)
      note("fit", mode = mode, eng = eng, value = value)
    },
    set_encoding = function(model, mode, eng, options) {
      known(model)
      fields <- c("predictor_indicators", "compute_intercept", "remove_intercept", "allow_sparse_x")
      stopifnot(setequal(names(options), fields))
      note("encoding", options = options)
    },
    set_pred = function(model, mode, eng, type, value) {
      known(model)
      stopifnot(
        setequal(names(value), c("pre", "post", "func", "args")), is.list(value$args),
        is.null(value$pre) || is.function(value$pre), is.null(value$post) || is.function(value$post)
      )
      is_func(value$func)
      note("pred", type = type, value = value)
    }
  )
}

registered <- function(mock, name) Filter(\(call) call$name == name, mock$state$calls)

test_that("the registration is complete and happens once", {
  mock <- mock_parsnip()
  sbrl:::register_parsnip(mock)
  expect_identical(mock$state$models, "rule_list")
  expect_identical(registered(mock, "engine")[[1]][-1], list(mode = "classification", eng = "sbrl"))
  expect_identical(registered(mock, "dependency")[[1]]$pkg, "sbrl")
  arguments <- vapply(registered(mock, "arg"), \(call) call$original, "")
  expect_setequal(arguments, setdiff(names(formals(rule_list)), c("mode", "engine")))
  expect_true(all(arguments %in% names(formals(sbrl))))
  types <- vapply(registered(mock, "pred"), \(call) call$type, "")
  expect_setequal(types, c("class", "prob", "conf_int", "raw"))
  n <- length(mock$state$calls)
  sbrl:::register_parsnip(mock)
  expect_length(mock$state$calls, n)
})

test_that("the registered calls fit and predict", {
  mock <- mock_parsnip()
  sbrl:::register_parsnip(mock)
  fit <- registered(mock, "fit")[[1]]$value
  expect_setequal(fit$protect, c("formula", "data", "weights"))
  set.seed(2)
  train <- data.frame(x = c(NA, stats::rnorm(119)), a = sample(c("u", "v", NA), 120, TRUE))
  train$y <- factor(ifelse(train$a %in% "u", "yes", "no"), levels = c("no", "yes", "never"))
  # as parsnip builds the call: names of the function, formula by value, data and weights by name
  arguments <- c(list(formula = y ~ ., data = quote(data)), fit$defaults, list(lambda = 3, iters = 50, nchain = 1))
  call <- as.call(c(call("::", as.name(fit$func[["pkg"]]), as.name(fit$func[["fun"]])), arguments))
  model <- eval(call, list(data = train))
  expect_equal(nobs(model), 120)

  object <- list(fit = model, lvl = levels(train$y))
  predicted <- function(type) {
    value <- Filter(\(call) call$type == type, registered(mock, "pred"))[[1]]$value
    result <- eval(as.call(c(as.name(value$func[["fun"]]), value$args)), list(object = object, new_data = train))
    if (is.null(value$post)) result else value$post(result, object)
  }
  expect_identical(predicted("class"), predict(model, train, type = "class"))
  expect_identical(predicted("raw"), predict(model, train))
  probs <- predicted("prob")
  expect_s3_class(probs, "data.frame")
  expect_identical(names(probs), levels(train$y))
  expect_equal(probs$yes, predict(model, train)$V2)
  expect_identical(probs$never, numeric(120))
  ends <- predicted("conf_int")
  expect_identical(names(ends), paste0(c(".pred_lower_", ".pred_upper_"), rep(levels(train$y), each = 2)))
  expected <- predict(model, train, type = "interval")
  expect_identical(unname(as.matrix(ends[c(".pred_lower_yes", ".pred_upper_yes")])), unname(expected[, 2:3]))
  expect_equal(ends$.pred_lower_no, 1 - ends$.pred_upper_yes)
  expect_identical(ends$.pred_upper_never, numeric(120))
})

test_that("the intervals of more than two classes are those of each class", {
  model <- quick_fit(Species ~ ., data = iris)
  object <- list(fit = model, lvl = levels(iris$Species))
  object$spec$method$pred$conf_int$extras$level <- 0.5
  ends <- interval_columns(predict(model, iris, type = "rule"), object)
  likeliest <- as.character(predict(model, iris, type = "class"))
  lower <- as.matrix(ends[paste0(".pred_lower_", levels(iris$Species))])
  lower <- lower[cbind(1:150, match(likeliest, levels(iris$Species)))]
  expect_equal(lower, unname(predict(model, iris, type = "interval", level = 0.5)[, "lower"]))
})

test_that("a fit as parsnip evaluates it, with quosures and case weights, is sbrl()", {
  skip_if_not_installed("rlang")
  d <- two_factor_data(100)
  d$label <- factor(d$label)
  env <- rlang::env(data = d, weights = rep_len(c(1, 2), 100))
  formula <- rlang::new_formula(quote(label), quote(.), env = env)
  call <- rlang::call2(
    "sbrl", formula = formula, data = quote(data), weights = quote(weights), lambda = rlang::quo(1 + 2),
    iters = rlang::quo(300), nchain = rlang::quo(2), seed = 1, progress = FALSE, .ns = "sbrl"
  )
  model <- rlang::eval_tidy(call, env = env)
  frame <- quick_fit(d, lambda = 3, iters = 300, weights = rep_len(c(1, 2), 100), rule_maxlen = 2, minsupport = 0.05)
  # equal, but the order of the rules may differ
  expect_equal(predict(model, d), predict(frame, d))
  expect_identical(model$settings$lambda, 3)
  expect_equal(nobs(model), 150)
})

test_that("without parsnip the error says so", {
  expect_error(sbrl:::need_parsnip("no.such.package"), "needs the package", class = "sbrl_error_package")
  skip_if(nzchar(system.file(package = "parsnip")), "parsnip is installed")
  expect_error(rule_list(), "needs the package parsnip", class = "sbrl_error_package")
  skip_if(nzchar(system.file(package = "dials")), "dials is installed")
  expect_error(prior_length(), "prior_length() needs the package dials", class = "sbrl_error_package", fixed = TRUE)
})

test_that("hooks wait for a package and then act", {
  done <- 0
  sbrl:::when_loaded("stats", \() done <<- done + 1)
  expect_identical(done, 1)
  event <- packageEvent("sbrl.no.such.package", "onLoad")
  on.exit(setHook(event, NULL, "replace"))
  sbrl:::when_loaded("sbrl.no.such.package", \() done <<- done + 1)
  expect_identical(done, 1)
  for (hook in getHook(event)) hook("sbrl.no.such.package", "")
  expect_identical(done, 2)
})

test_that("with parsnip itself, rule_list() fits and predicts", {
  skip_if_not_installed("parsnip")
  parsnip <- asNamespace("parsnip")
  boards <- transform(tictactoe, label = factor(label))
  spec <- parsnip$set_engine(rule_list(lambda = 8, rule_maxlen = 3), "sbrl", iters = 500, nchain = 2, seed = 1)
  fitted <- parsnip$fit.model_spec(spec, label ~ ., data = boards)
  expect_identical(fitted$fit$rs, quick_fit(boards, lambda = 8, rule_maxlen = 3)$rs)
  expect_identical(names(predict(fitted, boards, type = "prob")), c(".pred_0", ".pred_1"))
  expect_identical(predict(fitted, boards)$.pred_class, predict(fitted$fit, boards, type = "class"))
  expect_identical(rlang::eval_tidy(update(spec, lambda = 2)$args$lambda), 2)
})

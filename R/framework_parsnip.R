# parsnip: the model type rule_list() with the engine "sbrl", registered whenever parsnip is there.

#' A rule list as a parsnip model
#'
#' `rule_list()` specifies a rule list for the package parsnip, with `"sbrl"` as its engine, so that workflows,
#' resampling and tuning in tidymodels can use [sbrl()].
#'
#' The model type is registered with parsnip when both packages are loaded. Other arguments of [sbrl()] go to
#' `set_engine()`. Predictions are of type `"class"`, `"prob"`, `"conf_int"` (credible intervals of the class
#' probabilities, given this list) and `"raw"` (what [predict.sbrl()] returns). Rows with missing values are used, and
#' case weights are understood. With `library(parsnip)`,
#' ```
#' spec <- rule_list(rule_maxlen = 3) |> set_engine("sbrl", iters = 2000)
#' fitted <- fit(spec, label ~ ., data = transform(tictactoe, label = factor(label)))
#' predict(fitted, tictactoe, type = "prob")
#' ```
#'
#' All four arguments, and `bins` of the engine, can be tuned: `rule_list(lambda = tune())`, `set_engine("sbrl", bins =
#' tune())`. `prior_length()` and `prior_width()` are the parameters of `lambda` and `eta` for the package dials; both
#' are real numbers.
#'
#' @param mode Must be `"classification"`.
#' @param lambda,eta,rule_maxlen,minsupport See [sbrl()]; values, or `tune()`.
#' @param engine Must be `"sbrl"`.
#' @param object A specification made by `rule_list()`.
#' @param parameters A one-row tibble or a named list of arguments to update.
#' @param fresh Whether to replace all arguments instead of changing those given.
#' @param ... Passed to parsnip's function for updates.
#' @param range Smallest and largest value, on the scale of `trans`.
#' @param trans A transformation such as `scales::log10_trans()`, or `NULL` for none.
#' @return `rule_list()` returns a model specification of class `"rule_list"` and `"model_spec"`, `prior_length()` and
#'   `prior_width()` a parameter of the package dials.
#' @seealso [sbrl()], [sbrl_caret()].
#' @examples
#' if (nzchar(system.file(package = "parsnip"))) {
#'   print(rule_list(rule_maxlen = 3, lambda = 5))
#' }
#' @export
rule_list <- function(mode = "classification", lambda = NULL, eta = NULL, rule_maxlen = NULL, minsupport = NULL,
                      engine = "sbrl") {
  parsnip <- need_parsnip()
  args <- list(
    lambda = rlang::enquo(lambda), eta = rlang::enquo(eta), rule_maxlen = rlang::enquo(rule_maxlen),
    minsupport = rlang::enquo(minsupport)
  )
  parsnip$new_model_spec("rule_list", args = args, eng_args = NULL, mode = mode, method = NULL, engine = engine)
}

#' @rdname rule_list
#' @importFrom stats update
#' @export
update.rule_list <- function(object, parameters = NULL, lambda = NULL, eta = NULL, rule_maxlen = NULL,
                             minsupport = NULL, fresh = FALSE, ...) {
  parsnip <- need_parsnip()
  args <- list(
    lambda = rlang::enquo(lambda), eta = rlang::enquo(eta), rule_maxlen = rlang::enquo(rule_maxlen),
    minsupport = rlang::enquo(minsupport)
  )
  parsnip$update_spec(
    object = object, parameters = parameters, args_enquo_list = args, fresh = fresh, cls = "rule_list", ...
  )
}

#' @rdname rule_list
#' @export
prior_length <- function(range = c(1, 20), trans = NULL) {
  new_parameter(range, trans, c(lambda = "Prior Number of Rules"), "prior_length()")
}

#' @rdname rule_list
#' @export
prior_width <- function(range = c(0.5, 3), trans = NULL) {
  new_parameter(range, trans, c(eta = "Prior Rule Length"), "prior_width()")
}

new_parameter <- function(range, trans, label, caller) {
  dials <- need_parsnip("dials", caller)
  ok <- !is.object(range) && is.numeric(range) && length(range) == 2L && all(is.finite(range)) && range[1L] < range[2L]
  check_that(ok, range, "range", "two rising numbers")
  dials$new_quant_param("double", range = as.double(range), inclusive = c(TRUE, TRUE), trans = trans, label = label)
}

need_parsnip <- function(package = "parsnip", caller = "rule_list()") {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort_sbrl("package", sprintf("%s needs the package %s, which is not installed.", caller, package))
  }
  asNamespace(package)
}

# Names of the arguments, and the functions that propose values for tuning.
parsnip_arguments <- list(
  lambda = list(pkg = "sbrl", fun = "prior_length"),
  eta = list(pkg = "sbrl", fun = "prior_width"),
  rule_maxlen = list(pkg = "dials", fun = "prod_degree", range = c(1L, 3L)),
  minsupport = list(pkg = "dials", fun = "threshold", range = c(0.01, 0.2))
)

# The same for arguments of the engine.
engine_arguments <- list(
  bins = list(pkg = "dials", fun = "num_breaks", range = c(2L, 8L))
)

# Which arguments can be tuned, for the generic function of the package generics: parsnip has those of rule_list().
tunable_rule_list <- function(x, ...) {
  table <- NextMethod()
  # parsnip lists the arguments of the engine that were given, without saying how to tune them
  for (name in intersect(names(engine_arguments), table$name)) {
    table$call_info[table$name == name] <- engine_arguments[name]
  }
  table
}

register_tunable <- function() {
  registerS3method("tunable", "rule_list", tunable_rule_list, asNamespace("generics"))
}

# `parsnip` is the package's namespace, or in tests a list of functions that stands for it.
register_parsnip <- function(parsnip = asNamespace("parsnip")) {
  if ("rule_list" %in% parsnip$get_model_env()$models) {
    return(invisible())
  }
  parsnip$set_new_model("rule_list")
  parsnip$set_model_mode("rule_list", mode = "classification")
  parsnip$set_model_engine("rule_list", mode = "classification", eng = "sbrl")
  parsnip$set_dependency("rule_list", eng = "sbrl", pkg = "sbrl")
  for (name in names(parsnip_arguments)) {
    parsnip$set_model_arg(
      "rule_list", eng = "sbrl", parsnip = name, original = name, func = parsnip_arguments[[name]], has_submodel = FALSE
    )
  }
  # The formula interface keeps rows with missing values; the other one of parsnip drops them.
  parsnip$set_fit("rule_list", mode = "classification", eng = "sbrl", value = list(
    interface = "formula", protect = c("formula", "data", "weights"), func = c(pkg = "sbrl", fun = "sbrl"),
    defaults = list(progress = FALSE)
  ))
  parsnip$set_encoding("rule_list", mode = "classification", eng = "sbrl", options = list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE, allow_sparse_x = FALSE
  ))
  set_pred <- function(type, extra, post = NULL) {
    args <- c(list(object = quote(object$fit), newdata = quote(new_data)), extra)
    value <- list(pre = NULL, post = post, func = c(fun = "predict"), args = args)
    parsnip$set_pred("rule_list", mode = "classification", eng = "sbrl", type = type, value = value)
  }
  set_pred("class", list(type = "class"))
  set_pred("prob", list(type = "matrix"), probability_columns)
  set_pred("conf_int", list(type = "rule"), interval_columns)
  set_pred("raw", list())
  invisible()
}

# One column per level of the label, in their order; a level that no training row had has probability 0.
probability_columns <- function(x, object) {
  levels <- if (is.null(object$lvl)) colnames(x) else object$lvl
  columns <- lapply(levels, \(level) if (level %in% colnames(x)) unname(x[, level]) else numeric(nrow(x)))
  as_frame(stats::setNames(columns, levels), nrow(x))
}

# Credible intervals of the probabilities of all classes for the rules of the rows, as parsnip names them.
interval_columns <- function(x, object) {
  model <- check_model(object$fit)
  check_has_counts(model)
  level <- object$spec$method$pred$conf_int$extras$level %||% 0.95
  ends <- estimate_ends(model, level)
  row <- prediction_row(model, x)
  levels <- if (is.null(object$lvl)) model$classes else object$lvl
  columns <- lapply(levels, function(class) {
    j <- match(class, model$classes)
    if (is.na(j)) {
      return(list(numeric(length(row)), numeric(length(row))))
    }
    list(ends$lower[row, j], ends$upper[row, j])
  })
  names <- paste0(c(".pred_lower_", ".pred_upper_"), rep(levels, each = 2L))
  as_frame(stats::setNames(unlist(columns, recursive = FALSE), names), length(row))
}

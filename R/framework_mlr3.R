# mlr3: the learner "classif.sbrl", registered whenever mlr3 is loaded.

#' A rule list as an mlr3 learner
#'
#' With the package mlr3 loaded, `lrn("classif.sbrl")` is a learner that fits rule lists by [sbrl()], for benchmarks,
#' resampling, pipelines and tuning in mlr3.
#'
#' It takes features of the types logical, integer, numeric, character, factor, ordered, Date and POSIXct, missing
#' values, weights and tasks of two or more classes, and predicts classes and probabilities. `$importance()` is what the
#' rules with a feature add to the log likelihood, as in [model-methods]; `$selected_features()` are the features that
#' the rules use; `$model` is the model itself.
#'
#' The hyperparameters have the names and defaults of [sbrl()], with two exceptions: rules have up to two conditions and
#' the least support is 0.05 (`rule_maxlen = 2`, `minsupport = 0.05`), as for formulas. `missing` is the policy of
#' [predict.sbrl()]. Tokens for tuning that are real numbers, such as `lambda = to_tune(1, 20)`, are taken as they are.
#' ```
#' library(mlr3)
#' learner <- lrn("classif.sbrl", predict_type = "prob", lambda = 5)
#' resample(tsk("sonar"), learner, rsmp("cv", folds = 5))$aggregate(msr("classif.auc"))
#' ```
#' @seealso [rule_list()] for parsnip, [sbrl_caret()] for caret, [model-methods]
#' @aliases mlr_learners_classif.sbrl
#' @name mlr3-learner
NULL

utils::globalVariables(c("self", "private", "super"))

register_mlr3 <- function() {
  asNamespace("mlr3")$mlr_learners$add("classif.sbrl", new_mlr3_learner)
}

new_mlr3_learner <- function() {
  mlr3_generator()$new()
}

# Made when it is first needed: R6 and mlr3 need not be installed. Learners refer to the package by name, so that they
# are small in files and on other processes.
mlr3_generator <- function() {
  asNamespace("R6")$R6Class(
    "LearnerClassifSbrl",
    inherit = asNamespace("mlr3")$LearnerClassif, parent_env = topenv(), cloneable = TRUE,
    public = list(
      initialize = function() {
        super$initialize(
          id = "classif.sbrl", packages = "sbrl", feature_types = mlr3_types, predict_types = c("response", "prob"),
          param_set = mlr3_parameters(), label = "Bayesian Rule List", man = "sbrl::mlr_learners_classif.sbrl",
          properties = c("twoclass", "multiclass", "weights", "missings", "importance", "selected_features")
        )
      },
      importance = function() mlr3_importance(self$model),
      selected_features = function() used_columns(mlr3_model(self$model))
    ),
    private = list(
      .train = function(task) {
        # versions before 1.0 have no such function
        weights <- if (is.function(private$.get_weights)) private$.get_weights(task) else task$weights$weight
        mlr3_train(task, weights, self$param_set$get_values(tags = "train"))
      },
      .predict = function(task) {
        mlr3_predict(self$model, task, self$predict_type, self$param_set$get_values(tags = "predict"))
      }
    )
  )
}

mlr3_types <- c("logical", "integer", "numeric", "character", "factor", "ordered", "Date", "POSIXct")

mlr3_parameters <- function() {
  paradox <- asNamespace("paradox")
  real <- function(lower, ...) paradox$p_dbl(lower, ..., tags = "train")
  whole <- function(lower, ...) paradox$p_int(lower, ..., tags = "train")
  flag <- function(default) paradox$p_lgl(default = default, tags = "train")
  one_of <- function(levels) paradox$p_fct(levels, default = levels[1L], tags = "train")
  paradox$ps(
    lambda = real(1e-3, default = 10, special_vals = list("auto")), eta = real(1e-3, default = 1),
    rule_minlen = whole(1L, default = 1L), rule_maxlen = whole(1L, init = 2L), minsupport = real(0, 1, init = 0.05),
    alpha = paradox$p_uty(default = c(1, 1), tags = "train"), iters = whole(1L, default = 30000L),
    nchain = whole(1L, default = 10L), method = one_of(c("mcmc", "map")), discretize = one_of(cut_methods),
    bins = whole(2L, default = 5L), conditions = one_of(condition_kinds), max_length = whole(0L, default = 25L),
    time_limit = real(0, Inf, default = Inf, special_vals = list(Inf)), target_rules = whole(1L),
    max_rules = real(1, default = 1e6), simplify = flag(TRUE), shrink = flag(FALSE),
    teacher = paradox$p_fct("trees", tags = "train"), empty_as_missing = flag(FALSE),
    seed = whole(0L), threads = paradox$p_int(1L, tags = c("train", "threads")),
    missing = paradox$p_fct(missing_policies, default = missing_policies[1L], tags = "predict")
  )
}

mlr3_train <- function(task, weights, values) {
  data <- as.data.frame(task$data(cols = c(task$target_names, task$feature_names))) # nolint: object_usage_linter.
  # by name, so that the model's call does not contain the data
  arguments <- list(quote(data), label = task$target_names, weights = quote(weights), progress = FALSE)
  do.call(sbrl.data.frame, c(arguments, values))
}

mlr3_predict <- function(model, task, type, values) {
  data <- as.data.frame(task$data(cols = task$feature_names))
  missing <- values$missing %||% missing_policies[1L]
  probs <- predict.sbrl(model, newdata = data, type = "matrix", missing = missing)
  if (type == "response") {
    return(list(response = colnames(probs)[max.col(probs, ties.method = "first")]))
  }
  # a class that no training row had has probability 0
  all_classes <- matrix(0, nrow(probs), length(task$class_names), dimnames = list(NULL, task$class_names))
  all_classes[, colnames(probs)] <- probs
  list(prob = all_classes)
}

mlr3_model <- function(model) {
  if (is.null(model)) {
    abort_sbrl("argument", "The learner has no model: train it first.")
  }
  model
}

mlr3_importance <- function(model) {
  table <- vi_sbrl(mlr3_model(model))
  stats::setNames(table$Importance, table$Variable)
}

# caret: a custom model for caret::train().

#' A rule list as a caret model
#'
#' `sbrl_caret()` returns what the argument `method` of `caret::train()` needs to fit rule lists.
#'
#' The tuning parameters are `lambda`, `eta`, `rule_maxlen` and `minsupport`, see [sbrl()], whose other arguments can be
#' given to `train()`. Missing values are allowed: give `train()` the features and the label (`x` and `y`), or
#' a formula with `na.action = na.pass`. The first form keeps factors; the second turns them into 0/1 columns.
#' ```
#' trained <- caret::train(iris[1:4], iris$Species, method = sbrl_caret(), tuneLength = 3, iters = 2000)
#' trained$finalModel
#' ```
#'
#' @return A list, as those of `caret::getModelInfo()`.
#' @seealso [sbrl()], [rule_list()] for parsnip, [cv_sbrl()] without a framework.
#' @examples
#' model <- sbrl_caret()
#' model$parameters
#' model$grid(iris[1:4], iris$Species, len = 2)
#' @export
sbrl_caret <- function() {
  list(
    label = "Bayesian Rule List",
    library = "sbrl",
    type = "Classification",
    parameters = data.frame(
      parameter = c("lambda", "eta", "rule_maxlen", "minsupport"),
      class = rep("numeric", 4L),
      label = c("Prior Number of Rules", "Prior Rule Length", "Greatest Rule Length", "Least Support")
    ),
    grid = caret_grid,
    loop = NULL,
    fit = caret_fit,
    predict = caret_predict,
    prob = caret_prob,
    predictors = function(x, ...) caret_predictors(x),
    levels = function(x) x$obsLevels,
    tags = c("Rule-Based Model", "Bayesian Model", "Implicit Feature Selection", "Accepts Case Weights",
             "Handle Missing Predictor Data"),
    sort = function(x) x[order(x$rule_maxlen, x$lambda, -x$minsupport, x$eta), ]
  )
}

caret_grid <- function(x, y, len = NULL, search = "grid") {
  if (search == "grid") {
    lambda <- unique(round(10^seq(0, 1, length.out = max(len, 1L)), 1L))
    return(expand.grid(lambda = lambda, eta = 1, rule_maxlen = seq_len(min(len, 2L)), minsupport = 0.1))
  }
  data.frame(
    lambda = 10^stats::runif(len, 0, 1.5), eta = stats::runif(len, 0.5, 3),
    rule_maxlen = sample.int(2L, len, replace = TRUE), minsupport = stats::runif(len, 0.02, 0.2)
  )
}

caret_fit <- function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: object_name_linter. caret's names.
  data <- as.data.frame(x)
  # A name that no feature has.
  label <- utils::tail(make.unique(c(names(data), "label")), 1L)
  data[[label]] <- y
  sbrl.data.frame(
    data, ..., label = label, weights = wts, lambda = param$lambda, eta = param$eta, rule_maxlen = param$rule_maxlen,
    minsupport = param$minsupport
  )
}

caret_predict <- function(modelFit, newdata, submodels = NULL) { # nolint: object_name_linter. caret's names.
  as.character(predict.sbrl(modelFit, newdata = as.data.frame(newdata), type = "class"))
}

caret_prob <- function(modelFit, newdata, submodels = NULL) { # nolint: object_name_linter. caret's names.
  probs <- predict.sbrl(modelFit, newdata = as.data.frame(newdata), type = "matrix")
  probability_columns(probs, list(lvl = modelFit$obsLevels))
}

# The features that the rules use.
caret_predictors <- function(model) {
  model <- check_model(model, "x")
  compact <- compact_rules(model, list_rules(model))
  feature_names(compact$features)
}

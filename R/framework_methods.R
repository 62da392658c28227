# Methods for the generic functions of DALEX, iml, vip and butcher, registered when these packages are loaded.

#' Models in packages that explain or trim them
#'
#' With one of these packages loaded, its functions work on models made by [sbrl()]. They are not needed otherwise.
#'
#' \describe{
#'   \item{DALEX}{`explain()` of DALEX takes the probability of the positive class as the prediction, for more than two
#'     classes one column per class, and knows that the task is classification. `predict_function_target_column` chooses
#'     another class}
#'   \item{iml}{`Predictor$new(model, data = )` has one column of probabilities per class, named by class}
#'   \item{vip}{`vi()` and `vip()` report how much the rules that use a feature add to the log likelihood of the
#'     training labels, compared with the base rate; what a rule adds is divided equally among its features.
#'     `vi_permute()` works as well}
#'   \item{butcher}{`butcher()` removes what predictions and exports do not need: the call (`axe_call()`), the course of
#'     the search (`axe_data()`), and the candidates that are not in the list (`axe_fitted()`), so that those that are
#'     get other numbers. What is left is a model that predicts and exports as before. Its log posterior is that of the
#'     whole pool, so [sbrl_score()], [sbrl_certify()] and [sbrl_posterior()] need the model as it was}
#' }
#' @seealso [tidypredict-methods], [rule_list()], [mlr3-learner], [posterior-methods]
#' @name model-methods
NULL

register_dalex <- function() {
  register_methods("DALEX", "sbrl", list(yhat = yhat_sbrl, model_info = model_info_sbrl))
}

register_iml <- function() {
  methods <- list(create_predict_fun2 = iml_predictor, inferTaskFromModel = \(model) "classification")
  register_methods("iml", "sbrl", methods)
}

register_vip_model <- function() {
  methods <- list(vi_model = vi_sbrl, get_feature_names = names_for_vip)
  register_methods("vip", "sbrl", methods)
}

names_for_vip <- function(object, ...) {
  object <- check_model(object)
  feature_names(object$features)
}

register_butcher <- function() {
  methods <- list(axe_call = without_call, axe_data = without_course, axe_fitted = without_pool)
  register_methods("butcher", "sbrl", methods)
}

# A vector for two classes, also for one row; else a matrix. The names of the arguments are those of DALEX.
yhat_sbrl <- function(X.model, newdata, ...) { # nolint: object_name_linter. DALEX's names.
  probs <- predict.sbrl(X.model, newdata = as.data.frame(newdata), type = "matrix", ...)
  column <- attr(X.model, "predict_function_target_column")
  if (is.null(column)) reported_part(X.model, probs) else unname(probs[, column])
}

model_info_sbrl <- function(model, is_multiclass = FALSE, ...) {
  type <- if (reports_several(model)) "multiclass" else "classification"
  structure(list(package = "sbrl", ver = package_version_text(), type = type), class = "model_info")
}

iml_predictor <- function(model, task, predict.fun = NULL, type = NULL) { # nolint: object_name_linter. iml's names.
  type <- if (is.null(type) || type == "prob") "matrix" else type
  function(newdata) {
    answer <- predict.sbrl(model, newdata = newdata, type = type)
    if (is.factor(answer)) {
      answer <- outer(as.character(answer), levels(answer), `==`) + 0
      colnames(answer) <- model$classes
    }
    data.frame(answer, check.names = FALSE)
  }
}

vi_sbrl <- function(object, ...) {
  object <- check_model(object)
  check_has_counts(object)
  names <- feature_names(object$features)
  importance <- stats::setNames(numeric(length(names)), names)
  gain <- rule_gains(object)
  compact <- compact_rules(object, list_rules(object))
  feature <- feature_names(compact$features)[compact$items$feature[compact$rule_items]]
  used <- lapply(split_by_rule(compact, feature), unique)
  for (j in seq_along(used)) {
    importance[used[[j]]] <- importance[used[[j]]] + gain[j] / length(used[[j]])
  }
  importance <- sort(importance, decreasing = TRUE)
  table <- as_tidy(data.frame(Variable = as.character(names(importance)), Importance = unname(importance)))
  structure(table, class = c("vi", class(table)), type = "log likelihood")
}

# What each rule adds to the log likelihood of its rows, compared with the base rate; the default rule is the last.
rule_gains <- function(model) {
  shares <- model$counts / pmax(rowSums(model$counts), 1)
  base <- rep(model$settings$class_counts / sum(model$settings$class_counts), each = nrow(shares))
  terms <- ifelse(model$counts > 0, model$counts * log(shares / base), 0)
  rowSums(terms)
}

without_call <- function(x, ...) {
  x["call"] <- list(NULL)
  x
}

without_course <- function(x, ...) {
  x <- check_model(x, "x")
  x$trace <- x$trace[0L, ]
  x
}

# The candidates of the list, and of the list as it was found, are enough for everything but a new search.
without_pool <- function(x, ...) {
  x <- check_model(x, "x", pool = TRUE)
  else_rule <- as.integer(replaced_rule(x))
  kept <- sort(unique(c(list_rules(x), x$found$rules, else_rule[else_rule > 0])))
  places <- sequence(x$pool$lengths[kept], from = pool_places(x$pool$lengths, kept) + 1)
  x$pool <- new_pool(x$pool$items[places], x$pool$lengths[kept], min(x$pool$n_distinct, length(kept)))
  x$rs$V1 <- c(match(list_rules(x), kept), 0L)
  x$found$rules <- match(x$found$rules, kept)
  x$settings$else_rule <- as.double(match(else_rule, kept, nomatch = 0L))
  x$rulenames <- rule_names(x$items, x$pool)
  x$mat_feature_rule <- item_matrix(x$items, x$pool)
  check_model(x, "x", pool = TRUE)
}

# Methods that users of other models in R look for: coef(), residuals(), anova().

#' Coefficients and residuals
#'
#' `coef()` gives the class probability, or log odds, of each rule. `residuals()` compares predictions with labels.
#'
#' A model keeps no training rows, so `residuals()` needs the data. `anova()` is an error: lists are not nested, and
#' their degrees of freedom do not count the search. Compare lists by the log posterior of [sbrl_score()], or models by
#' [cv_sbrl()].
#'
#' @inheritParams summary.sbrl
#' @param data A data frame with the label and the features that the rules use, such as the training data.
#' @param type For `coef()`, `"prob"` or `"log_odds"`. For `residuals()`, with `p` the predicted probability of the
#'   positive class and `y` 1 for it and 0 for the other: `"response"`, `y - p`; `"pearson"`,
#'   `(y - p) / sqrt(p * (1 - p))`; `"deviance"`, the square root of minus twice the log probability of the row's own
#'   class, with the sign of `y - p`.
#' @param ... Must be empty.
#' @return `coef()` returns a vector for the positive class, named by antecedent, the default rule last; for more than
#'   two classes a matrix with a column per class. `residuals()` returns a vector with one number per row, missing where
#'   the label is; for more than two classes a matrix with a column per class, except for `"deviance"`, which then has
#'   no sign. The squared deviance residuals of the training rows add up to `-2 * logLik(object)`.
#' @seealso [rules()], [tidy.sbrl()], [sbrl_performance()]
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' coef(model)
#' coef(model, type = "log_odds")
#' head(residuals(model, people, type = "deviance"))
#' @name residuals.sbrl
#' @importFrom stats coef
#' @export
coef.sbrl <- function(object, type = c("prob", "log_odds"), ...) {
  check_dots_empty(...)
  object <- check_model(object)
  type <- check_choice(type, "type", c("prob", "log_odds"))
  probs <- object$probs
  rownames(probs) <- c(rule_texts(object), default_rule_text)
  chosen <- reported_part(object, probs)
  if (type == "prob") chosen else stats::qlogis(chosen)
}

#' @rdname residuals.sbrl
#' @importFrom stats residuals
#' @export
residuals.sbrl <- function(object, data, type = c("response", "deviance", "pearson"), ...) {
  check_dots_empty(...)
  object <- check_model(object)
  if (missing(data)) {
    abort_sbrl("argument", "A model keeps no training rows: give them as `data`.")
  }
  data <- check_data_frame(data, "data")
  type <- check_choice(type, "type", c("response", "deviance", "pearson"))
  codes <- score_label(object, data, rep(TRUE, nrow(data)), "data")
  probs <- predict.sbrl(object, newdata = data, type = "matrix")
  truth <- outer(codes, seq_along(object$classes), `==`)
  dimnames(truth) <- list(NULL, object$classes)
  if (type == "deviance") {
    own <- sqrt(-2 * log(probs[cbind(seq_along(codes), codes)]))
    return(if (reports_several(object)) own else ifelse(codes == reported_classes(object), own, -own))
  }
  all <- if (type == "response") truth - probs else (truth - probs) / sqrt(probs * (1 - probs))
  reported_part(object, all)
}

#' @importFrom stats anova
#' @export
anova.sbrl <- function(object, ...) {
  abort_sbrl("argument", paste(
    "Rule lists are not nested, so there is no analysis of variance. See summary() for a model, and compare lists with",
    "sbrl_score() or settings with cv_sbrl()."
  ))
}

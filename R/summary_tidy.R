# Methods for the generic functions of stats, generics and broom: what other packages ask of a model.

#' Methods for broom and base R
#'
#' `tidy()`, `glance()` and `augment()` work on models as the packages generics and broom define them;
#' `logLik()`, `nobs()`, `fitted()` and `as.data.frame()` as base R does.
#'
#' A model keeps no training rows, so `fitted()` and `augment()` need the data. `AIC()` and `BIC()` work through
#' `logLik()`, which is the log likelihood of the model's class probabilities, as [predict()] returns them:
#' minus the number of rows times the log loss on the training data. The degrees of freedom are the number of rules, the
#' default rule included, times the number of classes less one. They do not account for the search for the rules.
#' `model$score` has the log likelihood with the probabilities integrated out.
#'
#' `tidy()`, `glance()` and `augment()` are available when the package generics, broom or another one that has them is
#' loaded. They return tibbles if the package tibble is installed, and data frames otherwise.
#'
#' @param x,object A model made by [sbrl()].
#' @param data,newdata A data frame with the features that the rules use, such as the training data.
#' @param conf.int Whether to add the ends of the credible interval.
#' @param conf.level Coverage of that interval.
#' @param row.names,optional Ignored; the generic function has them.
#' @param ... For `as.data.frame()`, passed to [rules()]; else it must be empty.
#' @return
#' \describe{
#'   \item{`tidy()`}{one row per rule, of more than two classes per rule and class: `position` (0 for the default rule),
#'     `term` (the antecedent), `class`, `estimate` of its probability with its posterior standard deviation
#'     `std.error` and, if asked for, `conf.low` and `conf.high`, and `n`, the training rows captured}
#'   \item{`glance()`}{one row: `n_rules`, `n_candidates`, `log_prior`, `log_posterior`, `logLik`, `AIC`, `BIC`, `df`
#'     and `nobs`}
#'   \item{`augment()`}{the data with a column `.pred_<class>` per class, `.pred_class` and `.rule`, the position of the
#'     rule that captured the row; columns that have these names already are replaced}
#'   \item{`fitted()`}{the matrix of class probabilities, as `predict(type = "matrix")`}
#'   \item{`logLik()`, `nobs()`}{the log likelihood; the number of training rows, or their weight}
#'   \item{`as.data.frame()`}{the rules, see [rules()]}
#' }
#' @seealso [rules()], [residuals.sbrl()], [sbrl_caret()] and [rule_list()] for modelling frameworks.
#' @examples
#' model <- sbrl(Species ~ ., data = iris, lambda = 3, iters = 5000, nchain = 4, seed = 1)
#' BIC(model)
#' as.data.frame(model)[1:2, ]
#' fitted(model, iris)[1:2, ]
#' if (requireNamespace("generics", quietly = TRUE)) {
#'   print(generics::tidy(model, conf.int = TRUE))
#'   print(generics::glance(model))
#' }
#' @name tidy.sbrl
#' @exportS3Method generics::tidy
tidy.sbrl <- function(x, conf.int = FALSE, conf.level = 0.95, ...) { # nolint: object_name_linter.
  check_dots_empty(...)
  x <- check_model(x, "x")
  check_flag(conf.int, "conf.int")
  check_level(conf.level, "conf.level")
  reported <- reported_classes(x)
  parts <- lapply(reported, \(class) tidy_class(x, class, conf.int, conf.level))
  table <- do.call(rbind, parts)
  # Rule by rule, each with its classes.
  as_tidy(table[order(rep(seq_len(nrow(x$rs)), length(reported))), ])
}

# The rules' probabilities of one class.
tidy_class <- function(model, class, interval, level) {
  estimate <- unname(model$probs[, class])
  chosen <- list_rules(model)
  ends <- if (interval) {
    ends <- lapply(estimate_ends(model, level), \(end) end[seq_along(estimate), class])
    stats::setNames(list2DF(ends), c("conf.low", "conf.high"))
  }
  table <- data.frame(
    position = c(seq_along(chosen), 0L),
    term = c(rule_texts(model), "(default rule)"),
    class = model$classes[class],
    estimate = estimate,
    std.error = estimate_errors(model)[, class]
  )
  cbind(list2DF(c(table, ends)), n = rowSums(model$counts))
}

#' @rdname tidy.sbrl
#' @exportS3Method generics::glance
glance.sbrl <- function(x, ...) { # nolint: object_name_linter.
  check_dots_empty(...)
  x <- check_model(x, "x", report = TRUE)
  likelihood <- logLik.sbrl(x)
  as_tidy(data.frame(
    n_rules = nrow(x$rs) - 1L,
    n_candidates = length(x$rulenames),
    log_prior = x$score[["log_prior"]],
    log_posterior = x$score[["log_posterior"]],
    logLik = as.double(likelihood),
    AIC = stats::AIC(likelihood),
    BIC = stats::BIC(likelihood),
    df = attr(likelihood, "df"),
    nobs = nobs.sbrl(x)
  ))
}

#' @rdname tidy.sbrl
#' @exportS3Method generics::augment
augment.sbrl <- function(x, data = NULL, newdata = NULL, ...) { # nolint: object_name_linter.
  check_dots_empty(...)
  x <- check_model(x, "x")
  if (is.null(data) == is.null(newdata)) {
    abort_sbrl("argument", "A model keeps no training rows: give `data` or `newdata`, one of the two.")
  }
  given <- if (is.null(newdata)) data else newdata
  given <- check_data_frame(given, if (is.null(newdata)) "data" else "newdata")
  if ("class" %in% x$classes) {
    abort_sbrl("label", "`.pred_class` would have two meanings, because a class of the model is called \"class\".")
  }
  rule <- predict.sbrl(x, newdata = given, type = "rule")
  added <- by_class(format_prediction(x, rule, "matrix"), ".pred_")
  added$.pred_class <- format_prediction(x, rule, "class")
  added$.rule <- rule
  kept <- as.list(given)[!names(given) %in% names(added)]
  as_tidy(as_frame(c(kept, added), nrow(given)))
}

as_tidy <- function(table) {
  if (requireNamespace("tibble", quietly = TRUE)) {
    # a column of the user's may have a class that tibble does not understand
    return(tryCatch(tibble::as_tibble(table), error = \(e) table))
  }
  row.names(table) <- NULL
  table
}

#' @rdname tidy.sbrl
#' @importFrom stats logLik
#' @export
logLik.sbrl <- function(object, ...) { # nolint: object_name_linter. R's own name.
  check_dots_empty(...)
  object <- check_model(object)
  # A class that never occurs where its probability is 0 adds nothing.
  parts <- ifelse(object$counts > 0, object$counts * log(object$probs), 0)
  structure(
    sum(parts),
    df = length(object$probs) - nrow(object$probs), nobs = nobs.sbrl(object), class = "logLik"
  )
}

#' @rdname tidy.sbrl
#' @importFrom stats nobs
#' @export
nobs.sbrl <- function(object, ...) {
  check_dots_empty(...)
  object <- check_model(object)
  object$settings$n_rows
}

#' @rdname tidy.sbrl
#' @importFrom stats fitted
#' @export
fitted.sbrl <- function(object, data, ...) {
  check_dots_empty(...)
  object <- check_model(object)
  if (missing(data)) {
    abort_sbrl("argument", "A model keeps no training rows: give them as `data`.")
  }
  data <- check_data_frame(data, "data")
  predict.sbrl(object, newdata = data, type = "matrix")
}

#' @rdname tidy.sbrl
#' @export
as.data.frame.sbrl <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint: object_name_linter.
  rules.sbrl(x, ...)
}

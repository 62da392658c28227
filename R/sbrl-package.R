# Package help, imports and the dynamic library.

#' sbrl: Scalable Bayesian Rule Lists
#'
#' Classifiers that people can read: a short, ordered list of
#' *if ... then probability* rules, found by searching the posterior
#' distribution of a Bayesian model over lists of mined rules.
#'
#' Fit with [sbrl()], choose settings with [cv_sbrl()], look with [print()][print.sbrl], [summary()][summary.sbrl] and
#' [rules()], apply with [predict()][predict.sbrl], judge with [sbrl_performance()], keep with [sbrl_write_json()] or
#' [saveRDS()]. Errors have class `sbrl_error`, warnings `sbrl_warning`.
#'
#' The option `sbrl.threads` sets the default number of threads (2).
#'
#' @keywords internal
#' @aliases sbrl-package
#' @importFrom stats formula predict terms
#' @useDynLib sbrl, .registration = TRUE
"_PACKAGE"

.onUnload <- function(libpath) {
  library.dynam.unload("sbrl", libpath)
}

# Package help, imports and the dynamic library.

#' sbrl: Scalable Bayesian Rule Lists
#'
#' Classifiers that people can read: a short, ordered list of
#' *if ... then probability* rules, found by searching the posterior
#' distribution of a Bayesian model over lists of mined rules.
#'
#' Start with `vignette("sbrl")`. Fit with [sbrl()], choose settings with [cv_sbrl()], read with
#' [print()][print.sbrl], [rules()], [summary()][summary.sbrl] and [plot()][plot.sbrl], apply with
#' [predict()][predict.sbrl] and [explain()], judge with [sbrl_performance()], and hand on with [sbrl_report()],
#' [as_sql()], [sbrl_write_json()] or [saveRDS()]. [sbrl-glossary] explains the words; the cheat sheet is at
#' `system.file("cheatsheet.html", package = "sbrl")`.
#'
#' Errors have class `sbrl_error`, warnings `sbrl_warning`.
#'
#' The option `sbrl.threads` sets the default number of threads (2).
#'
#' @seealso [sbrl()], [sbrl-glossary]
#' @keywords internal
#' @aliases sbrl-package
#' @importFrom stats formula predict terms
#' @useDynLib sbrl, .registration = TRUE
"_PACKAGE"

.onUnload <- function(libpath) {
  library.dynam.unload("sbrl", libpath)
}

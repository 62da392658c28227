# Cross-validation: cv_sbrl() and its methods read the data; all of them meet in cross_validate().

#' Choose settings by cross-validation
#'
#' `cv_sbrl()` fits rule lists with every combination of the settings you give, each on all folds of the data but one,
#' measures how well they predict the fold left out, and reports which settings predict best and which give the
#' simplest list that is as good within one standard error.
#'
#' **Settings.** Give vectors of `lambda`, `eta`, `rule_maxlen` and supports; all combinations are tried. Or give a data
#' frame `grid`, one row per combination, whose columns may be any arguments of [sbrl()] that take one value, such as
#' `bins` or `alpha`. `lambda` may be `"auto"`, also in `c("auto", 3, 10)`.
#'
#' **Folds** are stratified: the rows of each class are dealt to the folds at random, so that the folds differ by at
#' most one row, in each class and in total. A class with fewer rows than folds is an error; use fewer folds. If you
#' give a fold for each row, every class must have rows in at least two folds. Everything that is learnt, including
#' the cut points of numbers, is learnt from the other folds only. Rows whose label is missing (a warning counts them)
#' or whose weight is 0 belong to no fold.
#'
#' **Measures** are those of [sbrl_performance()], computed fold by fold. Their mean over the folds has the
#' standard error `sd / sqrt(folds)`. A fold without rows of two classes has no AUC and is left out of its mean.
#'
#' **Choice.** `best` has the best mean. `one_se` is the simplest of the settings whose mean is within one standard
#' error (that of the best) of the best: the one whose lists have the fewest conditions to read on average, then the
#' fewest rules. Of those that are equally simple, the one with the better mean is taken, then the one with the larger
#' minimum support, then the smallest `rule_maxlen`, `lambda` and `eta`. Ties for the best are broken in the same way.
#'
#' **Randomness and parallel runs.** One number, drawn from R's generator or given as `seed`, determines the folds and
#' all fits. Each fold has one seed, the same for all settings, so the result of a setting depends neither on the
#' others nor on the order of work. If you have chosen a parallel `future::plan()` and the package future.apply is
#' installed, the fits run there, on one thread each unless you set `threads`. Progress is then reported through the
#' package progressr where that is loaded, as in `progressr::with_progress(cv_sbrl(...))`, unless `progress = FALSE`.
#' Otherwise each fit uses the engine's `threads`. The results are the same.
#'
#' @param tdata A data frame with a label column.
#' @param formula A formula, in place of `tdata`: label on the left, features on the right side. `data`, `subset`,
#'   `weights` and `na.action` follow, as for [sbrl()].
#' @param lambda,eta,rule_maxlen,minsupport_pos,minsupport_neg,minsupport Values to try, see [sbrl()]. `minsupport`
#'   replaces the other two.
#' @param ... Other arguments, passed to [sbrl()].
#' @param grid A data frame of settings to try, in place of the vectors; a setting that is not in it has the default of
#'   [sbrl()].
#' @param folds Number of folds, or the fold of each row.
#' @param measure The measure that decides: `"log_loss"`, `"auc"`, `"accuracy"` or `"brier"`.
#' @inheritParams sbrl
#' @param keep_data Whether to keep the rows in the result, so that [refit()] can fit them.
#'
#' @return An object of class `"cv_sbrl"`, a list:
#' \describe{
#'   \item{results}{data frame, one row per setting and measure: number of the `setting`, its values, `measure`,
#'     `mean`, `se`, and the mean size of the lists: `length`, the number of rules, and `conditions`, the number of
#'     conditions in all of them. `as.data.frame()` returns it}
#'   \item{per_fold}{data frame, one row per setting and fold: the measures, `length`, `conditions`, `n` (rows in the
#'     fold, or their weight) and the `seed` of the fit}
#'   \item{predictions}{list, one matrix per setting: for each row of the data the class probabilities given by the
#'     model that had not seen it, `NA` for rows in no fold}
#'   \item{truth, fold, weights}{for each row its class, its fold and its weight (`NULL` if none were given)}
#'   \item{grid, measure, best, one_se}{the settings; what decided; the numbers of the chosen settings}
#'   \item{arguments, seed, classes, call, terms, frame}{what else [refit()] needs}
#' }
#' @seealso [print.cv_sbrl()] and [plot.cv_sbrl()] to read the result, [refit()] to fit the chosen setting,
#'   [sbrl_bag()] for the average of many lists. `vignette("choosing", "sbrl")` is about settings.
#' @examples
#' people <- as.data.frame(Titanic)
#' people <- people[rep(seq_len(nrow(people)), people$Freq), -5]
#' cv <- cv_sbrl(Survived ~ ., data = people, lambda = c(2, 8), rule_maxlen = 1:2,
#'               folds = 5, seed = 1, iters = 1000, nchain = 2)
#' cv
#' model <- refit(cv)
#' model
#' @export
cv_sbrl <- function(tdata, ...) {
  by_name <- missing(tdata) || "formula" %in% ...names()
  UseMethod("cv_sbrl", if (by_name) NULL else tdata)
}

#' @rdname cv_sbrl
#' @export
cv_sbrl.data.frame <- function(tdata, lambda = c(1, 3, 10), eta = 1, rule_maxlen = 1:2, minsupport_pos = 0.10,
                               minsupport_neg = 0.10, ..., minsupport = NULL, grid = NULL, folds = 10,
                               measure = c("log_loss", "auc", "accuracy", "brier"), label = NULL, weights = NULL,
                               seed = NULL, threads = NULL, progress = interactive(), keep_data = TRUE) {
  call <- tidy_call(match.call(), quote(cv_sbrl))
  cv_frame(tdata, given_arguments(match.call(expand.dots = FALSE)), new_origin(call))
}

#' @rdname cv_sbrl
#' @export
cv_sbrl.formula <- function(formula, ...) {
  # The variables are computed once, row by row, so no row learns from another.
  fit_formula(door = new_door(cv_door, sys.call(), parent.frame()), ...)
}

#' @rdname cv_sbrl
#' @export
cv_sbrl.default <- function(tdata, ...) {
  default_door(door = new_door(cv_door, sys.call(), parent.frame()), tdata, ...)
}

cv_door <- function() {
  list(
    name = quote(cv_sbrl), method = cv_sbrl.data.frame, defaults = cv_formula_defaults, fit = cv_frame,
    reads = "a data frame or a formula"
  )
}

cv_frame <- function(tdata, given, origin) {
  args <- complete_arguments(formals(cv_sbrl.data.frame), given)
  check_flag(args$progress, "progress")
  check_flag(args$keep_data, "keep_data")
  check_optional_whole(args$seed, "seed", min = 0)
  check_optional_whole(args$threads, "threads", min = 1)
  measure <- check_choice(args$measure, "measure", c("log_loss", "auc", "accuracy", "brier"))
  arguments <- check_passed(args$passed, own = names(formals(cv_sbrl.data.frame)))
  arguments <- without_default_iters(arguments, origin$by_formula)
  refuse_fitted_teacher(arguments$teacher)
  tried <- intersect(grid_arguments, names(given))
  plan <- list(
    grid = make_grid(args[grid_arguments], tried, args$grid, arguments), arguments = arguments, folds = args$folds,
    measure = measure, seed = choose_seed(args$seed), threads = args$threads, progress = args$progress,
    signals = args$progress || !"progress" %in% names(given), by_formula = origin$by_formula
  )
  catch_memory(cross_validate(read_cv_rows(tdata, args$label, args$weights, arguments), plan, args$keep_data, origin))
}

# A bag and predictions have seen the rows of all folds.
refuse_fitted_teacher <- function(teacher) {
  if (!is.null(teacher) && !identical(teacher, "trees")) {
    abort_sbrl("argument", paste(
      "`teacher` must be \"trees\" in cv_sbrl(), which learns it anew in each fold: a bag, or predictions of all rows,",
      "have seen the rows that test the lists."
    ))
  }
}

# From rows and plan to the result: the common path of all methods.
cross_validate <- function(rows, plan, keep_data, origin) {
  drawn <- draw_folds(rows, plan$folds, plan$seed)
  tasks <- expand.grid(fold = seq_along(drawn$names), setting = seq_len(nrow(plan$grid)))
  shared <- list(
    rows = rows, fold = drawn$fold, seeds = drawn$seeds, names = drawn$names, plan = plan, tasks = tasks,
    fit = fit_fold, describe = describe_fold
  )
  done <- on_interrupt(run_fits(nrow(tasks), shared), "Interrupted: `cv_sbrl()` keeps nothing of the fits it has done.")
  warn_fits(done)
  inform_fits(done)
  per_fold <- fold_table(tasks, done, drawn)
  results <- result_table(per_fold, plan$grid)
  chosen <- choose_settings(results, plan$grid, plan$measure)
  new_cv(rows, plan, drawn, list(
    results = results, per_fold = per_fold, predictions = gather_predictions(done, shared),
    best = chosen$best, one_se = chosen$one_se, call = origin$call, terms = origin$terms,
    frame = if (keep_data) rows[c("data", "label", "weights")]
  ))
}

new_cv <- function(rows, plan, drawn, parts) {
  scatter_to_input <- function(x) {
    all <- rep(x[NA_integer_], rows$n_given)
    all[rows$position] <- x
    all
  }
  structure(
    list(
      results = parts$results, per_fold = parts$per_fold, predictions = parts$predictions,
      truth = scatter_to_input(factor(rows$classes, levels = rows$classes)[rows$codes]),
      fold = scatter_to_input(drawn$names[drawn$fold]), weights = rows$given_weights,
      grid = plan$grid, measure = plan$measure, best = parts$best, one_se = parts$one_se,
      arguments = plan$arguments, seed = plan$seed, classes = rows$classes, call = parts$call, terms = parts$terms,
      frame = parts$frame
    ),
    class = "cv_sbrl"
  )
}

#' Fit the settings that cross-validation chose, or the rules of a model to other data
#'
#' For a cross-validation, `refit()` fits one model to all rows, with the settings that were chosen. For a model, it
#' keeps the rules and takes the counts, and so the probabilities, from other data.
#'
#' The model of a cross-validation uses its seed unless you give another.
#'
#' The rules of a model are not chosen again: if the new data call for other rules, use [sbrl()]. Settings, candidates
#' and cut points are those of the model, and so are the classes; `score` is that of the list in the new data, and
#' `chains` and `trace` are empty, because nothing was searched.
#'
#' `refit()` is also a method for the generic function of that name in the package generics.
#'
#' @param object The result of [cv_sbrl()], or a model made by [sbrl()].
#' @param choice `"1se"`, the simplest settings within one standard error of the best; `"best"`, the best; or the number
#'   of a setting, a row of `object$grid`.
#' @param data A data frame with the label and the features that the rules use.
#' @param weights Weights of the rows: numbers, 0 or more, or `NULL`.
#' @param ... For a cross-validation, arguments of [sbrl()] that replace those it used, such as `iters` or `seed`. For a
#'   model, it must be empty.
#' @return A model, see [sbrl()].
#' @seealso [cv_sbrl()], [sbrl()] with `teacher` for a list that learns from predictions.
#' @examples
#' cv <- cv_sbrl(Species ~ ., data = iris, lambda = c(2, 5), folds = 3, seed = 1,
#'               iters = 1000, nchain = 2)
#' refit(cv)
#' refit(cv, "best", iters = 5000)
#'
#' # The same rules, with probabilities from other games.
#' model <- sbrl(tictactoe[1:639, ], rule_maxlen = 3, lambda = 8, seed = 1)
#' refit(model, tictactoe[640:958, ])
#' @export
refit <- function(object, ...) {
  UseMethod("refit")
}

#' @rdname refit
#' @export
#' @rawNamespace S3method(generics::refit, cv_sbrl)
refit.cv_sbrl <- function(object, choice = c("1se", "best"), ...) {
  check_cv(object, "object")
  setting <- chosen_setting(object, choice)
  if (is.null(object$frame)) {
    message <- "`object` contains no rows, because `keep_data` was FALSE: call sbrl() with the settings in its `grid`."
    abort_sbrl("argument", message)
  }
  new <- check_passed(list(...), allowed = c("seed", "threads", "progress", tunable_arguments()))
  frame <- object$frame
  arguments <- c(object$arguments, setting_arguments(object$grid, setting), list(seed = object$seed))
  arguments[names(new)] <- new
  call <- as.call(c(quote(refit), substitute(object), list(choice = choice[[1L]]), as.list(substitute(list(...)))[-1L]))
  given <- c(list(label = frame$label, weights = frame$weights), arguments)
  fit_frame(frame$data, given, new_origin(call, object$terms))
}

#' @export
refit.default <- function(object, ...) {
  refuse_lists(object, "object")
  check_that(FALSE, object, "object", "a model made by sbrl() or what cv_sbrl() returns")
}

chosen_setting <- function(cv, choice) {
  if (!is.object(choice) && is.numeric(choice)) {
    return(check_whole(choice, "choice", min = 1, max = nrow(cv$grid)))
  }
  choice <- check_choice(choice, "choice", c("1se", "best"))
  if (choice == "best") cv$best else cv$one_se
}

# Fitting: sbrl() and its methods, which all meet in fit_frame().

#' Fit a Bayesian rule list
#'
#' @description
#' `sbrl()` learns a short, ordered list of *if ... then probability* rules from a data frame. The list predicts a label
#' of two or more classes and can be read by anybody.
#'
#' Most people need a formula and a data frame, and no other argument:
#'
#' `model <- sbrl(y ~ ., data = d, seed = 1)`
#'
#' Then look at the list with [print()][print.sbrl()], [rules()] and [plot()][plot.sbrl()], apply it with
#' [predict()][predict.sbrl()], explain single predictions with [explain()], measure it on other data with
#' [sbrl_performance()], and hand it on with [sbrl_report()]. For a shorter list, lower `lambda`. For a longer search,
#' raise `iters` or `nchain`, or use `method = "map"`. `vignette("sbrl")` takes ten minutes; [sbrl-glossary] explains
#' the words.
#'
#' @param tdata A data frame (or tibble, or data table) with a label column; or a table that is not in memory, see
#'   below.
#' @param formula A formula, in place of `tdata`: label on the left, features on the right side.
#' @param iters Iterations of each chain. By default 30,000; with a formula, `NULL`: until the list has settled, see
#'   below.
#' @param pos_sign,neg_sign The label values of the positive and the negative class.
#' @param rule_minlen,rule_maxlen Smallest and largest number of conditions in a rule.
#' @param minsupport_pos,minsupport_neg Minimum support: the share of the rows of the positive, and of the negative,
#'   class that an antecedent must cover, from 0 to 1; 0 means at least one row. With more than two classes
#'   `minsupport_pos` applies to each.
#' @param lambda Prior mean of the number of rules: how many rules you expect. `"auto"` fits with 5, then with the
#'   length found (at least 1), as in the paper. Both fits have the same seed and share `time_limit`; the model keeps
#'   5 as `settings$lambda_first` and the length found as `settings$lambda`.
#' @param eta Prior mean of the number of conditions in a rule.
#' @param alpha Prior pseudo-counts, `c(negative, positive)`: any positive numbers, or one for
#'   all classes, or one per class, named by class or in their order. The default, `c(1, 1)`, means 2 in all: for K
#'   classes, 2/K for each.
#' @param nchain Number of chains, also where they go on until the list has settled. Fewer than three do not settle it
#'   without searches of another kind.
#' @param ... Arguments of [sbrl_control()], by name. An unknown argument is an error.
#' @param label Name of the label column; `NULL` means `"label"`.
#' @param weights Weights of the rows: numbers, 0 or more, or `NULL`. For a table that is not in memory, the name of a
#'   column.
#' @param table Name of a table of the connection; its parts one by one if it has several, as in
#'   `c("schema", "table")`, or a [DBI::Id()].
#' @param minsupport If given, replaces `minsupport_pos` and `minsupport_neg`: one number for all classes, or one per
#'   class, named by class or in their order.
#' @param discretize How the cut points of numbers are found: `"modl"`, the most probable partition into intervals with
#'   class probabilities of their own (Boulle's criterion); `"mdlp"`, one cut after another where the classes differ
#'   most (Fayyad and Irani's entropy criterion with its stopping rule); `"quantile"`; `"width"` (equal steps); or a
#'   list of your own cut points named by column, the other columns being cut by `"modl"`. A column in which `"modl"`
#'   or `"mdlp"` finds no useful cut is cut at quantiles. With a formula, a cut point that was learnt is the roundest
#'   number between the two training values that it separates: the one with the fewest digits, then the most zeros at
#'   its end, then a 5, then the nearest to the middle. Equal steps stay equal. Without a formula it has few digits but
#'   need not be the roundest. Dates and times are rounded to years, months, days and so on, always.
#' @param bins Largest number of intervals of a number. `summary()` lists the cut points.
#' @param conditions Which conditions rules may have. `"plain"`: a level, an interval between neighbouring cut points,
#'   what is below or above one, "is missing". `"rich"` adds sets of levels (`job in {cook, student}`): the most
#'   probable grouping of the levels with the label (Boulle's criterion for grouping values) and, for features of at
#'   most six levels, all levels but one (`odor is not none`); all intervals between two cut points, and between two
#'   levels of an ordered factor, for features of at most 20 intervals or levels; and "is not missing" where 5% of the
#'   rows are missing and 5% are not. A rule then has one condition at most on each feature. A level that training
#'   rows did not have satisfies none of these conditions, not even "is not missing".
#' @param method How the `nchain` times `iters` iterations are used. `"mcmc"`: chains whose best list is polished.
#'   They are valid samplers of the posterior, but rarely long enough to sample it; use [sbrl_posterior()] for that.
#'   `"map"`: search for the maximum a posteriori list by simulated annealing. The chains get a twentieth of the
#'   iterations; then many runs cool from a high temperature, the better half continuing after each round, and parts
#'   of their lists are reheated and cooled again. This finds better lists where the search is hard, but its states
#'   are not draws from the posterior.
#' @param max_length Largest number of rules in the list; `Inf` for no limit. The chains sample the posterior of lists
#'   within the limit. `summary()` reports when the list is as long as this. If the limit is the default, which
#'   version 1.4 did not have, so does a message of class `sbrl_message_max_length`.
#' @param threads Number of threads that share the chains.
#' @param seed A whole number that seeds the search, or `NULL` to draw one from R's generator.
#' @param time_limit Seconds after which the search stops and returns the best list so far. All chains run by turns,
#'   so that each has its share of the time; `method = "map"` plans fewer iterations. A message of class
#'   `sbrl_message_time_limit` reports how far the search came, and `stopped_early` is `TRUE` in the model. If there are
#'   no candidates by then, it is an error. An interrupted fit (Ctrl-C) returns nothing.
#' @param progress Whether to show progress, with an estimate of the time left, on the console's error stream.
#' @param shrink Whether to shrink the probabilities of the rules towards the base rate. A rule is chosen because its
#'   class shares are extreme, so on new rows they are less extreme, most of all if rows are few. `TRUE` adds
#'   `settings$shrinkage` rows of the base rate to the counts of each rule, in place of `alpha`, when probabilities
#'   and their intervals are computed. The list and its score do not change. The number of rows is estimated from the
#'   counts of the list: many if its rules differ little from the base rate, few if they are nearly pure, none if the
#'   list has no rule. Over 18 data sets this lowered the mean log loss by .0047 (standard error .0018) and raised the
#'   median calibration slope from .86 to .96; since its factor was chosen on the same data, expect less. The
#'   probabilities no longer follow from the counts and `alpha` alone, so the default is `FALSE`.
#' @param teacher Who the list learns from, in place of the labels: `"trees"`, a bag made by [sbrl_bag()] from the same
#'   rows, or out-of-sample predictions of any other model, see **Taught lists** below. `NULL`: from the labels.
#' @param labels What features, their levels, the label column and classes are called where people read them, such as
#'   `c(sbp = "Systolic pressure (mmHg)", "job=cook" = "Cook")`; see [relabel()], which sets the same on a fitted
#'   model. Labels of levels that the data do not have are ignored here.
#' @param control Arguments that are rarely needed, such as the largest number of candidates: what [sbrl_control()]
#'   returns.
#'
#' @seealso [predict.sbrl()], [rules()], [summary.sbrl()], [plot.sbrl()], [explain()] to use a model; [cv_sbrl()] to
#'   choose settings; [sbrl_performance()] to measure it; [sbrl_bag()], [sbrl_posterior()] and [sbrl_certify()] for
#'   how much to trust it; [sbrl_report()] and [as_sql()] to hand it on.
#' @examples
#' # Who survived the Titanic? One row per group, with its size as weight.
#' people <- as.data.frame(Titanic)
#' survival <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'                  lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' survival
#' someone <- data.frame(Class = "2nd", Sex = "Female", Age = "Adult")
#' predict(survival, someone, type = "class")
#'
#' # Numbers are cut where the classes differ.
#' sbrl(Species ~ ., data = iris, lambda = 3, iters = 5000, nchain = 4, seed = 1)
#'
#' # A list that learns from trees, which have less noise than labels.
#' hot <- transform(airquality, Hot = Temp > 80, Temp = NULL)
#' taught <- sbrl(Hot ~ ., data = hot, teacher = "trees", iters = 1000, seed = 1)
#' taught
#'
#' # The call of version 1.4: a data frame with a column `label`.
#' # The rules are X's winning lines.
#' train <- tictactoe[1:639, ]
#' test <- tictactoe[640:958, ]
#' boards <- sbrl(train, rule_maxlen = 3, lambda = 8, seed = 1)
#' boards
#' mean(predict(boards, test, type = "class") == test$label)
#' @export
sbrl <- function(tdata, iters = 30000, pos_sign = "1", neg_sign = "0", rule_minlen = 1, rule_maxlen = 1,
                 minsupport_pos = 0.10, minsupport_neg = 0.10, lambda = 10, eta = 1, alpha = c(1, 1), nchain = 10,
                 ..., minsupport = NULL) {
  # `minsupport` is named here because R would otherwise take it for an abbreviation of two others.
  by_name <- missing(tdata) || "formula" %in% ...names()
  UseMethod("sbrl", if (by_name) NULL else tdata)
}

#' @rdname sbrl
#' @export
sbrl.formula <- function(formula, ...) {
  fit_formula(door = new_door(sbrl_door, sys.call(), parent.frame()), ...)
}

#' @rdname sbrl
#' @export
sbrl.data.frame <- function(tdata, iters = 30000, pos_sign = "1", neg_sign = "0", rule_minlen = 1, rule_maxlen = 1,
                            minsupport_pos = 0.10, minsupport_neg = 0.10, lambda = 10, eta = 1, alpha = c(1, 1),
                            nchain = 10, ..., label = NULL, weights = NULL, minsupport = NULL, discretize = "modl",
                            bins = 5, conditions = "plain", method = "mcmc", max_length = 25,
                            threads = getOption("sbrl.threads", 2), seed = NULL, time_limit = Inf,
                            progress = interactive(), shrink = FALSE, teacher = NULL, labels = NULL,
                            control = sbrl_control()) {
  call <- tidy_call(match.call(), quote(sbrl))
  fit_frame(tdata, given_arguments(match.call(expand.dots = FALSE)), new_origin(call))
}

#' @rdname sbrl
#' @usage NULL
#' @export
sbrl.sbrl_source <- sbrl.data.frame

#' @rdname sbrl
#' @export
sbrl.tbl_lazy <- function(tdata, ...) {
  call <- tidy_call(sys.call(), quote(sbrl))
  fit_frame(as_source(tdata), match_given(sbrl.data.frame, list(...)), new_origin(call))
}

#' @rdname sbrl
#' @export
sbrl.DBIConnection <- function(tdata, ..., table) { # nolint: object_name_linter. A method.
  if (missing(table)) {
    abort_sbrl("argument", "`table` is missing: give the name of a table of the connection.")
  }
  call <- tidy_call(sys.call(), quote(sbrl))
  fit_frame(as_source(tdata, table), match_given(sbrl.data.frame, list(...)), new_origin(call))
}

#' @rdname sbrl
#' @export
sbrl.default <- function(tdata, ...) {
  default_door(door = new_door(sbrl_door, sys.call(), parent.frame()), tdata, ...)
}

sbrl_door <- function() {
  list(
    name = quote(sbrl), method = sbrl.data.frame, defaults = formula_defaults, fit = fit_frame,
    reads = "a formula, a data frame, or a source of rows (see ?sbrl_source)"
  )
}

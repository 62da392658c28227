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
#' @details
#' **What it does.** `sbrl()` mines antecedents (conjunctions of conditions) that are frequent in some class. It then
#' searches the posterior distribution over lists of them with several Markov chains and returns the best list found.
#' Lists have at most 25 rules; set `max_length = Inf` for no limit.
#'
#' **Defaults.** The twelve arguments up to `nchain` have the order, names and defaults of version 1.4. With a
#' formula, which version 1.4 did not have, rules have up to two conditions (`rule_maxlen = 2`) and `minsupport` is
#' 0.05. Such lists predict better and have a few more conditions to read. Three more things are made for readers of
#' formula fits only: cut points are round (see `discretize`), two conditions on one number read as an interval,
#' `36 <= age < 55`, and the default rule has rows: if the last rule of the list found captured all rows that were
#' left, the default rule takes its place. New rows that this rule would not have matched, or whose value is missing,
#' then get the default rule's probability, which a note in tables, pictures, reports and exports states.
#'
#' **The label.** If `pos_sign` or `neg_sign` is given, or if the values are 0 and 1, these determine which class is
#' positive. Otherwise `TRUE`, the second level of a factor or the greater value is positive. Three or more values
#' make a model of that many classes, in the order of the factor's levels or sorted. A number with more than ten
#' values is an error: predict a condition on it, `I(mpg > 20) ~ .`, make classes with [cut()], or make it a factor.
#' Rows whose label is missing are dropped with a warning.
#'
#' **Features** are all other columns. Their conditions, with names in this order, are
#' * for a factor, text, a logical, or a number with at most two distinct values: one per level, `feature=level`;
#' * for a number, date, time or span of time, see `discretize`: below each cut point, `age=<37.5`; between
#'   neighbouring cut points, `age=[37.5,45)`; from each cut point on, `age=>=45`. Dates and times are written as in
#'   ISO 8601 (or as days or seconds since 1970 where that is not possible), spans with their unit;
#' * for an ordered factor: its levels, then `size=<=M`, then `size=>=M`;
#' * for a feature that is missing in some training rows: `feature=NA`, or `feature=<NA>` if a level is called `NA`. A
#'   missing value matches no other condition on its feature.
#'
#' Names and levels may be any text. Constant columns are dropped; `summary()` names them. Lists, matrices, columns of
#' unknown classes, and features with more than 1,000 levels are errors.
#'
#' **Taught lists.** `sbrl(y ~ ., data = d, teacher = "trees")` usually gives the best single list. Noise in the
#' labels decides between rules that are nearly as good, and it limits a list more than its form does. Averaged
#' predictions of trees, for rows that these trees have not seen, have much less noise. The teacher is the mean of
#' boosted trees of depth 3, cross-fitted in five folds, and of the out-of-bag means of a forest of 200 trees. Each
#' row is divided between the classes by these probabilities, with 15% of its label, and counts as 2 to 8 rows (10,000
#' divided by their number). Rules have up to three conditions, or fewer where that would be more than 300,000
#' candidates, and `shrink` is `TRUE`, unless you give `rule_maxlen` and `shrink`. Counts, probabilities, intervals
#' and score are those of the real labels, as [refit()] would compute them. Where a list learnt from the labels has a
#' clearly lower log loss, leaving one row out, that list is returned: this happens if the classes are nearly pure. So
#' is it if the teacher predicts hardly better than the base rate. [summary()] reports what happened, and the fidelity
#' of the list to its teacher.
#'
#' The result is an ordinary model, but it was not chosen for its posterior: [sbrl_certify()] and [sbrl_posterior()]
#' refuse it, and its log posterior should not be compared with that of other lists. Expect half again or twice as
#' many conditions.
#'
#' With `teacher = bag`, the list learns from the out-of-bag averages of a bag. `data` must be the training rows of
#' the bag, in the same order. With `teacher = p`, it learns from any model: `p` are the probabilities of the positive
#' class, or a matrix with a column for each class (in their order, or named), and a row for each row of `data`,
#' before `subset` and `na.action`. If they have names, these must be the row names of `data`. The predictions must be
#' out-of-bag or cross-validated: those of rows that the model has seen are too good to be true, and so would the list
#' be. A missing one is taken as the base rate. [cv_sbrl()] takes `teacher = "trees"` only, which it learns anew in
#' each fold. Tables that are not in memory cannot have a teacher.
#'
#' **Formulas.** `sbrl(formula, data, subset, weights, na.action, ...)` takes the label from the left and the features
#' from the right side of a formula, such as `y ~ .`, `y ~ . - id` or `y ~ log(x) + z`. `subset` and `weights` may use
#' the columns of `data`. Rows with missing values are kept unless `na.action` removes them. Interactions are an error,
#' because rules are conjunctions already. [predict()] computes `log(x)` from the new data. [formula()] and [update()]
#' work. As models in R do, the model keeps the formula's environment, unless the formula names only plain columns.
#'
#' **Tables that are not in memory.** `tdata`, or `data` with a formula, may be a table of package dbplyr, a connection
#' of package DBI (with `table`), or any source made by [sbrl_source()]. The database counts and encodes the rows, which
#' never become a data frame. The model is the same as from a data frame with these rows (with fractional weights,
#' up to rounding). Weights are a column, and `subset` and `na.action` are errors: leave rows out in the query.
#' The database computes terms such as `I(a + b)`, `abs(x)` or `I(age >= 65 & smoker == "yes")`, made of sums,
#' differences, products, squares, division by a constant, `abs()`, `is.na()`, comparisons and `&`, `|`, `!`, for which
#' all databases give the same result as R. `log(x)` and other functions are refused by name, because the last digit
#' may differ. Chunks take any term. See `vignette("beyond-memory", "sbrl")`.
#'
#' **Candidates** are the conjunctions of `rule_minlen` to `rule_maxlen` conditions whose support reaches
#' `minsupport_pos` within the positive *or* `minsupport_neg` within the negative class. Two conditions on one feature
#' are combined only if neither contains or excludes the other, as in `x=<60` and `x=>=30`.
#'
#' **Weights.** A row of weight 2 counts as two rows, a row of weight 0 as none, so a table of counts can be
#' training data. All counts in the model are sums of weights.
#'
#' **When the search ends.** With `iters`, `nchain` chains of that length are run, no more and no less. With a formula
#' and without `iters`, the search ends when its list has settled. Chains are looked at after 10,000, 30,000, 100,000,
#' 300,000 and 1,000,000 iterations, and go on from where they were. The list has settled when it has not changed
#' since the last look, enough of the chains have found it (9, 9, 8, 6 and 4 of 10), and two searches of another kind
#' (as for `method = "map"`, but from scratch) find nothing better. If the chains do not agree, such searches in rounds
#' of four decide, together with at least one chain. At most 65 candidates are tried to prove, see [sbrl_certify()].
#' All this ends after a fixed amount of work, counted by what is read and not by the clock: 5 billion units, 1 to 5
#' seconds on one core; each of the two fits of `lambda = "auto"` gets half of that, each fit of [cv_sbrl()] and
#' [sbrl_bag()], and each with a `teacher`, a tenth. The first 30,000 iterations are always done. [print()] and [summary()] report what came of
#' it, and `settings` have `iters` as `NA` and the numbers as `settled`. A settled list is not a proved one: see
#' `vignette("method", "sbrl")` for what agreement was worth.
#'
#' **Ties.** Different lists often have the same log posterior. With a formula, one of those that also give each
#' training row the same probability is returned, whichever was found: of the conditions, as few as possible; of the
#' candidates that capture the same rows in their place, those that cover most rows, then those with fewest bounds
#' (`age < 40` before `30 <= age < 40`), then those whose columns come first. Of the rules that could come next, the one
#' whose observed shares differ most from those of all rows comes first (total variation), then the one that captures
#' more rows, then the one that comes first in `rulenames`. If different rows could be left to the default rule, rules
#' that capture many rows come first. Without a formula, the first list found is returned: that of the greedy start
#' before those of chain 1, 2 and so on; and if two neighbouring rules could change places and still capture the same
#' rows, the one that captured more rows goes first, or else the one that comes first in `rulenames`.
#'
#' **Randomness.** `set.seed()` determines the result: one number is drawn from R's generator, unless `seed` is given.
#' The result does not depend on `threads`, on the locale or on the machine.
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
#'   most six levels, all levels but one (`odor is not none`); all intervals between two cut points, and between two levels of an
#'   ordered factor, for features of at most 20 intervals or levels; and "is not missing" where 5% of the rows are
#'   missing and 5% are not. A rule then has one condition at most on each feature. A level that training rows did
#'   not have satisfies none of these conditions, not even "is not missing".
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
#' @param labels What features, the label column and classes are called where people read them, such as
#'   `c(sbp = "Systolic pressure (mmHg)")`; see [relabel()], which sets the same on a fitted model.
#' @param control Arguments that are rarely needed, such as the largest number of candidates: what [sbrl_control()]
#'   returns.
#'
#' @return An object of class `"sbrl"`: a list of plain R data that can be
#'   saved with [saveRDS()] or [sbrl_write_json()]. It contains no training rows. In files, `rulenames` and
#'   `mat_feature_rule` of a large pool are kept in a compact form that R reads where sbrl is installed;
#'   `saveRDS(version = 2)` writes them in full. Its fields are
#' \describe{
#'   \item{rs}{data frame, one row per rule and the default rule last: `V1`, the
#'     index of the antecedent in `rulenames`, 0 for the default rule; `V2`, the probability of the
#'     positive class (of K > 2 classes: `V2` to `VK`, of the second to the last class)}
#'   \item{rulenames}{the candidates, such as `{a=u,b=p}`}
#'   \item{featurenames}{the conditions, such as `a=u`}
#'   \item{mat_feature_rule}{0/1 matrix, conditions in rows, candidates in columns. Its cells take no memory until
#'     something reads all of them}
#'   \item{classes}{the label values; of two, the positive one last}
#'   \item{counts, probs}{matrices, rules in rows, classes in columns: training rows captured, and class
#'     probabilities}
#'   \item{score}{`log_prior`, `log_likelihood` and `log_posterior` of the list}
#'   \item{found}{`rules` (indices into `rulenames`) and `score` of the list as the search found it, see
#'     [sbrl_control()]}
#'   \item{settings}{the settings of the fit; also `else_rule`, the index of the last rule whose place the default rule
#'     took, or 0, and `settled`, what is known of the list if the search ended by itself: `verdict` (0: not settled,
#'     1: settled, 2: proved), and how many `chains` and `others`, searches of another kind, found it}
#'   \item{features, items, pool}{levels or cut points of each feature, table of conditions, and the conditions of each
#'     candidate}
#'   \item{dropped}{names of the constant columns}
#'   \item{labels}{what features and classes are called where people read them, see [relabel()]}
#'   \item{chains, trace}{data frames about the search: one row per chain; the course of each chain}
#'   \item{timing, stopped_early, seed, version}{how the fit went}
#'   \item{approximate}{only with `cut_sample`: the rows of the sample behind the cut points of each feature that has
#'     approximate ones, named by feature}
#'   \item{teacher}{only with `teacher`: `source`, which list was kept (`outcome`), the `strength` of a row, the log
#'     loss of the teacher and of the base rate, `fidelity` (share of the variance of its predictions that the list explains)
#'     and `agreement` (share of rows with the same likeliest class), the rounds of boosting and trees of the forest}
#'   \item{terms, call}{the formula's [terms], or `NULL`; the call}
#'   \item{format}{number of the model's format; a later version can use a model of any earlier format}
#' }
#'
#' @references Yang, H., Rudin, C. and Seltzer, M. (2017) Scalable Bayesian Rule
#'   Lists. *Proceedings of the 34th International Conference on Machine Learning*.
#'   \doi{10.48550/arXiv.1602.08610}
#'
#'   Boulle, M. (2006) MODL: a Bayes optimal discretization method for continuous attributes. *Machine Learning* 65,
#'   131--165.
#'
#'   Boulle, M. (2005) A Bayes optimal approach for partitioning the values of categorical attributes. *Journal of
#'   Machine Learning Research* 6, 1431--1452.
#'
#'   Breiman, L. and Shang, N. (1996) *Born again trees*. Technical report, University of California, Berkeley.
#'
#'   Fayyad, U. and Irani, K. (1993) Multi-interval discretization of continuous-valued attributes for classification
#'   learning. *Proceedings of the 13th International Joint Conference on Artificial Intelligence*, 1022--1027.
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

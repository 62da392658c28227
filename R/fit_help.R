# The long parts of the help page of sbrl(): details, and what a model consists of.

#' @rdname sbrl
#' @name sbrl
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
#' All this ends after a fixed amount of work, counted by what is read and not by the clock: 10 billion units,
#' usually 1 to 6 seconds on one core, longer where a column has a hundred levels or more; each of the two fits of
#' `lambda = "auto"` gets half of that, each fit of [cv_sbrl()] and [sbrl_bag()], and each with a `teacher`, a
#' twentieth. The first 30,000 iterations are always done. [print()] and [summary()] report what came of it, and
#' `settings` have `iters` as `NA` and the numbers as `settled`. A settled list is not a proved one: see
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
#'   \item{labels}{what features, levels and classes are called where people read them, see [relabel()]}
#'   \item{chains, trace}{data frames about the search: one row per chain; the course of each chain}
#'   \item{timing, stopped_early, seed, version}{how the fit went}
#'   \item{approximate}{only with `cut_sample`: the rows of the sample behind the cut points of each feature that has
#'     approximate ones, named by feature}
#'   \item{teacher}{only with `teacher`: `source`, which list was kept (`outcome`), the `strength` of a row, the log
#'     loss of the teacher and of the base rate, `fidelity` (share of the variance of its predictions that the list
#'     explains) and `agreement` (share of rows with the same likeliest class), the rounds of boosting and trees of the
#'     forest}
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
NULL

# Outcomes: what the rules of a list predict. Each kind of outcome is an S3 class with the methods of the generics
# below; they are called with a model, or with the parts of one that is not whole yet.
#
# The rows that a rule or a default rule captures are added up to its *sums*: of classes, how many rows have each. Sums
# and prior give its *estimates*: of classes, the probability of each. Both are matrices with one row per rule.
#
# A new kind of outcome needs
# 1. a line in `outcome_kinds` and its name in outcome_of();
# 2. a file outcome_<kind>.R with methods as in outcome_classes*.R, which is enough to fit and predict;
# 3. its leaf in the engine;
# 4. methods for what else can be done with it next to their generics: measure_table() in measure_performance.R.

outcome_kinds <- list(classes = structure(list(), class = c("sbrl_outcome_classes", "sbrl_outcome")))

# What generics look for methods by. Models of all formats have classes.
outcome_of <- function(model) {
  outcome_kinds[["classes"]]
}

# Estimates ----

# One row per rule, the default rule last, with a column for each estimate: from `counts`, their sums, and `settings`.
leaf_estimates <- function(model) UseMethod("leaf_estimates", outcome_of(model))

# One row: the base rate.
base_estimates <- function(model) UseMethod("base_estimates", outcome_of(model))

# `lower` and `upper` end of credible intervals: one row per rule and one for the base rate, a column for each estimate.
estimate_ends <- function(model, level) UseMethod("estimate_ends", outcome_of(model))

# Posterior standard deviations of the estimates of all rules.
estimate_errors <- function(model) UseMethod("estimate_errors", outcome_of(model))

# How strongly estimates are drawn towards the base rate if a fit asks for that, from `counts`.
shrinkage_strength <- function(model) UseMethod("shrinkage_strength", outcome_of(model))

# What is wrong with the sums of a model and their settings, and then with its estimates, in words, or NULL.
sums_problem <- function(model) UseMethod("sums_problem", outcome_of(model))
estimates_problem <- function(model) UseMethod("estimates_problem", outcome_of(model))

# The columns of the estimates that the table `rs` has.
listed_estimates <- function(model) UseMethod("listed_estimates", outcome_of(model))

# The columns of the estimates that are reported on their own, one or several.
reported_classes <- function(model) UseMethod("reported_classes", outcome_of(model))

# The column that is reported where there is room for one: a number for each row of `estimates`.
reported_class <- function(model, estimates) UseMethod("reported_class", outcome_of(model))

# Names of the reported columns in exports.
probability_names <- function(model) UseMethod("probability_names", outcome_of(model))

# The estimate of the reported column from all training rows together, without the prior.
overall_estimate <- function(model) UseMethod("overall_estimate", outcome_of(model))

reports_several <- function(model) {
  length(reported_classes(model)) > 1L
}

# Of a matrix with a column per estimate: the reported one as a vector, named by row, or all of several.
reported_part <- function(model, x) {
  if (reports_several(model)) x else stats::setNames(x[, reported_classes(model)], rownames(x))
}

# Words ----

# What is reported, in two pieces, the better to be broken between them.
estimate_pieces <- function(model) UseMethod("estimate_pieces", outcome_of(model))

# Predictions ----

# The types of predict(), but "rule" and "interval", which all outcomes have.
prediction_types <- function(model) UseMethod("prediction_types", outcome_of(model))

# Predictions of one of these types from `estimates`, one row of them for each element of `row`, or for each of theirs.
predicted_values <- function(model, estimates, row, type) UseMethod("predicted_values", outcome_of(model))

# Fits ----

# The outcome of training rows: `sums` of all rows, named; which rows go to the engine (`kept`; a row with several
# statistics goes once for each) and what they have there (`rows`: the number of the sum, `codes`, how much is added to
# it, `weights`, NULL for 1, and the number of sums, `n_classes`); what there is to warn about (`n_unlabelled`,
# `empty`).
read_outcome <- function(training, args) UseMethod("read_outcome", outcome_of(list(settings = args)))

# The settings of a fit that depend on the outcome; `args` are the arguments of sbrl(), checked.
outcome_settings <- function(model, args) UseMethod("outcome_settings", outcome_of(model))

# The arguments of sbrl() with which the same label column gives the same outcome.
label_arguments <- function(model) UseMethod("label_arguments", outcome_of(model))

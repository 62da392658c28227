# Outcomes: what the rules of a list predict. Each kind of outcome is an S3 class with the methods of the generics
# below; they are called with a model, or with the parts of one that is not whole yet.
#
# The rows that a rule or a default rule captures are added up to its *sums*: of classes, how many rows have each. Sums
# and prior give its *estimates*: of classes, the probability of each. Both are matrices with one row per rule.
#
# A new kind of outcome needs
# 1. a line in `outcome_kinds` and its name in outcome_of();
# 2. a file outcome_<kind>.R with methods as in outcome_classes.R;
# 3. its leaf in the engine.

outcome_kinds <- list(classes = c("sbrl_outcome_classes", "sbrl_outcome"))

# What generics look for methods by. Models of all formats have classes.
outcome_of <- function(model) {
  structure(list(), class = outcome_kinds[["classes"]])
}

# Estimates ----

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

# Fits ----

# The settings of a fit that depend on the outcome; `args` are the arguments of sbrl(), checked.
outcome_settings <- function(model, args) UseMethod("outcome_settings", outcome_of(model))

# The arguments of sbrl() with which the same label column gives the same outcome.
label_arguments <- function(model) UseMethod("label_arguments", outcome_of(model))

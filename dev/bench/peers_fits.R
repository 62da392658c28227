# The classifiers of peers.R that run in R: functions of training and test rows to `prob`, `size` (leaves or rules;
# conditions) and `seconds` of the processor for the fit. What counts as a condition is in peers_methods.csv.

fitted <- function(fit, prob, leaves, conditions) {
  list(prob = prob, size = c(leaves = leaves, conditions = conditions), seconds = fit$seconds)
}

# ---- this package ----

predicted <- function(model, test) {
  stats::predict(model, test, type = "matrix", missing = "fallthrough")[, 2]
}

plain_list <- function(train, ...) {
  sbrl::sbrl(label ~ ., data = train, seed = 1, threads = 1, progress = FALSE, ...)
}

one_list <- function(fit, test) {
  table <- sbrl::rules(fit$value)
  fitted(fit, predicted(fit$value, test), nrow(table) - 1, sum(table$length))
}

fit_list <- function(train, test) {
  one_list(with_seconds(\() plain_list(train)), test)
}

fit_list_shrunk <- function(train, test) {
  one_list(with_seconds(\() plain_list(train, shrink = TRUE)), test)
}

bag_of <- function(train) {
  sbrl::sbrl_bag(label ~ ., data = train, times = 20, seed = 1, threads = 1, progress = FALSE)
}

# All conditions of all lists.
many_lists <- function(fit, test) {
  lists <- fit$value$lists
  lengths <- fit$value$medoid$pool$lengths[lists$rules]
  fitted(fit, predicted(fit$value, test), length(lists$rules), sum(lengths))
}

fit_bag <- function(train, test) {
  many_lists(with_seconds(\() bag_of(train)), test)
}

fit_taught <- function(train, test) {
  one_list(with_seconds(\() plain_list(train, teacher = bag_of(train), rule_maxlen = 2, shrink = FALSE)), test)
}

fit_posterior <- function(train, test) {
  many_lists(with_seconds(\() {
    sbrl::sbrl_posterior(plain_list(train), train, seed = 1, threads = 1, progress = FALSE)
  }), test)
}

# ---- other packages ----

fit_rpart <- function(train, test) {
  fit <- with_seconds(\() rpart::rpart(label ~ ., train))
  leaf <- fit$value$frame$var == "<leaf>"
  fitted(fit, stats::predict(fit$value, test)[, 2], sum(leaf), sum(!leaf))
}

fit_ctree <- function(train, test) {
  # it cannot split more than 30 levels
  train <- with_levels_of(train[vapply(train, \(x) !is.factor(x) || nlevels(x) <= 30, NA)], train)
  fit <- with_seconds(\() partykit::ctree(label ~ ., train))
  prob <- stats::predict(fit$value, with_levels_of(test, train), type = "prob")[, 2]
  fitted(fit, prob, partykit::width(fit$value), length(fit$value) - partykit::width(fit$value))
}

fit_ranger <- function(train, test) {
  both <- filled(rbind(train, test))
  rows <- seq_len(nrow(train))
  fit <- with_seconds(\() {
    ranger::ranger(label ~ ., both[rows, ], probability = TRUE, num.trees = 500, seed = 1, num.threads = 1)
  })
  splits <- sum(vapply(fit$value$forest$child.nodeIDs, \(tree) sum(tree[[1]] > 0), 1))
  fitted(fit, stats::predict(fit$value, both[-rows, ], num.threads = 1)$predictions[, 2], 500, splits)
}

fit_glmnet <- function(train, test) {
  both <- filled(rbind(train, test))
  varies <- vapply(both, \(x) length(unique(x)) > 1, NA)
  x <- stats::model.matrix(label ~ ., both[varies])[, -1]
  rows <- seq_len(nrow(train))
  fit <- with_seconds(\() glmnet::cv.glmnet(x[rows, ], train$label, family = "binomial", nfolds = 5))
  used <- sum(stats::coef(fit$value, s = "lambda.min")[-1] != 0)
  fitted(fit, stats::predict(fit$value, x[-rows, ], s = "lambda.min", type = "response")[, 1], used, used)
}

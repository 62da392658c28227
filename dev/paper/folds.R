# Six data sets, ten folds, nine methods: AUC, number of leaves or rules, and seconds of the processor on one thread.
# Writes paper_folds.csv, one line per set, method and fold.
source("dev/paper/common.R")
file <- result_file("folds")

fitted <- function(fit, prob, leaves = NA, ...) {
  list(prob = prob, leaves = leaves, seconds = fit$seconds, ...)
}

fit_sbrl <- function(train, test, set) {
  longest <- longest_rule(set)
  support <- paper_support(train, longest)
  fit <- with_seconds(\() paper_fit(train, longest, support))
  model <- fit$value
  fitted(
    fit, predict(model, test, type = "matrix")[, 2], nrow(model$rs) - 1, support = support,
    candidates = length(model$rulenames), lambda = model$settings$lambda
  )
}

fit_logistic <- function(train, test, set) {
  varies <- vapply(train, \(x) length(unique(x)) > 1, NA)
  fit <- with_seconds(\() stats::glm(label ~ ., stats::binomial(), train[varies]))
  fitted(fit, stats::predict(fit$value, test, type = "response"))
}

fit_svm <- function(train, test, set) {
  varies <- vapply(train, \(x) length(unique(x)) > 1, NA)
  train <- at_most(train[varies], svm_rows)
  fit <- with_seconds(\() e1071::svm(label ~ ., train, kernel = "radial", probability = TRUE))
  prob <- attr(stats::predict(fit$value, test[varies], probability = TRUE), "probabilities")[, "1"]
  fitted(fit, prob, rows = nrow(train))
}

fit_forest <- function(train, test, set) {
  fit <- with_seconds(\() {
    ranger::ranger(label ~ ., train, probability = TRUE, num.trees = 500, seed = 1, num.threads = 1)
  })
  fitted(fit, stats::predict(fit$value, test, num.threads = 1)$predictions[, "1"])
}

# Boosted trees with AdaBoost's exponential loss.
fit_boosted <- function(train, test, set) {
  varies <- vapply(train, \(x) length(unique(x)) > 1, NA)
  train <- transform(train[varies], label = as.integer(label == "1"))
  fit <- with_seconds(\() gbm::gbm(
    label ~ ., distribution = "adaboost", data = train, n.trees = 200, interaction.depth = 4, shrinkage = 0.1
  ))
  fitted(fit, stats::predict(fit$value, test, n.trees = 200, type = "response"))
}

fit_cart <- function(train, test, set) {
  fit <- with_seconds(\() rpart::rpart(label ~ ., train, method = "class"))
  fitted(fit, stats::predict(fit$value, test)[, "1"], sum(fit$value$frame$var == "<leaf>"))
}

of_weka <- function(fit) list(prob = fit$prob, leaves = fit$size[["leaves"]], seconds = fit$seconds)

# Rows that the two slowest are trained with at most.
svm_rows <- if (quick) 1500 else 5000
cba_rows <- if (quick) 1500 else 5000

methods <- list(
  sbrl = fit_sbrl, cart = fit_cart, c45 = \(train, test, set) of_weka(fit_j48(train, test)), lr = fit_logistic,
  rf = fit_forest, ripper = \(train, test, set) of_weka(fit_jrip(train, test)), ada = fit_boosted, svm = fit_svm
)

line_of <- function(fit, data, fold, k) {
  positive <- data$label[fold == k] == "1"
  or_na <- \(name, other = NA_real_) if (is.null(fit[[name]])) other else as.double(fit[[name]])
  data.frame(
    fold = k, train_rows = or_na("rows", sum(fold != k)), auc = auc(fit$prob, positive),
    accuracy = accuracy(fit$prob, positive), log_loss = log_loss(fit$prob, positive), leaves = or_na("leaves"),
    seconds = fit$seconds, support = or_na("support"), candidates = or_na("candidates"), lambda = or_na("lambda")
  )
}

run_in_r <- function(set, method, data, fold) {
  done <- lines_done(file, c("set", "method", "fold"))
  for (k in setdiff(seq_len(n_folds), as.integer(sub(".* ", "", done[startsWith(done, paste(set, method, ""))])))) {
    set.seed(k)
    fit <- suppressWarnings(methods[[method]](data[fold != k, ], data[fold == k, ], set))
    append_lines(cbind(set = set, rows = nrow(data), method = method, line_of(fit, data, fold, k)), file)
  }
}

run_cba <- function(set, data, fold) {
  if (paste(set, "cba") %in% lines_done(file, c("set", "method"))) {
    return()
  }
  found <- fit_python("cba", data, fold, seq_len(n_folds), most = cba_rows)
  if (nzchar(found$reason)) stop("CBA: ", found$reason)
  for (fit in found$done) {
    fit$leaves <- fit$size[["leaves"]]
    append_lines(cbind(set = set, rows = nrow(data), method = "cba", line_of(fit, data, fold, fit$fold)), file)
  }
}

chosen <- strsplit(Sys.getenv("PAPER_METHODS", paste(c(names(methods), "cba"), collapse = " ")), " +")[[1]]
for (method in chosen) {
  for (set in chosen_sets) {
    data <- read_paper_set(set)
    fold <- paper_folds(data)
    if (method == "cba") run_cba(set, data, fold) else run_in_r(set, method, data, fold)
    cat(sprintf("%s, %s: done\n", set, method))
  }
}
packages <- c("rpart", "ranger", "gbm", "e1071", "rJava")
versions <- c(versions_of(packages), weka = weka_version(), python_versions()[c("pyarc", "pyfim", "pandas", "numpy")])
record_machine(result_file("machine"), "folds", run_name, versions)

# How well do fits with no preparation at all predict? 10-fold AUC or accuracy, list lengths and seconds:
#   Rscript dev/bench/accuracy.R [iterations]
# The data are looked for in the directory SBRL_DATA, else in ../shared/data; a data set that is not there is left out.

library(sbrl)

iterations <- as.numeric(c(commandArgs(trailingOnly = TRUE), 30000)[1])
directory <- Sys.getenv("SBRL_DATA", "../shared/data")

# Area under the curve by ranks; ties count half.
auc <- function(prob, positive) {
  n <- c(sum(positive), sum(!positive))
  (sum(rank(prob)[positive]) - n[1] * (n[1] + 1) / 2) / prod(n)
}

folds_of <- function(y, k = 10) {
  set.seed(1)
  fold <- integer(length(y))
  for (class in unique(y)) {
    rows <- which(y == class)
    fold[rows] <- sample(rep_len(seq_len(k), length(rows)))
  }
  fold
}

measure <- function(name, formula, data, ...) {
  y <- data[[all.vars(formula)[1]]]
  fold <- folds_of(y)
  quality <- n_rules <- seconds <- numeric()
  for (k in sort(unique(fold))) {
    start <- proc.time()[["elapsed"]]
    model <- sbrl(formula, data = data[fold != k, ], ..., iters = iterations, seed = k, progress = FALSE)
    seconds[k] <- proc.time()[["elapsed"]] - start
    n_rules[k] <- nrow(model$rs) - 1
    test <- fold == k
    quality[k] <- if (length(model$classes) == 2L) {
      auc(predict(model, data[test, ])$V2, y[test] == model$classes[2])
    } else {
      mean(predict(model, data[test, ], type = "class") == y[test])
    }
  }
  cat(sprintf(
    "%-10s %s %.4f (sd %.4f), rules %.0f (%.0f to %.0f), candidates %d, %.2f s per fit\n", name,
    if (length(model$classes) == 2L) "AUC" else "accuracy", mean(quality), stats::sd(quality), mean(n_rules),
    min(n_rules), max(n_rules), length(model$rulenames), mean(seconds)
  ))
}

read_data <- function(name) {
  file <- file.path(directory, paste0(name, ".csv.gz"))
  if (file.exists(file)) read.csv(file)
}

measure("iris", Species ~ ., iris, rule_maxlen = 2)
for (name in c("telco_raw", "adult_raw")) {
  data <- read_data(name)
  if (is.null(data)) {
    cat(name, "is not in", directory, "\n")
    next
  }
  measure(name, label ~ ., data, rule_maxlen = 2)
}

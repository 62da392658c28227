# How well do plain fits predict? The development sets of ../shared/data (or SBRL_DATA), five folds each: area under the
# curve, log loss (probabilities clipped at .001), rules, conditions and seconds, for settings of sbrl() and for the
# trees and forests that are installed. Writes one line per set, fit and fold, and prints the means:
#   Rscript dev/bench/accuracy.R [file.csv [iterations [repeats of the folds]]]

suppressPackageStartupMessages(library(sbrl))

arguments <- c("build/bench/accuracy.csv", 2000, 1)
given <- commandArgs(trailingOnly = TRUE)
arguments[seq_along(given)] <- given
file <- arguments[1]
iterations <- as.numeric(arguments[2])
repeats <- as.numeric(arguments[3])
directory <- Sys.getenv("SBRL_DATA", "../shared/data")

sets <- c(
  "tictactoe", "titanic", "telco_raw", "mushroom", "nursery", "adult_raw", "attrition", "credit", "german_credit",
  "magic", "pima", "haberman", "appendicitis", "vehicle1", "yeast1", "ecoli1", "glass1", "wine_red"
)

# Text as factors, the label last, as 0 and 1; of very many rows a sample.
read_set <- function(name, most = 6000) {
  path <- file.path(directory, paste0(name, ".csv.gz"))
  if (!file.exists(path)) {
    return(NULL)
  }
  data <- utils::read.csv(path, stringsAsFactors = TRUE, na.strings = c("", "NA"))
  names(data)[ncol(data)] <- "label"
  data$label <- factor(as.integer(data$label == sort(unique(data$label))[2]))
  set.seed(9)
  if (nrow(data) > 2 * most) data[sample(nrow(data), most), ] else data
}

folds_of <- function(y, seed, k = 5) {
  set.seed(seed)
  fold <- integer(length(y))
  for (class in unique(y)) {
    rows <- which(y == class)
    fold[rows] <- sample(rep_len(seq_len(k), length(rows)))
  }
  fold
}

# Ties count half.
auc <- function(prob, positive) {
  n <- c(sum(positive), sum(!positive))
  (sum(rank(prob)[positive]) - n[1] * (n[1] + 1) / 2) / prod(n)
}

log_loss <- function(prob, positive) {
  clipped <- pmin(pmax(prob, 0.001), 0.999)
  -mean(log(ifelse(positive, clipped, 1 - clipped)))
}

sbrl_with <- function(...) {
  function(train, test) {
    model <- sbrl(label ~ ., data = train, ..., iters = iterations, nchain = 4, seed = 1, progress = FALSE)
    table <- rules(model)
    list(prob = predict(model, test, type = "matrix")[, 2], rules = nrow(table) - 1, conditions = sum(table$length))
  }
}

bag_of <- function(times, ...) {
  function(train, test) {
    bag <- sbrl_bag(label ~ ., data = train, times = times, ..., iters = iterations, nchain = 1, seed = 1,
                    progress = FALSE)
    list(prob = predict(bag, test, type = "matrix")[, 2], rules = mean(bag$fits$length),
         conditions = mean(bag$fits$conditions))
  }
}

# Levels that the training rows do not have are missing for a tree.
with_levels_of <- function(test, train) {
  shared <- setdiff(intersect(names(test)[vapply(test, is.factor, NA)], names(train)), "label")
  test[shared] <- lapply(shared, \(name) factor(as.character(test[[name]]), unique(as.character(train[[name]]))))
  test
}

filled <- function(data) {
  data[] <- lapply(data, function(x) {
    if (is.numeric(x)) replace(x, is.na(x), stats::median(x, na.rm = TRUE)) else if (anyNA(x)) addNA(x) else x
  })
  data
}

fits <- list(
  "plain call" = sbrl_with(),
  "as a data frame" = sbrl_with(rule_maxlen = 1, minsupport = 0.1),
  "mdlp 5 bins" = sbrl_with(discretize = "mdlp"),
  "mdlp 3 bins" = sbrl_with(discretize = "mdlp", bins = 3),
  "quantiles" = sbrl_with(discretize = "quantile"),
  "bag of 20" = bag_of(20),
  "medoid of 20" = function(train, test) {
    model <- medoid(sbrl_bag(label ~ ., data = train, iters = iterations, nchain = 1, seed = 1, progress = FALSE))
    table <- rules(model)
    list(prob = predict(model, test, type = "matrix")[, 2], rules = nrow(table) - 1, conditions = sum(table$length))
  },
  rpart = function(train, test) {
    tree <- rpart::rpart(label ~ ., train)
    list(prob = stats::predict(tree, test)[, 2], rules = sum(tree$frame$var == "<leaf>"), conditions = NA)
  },
  ctree = function(train, test) {
    # it cannot split more than 30 levels
    train <- with_levels_of(train[vapply(train, \(x) !is.factor(x) || nlevels(x) <= 30, NA)], train)
    tree <- partykit::ctree(label ~ ., train)
    prob <- stats::predict(tree, with_levels_of(test, train), type = "prob")[, 2]
    list(prob = prob, rules = partykit::width(tree), conditions = NA)
  },
  ranger = function(train, test) {
    both <- filled(rbind(train, test))
    train_rows <- seq_len(nrow(train))
    forest <- ranger::ranger(label ~ ., both[train_rows, ], probability = TRUE, num.trees = 500, seed = 1)
    list(prob = stats::predict(forest, both[-train_rows, ])$predictions[, 2], rules = NA, conditions = NA)
  }
)
peers <- c(rpart = "rpart", ctree = "partykit", ranger = "ranger")
absent <- names(peers)[!vapply(peers, requireNamespace, NA, quietly = TRUE)]
fits[absent] <- NULL

measure <- function(fit, data, fold, k) {
  test <- data[fold == k, ]
  start <- proc.time()[["elapsed"]]
  found <- suppressMessages(suppressWarnings(fit(data[fold != k, ], test)))
  seconds <- proc.time()[["elapsed"]] - start
  positive <- test$label == "1"
  data.frame(auc = auc(found$prob, positive), log_loss = log_loss(found$prob, positive), rules = found$rules,
             conditions = found$conditions, seconds = seconds)
}

results <- list()
for (name in sets) {
  data <- read_set(name)
  if (is.null(data)) {
    cat(name, "is not in", directory, "\n")
    next
  }
  for (seed in seq_len(repeats)) {
    fold <- folds_of(data$label, seed)
    for (fit in names(fits)) {
      for (k in 1:5) {
        one <- measure(fits[[fit]], data, fold, k)
        results <- c(results, list(cbind(set = name, rows = nrow(data), fit = fit, split = seed, fold = k, one)))
      }
    }
  }
}
results <- do.call(rbind, results)
dir.create(dirname(file), showWarnings = FALSE, recursive = TRUE)
utils::write.csv(results, file, row.names = FALSE, quote = FALSE)

mean_by <- function(formula, data) stats::aggregate(formula, data, mean, na.action = stats::na.pass)
by_set <- mean_by(cbind(auc, log_loss, rules, conditions, seconds) ~ fit + set + rows, results)
loss <- tapply(by_set$log_loss, by_set[c("set", "fit")], mean)
means <- mean_by(cbind(auc, log_loss, rules, conditions, seconds) ~ fit, by_set)
behind <- loss - loss[, "plain call"]
means$difference <- colMeans(behind)[means$fit]
means$standard_error <- (apply(behind, 2, stats::sd) / sqrt(nrow(loss)))[means$fit]
means$better_on <- colSums(behind < 0)[means$fit]
print(means[order(means$log_loss), ], digits = 3, row.names = FALSE)

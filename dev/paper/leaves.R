# AUC against the number of leaves: CART and C4.5 with many settings on the same folds as paper_folds.csv.
# Writes paper_leaves.csv, one line per set, method, setting and fold.
source("dev/paper/common.R")
file <- result_file("leaves")

cart_buckets <- if (quick) 7 else c(1, 7, 50)
cart_cp <- 10^seq(-4, -1, by = if (quick) 1 else 0.5)
c45_confidence <- if (quick) c(0.05, 0.25) else c(0.001, 0.05, 0.25, 0.5)
c45_least <- if (quick) c(2, 50) else c(2, 10, 50)

# One tree is grown per size of the smallest leaf, and cut back.
cart_trees <- function(train, test, positive) {
  grown <- lapply(cart_buckets, function(bucket) {
    tree <- rpart::rpart(label ~ ., train, method = "class", minbucket = bucket, cp = 0, xval = 0)
    do.call(rbind, lapply(cart_cp, function(cp) {
      cut <- rpart::prune(tree, cp = cp)
      data.frame(
        setting = sprintf("minbucket %g; cp %.2g", bucket, cp), leaves = sum(cut$frame$var == "<leaf>"),
        auc = auc(stats::predict(cut, test)[, "1"], positive)
      )
    }))
  })
  do.call(rbind, grown)
}

c45_trees <- function(train, test, positive) {
  train <- weka_instances(train)
  test <- weka_instances(test)
  settings <- expand.grid(confidence = c45_confidence, least = c45_least)
  do.call(rbind, lapply(seq_len(nrow(settings)), function(i) {
    options <- c("-C", format(settings$confidence[i]), "-M", format(settings$least[i]))
    tree <- weka_fit("weka/classifiers/trees/J48", options, train)$value
    data.frame(
      setting = paste(options, collapse = " "), leaves = j48_size(tree)[["leaves"]],
      auc = auc(weka_predict(tree, test), positive)
    )
  }))
}

methods <- list(cart = cart_trees, c45 = c45_trees)
done <- unique(lines_done(file, c("set", "method", "fold")))
for (set in chosen_sets) {
  data <- read_paper_set(set)
  fold <- paper_folds(data)
  for (method in names(methods)) {
    for (k in seq_len(n_folds)[!paste(set, method, seq_len(n_folds)) %in% done]) {
      positive <- data$label[fold == k] == "1"
      lines <- methods[[method]](data[fold != k, ], data[fold == k, ], positive)
      lines$auc <- signif(lines$auc, 5)
      append_lines(cbind(set = set, method = method, fold = k, lines), file)
    }
  }
  cat(sprintf("%s: done\n", set))
}
record_machine(result_file("machine"), "leaves", run_name, c(versions_of(c("rpart", "rJava")), weka = weka_version()))

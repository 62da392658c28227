# The rule lists of all folds of tic-tac-toe and telco, with the accuracy of each rule on the test rows it captures, as
# in the paper's tables. Writes paper_lists.csv, one line per rule.
source("dev/paper/common.R")
file <- result_file("lists")
unlink(file)

rules_of_fold <- function(set, data, fold, k) {
  train <- data[fold != k, ]
  test <- data[fold == k, ]
  model <- paper_fit(train, longest_rule(set), paper_support(train, longest_rule(set)))
  table <- rules(model)
  prob <- model$probs[, 2]
  fired <- predict(model, test, type = "rule")
  fired <- ifelse(fired == 0, nrow(table), fired)
  right <- (test$label == "1") == (prob >= 0.5)[fired]
  rule <- factor(fired, seq_len(nrow(table)))
  data.frame(
    set = set, fold = k, position = seq_len(nrow(table)), rule = gsub(",", " & ", gsub("[{}]", "", table$antecedent)),
    probability = prob, train_rows = table$n, test_rows = as.vector(table(rule)),
    test_accuracy = as.vector(tapply(right, rule, mean)), log_posterior = model$score[["log_posterior"]]
  )
}

for (set in intersect(c("tictactoe", "telco"), chosen_sets)) {
  data <- read_paper_set(set)
  fold <- paper_folds(data)
  for (k in seq_len(n_folds)) {
    append_lines(rules_of_fold(set, data, fold, k), file)
  }
}
record_machine(result_file("machine"), "lists", run_name)

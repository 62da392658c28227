# What limits the AUC of the scalability problem A: the candidates or the search? Its table (the first 200,000 rows)
# with more and more candidates, with longer searches, and with CART; and the eight rules that the labels follow.
# Writes paper_candidates.csv, one line per fit.
source("dev/paper/common.R")
source("dev/paper/census.R")
file <- result_file("candidates")

n <- if (quick) 2e4 else 2e5
data <- census_like(round(1.1 * n))
true_rules <- attr(data, "rules")
train <- data[seq_len(n), ]
test <- data[-seq_len(n), ]

# Names of candidates have their conditions in the order of the columns, as the true rules have.
candidate_names <- sprintf("{%s}", gsub(" & ", ",", head(true_rules$rule, -1), fixed = TRUE))

line_of <- function(fit, support, candidates, known, log_posterior, leaves, prob, seconds) {
  data.frame(
    fit = fit, train_rows = nrow(train), support = support, candidates = candidates, true_candidates = known,
    log_posterior = log_posterior, leaves = leaves, auc = auc(prob, test$label == "1"), seconds = seconds
  )
}

fit_list <- function(name, target, iterations = n_iterations, method = "mcmc") {
  fit <- with_seconds(\() sbrl(
    train, rule_maxlen = 2, target_rules = target, lambda = 10, nchain = n_chains, iters = iterations, method = method,
    max_length = Inf, threads = 1, seed = 1, progress = FALSE
  ))
  model <- fit$value
  line_of(
    name, model$settings$minsupport[[1]], length(model$rulenames), sum(candidate_names %in% model$rulenames),
    model$score[["log_posterior"]], nrow(model$rs), predict(model, test, type = "matrix")[, 2], fit$seconds
  )
}

fit_tree <- function() {
  fit <- with_seconds(\() rpart::rpart(label ~ ., train, method = "class"))
  leaves <- sum(fit$value$frame$var == "<leaf>")
  line_of("CART", NA, NA, NA, NA, leaves, stats::predict(fit$value, test)[, "1"], fit$seconds)
}

# The first rule that matches a row gives its probability.
true_list <- function() {
  prob <- rep(NA_real_, nrow(test))
  for (i in seq_len(nrow(true_rules) - 1)) {
    parts <- strsplit(strsplit(true_rules$rule[i], " & ", fixed = TRUE)[[1]], "=", fixed = TRUE)
    matches <- Reduce(`&`, lapply(parts, \(part) test[[part[1]]] == part[2]))
    prob[is.na(prob) & matches] <- true_rules$probability[i]
  }
  prob[is.na(prob)] <- true_rules$probability[nrow(true_rules)]
  line_of("true list", NA, NA, length(candidate_names), NA, nrow(true_rules), prob, NA)
}

unlink(file)
for (target in if (quick) c(300, 2000) else c(1000, 2000, 5000, 10000, 50000)) {
  append_lines(fit_list("paper's search", target), file)
}
fewest <- if (quick) 300 else 1000
append_lines(fit_list("ten times as many iterations", fewest, 10 * n_iterations), file)
append_lines(fit_list("method map", fewest, method = "map"), file)
append_lines(fit_tree(), file)
append_lines(true_list(), file)
record_machine(result_file("machine"), "candidates", run_name, versions_of("rpart"))

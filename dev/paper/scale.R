# Scalability: the paper's problems A (1,000,000 rows, about 1,000 candidates) and B (50,000 rows, about 50,000
# candidates) next to CART on the same tables, and the largest real table that we have. The paper took records of the US
# census of 1990; we draw rows from a model of 5,000 of them (../shared/data/make_census_like.py), whose label comes
# from a known list of eight rules, and 10% more rows to test with. Writes paper_scale.csv, one line per problem and
# method.
#   PAPER_PROBLEMS       some of A, B, B-pairs, real
source("dev/paper/common.R")
source("dev/paper/census.R")
file <- result_file("scale")

problems <- data.frame(
  problem = c("B", "B-pairs", "real", "A"), rows = if (quick) c(5e3, 5e3, 2e4, 2e4) else c(5e4, 5e4, NA, 1e6),
  target = if (quick) c(2000, 2000, 300, 300) else c(50000, 50000, 1000, 1000),
  # pairs of values alone are too few for B, but may have a lower support
  longest = c(3, 2, 2, 2)
)
chosen <- strsplit(Sys.getenv("PAPER_PROBLEMS", paste(problems$problem, collapse = " ")), " +")[[1]]

# Training rows, and a tenth as many to test with.
tables_of <- function(problem) {
  if (problem$problem == "real") {
    data <- read_set("census_income", most = Inf)
    set.seed(1)
    data <- data[sample(nrow(data), if (quick) problem$rows else nrow(data)), ]
  } else {
    data <- census_like(round(1.1 * problem$rows))
  }
  n <- round(nrow(data) / 1.1)
  list(train = data[seq_len(n), ], test = data[-seq_len(n), ])
}

fit_list <- function(train, test, problem) {
  fit <- with_seconds(\() sbrl(
    train, rule_maxlen = problem$longest, target_rules = problem$target, lambda = 10, nchain = n_chains,
    iters = n_iterations, max_length = Inf, threads = 1, seed = 1, progress = FALSE
  ))
  list(
    fit = fit, prob = predict(fit$value, test, type = "matrix")[, 2], leaves = nrow(fit$value$rs) - 1,
    candidates = length(fit$value$rulenames)
  )
}

fit_tree <- function(train, test, folds) {
  fit <- with_seconds(\() rpart::rpart(label ~ ., train, method = "class", xval = folds))
  list(fit = fit, prob = stats::predict(fit$value, test)[, "1"], leaves = sum(fit$value$frame$var == "<leaf>"),
       candidates = NA)
}

methods <- list(
  sbrl = \(tables, problem) fit_list(tables$train, tables$test, problem),
  "cart without cross-validation" = \(tables, problem) fit_tree(tables$train, tables$test, 0),
  cart = \(tables, problem) fit_tree(tables$train, tables$test, 10)
)

done <- lines_done(file, c("problem", "method"))
for (i in which(problems$problem %in% chosen)) {
  problem <- problems[i, ]
  wanted <- if (problem$problem == "B-pairs") "sbrl" else names(methods)
  left <- wanted[!paste(problem$problem, wanted) %in% done]
  tables <- if (length(left) > 0) tables_of(problem)
  for (method in left) {
    result <- methods[[method]](tables, problem)
    append_lines(data.frame(
      problem = problem$problem, method = method, train_rows = nrow(tables$train), features = ncol(tables$train) - 1,
      candidates = result$candidates, seconds = result$fit$seconds, leaves = result$leaves,
      auc = auc(result$prob, tables$test$label == "1")
    ), file)
    cat(sprintf("%s, %s: %.1f s\n", problem$problem, method, result$fit$seconds))
  }
}
record_machine(result_file("machine"), "scale", run_name, versions_of("rpart"))

# Does Theorem 2 make the search faster? The paper throws out a first rule that cannot begin the best list. Here its
# Markov chain, in plain Python, begins with each candidate in turn, excluded or not, on the training rows of the first
# fold. The bound is compared with the best list that this package finds, which excludes more than a list found early.
# Writes paper_starts.csv, one line per set and chain.
source("dev/paper/common.R")
source("dev/paper/problem.R")
file <- result_file("starts")

# At least this many chains a set.
least_chains <- if (quick) 1 else 200
iterations <- if (quick) 500 else n_iterations

run_chains <- function(model, train, repeats) {
  directory_of_problem <- tempfile("starts")
  dir.create(directory_of_problem)
  on.exit(unlink(directory_of_problem, recursive = TRUE))
  write_problem(model, train, directory_of_problem)
  best_list <- setdiff(model$rs[[1]], 0) - 1
  lines <- system2(python_of("cba"), c(
    "dev/paper/starts.py", directory_of_problem, model$settings$lambda, iterations, repeats,
    paste(best_list, collapse = ","), sprintf("%.9f", model$score[["log_posterior"]])
  ), stdout = TRUE)
  stopifnot(is.null(attr(lines, "status")))
  read.csv(text = lines)
}

for (set in setdiff(chosen_sets, lines_done(file, "set"))) {
  data <- read_paper_set(set)
  train <- data[paper_folds(data) != 1, ]
  model <- paper_fit(train, longest_rule(set), paper_support(train, longest_rule(set)))
  bounds <- vapply(model$rulenames, \(rule) sbrl_score(model, train, rule)[["prefix_bound"]], 1)
  best <- model$score[["log_posterior"]]
  chains <- run_chains(model, train, ceiling(least_chains / length(bounds)))
  excluded <- unname(bounds < best)[chains$first]
  append_lines(cbind(set = set, iterations = iterations, best = best, excluded = excluded, chains), file)
  cat(sprintf("%s: done\n", set))
}
record_machine(result_file("machine"), "starts", run_name, python_versions()["gmpy2"])

# The paper's ablation: the same chains on the adult data, ten folds, with rows as Python sets, as whole numbers of
# Python, as whole numbers of the library GMP, and in the authors' C (PyPI's pysbrl); and this package.
# Writes paper_ablation.csv: seconds of the processor per 1,000 iterations, mean length of the list and rules counted
# per iteration, for each step and fold.
source("dev/paper/common.R")
source("dev/paper/problem.R")
file <- result_file("ablation")
data <- read_paper_set("adult")
fold <- paper_folds(data)

# Long minus short chains, so that reading, mining and the greedy start do not count.
package_seconds <- function(train, support) {
  fit <- function(iterations) {
    with_seconds(\() sbrl(
      train, rule_maxlen = 2, minsupport = support, lambda = 10, nchain = n_chains, iters = iterations,
      max_length = Inf, threads = 1, seed = 1, progress = FALSE
    ))$seconds
  }
  1000 * (fit(n_iterations) - fit(100)) / (n_chains * (n_iterations - 100))
}

done <- lines_done(file, "fold")
for (k in setdiff(seq_len(n_folds), as.integer(done))) {
  train <- data[fold != k, ]
  support <- paper_support(train, 2)
  model <- sbrl(train, rule_maxlen = 2, minsupport = support, lambda = 10, nchain = 1, iters = 100, threads = 1,
                max_length = Inf, seed = 1, progress = FALSE)
  directory_of_fold <- tempfile("ablation")
  dir.create(directory_of_fold)
  write_problem(model, train, directory_of_fold)
  lines <- system2(python_of("cba"), c("dev/paper/ablation.py", directory_of_fold, k), stdout = TRUE)
  stopifnot(is.null(attr(lines, "status")))
  steps <- read.csv(text = lines)
  steps <- rbind(steps, data.frame(step = "this package", seconds = package_seconds(train, support), length = NA,
                                  counted = NA))
  append_lines(cbind(fold = k, rows = nrow(train), candidates = length(model$rulenames), steps), file)
  unlink(directory_of_fold, recursive = TRUE)
  cat(sprintf("fold %d: done\n", k))
}
record_machine(result_file("machine"), "ablation", run_name, python_versions()[c("gmpy2", "pysbrl")])

# What the paper's experiments share: data sets, folds, candidates, and where results go. Run from the package's root.
#   BENCH_QUICK=1        two folds and at most 1,500 rows a set, into build/paper instead of vignettes/articles
#   PAPER_SETS           some of the data sets, names separated by spaces
# Lines that a result file has are not computed again, so a run can be continued; remove the file to measure anew.
suppressPackageStartupMessages(library(sbrl))
source("dev/bench/measures.R")
source("dev/bench/accuracy_data.R")
source("dev/bench/weka.R")
source("dev/bench/python_peer.R")

quick <- nzchar(Sys.getenv("BENCH_QUICK"))
run_name <- if (quick) "quick" else "full"
output <- if (quick) "build/paper" else "vignettes/articles"
dir.create(output, showWarnings = FALSE, recursive = TRUE)
result_file <- function(name) file.path(output, paste0("paper_", name, ".csv"))

# For the article: the paper's mean run times and bounds, and what runs in place of each of its methods.
for (name in c("reported", "reported_bounds", "methods")) {
  file.copy(sprintf("dev/paper/%s.csv", name), result_file(name), overwrite = TRUE)
}

# Smallest first.
paper_sets <- c("tictactoe", "titanic", "telco", "mushroom", "nursery", "adult")
chosen_sets <- strsplit(Sys.getenv("PAPER_SETS", paste(paper_sets, collapse = " ")), " +")[[1]]
stopifnot(chosen_sets %in% paper_sets)
n_folds <- if (quick) 2 else 10

# The paper's setting.
longest_rule <- function(set) if (set == "tictactoe") 3 else 2
n_chains <- 20
n_iterations <- 5000
about <- 300

read_paper_set <- function(set) {
  data <- read_set(set, most = Inf)
  if (quick) at_most(data, 1500) else data
}

# Ten folds also where only two of them are run.
paper_folds <- function(data) {
  folds_of(data$label, 1, k = 10)
}

n_candidates <- function(train, longest, support) {
  model <- suppressWarnings(sbrl(
    train, rule_maxlen = longest, minsupport = support, max_length = 1, iters = 1, nchain = 1, threads = 1, seed = 1,
    progress = FALSE
  ))
  length(model$rulenames)
}

# Of the supports 5%, 10%, 15% and so on the one with closest to 300 candidates.
paper_support <- function(train, longest) {
  before <- Inf
  for (support in seq(0.05, 0.95, by = 0.05)) {
    candidates <- n_candidates(train, longest, support)
    if (candidates <= about) {
      return(if (abs(before - about) < about - candidates) support - 0.05 else support)
    }
    before <- candidates
  }
  support
}

# SBRL as in the paper: a first fit with lambda = 5, and lambda is then the length of its list.
paper_fit <- function(train, longest, support) {
  sbrl(
    train, rule_maxlen = longest, minsupport = support, lambda = "auto", eta = 1, alpha = c(1, 1), nchain = n_chains,
    iters = n_iterations, max_length = Inf, threads = 1, seed = 1, progress = FALSE
  )
}

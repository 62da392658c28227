# When is a rule list the right model? Classifiers of R, Debian and PyPI on the development sets of ../shared/data (or
# SBRL_DATA), five folds each, the same folds for all. Writes the figures of the article vignettes/articles/peers.Rmd:
#   peers.csv           a line per set, method and fold. Sets and methods that it has are not computed again.
#   peers_stopped.csv   a line per set and method of which folds are missing, with the reason. Remove it to try again.
#   peers_summary.csv   a line per method: means over the sets, differences from one list. README reads it, too.
#   peers_methods.csv   methods, packages and settings, and what counts as a condition
#   peers_machine.csv   machine, versions, date
# BENCH_QUICK=1: four small sets, into build/bench. BENCH_SETS, BENCH_METHODS: names separated by spaces.
# BENCH_SECONDS (600): after this many processor seconds on a set, a method is stopped.
source("dev/bench/measures.R")
source("dev/bench/accuracy_data.R")
source("dev/bench/weka.R")
source("dev/bench/python_peer.R")
source("dev/bench/peers_fits.R")
source("dev/bench/peers_summary.R")

quick <- nzchar(Sys.getenv("BENCH_QUICK"))
output <- if (quick) "build/bench" else "vignettes/articles"
dir.create(output, showWarnings = FALSE, recursive = TRUE)
results <- file.path(output, "peers.csv")
stopped <- file.path(output, "peers_stopped.csv")
options(sbrl.threads = 1)
seconds <- as.numeric(Sys.getenv("BENCH_SECONDS", "600"))
words_in <- \(variable, otherwise) {
  words <- strsplit(Sys.getenv(variable), " +")[[1]]
  if (length(words) > 0) words else otherwise
}

# Cheap methods first. Those that are not in `fits` run in Python.
peers <- read.csv("dev/bench/peers_methods.csv")
fits <- list(
  list = fit_list, list_shrunk = fit_list_shrunk, taught = fit_taught, bag = fit_bag, posterior = fit_posterior,
  rpart = fit_rpart, ctree = fit_ctree, glmnet = fit_glmnet, ranger = fit_ranger, j48 = fit_j48, ripper = fit_jrip
)

# One method on one set: the folds that were done, and why others were not (or no reason). R stops at the limit when a
# package next looks for interrupts.
fit_folds <- function(method, data, fold) {
  if (is.null(fits[[method]])) {
    return(fit_python(method, data, fold, seconds = seconds))
  }
  done <- list()
  fit_all <- function() {
    for (k in sort(unique(fold))) {
      set.seed(k)
      fit <- suppressMessages(suppressWarnings(fits[[method]](data[fold != k, ], data[fold == k, ])))
      done[[k]] <<- c(list(fold = k, rows = sum(fold != k)), fit)
    }
    ""
  }
  on.exit(setTimeLimit())
  setTimeLimit(cpu = seconds)
  reason <- tryCatch(fit_all(), error = function(e) {
    if (grepl("CPU time limit", conditionMessage(e), fixed = TRUE)) time_reason(seconds) else conditionMessage(e)
  })
  list(done = done, reason = reason)
}

# The slope is that of all folds together, since a fold has few rows.
measure <- function(done, data, fold) {
  labels <- lapply(done, \(fit) data$label[fold == fit$fold] == "1")
  probs <- lapply(done, \(fit) fit$prob)
  field <- \(name) vapply(done, \(fit) as.double(fit[[name]]), 1)
  data.frame(
    fold = field("fold"), train_rows = field("rows"), auc = unlist(Map(auc, probs, labels)),
    log_loss = unlist(Map(log_loss, probs, labels)), slope = calibration_slope(unlist(probs), unlist(labels)),
    rules = vapply(done, \(fit) fit$size[["leaves"]], 1), conditions = vapply(done, \(fit) fit$size[["conditions"]], 1),
    seconds = field("seconds")
  )
}

sets <- words_in("BENCH_SETS", if (quick) c("appendicitis", "haberman", "glass1", "tictactoe") else sets_called("real"))
methods <- words_in("BENCH_METHODS", peers$method)
stopifnot(methods %in% peers$method)
done <- unique(c(lines_done(results, c("set", "method")), lines_done(stopped, c("set", "method"))))
for (method in methods) {
  for (set in setdiff(sets, sub(" .*", "", done[sub(".* ", "", done) == method]))) {
    data <- read_set(set)
    fold <- folds_of(data$label, 1)
    found <- fit_folds(method, data, fold)
    if (nzchar(found$reason)) {
      reason <- gsub("[,\n\"]+", " ", found$reason)
      append_lines(data.frame(set = set, method = method, folds = length(found$done), reason = reason), stopped)
      cat(sprintf("%s, %s: %s\n", set, method, reason))
    }
    if (length(found$done) > 0) {
      lines <- measure(found$done, data, fold)
      append_lines(cbind(set = set, rows = nrow(data), method = method, lines), results)
      cat(sprintf("%s, %s: AUC %.3f, log loss %.3f, %.1f s\n", set, method, mean(lines$auc), mean(lines$log_loss),
                  sum(lines$seconds)))
    }
  }
}
file.copy("dev/bench/peers_methods.csv", file.path(output, "peers_methods.csv"), overwrite = TRUE)
packages <- c("rpart", "partykit", "glmnet", "ranger", "rJava")
versions <- c(versions_of(packages), weka = weka_version(), python_versions())
record_machine(file.path(output, "peers_machine.csv"), "peers", if (quick) "quick" else "full", versions)
summary_file <- file.path(output, "peers_summary.csv")
unlink(summary_file)
append_lines(summarise_peers(read.csv(results), peers), summary_file)

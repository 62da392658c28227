# The bench: every problem in fresh processes, medians over repeats, one table. Called by dev/tools/bench.sh, which sets
#   SBRL_BENCH_LIBS, SBRL_BENCH_DRIVERS   name=path, one per version, separated by spaces; the first is the present one
#   SBRL_BENCH_PYTHON                     a Python that has pysbrl, or empty
#   BENCH_REPEATS (3), BENCH_PROBLEMS (all, or names separated by spaces), BENCH_RPART (all: also where it takes long)
source("dev/bench/common.R")
source("dev/bench/show.R")

named_paths <- function(variable) {
  parts <- strsplit(Sys.getenv(variable), " ", fixed = TRUE)[[1]]
  stats::setNames(sub("^[^=]*=", "", parts), sub("=.*$", "", parts))
}

libraries <- named_paths("SBRL_BENCH_LIBS")
drivers <- named_paths("SBRL_BENCH_DRIVERS")
repeats <- as.integer(Sys.getenv("BENCH_REPEATS", "3"))
python <- Sys.getenv("SBRL_BENCH_PYTHON")
# Values of a table up to which rpart is waited for (a million rows of 60 features take it half an hour), and
# cells of candidates × rows up to which pysbrl is given its files of text.
rpart_limit <- if (Sys.getenv("BENCH_RPART") == "all") Inf else 2e7
pysbrl_limit <- 5e7
chosen <- strsplit(Sys.getenv("BENCH_PROBLEMS"), "[ ,]+")[[1]]

# Fits within one process: many for small tables, which are quick and noisy.
n_inside <- function(rows) {
  if (rows < 2e4) 5L else if (rows < 1e5) 2L else 1L
}

run_r <- function(library, script_args) {
  log <- file.path(bench_output, "one.log")
  status <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", "dev/bench/one.R", script_args),
    env = paste0("R_LIBS=", library), stdout = log, stderr = log
  )
  if (status != 0L) {
    writeLines(readLines(log))
    stop("a fit failed or gave a wrong result: ", script_args[1], call. = FALSE)
  }
}

# ns of the processor per iteration on one thread, by the engine's own driver.
driver_ns <- function(driver, problem) {
  lines <- system2(driver, c(problem, "1", "chains", "--repeats", "1", "--csv"), stdout = TRUE)
  read.csv(text = lines)$ns_per_unit
}

# The same of pysbrl, on the same candidates, and the log posterior of the list it finds; NA where it is not installed
# or the files would be too large.
pysbrl_figures <- function(problem, rows) {
  if (!nzchar(python) || problem$reader != "factors" || rows * problem$candidates > pysbrl_limit) {
    return(c(NA_real_, NA_real_))
  }
  files <- file.path(bench_output, c("pysbrl.data", "pysbrl.label"))
  on.exit(unlink(files))
  stopifnot(system2(drivers[[1]], c("pysbrl", problem$problem, files)) == 0L)
  lines <- system2(python, c("dev/bench/pysbrl/time.py", files), stdout = TRUE, stderr = FALSE)
  c(as.numeric(lines[1L]), score_list(problem, lines[-1L]))
}

# The log posterior, by our formula, of a list of candidates named as in the files for pysbrl. A name that is no
# candidate's is an error.
score_list <- function(problem, names) {
  data <- read_data(problem$data)
  model <- fit_problem(problem, data, iters = 1, nchain = 1)
  rules <- match(names, gsub(" ", "_", model$rulenames, fixed = TRUE))
  sbrl::sbrl_score(model, data, rules)[["log_posterior"]]
}

# The chains, polished, must be at least as good as those of the authors' program. A warning, since both are random.
warn_worse <- function(runs) {
  runs <- unique(runs[c("problem", "log_posterior", "log_posterior_pysbrl")])
  worse <- which(runs$log_posterior < runs$log_posterior_pysbrl - 1e-6)
  for (i in worse) {
    cat(sprintf("WARNING: %s: log posterior %.2f, but pysbrl reached %.2f\n", runs$problem[i], runs$log_posterior[i],
                runs$log_posterior_pysbrl[i]))
  }
}

# One repeat of one problem with one version; NULL if the version cannot fit the problem.
measure <- function(problem, version, rows, competitors) {
  out <- tempfile(fileext = ".csv")
  on.exit(unlink(out))
  run_r(libraries[[version]], c(problem$problem, n_inside(rows), out, if (competitors[["rpart"]]) "rpart"))
  if (!file.exists(out)) {
    cat(sprintf("%s: %s cannot cut numbers in this way\n", problem$problem, version))
    return(NULL)
  }
  figures <- read.csv(out)
  has_driver <- nzchar(drivers[[version]]) && problem$reader == "factors"
  ns <- if (has_driver) driver_ns(drivers[[version]], problem$problem) else NA_real_
  theirs <- if (competitors[["pysbrl"]]) pysbrl_figures(problem, rows) else c(NA_real_, NA_real_)
  cbind(version = version, figures, ns = ns, ns_pysbrl = theirs[1L], log_posterior_pysbrl = theirs[2L])
}

# Versions take turns, so that whatever else the machine does hits all alike.
measure_problem <- function(problem) {
  size <- dim(read_data(problem$data))
  rows <- as.numeric(size[1])
  runs <- list()
  for (i in seq_len(if (rows >= 1e5) min(repeats, 2L) else repeats)) {
    for (version in names(libraries)) {
      first <- version == names(libraries)[1]
      competitors <- c(rpart = first && (i == 1L || rows < 1e5) && prod(size) <= rpart_limit, pysbrl = first)
      runs <- c(runs, list(measure(problem, version, rows, competitors)))
    }
  }
  do.call(rbind, runs)
}

problems <- read_problems()
if (length(chosen) > 0L) {
  problems <- problems[problems$problem %in% chosen, ]
}
all_runs <- NULL
for (i in seq_len(nrow(problems))) {
  problem <- problems[i, ]
  if (is.null(data_file(problem$data))) {
    cat(sprintf("%s: left out, %s.csv.gz is not there\n", problem$problem, problem$data))
    next
  }
  cat(sprintf("%s ...\n", problem$problem))
  all_runs <- rbind(all_runs, measure_problem(problem))
  write.csv(all_runs, file.path(bench_output, "runs.csv"), row.names = FALSE)
}
if (is.null(all_runs)) {
  stop("no problem was measured", call. = FALSE)
}
table <- median_table(all_runs)
write.csv(table, file.path(bench_output, "bench.csv"), row.names = FALSE)
show_table(table, names(libraries))
warn_worse(all_runs)
plot_table(table, file.path(bench_output, "bench.svg"))

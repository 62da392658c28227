# What the bench scripts share: where things are, the problems, their data, clocks and memory.

bench_root <- normalizePath(Sys.getenv("SBRL_BENCH_ROOT", "."))
bench_output <- file.path(bench_root, "build", "bench")
bench_cache <- Sys.getenv("SBRL_BENCH_CACHE", file.path(bench_output, "cache"))
bench_data <- Sys.getenv("SBRL_DATA", file.path(bench_root, "..", "shared", "data"))

# The paper's setting.
n_chains <- 20
n_iterations <- 5000

# `reader` is "factors" if all columns are factors, or else how numbers are cut: method and number of intervals. Fixed
# there, because another default gives another number of candidates.
read_problems <- function() {
  read.csv(file.path(bench_root, "dev", "bench", "problems.csv"))
}

# The arguments of sbrl() that cut a problem's numbers.
cuts_of <- function(problem) {
  if (problem$reader == "factors") {
    return(list())
  }
  parts <- strsplit(problem$reader, " ", fixed = TRUE)[[1L]]
  list(discretize = parts[1L], bins = as.integer(parts[2L]))
}

# Version 2.0.0 has no "modl", which is the default since there is one.
knows_cuts <- function(problem) {
  default <- formals(utils::getFromNamespace("sbrl.data.frame", "sbrl"))$discretize
  !identical(cuts_of(problem)$discretize, "modl") || default == "modl"
}

# The problem's CSV file, or NULL if it is nowhere.
data_file <- function(data) {
  files <- file.path(c(bench_data, bench_cache), paste0(data, ".csv.gz"))
  found <- files[file.exists(files)]
  if (length(found) > 0L) found[1L]
}

# Factors, as `stringsAsFactors = TRUE` gives them; kept as R data. Parsing takes far more memory than the table, and
# the allocator keeps some of it, so it happens in a process of its own and leaves no mark on peak memory here.
read_data <- function(data) {
  kept <- file.path(bench_cache, paste0(data, ".rds"))
  source <- data_file(data)
  if (!file.exists(kept) || file.mtime(kept) < file.mtime(source)) {
    parse <- "saveRDS(read.csv(%s, stringsAsFactors = TRUE), %s, compress = FALSE)"
    parse <- sprintf(parse, deparse(source), deparse(kept))
    status <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-"), input = parse)
    stopifnot(status == 0L)
  }
  readRDS(kept)
}

fit_problem <- function(problem, data, ...) {
  fitter(problem, data, ...)()
}

# A function that fits as a user would write it: only the fit itself is to be timed.
fitter <- function(problem, data, ...) {
  args <- list(
    rule_minlen = problem$min_length, rule_maxlen = problem$max_length, seed = 1, progress = FALSE,
    minsupport_pos = problem$support_pos, minsupport_neg = problem$support_neg, nchain = n_chains
  )
  # lists of any length, as other programs give them; older versions have no limit
  if ("max_length" %in% names(formals(utils::getFromNamespace("sbrl.data.frame", "sbrl")))) {
    args$max_length <- Inf
  }
  args <- utils::modifyList(c(args, cuts_of(problem), list(iters = n_iterations)), list(...))
  eval(call("function", NULL, as.call(c(list(quote(sbrl::sbrl), quote(data)), args))))
}

# Seconds by the clock and of the processor (all threads), and the value.
timed <- function(work) {
  processor <- proc.time()
  clock <- now()
  value <- work()
  clock <- now() - clock
  processor <- proc.time() - processor
  list(value = value, clock = clock, processor = sum(processor[c("user.self", "sys.self")]))
}

# proc.time() has milliseconds only.
now <- function() {
  as.numeric(Sys.time())
}

# Megabytes of this process: `VmRSS` now, `VmHWM` at most. NA where there is no /proc.
memory_mb <- function(field) {
  if (!file.exists("/proc/self/status")) {
    return(NA_real_)
  }
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Let the peak count from now on; where that is not allowed, the peak is that of the whole process.
reset_peak <- function() {
  try(suppressWarnings(cat("5", file = "/proc/self/clear_refs")), silent = TRUE)
}

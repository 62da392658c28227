# Measures how the engine scales and writes the figures of vignettes/articles/scaling.Rmd: scaling_*.csv next to it.
# Called by dev/tools/bench.sh, which sets SBRL_BENCH_DRIVER; BENCH_QUICK=1 measures a few small points only and
# writes to build/bench instead; BENCH_PARTS names some of machine, curves, fits.
source("dev/bench/common.R")

driver <- Sys.getenv("SBRL_BENCH_DRIVER")
quick <- nzchar(Sys.getenv("BENCH_QUICK"))
directory <- if (quick) bench_output else "vignettes/articles"

keep <- function(table, name) {
  file <- file.path(directory, paste0("scaling_", name, ".csv"))
  write.csv(table, file, row.names = FALSE, quote = FALSE, na = "")
  cat(sprintf("%s: %d rows\n", file, nrow(table)))
}

run_driver <- function(...) {
  lines <- system2(driver, c(...), stdout = TRUE)
  if (!is.null(attr(lines, "status"))) {
    stop("the driver failed: ", paste(..., collapse = " "), call. = FALSE)
  }
  read.csv(text = lines)
}

shape <- function(rows, features) {
  sprintf("synthetic:rows=%.0f,features=%.0f,levels=3,seed=1", rows, features)
}

# Medians over three seeds of the driver's figures on one made-up table.
point <- function(curve, rows, features, lambda = 10, support = 0.1,
                  stages = c("binarise", "mine", "chain", "predict")) {
  seeds <- if (quick) 1L else 1:3
  runs <- lapply(seeds, function(seed) {
    run_driver(shape(rows, features), "20000", stages, "--repeats", "1", "--csv", "--seed", seed, "--lambda", lambda,
               "--support", support)
  })
  figures <- runs[[1]][c("rows", "candidates", "stage")]
  for (field in c("seconds", "ns_per_unit", "length")) {
    each <- do.call(cbind, lapply(runs, \(run) run[[field]]))
    figures[[field]] <- signif(apply(each, 1, stats::median), 4)
  }
  cbind(curve = curve, lambda = lambda, figures)
}

curves <- function() {
  rows <- if (quick) c(1e3, 1e4) else round(10^seq(3, 6, by = 0.5))
  features <- if (quick) c(6, 20) else c(5, 8, 14, 25, 45, 80, 130)
  lambdas <- if (quick) c(1, 100) else c(1, 10, 30, 100, 200, 400)
  rbind(
    do.call(rbind, lapply(rows, \(n) point("rows", n, 10))),
    do.call(rbind, lapply(features, \(p) point("candidates", 5e4, p, support = 0.094))),
    do.call(rbind, lapply(lambdas, \(mean) point("length", 5e4, 20, lambda = mean, stages = "chain")))
  )
}

# Whole fits from data frame to model, on two threads, in a process of their own.
whole_fit <- function(name) {
  out <- tempfile(fileext = ".csv")
  on.exit(unlink(out))
  rscript <- file.path(R.home("bin"), "Rscript")
  status <- system2(rscript, c("--vanilla", "dev/bench/one.R", name, "1", out), stdout = FALSE)
  if (status != 0L) {
    stop("a fit failed or gave a wrong result: ", name, call. = FALSE)
  }
  fields <- c("problem", "rows", "candidates", "read", "mine", "search", "fit", "predict", "peak_mb", "length")
  read.csv(out)[fields]
}

whole_fits <- function() {
  names <- if (quick) "tictactoe" else c("tictactoe", "titanic", "telco", "mushroom_300", "nursery", "adult",
                                         "rows_1m", "candidates_50k")
  problems <- read_problems()
  there <- !vapply(problems$data[match(names, problems$problem)], \(data) is.null(data_file(data)), NA)
  table <- do.call(rbind, lapply(names[there], whole_fit))
  measured <- c("read", "mine", "search", "fit", "predict", "peak_mb")
  table[measured] <- lapply(table[measured], signif, 4)
  rownames(table) <- NULL
  table
}

machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1] else "?"
  # what else the machine was doing, on average over the minutes before
  load <- if (file.exists("/proc/loadavg")) scan("/proc/loadavg", nmax = 2, quiet = TRUE)[2] else NA_real_
  data.frame(
    processor = gsub(",", ";", trimws(sub("^[^:]*:", "", cpu))), cores = parallel::detectCores(),
    system = Sys.info()[["sysname"]], r = as.character(getRversion()),
    sbrl = as.character(utils::packageVersion("sbrl")), date = format(Sys.Date()), load = load
  )
}

parts <- list(machine = machine, curves = curves, fits = whole_fits)
chosen <- strsplit(Sys.getenv("BENCH_PARTS", "machine curves fits"), " +")[[1]]
stopifnot(chosen %in% names(parts))
for (name in chosen) {
  keep(parts[[name]](), name)
}

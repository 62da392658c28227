# Measures of predictions, and CSV files that grow line by line, for the trials that compare classifiers.

# Ties count half.
auc <- function(prob, positive) {
  n <- c(sum(positive), sum(!positive))
  (sum(rank(prob)[positive]) - n[1] * (n[1] + 1) / 2) / prod(n)
}

clipped <- function(prob) pmin(pmax(prob, 0.001), 0.999)

log_loss <- function(prob, positive) {
  -mean(log(ifelse(positive, clipped(prob), 1 - clipped(prob))))
}

# Below 1, probabilities are too extreme.
calibration_slope <- function(prob, positive) {
  fit <- suppressWarnings(stats::glm(positive ~ qlogis(clipped(prob)), family = stats::binomial()))
  unname(stats::coef(fit)[2])
}

# Share of rows whose class is the likelier one.
accuracy <- function(prob, positive) {
  mean((prob >= 0.5) == positive)
}

n_appended <- 0
append_lines <- function(lines, file) {
  n_appended <<- n_appended + nrow(lines)
  numbers <- vapply(lines, is.double, NA)
  lines[numbers] <- lapply(lines[numbers], signif, 6)
  new <- !file.exists(file)
  utils::write.table(lines, file, append = !new, col.names = new, row.names = FALSE, quote = FALSE, sep = ",")
}

# What a file has already, as text of the given fields; nothing if there is no file.
lines_done <- function(file, fields) {
  if (file.exists(file)) do.call(paste, utils::read.csv(file)[fields]) else character()
}

# Processor seconds of this process and its threads, and the value.
with_seconds <- function(work) {
  start <- sum(proc.time()[c(1, 2)])
  value <- work()
  list(value = value, seconds = sum(proc.time()[c(1, 2)]) - start)
}

# Where and with what the figures of `experiment` were measured: one line of `file`, which replaces the one before,
# unless nothing was measured in this run.
record_machine <- function(file, experiment, run, versions = character()) {
  if (n_appended == 0 && experiment %in% lines_done(file, "experiment")) {
    return()
  }
  cpu <- if (file.exists("/proc/cpuinfo")) grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1] else "?"
  load <- if (file.exists("/proc/loadavg")) scan("/proc/loadavg", nmax = 2, quiet = TRUE)[2] else NA_real_
  versions <- c(sbrl = as.character(utils::packageVersion("sbrl")), versions)
  line <- data.frame(
    experiment = experiment, run = run, date = format(Sys.Date()),
    processor = gsub(",", ";", trimws(sub("^[^:]*:", "", cpu))), cores = parallel::detectCores(),
    system = Sys.info()[["sysname"]], load = load, r = as.character(getRversion()),
    versions = paste(names(versions), versions, collapse = "; ")
  )
  kept <- if (file.exists(file)) utils::read.csv(file)
  table <- rbind(kept[!kept$experiment %in% experiment, ], line)
  utils::write.table(table, file, row.names = FALSE, quote = FALSE, sep = ",")
}

# Versions of R packages, those that are installed.
versions_of <- function(packages) {
  found <- packages[nzchar(vapply(packages, \(name) system.file(package = name), ""))]
  vapply(found, \(name) as.character(utils::packageVersion(name)), "")
}

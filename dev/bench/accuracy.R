# How well do fits predict? Development sets of ../shared/data (or SBRL_DATA) and synthetic tables, five folds each:
# area under the curve, log loss (probabilities clipped at .001), calibration slope, rules, conditions and seconds.
#   Rscript dev/bench/accuracy.R file.csv [key=value ...]
#     fits=plain,peers    families of fits, see accuracy_fits.R (all by default)
#     sets=pima,glass1    data sets; small, large, real, synthetic (real by default)
#     splits=5            repeats of the folds
#     against=plain       the fit that the others are compared with
#     summary=means.csv   adds the tables that are printed to this file, under the name of the first one
# One line per set, split, fold and fit. Lines that the file has are not computed again, so a run can be continued.

suppressPackageStartupMessages(library(sbrl))

given <- commandArgs(trailingOnly = TRUE)
file <- given[1]
options <- list(fits = NULL, sets = "real", splits = "1", against = "plain", summary = NULL)
for (pair in strsplit(given[-1], "=", fixed = TRUE)) {
  options[[pair[1]]] <- strsplit(pair[2], ",", fixed = TRUE)[[1]]
}
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE, fixed = TRUE)))
source(file.path(here, "measures.R"))
source(file.path(here, "accuracy_data.R"))
source(file.path(here, "accuracy_fits.R"))

# All fits of a family on one fold, each with `prob`, `rules` and `conditions`.
fit_fold <- function(family, data, fold, k) {
  start <- sum(proc.time()[c(1, 4)])
  set.seed(k)
  found <- suppressMessages(suppressWarnings(families[[family]](data[fold != k, ], data[fold == k, ])))
  list(found = found, seconds = sum(proc.time()[c(1, 4)]) - start)
}

measure_split <- function(family, data, split) {
  fold <- folds_of(data$label, split)
  folds <- lapply(1:5, fit_fold, family = family, data = data, fold = fold)
  one <- function(fit) {
    probs <- lapply(folds, \(done) done$found[[fit]]$prob)
    labels <- lapply(1:5, \(k) data$label[fold == k] == "1")
    field <- function(name) vapply(folds, \(done) as.double(done$found[[fit]][[name]]), 1)
    data.frame(
      fit = fit, split = split, fold = 1:5, auc = unlist(Map(auc, probs, labels)),
      log_loss = unlist(Map(log_loss, probs, labels)), slope = calibration_slope(unlist(probs), unlist(labels)),
      rules = field("rules"), conditions = field("conditions"),
      seconds = vapply(folds, \(done) done$seconds, 1)
    )
  }
  do.call(rbind, lapply(names(folds[[1]]$found), one))
}

run <- function() {
  dir.create(dirname(file), showWarnings = FALSE, recursive = TRUE)
  done <- if (file.exists(file)) with(utils::read.csv(file), unique(paste(set, family, split)))
  wanted <- if (is.null(options$fits)) names(families) else options$fits
  for (split in seq_len(as.numeric(options$splits))) {
    for (name in sets_called(options$sets)) {
      left <- wanted[!paste(name, wanted, split) %in% done]
      data <- if (length(left) > 0) read_set(name)
      for (family in left) {
        lines <- measure_split(family, data, split)
        append_lines(cbind(set = name, rows = nrow(data), family = family, lines), file)
      }
    }
  }
}

# Mean difference from the fit `against`, over the sets that both have: every set counts once, whatever its splits.
compare <- function(results) {
  mean_by <- \(formula) stats::aggregate(formula, results, mean, na.action = stats::na.pass)
  by_set <- mean_by(cbind(auc, log_loss, slope, rules, conditions, seconds) ~ fit + set)
  means <- stats::aggregate(
    cbind(auc, log_loss, rules, conditions, seconds) ~ fit, by_set, mean, na.action = stats::na.pass
  )
  means$slope <- tapply(by_set$slope, by_set$fit, stats::median)[means$fit]
  loss <- tapply(by_set$log_loss, by_set[c("set", "fit")], mean)
  behind <- loss - loss[, options$against]
  behind <- behind[, means$fit, drop = FALSE]
  means$difference <- colMeans(behind, na.rm = TRUE)
  means$standard_error <- apply(behind, 2, stats::sd, na.rm = TRUE) / sqrt(colSums(!is.na(behind)))
  means$better_on <- colSums(behind < 0, na.rm = TRUE)
  means$sets <- colSums(!is.na(behind))
  means[order(means$difference), ]
}

run()
results <- utils::read.csv(file)
results <- results[results$set %in% sets_called(options$sets), ]
groups <- split(results, ifelse(results$set %in% synthetic_sets, "synthetic", ifelse(
  results$rows <= 1000, "up to 1000 rows", "more rows"
)))
tables <- lapply(if (length(groups) > 1) c(groups, list(all = results)) else groups, compare)
for (group in names(tables)) {
  cat("\n", group, "\n", sep = "")
  print(tables[[group]], digits = 3, row.names = FALSE)
  if (!is.null(options$summary)) {
    measures <- as.list(signif(tables[[group]][-1], 4))
    lines <- data.frame(trial = sub("[.]csv$", "", basename(file)), group = group, fit = tables[[group]]$fit, measures)
    append_lines(lines, options$summary)
  }
}

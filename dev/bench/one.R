# One problem in a fresh process, with the package found in R_LIBS; writes one row of figures per repeat:
#   Rscript dev/bench/one.R <problem> <repeats> <output.csv> [rpart]
# Every fit is checked before its time counts. A version that cannot cut the problem's numbers writes nothing.
source(file.path(Sys.getenv("SBRL_BENCH_ROOT", "."), "dev", "bench", "common.R"))
source(file.path(bench_root, "dev", "bench", "watch.R"))
suppressPackageStartupMessages(library(sbrl))

args <- commandArgs(trailingOnly = TRUE)
problem <- subset(read_problems(), problem == args[1])
repeats <- as.integer(args[2])
with_rpart <- "rpart" %in% args && requireNamespace("rpart", quietly = TRUE)
if (!knows_cuts(problem)) {
  quit()
}

# The scores and counts of the model must be right, on the rows it was fitted to.
check_model <- function(model, data) {
  stopifnot(length(model$rulenames) == problem$candidates)
  rules <- model$rs$V1[model$rs$V1 > 0L]
  score <- sbrl_score(model, data, rules)[["log_posterior"]]
  stopifnot(isTRUE(all.equal(score, model$score[["log_posterior"]], tolerance = 1e-9)))
  fired <- predict(model, data, type = "rule")
  taken <- rules(model)$n
  stopifnot(length(taken) == nrow(model$rs), sum(taken) == nrow(data))
  stopifnot(tabulate(ifelse(fired == 0L, length(taken), fired), length(taken)) == taken)
}

# What the model recorded, by name; NA for what this version does not record.
recorded <- function(model, field) {
  if (field %in% names(model$timing)) model$timing[[field]] else NA_real_
}

figures_of <- function(two, one) {
  model <- two$value
  list2DF(list(
    problem = problem$problem, rows = sum(model$counts), candidates = length(model$rulenames),
    binarise = recorded(model, "binarise"), mine = recorded(model, "mine"), search = recorded(model, "search"),
    fit = two$clock, fit_one_thread = one$clock, fit_processor = one$processor,
    per_second = sum(model$chains$iterations) / recorded(model, "search"),
    log_posterior = model$score[["log_posterior"]], length = nrow(model$rs) - 1L
  ))
}

data <- read_data(problem$data)
tree_data <- transform(data, label = factor(label))
fit_two <- fitter(problem, data, threads = 2)
fit_one <- fitter(problem, data, threads = 1)
invisible(gc())
reset_peak()
base_mb <- memory_mb("VmRSS")
first <- fit_two()
peak_mb <- memory_mb("VmHWM")
check_model(first, data)

rows <- lapply(seq_len(repeats), function(i) {
  two <- timed(fit_two)
  stopifnot(identical(two$value$rs, first$rs))
  tree <- if (with_rpart) timed(\() rpart::rpart(label ~ ., tree_data, method = "class"))$clock else NA_real_
  one <- timed(fit_one)
  stopifnot(identical(one$value$rs, first$rs))
  predicted <- timed(\() predict(two$value, data))
  stopifnot(length(predicted$value$V2) == nrow(data))
  cbind(
    figures_of(two, one), predict = predicted$clock, rpart = tree, peak_mb = peak_mb,
    fit_mb = peak_mb - base_mb, bits_mb = problem$candidates / 8 * nrow(data) / 2^20
  )
})

# Seconds of the parts that the model does not record, in further fits: to watch them takes time too.
watched <- watch_functions(list(
  read = c("read_features", "learn_features"), cut = "learn_cuts", model = "new_sbrl",
  result = c("native_fit_result", "native_job_result")
), "sbrl")
parts <- lapply(seq_len(repeats), function(i) {
  reset_watch(watched)
  stopifnot(identical(fit_two()$rs, first$rs))
  # every fit reads columns and makes a model, or something else was watched
  stopifnot(watched$read > 0, watched$model > 0)
  list2DF(list(read = watched$read - watched$cut, cut = watched$cut, dress = watched$model + watched$result))
})
write.csv(cbind(do.call(rbind, rows), do.call(rbind, parts)), args[3], row.names = FALSE)

# Do different seeds give the same list? Plain formula fits of the thirty tables in settling_tables.csv, five seeds
# each. The tables were chosen before the first run; SETTLING_TABLES names another file of tables, such as
# dev/bench/settling_drawn.csv. Run from the root, with the packages of the tables in the library:
# Rscript dev/bench/settling.R <library with sbrl> <file to write> [iters]. Without `iters`, the default call.
# Rscript dev/bench/settling.R compare <before> <after> <after with iters = 30000> shows the figures.

arguments <- commandArgs(TRUE)
seeds <- 1:5

read_table <- function(row) {
  box <- new.env()
  utils::data(list = row$data, package = row$package, envir = box)
  table <- as.data.frame(box[[row$data]])
  left_out <- strsplit(row$left_out, " ", fixed = TRUE)[[1L]]
  table <- table[setdiff(names(table), left_out)]
  table[!is.na(table[[row$label]]), ]
}

# What a list says, without what is known about the search.
list_text <- function(model) {
  lines <- format(model)
  paste(lines[!grepl("^(Search|Proved)", lines)], collapse = "\n")
}

fit_once <- function(row, table, seed, given) {
  formula <- stats::as.formula(sprintf("`%s` ~ .", row$label))
  call <- c(list(formula, data = table, seed = seed, threads = 1, progress = FALSE), given)
  seconds <- system.time(model <- suppressMessages(suppressWarnings(do.call(sbrl::sbrl, call))))[["user.self"]]
  probs <- suppressWarnings(predict(model, table, type = "matrix"))
  settled <- model$settings$settled
  data.frame(
    row[c("package", "data")], rows = nrow(table), classes = ncol(probs), candidates = length(model$rulenames),
    seed = seed, log_posterior = model$found$score[["log_posterior"]], rules = nrow(model$rs) - 1L, seconds = seconds,
    predictions = paste(signif(colSums(probs * seq_len(nrow(probs))), 9), collapse = " "), text = list_text(model),
    verdict = if (is.null(settled)) NA else settled[["verdict"]],
    chains = if (is.null(settled)) NA else settled[["n_chains"]],
    others = if (is.null(settled)) NA else sprintf("%.0f of %.0f", settled[["n_others"]], settled[["others"]]),
    iterations = max(model$chains$iterations)
  )
}

run_all <- function(library, file, given) {
  loadNamespace("sbrl", lib.loc = library)
  tables <- utils::read.csv(Sys.getenv("SETTLING_TABLES", "dev/bench/settling_tables.csv"), colClasses = "character")
  done <- list()
  for (i in seq_len(nrow(tables))) {
    table <- read_table(tables[i, ])
    for (seed in seeds) {
      done[[length(done) + 1L]] <- fit_once(tables[i, ], table, seed, given)
    }
    utils::write.csv(do.call(rbind, done), file, row.names = FALSE)
  }
}

compare <- function(before, after, given) {
  per_table <- function(x) {
    groups <- split(x, factor(x$data, unique(x$data)))
    data.frame(
      data = names(groups), rows = vapply(groups, \(g) g$rows[1L], 1L),
      candidates = vapply(groups, \(g) g$candidates[1L], 1L), classes = vapply(groups, \(g) g$classes[1L], 1L),
      predictions = vapply(groups, \(g) length(unique(g$predictions)), 1L),
      texts = vapply(groups, \(g) length(unique(g$text)), 1L), best = vapply(groups, \(g) max(g$log_posterior), 1),
      worst = vapply(groups, \(g) min(g$log_posterior), 1), seconds = vapply(groups, \(g) mean(g$seconds), 1),
      settled = vapply(groups, \(g) sum(g$verdict > 0), 1), row.names = NULL
    )
  }
  one <- per_table(before)
  two <- per_table(after)
  print(cbind(
    two[c("data", "rows", "classes", "candidates", "best", "worst", "predictions", "texts", "settled")],
    before = one$predictions, texts_before = one$texts, seconds = round(two$seconds, 2),
    before_s = round(one$seconds, 2)
  ), row.names = FALSE)
  difference <- after$log_posterior - given$log_posterior
  cat(sprintf(
    "same predictions for all seeds: %d tables, before %d; same text: %d, before %d\n", sum(two$predictions == 1L),
    sum(one$predictions == 1L), sum(two$texts == 1L), sum(one$texts == 1L)
  ), sprintf("worse than iters = 30000 on the same seed by more than 0.01: %d of %d; better: %d; most: %.4f below\n",
             sum(difference < -0.01), length(difference), sum(difference > 0.01), -min(difference, 0)),
  sprintf("seconds on the mean: %.2f, before %.2f\n", mean(two$seconds), mean(one$seconds)), sep = "")
}

if (arguments[1L] == "compare") {
  do.call(compare, lapply(arguments[2:4], utils::read.csv))
} else {
  run_all(arguments[1L], arguments[2L], if (length(arguments) > 2L) list(iters = as.numeric(arguments[3L])))
}

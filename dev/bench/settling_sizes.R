# What a plain formula call costs by rows and columns: made-up tables with a planted list of four rules on five columns,
# numbers and factors by halves, the other columns being noise. Run from anywhere:
# Rscript dev/bench/settling_sizes.R <library with sbrl> <file to write>

arguments <- commandArgs(TRUE)

made_up <- function(rows, columns) {
  set.seed(rows + columns)
  n_factors <- columns %/% 2
  numbers <- as.data.frame(lapply(seq_len(columns - n_factors), \(i) round(rnorm(rows, 50, 15))))
  names(numbers) <- paste0("number", seq_along(numbers))
  factors <- as.data.frame(lapply(seq_len(n_factors), \(i) factor(sample(letters[1:(2 + i %% 4)], rows, TRUE))))
  names(factors) <- paste0("factor", seq_along(factors))
  table <- cbind(numbers, factors)
  a <- numbers$number1
  b <- numbers$number2
  p <- ifelse(numbers$number3 >= 60, 0.45, 0.3)
  p <- ifelse(factors$factor2 == "b" & a < 50, 0.6, p)
  p <- ifelse(a >= 65 & factors$factor1 == "a", 0.8, ifelse(b < 35, 0.15, p))
  table$y <- rbinom(rows, 1, p)
  table
}

fit_size <- function(rows, columns) {
  table <- made_up(rows, columns)
  spent <- system.time(
    model <- suppressMessages(sbrl::sbrl(y ~ ., table, seed = 1, threads = 1, progress = FALSE))
  )
  settled <- model$settings$settled
  data.frame(
    rows = rows, columns = columns, candidates = length(model$rulenames), rules = nrow(model$rs) - 1L,
    cpu = sum(spent[c("user.self", "sys.self")]), log_posterior = model$found$score[["log_posterior"]],
    settled = if (is.null(settled)) NA else settled[["verdict"]] > 0
  )
}

invisible(loadNamespace("sbrl", lib.loc = arguments[1L]))
sizes <- expand.grid(columns = c(5, 10, 20), rows = c(300, 1000, 3000, 10000, 30000, 100000))
utils::write.csv(do.call(rbind, Map(fit_size, sizes$rows, sizes$columns)), arguments[2L], row.names = FALSE)

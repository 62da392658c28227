# Random data frames of every kind of column, with odd names and levels, and random arguments to fit them.

odd_names <- c(
  "x", "x=1", "blood type", ",", "{", "}", "=", "a,b", "\"q\"", "`", "two\nlines", "NA", "TRUE", "if", "\u00e9t\u00e9",
  "\u65e5\u672c", "\U1F600", "1", "_", ".", "..1", "%s", "\\", "label ", "(weights)", "n", "I(x)", "<5", " "
)

pick <- function(x, n = 1L, ...) x[sample.int(length(x), n, ...)]

# One column of `n` values: one of every kind that a user may have, and some that no one should.
random_column <- function(n) {
  kind <- pick(c(
    "factor", "text", "logical", "flag", "real", "real", "whole", "ordered", "date", "time", "span", "constant",
    "missing", "wild", "odd levels", "many", "list", "matrix", "complex"
  ), prob = c(rep(1, 16), 0.05, 0.05, 0.05))
  x <- switch(kind,
    factor = factor(pick(letters[1:5], n, replace = TRUE), levels = letters[5:1]),
    text = pick(c("u", "v", ""), n, replace = TRUE),
    logical = pick(c(TRUE, FALSE), n, replace = TRUE),
    flag = pick(list(0:1, c(-1.5, 2), c(1, 1e9), c(1 / 3, 2 / 3)))[[1]][1 + (stats::runif(n) < 0.5)],
    real = stats::rnorm(n) * 10^pick(-5:5),
    whole = pick(-4:9, n, replace = TRUE),
    ordered = factor(pick(c("S", "M", "L"), n, replace = TRUE), levels = c("S", "M", "L"), ordered = TRUE),
    date = as.Date("2024-01-31") + round(stats::rnorm(n, sd = 100)),
    time = as.POSIXct("2024-03-31", tz = pick(c("UTC", "Europe/Berlin"))) + stats::rnorm(n, sd = 1e5),
    span = as.difftime(stats::rexp(n), units = pick(c("secs", "mins", "hours", "days", "weeks"))),
    constant = rep(pick(list("k", 1, TRUE, as.Date("2024-01-01")))[[1]], n),
    missing = rep(pick(list(NA, NA_real_, NA_character_, as.Date(NA)))[[1]], n),
    wild = pick(c(0, -0, 1, Inf, -Inf, NaN, 1e308, -1e308, 5e-324, 2^53), n, replace = TRUE),
    `odd levels` = pick(odd_names, n, replace = TRUE),
    many = as.character(seq_len(n)),
    list = as.list(seq_len(n)),
    matrix = matrix(0, n, 2),
    complex = rep(1i, n)
  )
  if (is.null(dim(x)) && stats::runif(1) < 0.3) {
    x[stats::runif(n) < stats::runif(1, 0, 0.5)] <- NA
  }
  x
}

random_label <- function(n) {
  values <- pick(list(
    0:1, 0:1, c("no", "yes"), c(TRUE, FALSE), c(2.5, 7), letters[1:3], 1:5, c("", " "), "only",
    factor(c("x", "y", "z"), levels = c("z", "y", "x", "w"))
  ))[[1]]
  y <- pick(values, n, replace = TRUE)
  if (stats::runif(1) < 0.1) {
    y[stats::runif(n) < 0.2] <- NA
  }
  y
}

random_frame <- function() {
  n <- pick(c(1:4, 10, 20, 30, 60, 120), prob = c(1, 1, 1, 1, 2, 3, 4, 4, 2))
  k <- pick(0:6)
  columns <- lapply(seq_len(k), \(j) random_column(n))
  names <- pick(odd_names, k)
  structure(c(columns, list(random_label(n))), names = c(names, "label"), row.names = seq_len(n), class = "data.frame")
}

random_arguments <- function(d) {
  n <- nrow(d)
  maybe <- function(share, value) if (stats::runif(1) < share) value
  c(
    list(tdata = d, iters = pick(c(1, 20, 100)), nchain = pick(1:2), progress = FALSE, seed = pick(0:1000)),
    list(rule_maxlen = pick(1:3), lambda = pick(c(0.1, 1, 10, 1000)), eta = pick(c(0.5, 1, 3))),
    maybe(0.3, list(minsupport = pick(c(0, 0.01, 0.5, 1)))),
    maybe(0.3, list(discretize = pick(c("modl", "mdlp", "quantile", "width")), bins = pick(2:12))),
    maybe(0.2, list(alpha = pick(c(0.01, 0.5, 7)))),
    maybe(0.3, list(weights = pick(list(rep(1, n), sample(0:3, n, replace = TRUE), stats::runif(n), rep(0, n)))[[1]])),
    maybe(0.1, list(pos_sign = pick(c("1", "yes", "y")))),
    maybe(0.1, list(target_rules = pick(1:30))),
    maybe(0.3, list(conditions = "rich"))
  )
}

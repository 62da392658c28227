# Any data frame at all: a fit gives a sound model or an sbrl_error, and nothing else.
# SBRL_RANDOM_FRAMES sets how many frames are tried (2,000 unless set).

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
    maybe(0.3, list(discretize = pick(c("mdlp", "quantile", "width")), bins = pick(2:12))),
    maybe(0.2, list(alpha = pick(c(0.01, 0.5, 7)))),
    maybe(0.3, list(weights = pick(list(rep(1, n), sample(0:3, n, replace = TRUE), stats::runif(n), rep(0, n)))[[1]])),
    maybe(0.1, list(pos_sign = pick(c("1", "yes", "y")))),
    maybe(0.1, list(target_rules = pick(1:30)))
  )
}

# The message of the first thing that does not hold, or NULL.
first_flaw <- function(model, d, weights) {
  w <- if (is.null(weights)) rep(1, nrow(d)) else weights
  y <- d$label
  keep <- !is.na(y) & w > 0
  d <- d[keep, , drop = FALSE]
  w <- w[keep]
  label <- if (is.numeric(y)) model$classes[match(y[keep], as.numeric(model$classes))] else as.character(y[keep])
  chosen <- model$rs$V1[-nrow(model$rs)]
  naive <- naive_counts(d, label, model$classes, antecedents_of(model, chosen), w)
  score <- sbrl_score(model, d, chosen, weights = w)
  position <- predict(model, d, type = "rule")
  captured <- vapply(c(seq_along(chosen), 0L), \(j) sum(w[position == j]), 1)
  settings <- model$settings
  lengths <- model$pool$lengths
  naive_total <- naive_log_prior(lengths[chosen], lengths, settings$lambda, settings$eta) +
    naive_log_likelihood(naive, settings$alpha)
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  bare <- model
  bare["call"] <- list(NULL)
  holds <- c(
    probabilities = all(model$probs > 0 & model$probs < 1),
    captures = isTRUE(all.equal(captured, unname(rules(model)$n))),
    counts = isTRUE(all.equal(unname(naive), unname(model$counts))),
    total = isTRUE(all.equal(sum(model$counts), sum(w))),
    score = isTRUE(all.equal(score[1:3], model$score, tolerance = 1e-9)),
    naive_score = isTRUE(all.equal(naive_total, model$score[["log_posterior"]], tolerance = 1e-9)),
    bound = score[["prefix_bound"]] >= score[["log_posterior"]] - 1e-6,
    prediction = length(predict(model, d)$V1) == nrow(d) && !anyNA(predict(model, d, type = "class")),
    printing = length(format(model)) == nrow(model$rs) + 1L && nrow(rules(model)) == nrow(model$rs),
    json = isTRUE(all.equal(sbrl_read_json(file), bare, tolerance = 0)),
    rds = identical(unserialize(serialize(model, NULL)), model)
  )
  if (!all(holds)) names(holds)[!holds][1L]
}

# A fifth of the fits go through a formula, which must make no difference.
fit_either_way <- function(args) {
  if (stats::runif(1) < 0.8) {
    return(do.call(sbrl, args))
  }
  names(args)[names(args) == "tdata"] <- "data"
  do.call(sbrl, c(list(label ~ .), args))
}

# "fit", "error", or what went wrong.
outcome <- function(seed) {
  set.seed(seed)
  args <- random_arguments(random_frame())
  foreign <- NULL
  result <- withCallingHandlers(
    tryCatch(
      {
        model <- fit_either_way(args)
        flaw <- first_flaw(model, args$tdata, args$weights)
        if (is.null(flaw)) "fit" else paste("unsound:", flaw)
      },
      sbrl_error = \(e) "error",
      error = \(e) paste("another error:", conditionMessage(e))
    ),
    warning = function(w) {
      if (!inherits(w, "sbrl_warning")) foreign <<- paste("another warning:", conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  if (is.null(foreign)) result else foreign
}

test_that("random data frames and arguments give a sound model or an sbrl_error", {
  n <- as.integer(Sys.getenv("SBRL_RANDOM_FRAMES", if (identical(Sys.getenv("NOT_CRAN"), "true")) "2000" else "200"))
  outcomes <- vapply(seq_len(n), outcome, "")
  bad <- !outcomes %in% c("fit", "error")
  expect_identical(sum(bad), 0L, info = paste(sprintf("seed %d: %s", which(bad), outcomes[bad]), collapse = "\n"))
  # Most of them must be fits, or the test says little.
  expect_gt(mean(outcomes == "fit"), 0.5)
})

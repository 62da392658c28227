# Any data frame at all: a fit gives a sound model or an sbrl_error, and nothing else.
# SBRL_RANDOM_FRAMES sets how many frames are tried (2,000 unless set).

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
    printing = length(format(model, style = "1.4")) == nrow(model$rs) + 1L &&
      length(format(model, style = "words")) - nrow(model$rs) == any(rules(model)$thin) &&
      nrow(rules(model)) == nrow(model$rs),
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
  # Most of them must be fits, or the test shows little.
  expect_gt(mean(outcomes == "fit"), 0.5)
})

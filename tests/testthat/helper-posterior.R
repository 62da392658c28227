# Posteriors that several tests use, made once.

passengers <- as.data.frame(datasets::Titanic)

titanic_model <- function(...) {
  sbrl(
    Survived ~ Class + Sex + Age, data = passengers, weights = Freq, rule_maxlen = 1, minsupport = 0.1, lambda = 10,
    eta = 1, iters = 500, nchain = 2, seed = 1, progress = FALSE, ...
  )
}

titanic_posterior <- local({
  found <- NULL
  function() {
    if (is.null(found)) {
      found <<- sbrl_posterior(
        titanic_model(), passengers, weights = passengers$Freq, draws = 2000, warmup = 400, seed = 1, progress = FALSE
      )
    }
    found
  }
})

iris_posterior <- local({
  found <- NULL
  function() {
    if (is.null(found)) {
      model <- sbrl(Species ~ ., data = iris, rule_maxlen = 1, iters = 500, nchain = 2, seed = 1, progress = FALSE)
      found <<- sbrl_posterior(model, iris, draws = 400, warmup = 200, seed = 1, progress = FALSE)
    }
    found
  }
})

# The training rows of one of the two.
iris_or_titanic <- function(x) {
  if (length(x$medoid$classes) == 3L) iris else passengers
}

# Simulation-based calibration on the passengers' rows: list and class probabilities from the prior, labels from these,
# and the ranks of what was drawn among `draws` draws of the posterior. The pool does not depend on the labels.
calibration_ranks <- function(n_sets, draws = 100, seed = 1, n_rows = 200, lambda = 3) {
  set.seed(seed)
  rows <- passengers[rep(seq_len(nrow(passengers)), passengers$Freq), c("Class", "Sex", "Age")]
  rows <- rows[sort(sample(nrow(rows), n_rows)), ]
  ranks <- lapply(seq_len(n_sets), function(i) calibration_set(rows, draws, lambda))
  as.data.frame(do.call(rbind, ranks))
}

calibration_set <- function(rows, draws, lambda) {
  set <- simulate_set(rows, lambda)
  x <- suppressWarnings(sbrl_posterior(set$model, set$rows, draws = draws, chains = 2, warmup = 100, progress = FALSE))
  truth <- set$truth
  score <- sbrl_score(set$model, set$rows, truth$names[truth$list])
  cells <- list_cells(x, rows[1:2, ], "data")
  weights <- cell_weights(x)
  theta <- matrix(stats::rbeta(length(cells), weights[cells, 2], weights[cells, 1]), 2)
  c(
    active = rank_in(truth$active, x$draws$active), log_likelihood = rank_in(score[[2]], x$draws$log_likelihood),
    first = rank_in(truth$theta[1], theta[1, ]), second = rank_in(truth$theta[2], theta[2, ])
  )
}

# Labels `y` from a list of the prior, and a model of them whose candidates are those of the list: all single values.
simulate_set <- function(rows, lambda) {
  repeat {
    truth <- draw_prior_list(rows, lambda)
    y <- as.integer(stats::runif(nrow(rows)) < truth$theta)
    if (length(unique(y)) == 2L) break
  }
  rows$y <- y
  model <- sbrl(
    y ~ ., data = rows, rule_maxlen = 1, minsupport = 0, lambda = lambda, eta = 1, iters = 10, nchain = 1,
    max_length = Inf, progress = FALSE
  )
  stopifnot(length(model$rulenames) == length(truth$names), setequal(model$rulenames, truth$names))
  list(truth = truth, rows = rows, model = model)
}

# Among equal draws the value is at any place, all equally likely.
rank_in <- function(value, draws) {
  equal <- abs(draws - value) < 1e-9
  sum(draws < value & !equal) + sample.int(sum(equal) + 1L, 1L) - 1L
}

draw_prior_list <- function(rows, lambda) {
  covers <- unlist(lapply(names(rows), \(name) {
    levels <- levels(droplevels(rows[[name]]))
    stats::setNames(lapply(levels, \(level) rows[[name]] == level), sprintf("{%s=%s}", name, levels))
  }), recursive = FALSE)
  n <- length(covers)
  m <- sample(0:n, 1, prob = stats::dpois(0:n, lambda))
  list <- sample.int(n, m)
  captured <- rep(m + 1L, nrow(rows))
  for (j in rev(seq_len(m))) captured[covers[[list[j]]]] <- j
  theta <- stats::runif(m + 1L)
  list(list = list, theta = theta[captured], active = length(setdiff(unique(captured), m + 1L)), names = names(covers))
}

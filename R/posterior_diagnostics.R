# Convergence diagnostics of Markov chains: rank-normalised split-R-hat, effective sample sizes and Monte Carlo standard
# errors (Vehtari, Gelman, Simpson, Carpenter and Buerkner, 2021). Draws are matrices of iterations and chains.

# One row of diagnostics of a quantity.
diagnose <- function(draws) {
  halves <- split_halves(draws)
  ess_mean <- effective_size(halves)
  data.frame(
    mean = mean(draws), sd = stats::sd(draws), mcse = stats::sd(draws) / sqrt(ess_mean), rhat = split_rhat(draws),
    ess_bulk = effective_size(normal_ranks(halves)), ess_tail = tail_size(draws)
  )
}

# Each chain as two, so that a trend within a chain shows as well. An odd iteration in the middle is left out.
split_halves <- function(x) {
  half <- nrow(x) %/% 2L
  cbind(x[seq_len(half), , drop = FALSE], x[nrow(x) - half + seq_len(half), , drop = FALSE])
}

# The larger of two: one for where the chains are, one for how far they spread.
split_rhat <- function(draws) {
  folded <- abs(draws - stats::median(draws))
  max(rhat(normal_ranks(split_halves(draws))), rhat(normal_ranks(split_halves(folded))))
}

# NA if the quantity never varies; Inf if no chain varies but the chains differ.
rhat <- function(x) {
  n <- nrow(x)
  if (is_constant(x) || n < 2L) {
    return(NA_real_)
  }
  within <- mean(apply(x, 2L, stats::var))
  between <- n * stats::var(colMeans(x))
  sqrt((between / within + n - 1) / n)
}

is_constant <- function(x) {
  length(x) == 0L || anyNA(x) || diff(range(x)) <= .Machine$double.eps * max(abs(x))
}

normal_ranks <- function(x) {
  ranks <- rank(x, ties.method = "average")
  z <- stats::qnorm((ranks - 3 / 8) / (length(x) + 1 / 4))
  array(z, dim(x))
}

tail_size <- function(draws) {
  ends <- stats::quantile(draws, c(0.05, 0.95), names = FALSE)
  min(vapply(ends, \(end) effective_size(split_halves(draws <= end)), 1))
}

# Geyer's initial monotone sequence: sums of neighbouring autocorrelations are positive and fall, or else they are
# noise.
effective_size <- function(x) {
  n <- nrow(x)
  if (n < 3L || is_constant(x)) {
    return(NA_real_)
  }
  covariance <- rowMeans(apply(x, 2L, autocovariance))
  within <- covariance[1L] * n / (n - 1)
  total <- covariance[1L] + if (ncol(x) > 1L) stats::var(colMeans(x)) else 0
  correlation <- 1 - (within - covariance) / total
  correlation[1L] <- 1
  even <- correlation[seq(1L, n - 1L, by = 2L)]
  pairs <- even + correlation[seq(2L, n, by = 2L)]
  last <- min(which(!(pairs > 0)) - 1L, max(0L, ceiling((n - 5) / 2)), length(pairs) - 1L)
  beyond <- if (isTRUE(pairs[last + 1L] >= 0) || isTRUE(even[last + 1L] > 0)) even[last + 1L] else 0
  # if no pair is usable, the correlation at lag 0 alone
  sum <- if (last == 0L) 1 else sum(cummin(pairs[seq_len(last)]))
  time <- -1 + 2 * sum + beyond
  # draws that are better than independent ones are not trusted beyond this
  length(x) / max(time, 1 / log10(length(x)))
}

# At all lags from 0 on, each sum divided by the number of iterations.
autocovariance <- function(x) {
  n <- length(x)
  size <- stats::nextn(2L * n)
  spectrum <- Mod(stats::fft(c(x - mean(x), double(size - n))))^2
  Re(stats::fft(spectrum, inverse = TRUE))[seq_len(n)] / (size * n)
}

# Calibration of probabilities for rows that a model has not seen: are they too extreme, are they too high?

# Logistic recalibration: log odds of the classes are `intercept` + `slope` times those predicted, fitted by maximum
# likelihood. A slope below 1 means that the probabilities are too extreme. The intercept, of two classes only, is that
# for a slope of 1: above 0 the probabilities of the positive class are too low on average. NA where the labels cannot
# determine it, as when the predictions separate the classes.
calibration_measures <- function(codes, probs, weights = rep(1, length(codes))) {
  logs <- log(pmax(probs, .Machine$double.eps))
  predictor <- logs - logs[, 1L]
  joint <- recalibrate(codes, predictor, weights, has_slope = TRUE)
  shift <- if (has_positive(ncol(probs))) recalibrate(codes, predictor, weights, has_slope = FALSE)
  c(
    slope = joint$values[["slope"]], slope_se = joint$errors[["slope"]],
    intercept = if (is.null(shift)) NA_real_ else shift$values[[1L]]
  )
}

# Newton's method for log odds a_k + b z_k against the first class; b is 1 if it is not estimated.
recalibrate <- function(codes, predictor, weights, has_slope) {
  k <- ncol(predictor)
  truth <- outer(codes, seq_len(k), `==`) + 0
  names <- c(paste0("a", seq_len(k)[-1L]), if (has_slope) "slope")
  values <- stats::setNames(c(rep(0, k - 1L), if (has_slope) 1), names)
  unknown <- list(values = values + NA, errors = values + NA)
  for (iteration in 1:50) {
    step <- newton_step(values, truth, predictor, weights)
    if (is.null(step)) {
      return(unknown)
    }
    values <- values + step$change
    if (max(abs(step$change)) < 1e-8) {
      return(list(values = values, errors = stats::setNames(sqrt(diag(step$variance)), names)))
    }
  }
  unknown
}

newton_step <- function(values, truth, predictor, weights) {
  k <- ncol(truth)
  has_slope <- length(values) == k
  slope <- if (has_slope) values[[k]] else 1
  # a slope as steep as this means that the classes are separated
  if (abs(slope) > 50 || max(abs(values)) > 200) {
    return(NULL)
  }
  odds <- slope * predictor + rep(c(0, values[seq_len(k - 1L)]), each = nrow(truth))
  fitted <- exp(odds - do.call(pmax, as.data.frame(odds)))
  fitted <- fitted / rowSums(fitted)
  # one row per observation and one column per parameter: its derivative of the log odds of class k
  of_class <- lapply(seq_len(k), function(class) {
    a <- matrix(0, nrow(truth), k - 1L)
    if (class > 1L) a[, class - 1L] <- 1
    cbind(a, if (has_slope) predictor[, class])
  })
  mean <- Reduce(`+`, Map(\(x, class) x * fitted[, class], of_class, seq_len(k)))
  gradient <- Reduce(`+`, Map(\(x, class) colSums(weights * (truth - fitted)[, class] * x), of_class, seq_len(k)))
  second <- Map(\(x, class) crossprod(x, weights * fitted[, class] * x), of_class, seq_len(k))
  information <- Reduce(`+`, second) - crossprod(mean, weights * mean)
  variance <- tryCatch(solve(information), error = function(e) NULL)
  if (is.null(variance) || !all(is.finite(variance)) || any(diag(variance) < 0)) {
    return(NULL)
  }
  change <- as.vector(variance %*% gradient)
  # long steps from a poor start overshoot
  list(change = change * min(1, 2 / max(abs(change), 1e-300)), variance = variance)
}

# What a slope means, in words.
slope_words <- function(slope) {
  if (is.na(slope)) {
    return("these rows do not determine it")
  }
  if (slope < 0.9) "the probabilities are too extreme" else if (slope > 1.1) "they are too cautious" else "about right"
}

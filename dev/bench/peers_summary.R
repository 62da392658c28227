# One line per method from the lines of peers.csv, for the article and README.

# Mean of a field over the folds of a set: a row per set, a column per method.
set_means <- function(peers, methods, field) {
  tapply(peers[[field]], list(factor(peers$set, unique(peers$set)), factor(peers$method, methods)), mean)
}

# Means over sets, and differences from one list over the sets that both were run on, with standard errors over sets.
against_list <- function(values) {
  difference <- values - values[, "list"]
  n <- colSums(!is.na(difference))
  data.frame(
    mean = colMeans(values, na.rm = TRUE), difference = colMeans(difference, na.rm = TRUE),
    se = apply(difference, 2, stats::sd, na.rm = TRUE) / sqrt(n), lower = colSums(difference < 0, na.rm = TRUE),
    sets = n
  )
}

summarise_peers <- function(peers, about) {
  of <- \(field) set_means(peers, about$method, field)
  middle <- \(field) apply(of(field), 2, stats::median, na.rm = TRUE)
  by_auc <- against_list(of("auc"))
  by_loss <- against_list(of("log_loss"))
  data.frame(
    method = about$method, title = about$title, sets = by_loss$sets, auc = by_auc$mean,
    auc_difference = by_auc$difference, auc_se = by_auc$se, log_loss = by_loss$mean, difference = by_loss$difference,
    se = by_loss$se, lower = by_loss$lower, slope = middle("slope"), conditions = middle("conditions"),
    seconds = middle("seconds")
  )
}

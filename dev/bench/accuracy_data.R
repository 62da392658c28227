# Data of the accuracy trials: real development sets, synthetic tables with known effects, folds, and how
# other packages get them.

directory <- Sys.getenv("SBRL_DATA", "../shared/data")

small_sets <- c(
  "tictactoe", "german_credit", "pima", "haberman", "appendicitis", "vehicle1", "ecoli1", "glass1"
)
large_sets <- c(
  "titanic", "telco_raw", "mushroom", "nursery", "adult_raw", "attrition", "credit", "magic", "yeast1", "wine_red"
)
synthetic_sets <- paste0(rep(c("band", "two_bands", "xor", "u_shape", "monotone"), each = 2), c("_500", "_4000"))

sets_called <- function(names) {
  groups <- list(
    small = small_sets, large = large_sets, real = c(small_sets, large_sets), synthetic = synthetic_sets,
    cut = setdiff(c(small_sets, large_sets), c("tictactoe", "titanic", "mushroom", "nursery"))
  )
  unlist(lapply(names, \(name) if (name %in% names(groups)) groups[[name]] else name))
}

# Text as factors, the label last, as 0 and 1; of very many rows a sample.
read_set <- function(name, most = 6000) {
  if (name %in% synthetic_sets) {
    return(synthetic(sub("_[0-9]+$", "", name), as.numeric(sub(".*_", "", name))))
  }
  path <- file.path(directory, paste0(name, ".csv.gz"))
  if (!file.exists(path)) {
    stop(name, " is not in ", directory)
  }
  data <- utils::read.csv(path, stringsAsFactors = TRUE, na.strings = c("", "NA"))
  names(data)[ncol(data)] <- "label"
  data$label <- factor(as.integer(data$label == sort(unique(data$label))[2]))
  set.seed(9)
  if (nrow(data) > 2 * most) data[sample(nrow(data), most), ] else data
}

# Six numbers of different shapes, of which one or two matter, in ways that a greedy search for one cut can miss. The
# bounds are no round quantiles.
synthetic <- function(effect, n) {
  set.seed(11)
  u <- matrix(stats::runif(6 * n), n)
  inside <- function(x, from, to) x >= from & x < to
  high <- switch(effect,
    band = inside(u[, 1], 0.37, 0.56),
    two_bands = inside(u[, 1], 0.13, 0.29) | inside(u[, 1], 0.66, 0.81),
    xor = (u[, 1] < 0.43) != (u[, 2] < 0.58),
    u_shape = abs(u[, 1] - 0.45) > 0.33,
    monotone = u[, 1] + u[, 2] > 1.1
  )
  label <- factor(as.integer(stats::runif(n) < ifelse(high, 0.8, 0.25)))
  data.frame(
    a = stats::qnorm(u[, 1]), b = stats::qexp(u[, 2]), c = u[, 3], d = round(10 * u[, 4]), e = stats::qnorm(u[, 5]),
    f = stats::qexp(u[, 6]), label = label
  )
}

folds_of <- function(y, seed, k = 5) {
  set.seed(seed)
  fold <- integer(length(y))
  for (class in unique(y)) {
    rows <- which(y == class)
    fold[rows] <- sample(rep_len(seq_len(k), length(rows)))
  }
  fold
}

# Levels that the training rows do not have are missing.
with_levels_of <- function(test, train) {
  shared <- setdiff(intersect(names(test)[vapply(test, is.factor, NA)], names(train)), "label")
  test[shared] <- lapply(shared, \(name) factor(as.character(test[[name]]), unique(as.character(train[[name]]))))
  test
}

# Medians in place of missing numbers, a level of its own in place of missing text.
filled <- function(data) {
  data[] <- lapply(data, function(x) {
    if (is.numeric(x)) replace(x, is.na(x), stats::median(x, na.rm = TRUE)) else if (anyNA(x)) addNA(x) else x
  })
  data
}

# Slow, obvious twins: the model's definition written down once more, with no thought of speed.

# Antecedents of a pool as lists of items, each with its feature and codes; never taken from names.
antecedents_of <- function(model, chosen = seq_along(model$pool$lengths)) {
  last <- cumsum(model$pool$lengths)
  lapply(chosen, function(j) {
    items <- model$items[model$pool$items[seq(last[j] - model$pool$lengths[j] + 1L, last[j])], ]
    condition <- function(feature, lo, hi, codes) {
      codes <- if (length(codes) > 0L) codes else lo:hi
      list(name = model$features[[feature]]$name, feature = model$features[[feature]], lo = lo, hi = hi, codes = codes)
    }
    sets <- if (is.null(items$codes)) rep(list(integer()), nrow(items)) else items$codes
    Map(condition, items$feature, items$lo, items$hi, sets)
  })
}

# Does a value match an item: is it missing, one of its levels, or from cut lo - 1 up to below cut hi?
naive_obeys <- function(x, item) {
  if (is.factor(x)) {
    x <- as.character(x)
  }
  if (item$lo == 0) {
    return(is.na(x))
  }
  if (item$feature$type %in% c("categorical", "ordered")) {
    levels <- item$feature$levels[if (is.null(item$codes)) item$lo:item$hi else item$codes]
    return(if (is.numeric(x)) x %in% as.numeric(levels) else enc2utf8(as.character(x)) %in% levels)
  }
  cuts <- c(-Inf, item$feature$cuts, Inf)
  x <- as.double(x)
  !is.na(x) & x >= cuts[item$lo] & (x < cuts[item$hi + 1L] | item$hi > length(item$feature$cuts))
}

naive_cover <- function(tdata, antecedent) {
  obeys <- lapply(antecedent, \(item) naive_obeys(tdata[[item$name]], item))
  Reduce(`&`, obeys, rep(TRUE, nrow(tdata)))
}

# Weight of each class captured by each rule, default rule last.
naive_counts <- function(tdata, label, classes, rules, weights = rep(1, nrow(tdata))) {
  free <- rep(TRUE, nrow(tdata))
  of_class <- function(rows) vapply(classes, \(class) sum(weights[rows & label == class]), 1)
  counts <- NULL
  for (antecedent in rules) {
    captured <- free & naive_cover(tdata, antecedent)
    counts <- rbind(counts, of_class(captured))
    free <- free & !captured
  }
  rbind(counts, of_class(free))
}

log_sum_exp <- function(x) max(x) + log(sum(exp(x - max(x))))

log_beta <- function(a) sum(lgamma(a)) - lgamma(sum(a))

naive_log_prior <- function(rule_lengths, pool_lengths, lambda, eta) {
  sizes <- 0:length(pool_lengths)
  m <- length(rule_lengths)
  total <- m * log(lambda) - lgamma(m + 1) - log_sum_exp(sizes * log(lambda) - lgamma(sizes + 1))
  unused <- pool_lengths
  for (length in rule_lengths) {
    open <- unique(unused)
    total <- total + length * log(eta) - lgamma(length + 1) - log_sum_exp(open * log(eta) - lgamma(open + 1))
    total <- total - log(sum(unused == length))
    unused <- unused[-match(length, unused)]
  }
  total
}

naive_log_likelihood <- function(counts, alpha) {
  sum(apply(counts, 1, \(n) log_beta(n + alpha) - log_beta(alpha)))
}

# The score of the candidates `chosen` (indices), as sbrl_score() names it but for the bound.
naive_score <- function(model, tdata, chosen, weights = rep(1, nrow(tdata))) {
  settings <- model$settings
  label <- as.character(tdata[[settings$label]])
  counts <- naive_counts(tdata, label, model$classes, antecedents_of(model, chosen), weights)
  prior <- naive_log_prior(model$pool$lengths[chosen], model$pool$lengths, settings$lambda, settings$eta)
  likelihood <- naive_log_likelihood(counts, settings$alpha)
  c(log_prior = prior, log_likelihood = likelihood, log_posterior = prior + likelihood)
}

naive_item <- function(name, level) {
  list(name = name, feature = list(type = "categorical", levels = level), lo = 1, hi = 1)
}

# All antecedents of a data frame of factors with the support asked for: 1.4's definition by brute force.
naive_pool <- function(tdata, label, maxlen, minsupport) {
  features <- setdiff(names(tdata), label)
  n_class <- table(tdata[[label]])
  found <- character()
  for (length in seq_len(maxlen)) {
    for (chosen in utils::combn(features, length, simplify = FALSE)) {
      levels <- expand.grid(lapply(tdata[chosen], \(x) levels(factor(x))), stringsAsFactors = FALSE)
      for (i in seq_len(nrow(levels))) {
        antecedent <- Map(naive_item, chosen, unlist(levels[i, ]))
        n_covered <- table(factor(tdata[[label]], names(n_class))[naive_cover(tdata, antecedent)])
        if (any(n_covered / n_class >= minsupport - 1e-12 & n_covered > 0)) {
          found <- c(found, sprintf("{%s}", paste0(chosen, "=", unlist(levels[i, ]), collapse = ",")))
        }
      }
    }
  }
  sort(found, method = "radix")
}

# Area under the ROC curve: the share of pairs of a positive and a negative row that are in order, ties counting half.
naive_auc <- function(truth, score, weights = rep(1, length(score))) {
  total <- 0
  pairs <- 0
  for (i in which(truth)) {
    for (j in which(!truth)) {
      won <- if (score[i] > score[j]) 1 else if (score[i] == score[j]) 0.5 else 0
      total <- total + weights[i] * weights[j] * won
      pairs <- pairs + weights[i] * weights[j]
    }
  }
  total / pairs
}

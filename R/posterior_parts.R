# The object that sbrl_posterior() returns: put together, checked, written as tables of numbers and read again.

# Predictions of at most this many training rows, evenly spread, decide which list is the medoid and what is diagnosed.
n_compared_rows <- 2000

# At most this many rows have diagnostics of their own, of those that vary at least this much between lists.
n_diagnosed_rows <- 20
least_sd <- 0.005

assemble_posterior <- function(model, training, sampled, plan, call) {
  draft <- draft_posterior(model, sampled)
  draft$seen <- equal_covers(draft, training)
  draws <- draw_table(draft, sampled, plan$chains)
  rows <- spread_rows(length(training$training$codes))
  cells <- matrix(row_cells(draft, training, rows), length(rows))
  probs <- mean_probabilities(cell_weights(draft))
  distance <- list_distances(model, cells, probs)
  chosen <- which.min(distance)
  evidences <- sampled$log_evidences
  new_lists(medoid_model(model, draft, chosen, training, plan$seed), chosen, draft$lists, draft$seen, list(
    draws = draws,
    diagnostics = diagnose_draws(model, draws, cells, probs, training$kept[rows]),
    tempering = list(
      betas = sampled$betas, swap_rates = sampled$swap_rates, restarts = sampled$restarts,
      round_trips = sampled$round_trips, warmup = sampled$rounds[1L],
      rounds = sampled$rounds[2L]
    ),
    evidence = c(
      log_evidence = sampled$log_evidence, se = stats::sd(evidences) / sqrt(length(evidences)),
      drift = sampled$log_evidence_drift, log_prior_mass = sampled$log_prior_mass
    ),
    others = find_alternatives(model, training, sampled$pruned, draws, rows),
    stopped_early = sampled$rounds[1L] < plan$warmup || sampled$rounds[2L] < plan$draws,
    seed = plan$seed, call = call
  ), "sbrl_posterior")
}

# Support of each candidate seen, and the first in the pool of those that cover the same rows.
equal_covers <- function(x, training) {
  seen <- x$seen
  if (nrow(seen) == 0L) {
    return(seen)
  }
  compact <- compact_rules(x$medoid, seen$candidate)
  rows <- training$training
  rows$columns <- rows$columns[match(feature_names(compact$features), training$names)]
  rows$items <- compact$items
  rules <- list(items = compact$rule_items, lengths = compact$rule_lengths)
  found <- call_job(native_alike, rows, rules, seq_len(nrow(seen)), 1)
  total <- sum(x$medoid$settings$class_counts)
  data.frame(candidate = seen$candidate, support = pmin(1, found$weights / total), group = seen$candidate[found$group])
}

draw_table <- function(x, sampled, n_chains) {
  n <- length(sampled$lengths) / n_chains
  active <- tabulate(list_uses(x)$list[list_uses(x)$n > 0], n_lists(x))
  data.frame(
    .chain = rep(seq_len(n_chains), each = n), .iteration = rep(seq_len(n), n_chains), .draw = seq_len(n * n_chains),
    log_prior = sampled$log_prior, log_likelihood = sampled$log_likelihood,
    log_posterior = sampled$log_prior + sampled$log_likelihood, length = sampled$lengths, active = active
  )
}

spread_rows <- function(n) {
  unique(round(seq(1, n, length.out = min(n, n_compared_rows))))
}

# One of the draws as an ordinary model, without the rules that capture no row, the default rule included.
medoid_model <- function(model, x, chosen, training, seed) {
  one <- without_empty_rules(list_model(x, chosen))
  rules <- list_rules(one)
  counts <- one$counts
  model$settings$else_rule <- 0
  # what is known of the model's search says nothing about a draw
  model$settings$settled <- NULL
  if (!is.null(model$terms) && length(rules) > 0L && gives_base_rate(one)) {
    # as in models fitted with a formula, the default rule takes the place of the last one
    model$settings$else_rule <- as.double(rules[length(rules)])
    rules <- rules[-length(rules)]
    counts <- counts[-nrow(counts), , drop = FALSE]
  }
  score <- score_candidates(model, training, rules)
  new_sbrl(c(
    unclass(model)[c("features", "items", "pool", "dropped", "labels", "settings", "terms", "call", "version")],
    list(
      rules = rules, counts = counts, score = score, found = list(rules = rules, score = score),
      chains = empty_table(chain_fields), trace = empty_table(trace_fields),
      timing = stats::setNames(double(length(timing_fields)), timing_fields), stopped_early = FALSE, seed = seed
    )
  ))
}

# Log likelihood, active length, and predictions of rows that vary between lists; `rows` are their numbers in the data.
diagnose_draws <- function(model, draws, cells, probs, rows) {
  n_chains <- max(draws$.chain)
  by_chain <- \(x) matrix(x, ncol = n_chains)
  predicted <- row_predictions(model, cells, probs)
  found <- rbind(
    diagnose(by_chain(draws$log_likelihood)), diagnose(by_chain(draws$active)),
    do.call(rbind, lapply(predicted$picked, \(i) diagnose(by_chain(predicted$probs[i, ]))))
  )
  found$rhat <- pmin(found$rhat, largest_rhat)
  n <- length(predicted$picked)
  cbind(
    data.frame(
      quantity = rep(c("log_likelihood", "active", "prediction"), c(1L, 1L, n)),
      row = c(NA, NA, rows[predicted$picked]), class = c(NA, NA, model$classes[predicted$class[predicted$picked]])
    ),
    found
  )
}

# Chains that never move have an infinite R-hat, which JSON cannot represent.
largest_rhat <- 1e6

# The probability of the reported class of each row in each draw, and which rows are diagnosed: different ones, spread
# over all that vary.
row_predictions <- function(model, cells, probs) {
  mean_of <- \(class) rowMeans(matrix(probs[cells, class], nrow(cells)))
  means <- matrix(vapply(seq_len(ncol(probs)), mean_of, double(nrow(cells))), nrow(cells))
  class <- reported_class(model, means)
  predicted <- matrix(probs[cbind(as.vector(cells), rep(class, ncol(cells)))], nrow(cells))
  sds <- sqrt(pmax(0, rowMeans(predicted^2) - rowMeans(predicted)^2))
  key <- paste(signif(rowMeans(predicted), 8L), signif(sds, 8L))
  varied <- which(sds > least_sd & !duplicated(key))
  n <- min(length(varied), n_diagnosed_rows)
  list(probs = predicted, class = class, picked = varied[unique(round(seq(1, length(varied), length.out = n)))])
}

# ---- what comes in ----

#' @export
own_problem.sbrl_posterior <- function(x) { # nolint: object_name_linter. A method.
  n <- n_lists(x)
  x <- unclass(x)
  first_failing(
    "`draws` must be a table of the draws" = is_frame(x$draws, draw_fields) && nrow(x$draws) == n &&
      all(vapply(x$draws, \(column) !is.object(column) && is.numeric(column) && all(is.finite(column)), NA)),
    "`draws` must have as many draws of each chain" = are_chains(x$draws$.chain),
    "`diagnostics` must be a table of diagnostics" = are_diagnostics(x$diagnostics, x$medoid$classes),
    "`tempering` must be the temperatures and what was done" = is_tempering(x$tempering),
    "`evidence` must be four numbers" = is_plain(x$evidence, "double", length(evidence_fields)) &&
      identical(names(x$evidence), evidence_fields),
    "`others` must be lists with their prices" = are_others(x$others, n, x$medoid),
    "`stopped_early` must be TRUE or FALSE" = is_flag(x$stopped_early),
    "`seed` must be a whole number" = is_whole(x$seed, 0, 2^53)
  )
}

are_diagnostics <- function(x, classes) {
  is_frame(x, diagnostic_fields) && nrow(x) >= 2L && all(vapply(x[4:9], is.double, NA)) &&
    all(x$quantity %in% c(names(quantity_codes), "prediction")) && is.character(x$quantity) &&
    all(x$class %in% c(NA, classes)) && identical(is.na(x$class), x$quantity != "prediction")
}

# Draws of chain 1, as many of chain 2, and so on.
are_chains <- function(chain) {
  n <- max(chain)
  is_whole(n, 1, length(chain)) && length(chain) %% n == 0 && all(chain == rep(seq_len(n), each = length(chain) / n))
}

draw_fields <- c(
  ".chain", ".iteration", ".draw", "log_prior", "log_likelihood", "log_posterior", "length", "active"
)
diagnostic_fields <- c("quantity", "row", "class", "mean", "sd", "mcse", "rhat", "ess_bulk", "ess_tail")
tempering_fields <- c("betas", "swap_rates", "restarts", "round_trips", "warmup", "rounds")
evidence_fields <- c("log_evidence", "se", "drift", "log_prior_mass")

is_tempering <- function(x) {
  is_plain(x, "list") && identical(names(x), tempering_fields) &&
    all(vapply(x, \(part) is.double(part) && !is.object(part) && all(is.finite(part)), NA)) &&
    length(x$swap_rates) == length(x$betas) - 1L && length(x$round_trips) >= 1L &&
    length(x$restarts) == length(x$round_trips)
}

# ---- JSON ----

quantity_codes <- c(log_likelihood = 0, active = -1)

#' @export
own_tables.sbrl_posterior <- function(x) { # nolint: object_name_linter. A method.
  found <- x$diagnostics
  number <- ifelse(found$quantity == "prediction", found$row, quantity_codes[found$quantity])
  list(posterior = c(
    x$draws[c(".chain", ".iteration", "log_prior", "log_likelihood", "active")],
    list(quantity = unname(number), class = match(found$class, x$medoid$classes)),
    stats::setNames(found[4:9], paste0("of_", diagnostic_fields[4:9])),
    x$tempering,
    list(evidence = unname(x$evidence)),
    stats::setNames(as.list(x$others), paste0("other_", names(x$others))),
    list(stopped_early = as.double(x$stopped_early), seed = x$seed)
  ))
}

#' @export
own_fields.sbrl_posterior <- function(x, table) { # nolint: object_name_linter. A method.
  of <- stats::setNames(table[paste0("of_", diagnostic_fields[4:9])], diagnostic_fields[4:9])
  code <- table$quantity
  quantity <- ifelse(code > 0, "prediction", names(quantity_codes)[match(code, quantity_codes)])
  list(
    draws = data.frame(
      .chain = as_whole(table$.chain), .iteration = as_whole(table$.iteration), .draw = seq_along(table$.chain),
      log_prior = table$log_prior, log_likelihood = table$log_likelihood,
      log_posterior = table$log_prior + table$log_likelihood, length = x$lists$lengths,
      active = as_whole(table$active)
    ),
    diagnostics = cbind(
      data.frame(
        quantity = quantity, row = ifelse(code > 0, code, NA_real_), class = x$medoid$classes[as_whole(table$class)]
      ),
      list2DF(of)
    ),
    tempering = table[tempering_fields],
    evidence = stats::setNames(table$evidence, evidence_fields),
    others = read_others(table),
    stopped_early = identical(table$stopped_early, 1), seed = table$seed, call = NULL
  )
}

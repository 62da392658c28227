# Taught lists: the fit with a teacher. The list is learnt from soft labels, and counted and scored with the real ones.

# How much of the label is in a soft label: it helps where classes are nearly pure (dev/notes/0012-accuracy.md).
label_share <- 0.15

# The list learnt from the labels is kept if its loss, leaving one row out, is lower by more than this.
pure_margin <- 0.04

# With the default length, larger pools are not searched for three conditions.
max_default_pool <- 3e5

# The model of a fit with a teacher. `work` has the `training` rows, what read_columns() made of them (`input`), and the
# `settings`, the `seed`, the arguments (`args`) and the given rows (`given`) of the fit. `search` finds a list for rows
# and settings, and `finish` makes a model of what was found.
fit_taught <- function(work, search, finish) {
  started <- now()
  rows <- work$input$rows
  teacher <- teacher_predictions(work$args$teacher, about_rows(work))
  worth <- judge_predictions(teacher$probs, rows)
  warn_poor_teacher(teacher, worth)
  limit <- work$settings$time_limit
  search_within <- function(rows, share) {
    settings <- replace(work$settings, "time_limit", list(max(0.001, share * (limit - (now() - started)))))
    found <- search_lengths(search, rows, settings, work$args$has_default_length)
    found$settings$time_limit <- limit
    found
  }
  strength <- teacher_strength(rows)
  if (worth$is_useful) {
    soft <- whole_weights(soft_labels(teacher$probs, rows$codes), strength, work$seed)
    chosen <- choose_list(recount(search_within(soften_rows(rows, soft), 0.5), rows), rows, search_within)
  } else {
    chosen <- list(found = search_within(rows, 1), outcome = "no_better")
  }
  add_teacher(finish(chosen$found), teacher, worth, list(outcome = chosen$outcome, strength = strength), rows)
}

about_rows <- function(work) {
  input <- work$input
  list(
    training = work$training, kept = input$kept, outcome = input$rows, features = input$features,
    classes = names(input$class_counts), rows = work$given, position = work$training$position[input$kept],
    seed = work$seed, threads = work$args$threads, time_limit = work$settings$time_limit, progress = work$args$progress
  )
}

# A row counts more often where there are few, within limits: this many rows in all.
teacher_strength <- function(rows) {
  are_counts <- !is.null(rows$weights) && all(rows$weights == round(rows$weights))
  n <- if (are_counts) sum(rows$weights) else length(rows$codes)
  min(8, max(2, round(1e4 / n)))
}

soft_labels <- function(probs, codes) {
  soft <- (1 - label_share) * probs
  at <- cbind(seq_along(codes), codes)
  soft[at] <- soft[at] + label_share
  soft
}

# `strength` times the probabilities as whole numbers, because the engine is fast with these: rounded at random, so that
# each has the right mean, and the numbers of a row add up to `strength`.
whole_weights <- function(soft, strength, seed) {
  shift <- with_own_generator(seed, \() stats::runif(nrow(soft)))
  classes <- seq_len(ncol(soft))
  ends <- vapply(classes, \(class) rowSums(soft[, seq_len(class), drop = FALSE]), double(nrow(soft)))
  ends <- matrix(ends, nrow(soft))
  ends[, ncol(soft)] <- 1
  steps <- floor(strength * ends + shift)
  steps - cbind(0, steps[, -ncol(soft), drop = FALSE])
}

# Each row becomes one row per class, with the weights in `soft`: a matrix of rows and classes.
soften_rows <- function(rows, soft) {
  at <- which(soft > 0, arr.ind = TRUE)
  weights <- soft[at] * (if (is.null(rows$weights)) 1 else rows$weights[at[, 1L]])
  replace(rows, c("codes", "weights", "columns"), list(unname(at[, 2L]), weights, take_values(rows$columns, at[, 1L])))
}

# With the default length the candidates are never too many: then rules are shorter.
search_lengths <- function(search, rows, settings, has_default_length) {
  if (!has_default_length || settings$rule_maxlen <= max(1, settings$rule_minlen)) {
    return(search(rows, settings))
  }
  capped <- replace(settings, "max_rules", list(min(settings$max_rules, max_default_pool)))
  found <- tryCatch(search(rows, capped), sbrl_error_max_rules = \(e) NULL, sbrl_error_memory = \(e) NULL)
  if (!is.null(found)) {
    found$settings$max_rules <- settings$max_rules
    return(found)
  }
  settings$rule_maxlen <- settings$rule_maxlen - 1
  message <- "There are too many candidates for the default length, so rules have at most %s."
  inform_sbrl("rule_maxlen", sprintf(message, counted(settings$rule_maxlen, "condition")))
  search_lengths(search, rows, settings, TRUE)
}

# The list that was found, counted and scored with the labels of `rows`. As for refit(), nothing is known of a search in
# these.
recount <- function(found, rows) {
  result <- found$result
  rules <- as.integer(result$rules)
  model <- list(
    pool = new_pool(result$pool$items, result$pool$lengths, result$n_distinct), settings = found$settings,
    classes = names(found$settings$class_counts)
  )
  encoded <- list(training = rows, rules = model$pool, has_missing = rep(0L, length(rows$columns)))
  counts <- count_captured(model, encoded, rules)
  score <- score_candidates(model, encoded, rules)
  result[c("counts", "score", "stopped_early")] <- list(flat_by_row(counts), score, FALSE)
  result$found <- list(rules = rules, score = score)
  result$chains <- lapply(result$chains, `[`, 0L)
  result$trace <- lapply(result$trace, `[`, 0L)
  result$settled <- NULL
  replace(found, "result", list(result))
}

# The list that was taught; or, where the labels are nearly pure, the one that is learnt from these.
choose_list <- function(taught, rows, search_within) {
  loss_of <- \(found) left_out_loss(count_matrix(found$result$counts, names(found$settings$class_counts)),
                                    found$settings$alpha)
  loss <- loss_of(taught)
  # no loss is below 0
  if (loss > pure_margin) {
    plain <- quietly(search_within(rows, 1))
    if (loss_of(plain) < loss - pure_margin) {
      return(list(found = plain, outcome = "pure"))
    }
  }
  list(found = taught, outcome = "taught")
}

# What was said of the first search need not be said of the second.
quietly <- function(code) {
  withCallingHandlers(
    code, sbrl_message = \(m) invokeRestart("muffleMessage"), sbrl_warning = \(w) invokeRestart("muffleWarning")
  )
}

# The mean log loss of the rows that a list captured, each by the others; in closed form.
left_out_loss <- function(counts, alpha) {
  others <- pmax(counts - 1, 0) + rep(alpha, each = nrow(counts))
  all <- pmax(rowSums(counts) - 1, 0) + sum(alpha)
  -sum(counts * log(others / all)) / sum(counts)
}

add_teacher <- function(model, teacher, worth, kept, rows) {
  cells <- captured_rows(model, rows)
  fidelity <- fidelity_of(teacher$probs, unname(model$probs)[cells, , drop = FALSE], rows$weights)
  model$teacher <- list(
    source = teacher$source, outcome = kept$outcome, strength = kept$strength, log_loss = worth$log_loss,
    base_log_loss = worth$base_log_loss, fidelity = fidelity$fidelity, agreement = fidelity$agreement,
    n_rounds = teacher$n_rounds %||% NA_real_, n_trees = teacher$n_trees %||% NA_real_
  )
  model
}

# The rule that captures each of the rows that the engine reads; the last one is the default rule.
captured_rows <- function(model, rows) {
  rules <- list_rules(model)
  encoded <- list(training = rows, rules = model$pool)
  known <- rep(0L, length(rows$columns))
  found <- call_job(native_predict, rows$columns, rows$items, candidates_in(encoded, rules), known, length(rows$codes))
  ifelse(found$rule == 0L, length(rules) + 1L, found$rule)
}

warn_poor_teacher <- function(teacher, worth) {
  if (teacher$source != "trees" && worth$gain <= 0) {
    message <- paste(
      "`teacher` predicts the labels no better than the base rate does (log loss %.4f, base rate %.4f). Are its rows",
      "in another order, or its classes exchanged? The list is learnt from the labels."
    )
    warn_sbrl("teacher", sprintf(message, worth$log_loss, worth$base_log_loss))
  }
}

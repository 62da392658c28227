# The work of a bag: samples, fits, and one object made of them.

bag_rows <- function(rows, plan, origin) {
  check_bag_classes(rows)
  seeds <- with_own_generator(plan$seed, \() floor(stats::runif(plan$times) * 2^31))
  columns <- rows$data[names(rows$data) != rows$label]
  numbers <- names(columns)[vapply(columns, \(x) is.null(count_levels(x)) && is_cut(x, NULL), NA)]
  shared <- list(
    rows = rows, seeds = seeds, numbers = numbers, plan = plan, by_formula = origin$by_formula, fit = fit_sample,
    describe = describe_sample
  )
  done <- on_interrupt(
    run_fits(plan$times, shared), "Interrupted: `sbrl_bag()` keeps nothing of the fits it has done."
  )
  warn_fits(done)
  inform_fits(done)
  levels <- Map(\(x, name) if (name %in% numbers) character() else observed_levels(x, name), columns, names(columns))
  own <- if (is.list(plan$arguments$discretize)) names(plan$arguments$discretize) else character()
  assemble_bag(done, merge_fits(done, levels, own), rows, seeds, list(plan = plan, origin = origin))
}

# Without weights a row that was drawn twice is there twice, which is faster than a weight of 2.
fit_sample <- function(i, shared) {
  rows <- shared$rows
  times <- draw_sample(rows, shared$seeds[i])
  picked <- if (is.null(rows$weights)) rep(seq_along(times), times) else which(times > 0L)
  arguments <- shared$plan$arguments
  arguments$threads <- shared$plan$threads
  own <- list(
    label = rows$label, weights = if (!is.null(rows$weights)) (rows$weights * times)[picked], seed = shared$seeds[i],
    progress = FALSE
  )
  # numbers have cut points also where a sample has few of their values
  origin <- new_origin(by_formula = shared$by_formula, max_work = work_of_one_of_many)
  origin$numbers <- shared$numbers
  trim_model(fit_frame(take_rows(rows$data, picked), c(own, arguments), origin))
}

describe_sample <- function(i, shared) {
  sprintf("to sample %d", i)
}

assemble_bag <- function(done, merged, rows, seeds, about) {
  settings <- lapply(done, `[[`, "settings")
  draft <- draft_bag(done, merged, rows)
  groups <- find_groups(draft, rows)
  draft$seen <- groups$seen
  draft$medoid$pool$n_distinct <- groups$n_distinct
  evaluated <- evaluate_bag(draft, rows, seeds)
  chosen <- which.min(evaluated$distance)
  medoid <- fit_medoid(draft, chosen, settings[[chosen]], rows, about)
  fits <- data.frame(
    seed = seeds, length = as.double(merged$lists$lengths), conditions = vapply(done, \(fit) sum(fit$rule_lengths), 1),
    lambda = vapply(settings, `[[`, 1, "lambda"), log_posterior = vapply(done, \(fit) fit$score[["log_posterior"]], 1),
    candidates = vapply(done, \(fit) as.double(fit$n_candidates), 1), evaluated$fits
  )
  new_lists(medoid, chosen, draft$lists, draft$seen, list(
    fits = fits, out_of_bag = evaluated$out_of_bag, spread = c(dice = mean_dice(draft), evaluated$spread),
    seed = about$plan$seed, call = about$origin$call
  ), "sbrl_bag")
}

# The lists before it is known which is the medoid: a model of the first stands in for it. The columns of the rows are
# the variables themselves, so there are no terms yet.
draft_bag <- function(done, merged, rows) {
  m <- merged$lists$lengths[1L]
  first <- done[[1L]]
  score <- stats::setNames(double(3L), score_fields)
  counts <- count_matrix(first$counts, rows$classes)
  model <- new_sbrl(c(
    merged[c("features", "items", "pool", "dropped")],
    list(
      rules = merged$lists$rules[seq_len(m)], counts = counts, score = score,
      found = list(rules = merged$lists$rules[seq_len(m)], score = score),
      settings = replace(first$settings, "else_rule", 0),
      labels = first$labels, chains = empty_table(chain_fields), trace = empty_table(trace_fields),
      timing = stats::setNames(double(length(timing_fields)), timing_fields), stopped_early = FALSE, seed = 0
    )
  ))
  seen <- sort(unique(merged$lists$rules))
  seen <- data.frame(candidate = seen, support = double(length(seen)), group = seen)
  new_lists(model, 1L, merged$lists, seen, list(), "sbrl_bag")
}

# Rules are alike if the rows that both cover are at least this share of those that one or the other covers.
similarity <- 0.9

# The table `seen`: support of each candidate, and the most frequent of those that it is like; and how many cover
# different rows.
find_groups <- function(x, rows) {
  uses <- active_uses(x)
  seen <- x$seen$candidate
  if (length(seen) == 0L) {
    return(list(seen = x$seen, n_distinct = 0L))
  }
  input <- list_input(x, rows$data, "data")
  training <- list(
    codes = rows$codes, weights = rows$weights, n_classes = length(rows$classes), columns = input$columns,
    items = input$items
  )
  frequency <- tabulate(match(uses$candidate, seen), length(seen))
  found <- call_job(native_alike, training, input$rules, order(-frequency, seen), similarity)
  total <- if (is.null(rows$weights)) length(rows$codes) else sum(rows$weights)
  list(
    seen = data.frame(candidate = seen, support = pmin(1, found$weights / total), group = seen[found$group]),
    n_distinct = found$n_distinct
  )
}

# The chosen list with the counts of all rows.
fit_medoid <- function(x, chosen, settings, rows, about) {
  model <- list_model(x, chosen)
  counted <- model$settings[c("class_counts", "n_rows")]
  model$settings <- replace(settings, c(names(counted), "else_rule"), c(counted, 0))
  model <- refit_list(model, rows$data, rows$weights, about$origin$call)
  model$seed <- about$plan$seed
  model["terms"] <- list(about$origin$terms)
  model
}

# From data to model: the common path of all methods of sbrl(), and of everything else that fits.

# A model of `data`, a data frame or a source, with the arguments that were `given` and the defaults of the others;
# `origin` as in new_origin().
fit_frame <- function(data, given, origin = new_origin()) {
  args <- read_fit_arguments(given, is_source(data), origin$by_formula)
  split <- if (is_source(data)) split_source else split_frame
  if (!is.null(args$teacher)) {
    origin$rows <- origin$rows %||% given_rows(data)
  }
  catch_memory(fit_rows(split(data, args$label, args$weights), args, origin))
}

fit_rows <- function(training, args, origin) {
  is_table <- inherits(training, "sbrl_table")
  input <- if (is_table) read_source(training, args, origin$by_formula) else read_columns(training, args, origin)
  warn_empty(input$empty)
  warn_number_text(input$digits)
  settings <- settings_for(args, training, input$class_counts)
  seed <- choose_seed(args$seed)
  rows <- if (is_table) read_rows(training, input, settings) else input$rows
  search <- function(rows, settings) {
    rows$items$words <- item_words(rows$items, input$features)
    search_rows(rows, settings, seed, args, origin)
  }
  finish <- \(found) model_found(found, input, args, seed, origin)
  if (!is.null(args$teacher)) {
    # several searches, in copies of the rows
    origin$max_work <- min(origin$max_work, work_of_one_of_many)
    work <- list(
      training = training, input = input, settings = settings, seed = seed, args = args, given = origin$rows
    )
    return(fit_taught(work, search, finish))
  }
  found <- search(rows, settings)
  if (is_table) {
    found$result$pool$items <- rows$frequent[found$result$pool$items]
  }
  finish(found)
}

search_rows <- function(rows, settings, seed, args, origin) {
  started <- now()
  search <- if (is_auto(args$lambda)) search_twice else search_once
  # what the engine asks for and a model does not keep
  extra <- list(
    certify_nodes = as.double(args$certify_nodes), ends_in_else = as.double(origin$by_formula),
    joins_feature = as.double(args$conditions != "rich"),
    max_work = if (args$settles) origin$max_work / (1 + is_auto(args$lambda)) else 0, proves = 1
  )
  settings[names(extra)] <- extra
  found <- on_interrupt(search(rows, settings, seed, args$progress), paste(
    "Interrupted: there is no model. To keep the best list found so far, set `time_limit`, in seconds, and let the fit",
    "end by itself."
  ))
  found$settings[names(extra)] <- NULL
  if (found$result$stopped_early) {
    inform_time_limit(found, now() - started)
  }
  if (args$has_default_max_length) {
    inform_max_length(length(found$result$found$rules), settings$max_length)
  }
  warn_no_candidate(found$result)
  found
}

# The model of what the search found.
model_found <- function(found, input, args, seed, origin) {
  result <- found$result
  settings <- found$settings
  settings$minsupport[] <- result$minsupport
  settings$else_rule <- result$else_rule
  settings$settled <- settled_numbers(result$settled)
  parts <- parts_from_result(result, settings)
  if (args$shrink) {
    parts$settings$shrinkage <- shrinkage_strength(parts)
  }
  model <- new_sbrl(c(
    parts, input[c("features", "items", "dropped")],
    list(seed = seed, labels = input$labels, approximate = input$approximate), origin
  ))
  if (!is.null(result$certificate)) {
    asked <- list(max_length = settings$max_length, gap = 0)
    model$certificate <- new_certificate(
      result$certificate, model, asked, max(0, result$certificate$trace$seconds), length(result$found$rules)
    )
  }
  model
}

# What a fit reads of columns in memory: classes, features and items, and the `rows` for the engine.
read_columns <- function(training, args, origin) {
  outcome <- read_outcome(training, args)
  labels <- check_labels(args$labels, training$names, training$label_name, names(outcome$sums))
  allow_interrupt(length(outcome$kept))
  warn_unlabelled(outcome$n_unlabelled, training$label_name)
  training <- keep_rows(training, outcome$kept)
  discretisation <- c(read_discretisation(args, origin$by_formula), list(numbers = origin$numbers))
  input <- learn_features(training, outcome$rows, discretisation, args$empty_as_missing)
  check_level_labels(labels, input$features)
  c(input[c("features", "items", "dropped")], list(
    labels = labels, empty = c(outcome$empty, input$empty), digits = input$digits, class_counts = outcome$sums,
    kept = outcome$kept,
    rows = c(outcome$rows, list(columns = input$columns, items = as.list(input$items)))
  ))
}

search_once <- function(training, settings, seed, progress, time_limit = settings$time_limit) {
  asked <- replace(settings, c("seed", "time_limit"), list(seed, time_limit))
  asked$iters <- if (is.na(settings$iters)) least_iters else settings$iters
  result <- run_fit_job(training, asked, progress)
  done <- c(done = sum(result$chains$iterations), planned = settings$iters * settings$nchain)
  list(result = result, settings = settings, iterations = done)
}

# `lambda = "auto"`: the length of a first list is the prior mean of the second. Both share the time limit and the seed.
search_twice <- function(training, settings, seed, progress) {
  started <- now()
  first <- replace(settings, "certify_nodes", list(0))
  once <- search_once(c(training, list(is_reused = TRUE)), first, seed, progress, settings$time_limit / 2)
  first <- once$result
  settings$lambda <- max(1, length(first$found$rules))
  time_left <- max(settings$time_limit - (now() - started), 0.001)
  second <- search_once(training, settings, seed, progress, time_left)
  second$iterations <- second$iterations + once$iterations
  second$result$timing <- second$result$timing + first$timing
  second$result$stopped_early <- second$result$stopped_early || first$stopped_early
  second
}

warn_no_candidate <- function(result) {
  if (length(result$pool$lengths) == 0L) {
    warn_sbrl("no_candidate", paste(
      "No condition is common enough for a rule, so the model has only the default rule. Lower `minsupport`, or give",
      "columns that vary and whose values recur."
    ))
  }
}

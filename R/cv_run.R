# The work of a cross-validation: one task is one setting on one fold. It runs here or on the workers of a future plan.

run_tasks <- function(tasks, shared) {
  if (has_parallel_plan()) run_tasks_on_futures(tasks, shared) else run_tasks_here(tasks, shared)
}

run_tasks_here <- function(tasks, shared) {
  line <- progress_line(shared$plan$progress, cv_progress_text)
  on.exit(line$clear())
  lapply(seq_len(nrow(tasks)), function(i) {
    line$show(list(phase = "search", done = i - 1L, total = nrow(tasks)))
    run_task(i, tasks, shared)
  })
}

cv_progress_text <- function(state, seconds, left) {
  sprintf("sbrl: %d of %d fits, %.1f s%s", state$done, state$total, seconds, time_left_text(left))
}

has_parallel_plan <- function() {
  if (!isNamespaceLoaded("future") || inherits(future::plan(), "sequential")) {
    return(FALSE)
  }
  if (!requireNamespace("future.apply", quietly = TRUE)) {
    warn_sbrl("future", "The package future.apply is not installed, so the fits run here and not on the future plan.")
    return(FALSE)
  }
  TRUE
}

# Each fit has its seed, so the workers' own generators do not matter.
run_tasks_on_futures <- function(tasks, shared) {
  shared$plan$threads <- if (is.null(shared$plan$threads)) 1 else shared$plan$threads
  # who wants to see the progress has loaded this package and chosen how
  has_progressr <- shared$plan$signals && isNamespaceLoaded("progressr")
  tick <- if (has_progressr) progressr::progressor(nrow(tasks)) else function() NULL
  work <- function(i, tasks, shared, tick) {
    done <- run_task(i, tasks, shared)
    tick()
    done
  }
  environment(work) <- topenv()
  catch_too_large(future.apply::future_lapply(
    seq_len(nrow(tasks)), work,
    tasks = tasks, shared = shared, tick = tick, future.seed = FALSE, future.packages = "sbrl", future.globals = FALSE
  ), shared)
}

# The package future sends no more than this to a worker, and gives its error no class.
catch_too_large <- function(code, shared) {
  tryCatch(code, error = function(e) {
    if (inherits(e, "sbrl_error") || !grepl("future.globals.maxSize", conditionMessage(e), fixed = TRUE)) {
      stop(e)
    }
    message <- paste(
      "The data (%s) are larger than the option `future.globals.maxSize` allows each worker of a future plan to get.",
      "Raise that option, in bytes; use plan(\"sequential\"); or fit with sbrl() to a source, which is read in chunks",
      "(see ?sbrl_source), and measure with sbrl_performance()."
    )
    abort_sbrl("future", sprintf(message, format(utils::object.size(shared$rows$data), units = "auto")))
  })
}

# Fit on the other folds, predict this one. Warnings travel with the result, and so do the kinds of messages; an error
# says where it happened.
run_task <- function(i, tasks, shared) {
  warnings <- character()
  messages <- character()
  keep_message <- function(m) {
    messages <<- c(messages, sub("^sbrl_message_", "", class(m)[1L]))
    invokeRestart("muffleMessage")
  }
  keep_warning <- function(w) {
    # empty text has been warned of already, for all rows
    if (!inherits(w, "sbrl_warning_empty")) {
      warnings <<- c(warnings, conditionMessage(w))
    }
    invokeRestart("muffleWarning")
  }
  fold <- tasks$fold[i]
  done <- tryCatch(
    withCallingHandlers(
      fit_and_measure(fold, tasks$setting[i], shared),
      sbrl_warning = keep_warning, sbrl_message = keep_message
    ),
    sbrl_error = function(e) abort_task(e, shared$names[fold], setting_labels(shared$plan$grid)[tasks$setting[i]])
  )
  c(done, list(warnings = unique(warnings), messages = messages))
}

abort_task <- function(error, fold, setting) {
  kind <- sub("^sbrl_error_", "", class(error)[1L])
  abort_sbrl(kind, sprintf("In the fit without fold %s, %s: %s", fold, setting, conditionMessage(error)))
}

fit_and_measure <- function(fold, setting, shared) {
  rows <- shared$rows
  train <- which(shared$fold != fold)
  test <- which(shared$fold == fold)
  arguments <- c(shared$plan$arguments, setting_arguments(shared$plan$grid, setting))
  arguments$threads <- shared$plan$threads
  model <- do.call(sbrl.data.frame, c(
    list(
      tdata = take_rows(rows$data, train), label = rows$label, weights = rows$weights[train],
      seed = shared$seeds[fold], progress = FALSE
    ),
    arguments
  ))
  probs <- predict.sbrl(model, newdata = take_rows(rows$data, test), type = "matrix")
  weights <- if (is.null(rows$weights)) rep(1, length(test)) else rows$weights[test]
  list(
    measures = measure_all(rows$codes[test], probs, weights), length = nrow(model$rs) - 1L,
    conditions = sum(model$pool$lengths[list_rules(model)]), n = sum(weights), probs = probs
  )
}

# One message of each kind for all fits.
inform_fits <- function(done) {
  forms <- c(
    time_limit = "`time_limit` stopped %d of %d fits.",
    max_length = "In %d of %d fits the list is as long as `max_length` allows by default; set it to `Inf` for no limit."
  )
  for (kind in names(forms)) {
    n <- sum(vapply(done, \(x) kind %in% x$messages, NA))
    if (n > 0L) {
      inform_sbrl(kind, sprintf(forms[[kind]], n, length(done)))
    }
  }
}

# One warning for all fits.
warn_fits <- function(done) {
  found <- lapply(done, \(x) x$warnings)
  n <- sum(lengths(found) > 0L)
  if (n > 0L) {
    message <- "%d of %d fits gave warnings, the first: %s"
    warn_sbrl("fits", sprintf(message, n, length(done), unlist(found)[1L]))
  }
}

# Which model has not seen a row depends on the setting only, so there is one matrix for each.
gather_predictions <- function(tasks, done, shared) {
  rows <- shared$rows
  lapply(seq_len(nrow(shared$plan$grid)), function(setting) {
    probs <- matrix(NA_real_, rows$n_given, length(rows$classes), dimnames = list(NULL, rows$classes))
    for (i in which(tasks$setting == setting)) {
      probs[rows$position[shared$fold == tasks$fold[i]], ] <- done[[i]]$probs
    }
    probs
  })
}

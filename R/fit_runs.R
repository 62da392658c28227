# Many fits: where they run, here or on the workers of a future plan, and which warnings they gave. All of them read
# `shared`: `fit(i, shared)` does the work of fit i, `describe(i, shared)` names it in errors, `plan` has `threads`,
# `progress` and `signals`.

run_fits <- function(n, shared) {
  if (has_parallel_plan()) run_fits_on_futures(n, shared) else run_fits_here(n, shared)
}

run_fits_here <- function(n, shared) {
  line <- progress_line(shared$plan$progress, fits_progress_text)
  on.exit(line$clear())
  lapply(seq_len(n), function(i) {
    line$show(list(phase = "search", done = i - 1L, total = n))
    run_fit(i, shared)
  })
}

fits_progress_text <- function(state, seconds, left) {
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
run_fits_on_futures <- function(n, shared) {
  shared$plan$threads <- if (is.null(shared$plan$threads)) 1 else shared$plan$threads
  # users who want to see the progress have loaded this package and chosen how
  has_progressr <- shared$plan$signals && isNamespaceLoaded("progressr")
  tick <- if (has_progressr) progressr::progressor(n) else function() NULL
  work <- function(i, shared, tick) {
    done <- run_fit(i, shared)
    tick()
    done
  }
  environment(work) <- topenv()
  catch_too_large(future.apply::future_lapply(
    seq_len(n), work, shared = shared, tick = tick, future.seed = FALSE, future.packages = "sbrl",
    future.globals = FALSE
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
      "Raise that option, in bytes; use plan(\"sequential\"), which copies nothing; or leave the data where they are,",
      "fit sbrl() to a source (see ?sbrl_source) for each fold or sample, and measure with sbrl_performance(), as",
      "vignette(\"beyond-memory\") shows."
    )
    abort_sbrl("future", sprintf(message, format(utils::object.size(shared$rows$data), units = "auto")))
  })
}

# Warnings travel with the result, and so do the kinds of messages; an error names the fit.
run_fit <- function(i, shared) {
  warnings <- character()
  messages <- character()
  keep_message <- function(m) {
    messages <<- c(messages, sub("^sbrl_message_", "", class(m)[1L]))
    invokeRestart("muffleMessage")
  }
  keep_warning <- function(w) {
    # these have been warned of already, for all rows
    if (!inherits(w, c("sbrl_warning_empty", "sbrl_warning_number_text"))) {
      warnings <<- c(warnings, conditionMessage(w))
    }
    invokeRestart("muffleWarning")
  }
  done <- tryCatch(
    withCallingHandlers(shared$fit(i, shared), sbrl_warning = keep_warning, sbrl_message = keep_message),
    sbrl_error = function(e) abort_fit(e, shared$describe(i, shared))
  )
  c(done, list(warnings = unique(warnings), messages = messages))
}

abort_fit <- function(error, which) {
  kind <- sub("^sbrl_error_", "", class(error)[1L])
  abort_sbrl(kind, sprintf("In the fit %s: %s", which, conditionMessage(error)))
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

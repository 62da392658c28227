# The running fit: start the native job, show progress, report when the time limit stopped it.

run_fit_job <- function(training, settings, progress) {
  line <- progress_line(progress, progress_text, settings$time_limit)
  on.exit(line$clear())
  see <- \(state) line$show(list(phase = state$phase, done = state$iterations, total = state$total, best = state$best))
  call_job(native_fit, training, settings, see = see)
}

# One message about how far a search came before its time was over.
inform_time_limit <- function(found, seconds) {
  if (is.na(found$iterations[["planned"]])) {
    message <- "Stopped by `time_limit` after %.1f s, before the list had settled: %s iterations of %s done."
    n_begun <- counted(sum(found$result$chains$iterations > 0), "chain")
    inform_sbrl("time_limit", sprintf(message, seconds, with_thousands(found$iterations[["done"]]), n_begun))
    return(invisible())
  }
  share <- found$iterations[["done"]] / max(1, found$iterations[["planned"]])
  percent <- if (share > 0 && share < 0.01) "less than 1%" else sprintf("%.0f%%", floor(100 * share))
  done <- sprintf("%s of %s iterations done", percent, with_thousands(found$iterations[["planned"]]))
  if (found$settings$method == "mcmc") {
    n_begun <- sum(found$result$chains$iterations > 0)
    done <- sprintf("%s in %d of %.0f chains", done, n_begun, found$settings$nchain)
  }
  inform_sbrl("time_limit", sprintf("Stopped by `time_limit` after %.1f s: %s.", seconds, done))
}

# The limit is a default, so users who want the best list of any length may not be aware of it.
inform_max_length <- function(length, max_length) {
  if (length == max_length) {
    message <- paste(
      "The list found has %.0f rules, as many as `max_length` allows by default. A longer one may score better: set",
      "`max_length = Inf` for no limit, or a higher `minsupport` or lower `lambda` for shorter lists."
    )
    inform_sbrl("max_length", sprintf(message, max_length))
  }
}

progress_text <- function(state, seconds, left) {
  doing <- c(read = "reading columns", mine = "mining candidates", polish = "polishing the best list")
  if (state$phase %in% names(doing)) {
    return(sprintf("sbrl: %s, %.1f s", doing[[state$phase]], seconds))
  }
  best <- if (!is.na(state$best)) sprintf(", best log posterior %.4f", state$best) else ""
  if (state$total == 0) {
    # nobody knows when the list will have settled
    return(sprintf("sbrl: %s iterations, %.1f s%s", with_thousands(state$done), seconds, best))
  }
  share <- 100 * state$done / max(1, state$total)
  sprintf("sbrl: %3.0f%% of %s iterations%s%s", share, with_thousands(state$total), time_left_text(left), best)
}

# The running fit: start the native job, show progress, say when the time limit stopped it.

run_fit_job <- function(training, settings, progress) {
  line <- progress_line(progress)
  on.exit(line$clear())
  call_job(native_fit, training, settings, see = line$show)
}

# One message that says how far a search came before its time was over.
inform_time_limit <- function(found, seconds) {
  share <- found$iterations[["done"]] / max(1, found$iterations[["planned"]])
  percent <- if (share > 0 && share < 0.01) "less than 1%" else sprintf("%.0f%%", floor(100 * share))
  done <- sprintf("%s of %s iterations done", percent, with_thousands(found$iterations[["planned"]]))
  if (found$settings$method == "mcmc") {
    n_begun <- sum(found$result$chains$iterations > 0)
    done <- sprintf("%s in %d of %.0f chains", done, n_begun, found$settings$nchain)
  }
  inform_sbrl("time_limit", sprintf("Stopped by `time_limit` after %.1f s: %s.", seconds, done))
}

# The limit is a default, so somebody who wants the best list of any length may not know of it.
inform_max_length <- function(length, max_length) {
  if (length == max_length) {
    message <- paste(
      "The list has %.0f rules, as many as `max_length` allows by default. A longer one may score better: set",
      "`max_length = Inf` for no limit, or a higher `minsupport` or lower `lambda` for shorter lists."
    )
    inform_sbrl("max_length", sprintf(message, max_length))
  }
}

now <- function() {
  proc.time()[["elapsed"]]
}

# One line on the error stream, rewritten a few times a second and wiped at the end.
progress_line <- function(shown, text_of = progress_text) {
  if (!shown) {
    return(list(show = function(state) NULL, clear = function() NULL))
  }
  started <- now()
  width <- 0L
  write <- function(text) {
    cat("\r", formatC(text, width = -width), sep = "", file = stderr())
    width <<- nchar(text)
  }
  list(
    show = function(state) write(text_of(state, now() - started)),
    clear = function() {
      if (width > 0L) {
        write("")
        cat("\r", file = stderr())
      }
    }
  )
}

progress_text <- function(state, seconds) {
  if (state$phase %in% c("read", "mine")) {
    doing <- if (state$phase == "read") "reading columns" else "mining candidates"
    return(sprintf("sbrl: %s, %.1f s", doing, seconds))
  }
  share <- 100 * state$iterations / max(1, state$total)
  done <- sprintf("%3.0f %% of %s iterations", share, with_thousands(state$total))
  rate <- sprintf("%s per second", with_thousands(round(state$iterations / max(seconds, 1e-3))))
  best <- if (!is.na(state$best)) sprintf(", best log posterior %.4f", state$best) else ""
  sprintf("sbrl: %s, %s%s", done, rate, best)
}

# The running fit: start the native job, show progress, report when the time limit stopped it.

run_fit_job <- function(training, settings, progress) {
  line <- progress_line(progress, time_limit = settings$time_limit)
  on.exit(line$clear())
  see <- \(state) line$show(list(phase = state$phase, done = state$iterations, total = state$total, best = state$best))
  call_job(native_fit, training, settings, see = see)
}

# One message about how far a search came before its time was over.
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

now <- function() {
  proc.time()[["elapsed"]]
}

# One line on the error stream, rewritten a few times a second and wiped at the end. `text_of` makes it from the state
# of the work, the seconds since its beginning and those that are left.
progress_line <- function(shown, text_of = progress_text, time_limit = Inf) {
  if (!shown) {
    return(list(show = function(state) NULL, clear = function() NULL))
  }
  started <- now()
  # when the part began whose end can be foreseen
  counted <- NULL
  width <- 0L
  write <- function(text) {
    cat("\r", formatC(text, width = -width), sep = "", file = stderr())
    width <<- nchar(text)
  }
  list(
    show = function(state) {
      seconds <- now() - started
      counted <<- if (is.null(counted) && is_countable(state)) seconds else counted
      left <- if (is_countable(state)) min(time_left(state, seconds - counted), time_limit - seconds) else NA
      write(text_of(state, seconds, left))
    },
    clear = function() {
      if (width > 0L) {
        write("")
        cat("\r", file = stderr())
      }
    }
  )
}

is_countable <- function(state) {
  state$phase == "search"
}

# Seconds, as long as the rest of the work takes at the pace so far; NA before there is a pace.
time_left <- function(state, seconds) {
  if (state$done <= 0 || seconds < 1) {
    return(NA_real_)
  }
  seconds * (state$total - state$done) / state$done
}

# As exact as anybody needs it; empty if it is not known.
time_left_text <- function(seconds) {
  if (is.na(seconds)) {
    return("")
  }
  seconds <- max(seconds, 1)
  units <- c(h = 3600, min = 60, s = 1)
  unit <- which(seconds >= c(2 * 3600, 2 * 60, 0))[1L]
  sprintf(", about %.0f %s left", seconds / units[[unit]], names(units)[unit])
}

progress_text <- function(state, seconds, left) {
  doing <- c(read = "reading columns", mine = "mining candidates", polish = "polishing the best list")
  if (state$phase %in% names(doing)) {
    return(sprintf("sbrl: %s, %.1f s", doing[[state$phase]], seconds))
  }
  share <- 100 * state$done / max(1, state$total)
  best <- if (!is.na(state$best)) sprintf(", best log posterior %.4f", state$best) else ""
  sprintf("sbrl: %3.0f%% of %s iterations%s%s", share, with_thousands(state$total), time_left_text(left), best)
}

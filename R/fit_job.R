# The running fit: start the native job, wait, show progress, cancel on exit.

# Native code never waits longer than this, so that Ctrl-C and setTimeLimit() are soon seen.
longest_wait <- 100

run_fit_job <- function(input, time_limit, progress) {
  clock <- fit_clock(time_limit)
  # a small fit may be done while R waits, about longest_wait at most
  settings <- c(input$settings, list(at_once = time_limit > 1))
  job <- call_native(native_fit_start(make_bits(input), settings))
  on.exit(native_fit_cancel(job))
  line <- progress_line(progress)
  on.exit(line$clear(), add = TRUE)
  wait <- 20
  repeat {
    state <- call_native(native_fit_wait(job, as.integer(ceiling(min(wait, clock$milliseconds_left())))))
    if (state$done) {
      break
    }
    # R looks for interrupts and time limits while it sleeps.
    Sys.sleep(0)
    line$show(state)
    if (clock$is_over()) {
      call_native(native_fit_stop(job))
    }
    wait <- min(2 * wait, longest_wait)
  }
  call_native(native_fit_result(job))
}

# Bits of the items, column by column. The columns are read where they are, some at a time, so that Ctrl-C is soon seen.
make_bits <- function(input) {
  n_columns <- length(input$columns)
  bits <- call_native(native_bits_start(input$items, input$columns, input$label, input$weights, input$settings))
  for (batch in column_batches(n_columns, length(input$label), 3e7, input$settings$threads)) {
    call_native(native_bits_add(bits, input$columns[batch], input$settings$threads))
    Sys.sleep(0)
  }
  bits
}

now <- function() {
  proc.time()[["elapsed"]]
}

# The time limit counts from the start of the job. `is_over()` says TRUE once only.
fit_clock <- function(time_limit) {
  end <- now() + time_limit
  rung <- FALSE
  list(
    milliseconds_left = function() if (rung) longest_wait else max(1, 1000 * (end - now())),
    is_over = function() {
      over <- !rung && now() >= end
      rung <<- rung || over
      over
    }
  )
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
  if (state$phase == "mine") {
    return(sprintf("sbrl: mining candidates, %.1f s", seconds))
  }
  done <- sprintf("%3.0f %% of %s iterations", 100 * state$iterations / max(1, state$total), with_marks(state$total))
  rate <- sprintf("%s per second", with_marks(round(state$iterations / max(seconds, 1e-3))))
  best <- if (!is.na(state$best)) sprintf(", best log posterior %.4f", state$best) else ""
  sprintf("sbrl: %s, %s%s", done, rate, best)
}

with_marks <- function(x) {
  format(x, big.mark = ",", decimal.mark = ".", scientific = FALSE, trim = TRUE)
}

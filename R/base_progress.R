# Progress of long work: one line that is rewritten, and the time that is left.

now <- function() {
  proc.time()[["elapsed"]]
}

# One line on the error stream, rewritten a few times a second and wiped at the end. `text_of` makes it from the state
# of the work, the seconds since its beginning and those that are left.
progress_line <- function(shown, text_of, time_limit = Inf) {
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
  if (state$done <= 0 || seconds < 1 || state$total <= 0) {
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

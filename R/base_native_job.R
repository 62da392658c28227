# Long native work: a job that R starts, waits for and cancels on exit.

# The longest that native code waits, in milliseconds, before R can look for Ctrl-C and setTimeLimit().
longest_wait <- 100

# R looks for interrupts while it sleeps, but for a time limit only every sixth time or so. Between two calls on
# millions of rows it would not look at all; fewer than `many_rows` rows take no time worth a look.
allow_interrupt <- function(n_rows = Inf) {
  if (n_rows >= many_rows) {
    for (i in 1:12) Sys.sleep(0)
  }
}

many_rows <- 1e5

# Calls a native function that takes a job as its first argument. Little work is done at once, without a job. `see` is
# called now and then with the progress.
call_job <- function(native, ..., see = function(progress) NULL) {
  arguments <- lapply(list(...), plain)
  done <- call_native(do.call(native, c(list(NULL), arguments)))
  if (is.null(done)) wait_for_job(native, arguments, see) else done[[1L]]
}

wait_for_job <- function(native, arguments, see) {
  job <- call_native(native_job_new())
  # A thread reads these where they are, so they must live as long as the job does, whatever ends this function.
  attr(job, "reads") <- arguments
  on.exit(native_job_cancel(job))
  call_native(do.call(native, c(list(job), arguments)))
  wait <- 20
  repeat {
    progress <- call_native(native_job_wait(job, wait))
    if (progress$done) {
      return(call_native(native_job_result(job)))
    }
    allow_interrupt()
    see(progress)
    wait <- min(2 * wait, longest_wait)
  }
}

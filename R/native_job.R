# Long native work: a job that R starts, waits for and cancels on exit.

# Native code never waits longer than so many milliseconds, so that Ctrl-C and setTimeLimit() are soon seen.
longest_wait <- 100

# R looks for interrupts while it sleeps, but for a time limit only every sixth time or so. Between two calls on
# millions of rows it would not look at all.
allow_interrupt <- function() {
  for (i in 1:12) {
    Sys.sleep(0)
  }
}

# Calls a native function that takes a job as its first argument. `see` is called now and then with the progress.
call_job <- function(native, ..., see = function(progress) NULL) {
  job <- call_native(native_job_new())
  # A thread reads these where they are, so they must live as long as the job does, whatever ends this function.
  attr(job, "reads") <- list(...)
  on.exit(native_job_cancel(job))
  done <- call_native(native(job, ...))
  wait <- 20
  while (!done) {
    progress <- call_native(native_job_wait(job, wait))
    done <- progress$done
    if (!done) {
      allow_interrupt()
      see(progress)
      wait <- min(2 * wait, longest_wait)
    }
  }
  call_native(native_job_result(job))
}

# Rows enough for a job of its own, which reads them where they are.
many_rows <- function(n) {
  x <- (seq_len(n) * 7919) %% 10007
  data.frame(x = x, y = (x * 31) %% 101, f = factor(letters[x %% 7 + 1]), label = as.integer(x %% 10 > 3))
}

test_that("work on many rows gives what work on few rows gives", {
  data <- many_rows(4e5)
  model <- quick_fit(data[1:2000, ])
  parts <- split(data, rep(1:40, each = 1e4))
  rules <- unlist(lapply(parts, \(part) predict(model, part, type = "rule")), use.names = FALSE)
  expect_identical(predict(model, data, type = "rule"), rules)
  whole <- sbrl_score(model, data, model$rs$V1[-nrow(model$rs)])
  counts <- table(factor(rules, c(seq_len(nrow(model$rs) - 1L), 0L)), data$label)
  expect_equal(whole[["log_likelihood"]], sum(lbeta(counts[, 1] + 1, counts[, 2] + 1)))
})

test_that("what a job reads lives as long as the job", {
  data <- many_rows(4e5)
  model <- quick_fit(data[1:2000, ])
  expected <- predict(model, data, type = "rule")
  # nothing but the call holds these rows, and memory is collected all the time
  gctorture_step <- gctorture2(500)
  on.exit(gctorture2(gctorture_step))
  found <- predict(model, many_rows(4e5), type = "rule")
  gctorture2(gctorture_step)
  expect_identical(found, expected)
})

test_that("setTimeLimit() ends the work on many rows, and the next call works", {
  data <- many_rows(3e6)
  on.exit(setTimeLimit())
  late <- function(work) {
    setTimeLimit(elapsed = 0.05, transient = TRUE)
    expect_error(work(), "time limit")
    setTimeLimit()
  }
  late(\() sbrl(data, iters = 1e7, progress = FALSE))
  late(\() sbrl(data, iters = 1e7, weights = rep(0.5, 3e6), progress = FALSE))
  expect_s3_class(quick_fit(data[1:2000, ]), "sbrl")
})

test_that("a job that was never started, or is none, is an error and nothing worse", {
  job <- call_native(native_job_new())
  expect_false(call_native(native_job_wait(job, 1L))$done)
  expect_error(call_native(native_job_result(job)), "not done", class = "sbrl_error_internal")
  call_native(native_job_cancel(job))
  expect_error(call_native(native_job_result(job)), class = "sbrl_error_cancelled")
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(job, file)
  for (none in list(1, readRDS(file), unserialize(serialize(job, NULL)))) {
    expect_error(call_native(native_job_wait(none, 1L)), "must be a job", class = "sbrl_error_argument")
    rules <- list(items = integer(), lengths = integer())
    items <- list(feature = integer(), lo = integer(), hi = integer())
    expect_error(call_native(native_predict(none, list(), items, rules, integer(), 1)), "must be a job")
  }
  expect_error(call_native(native_job_wait(NULL, 1L)), "must be a job", class = "sbrl_error_argument")
})

test_that("one look is enough to see a time limit that has passed", {
  on.exit(setTimeLimit())
  x <- (seq_len(2e6) * 7919) %% 1000003 + 0.5
  # byte code: the compiler itself would swallow the error
  is_seen <- compiler::cmpfun(function(look) {
    setTimeLimit(elapsed = 0.01, transient = TRUE)
    seen <- tryCatch(
      {
        # takes far longer than the limit, and R does not look within it
        sort(x, method = "quick")
        look()
        FALSE
      },
      error = function(e) grepl("time limit", conditionMessage(e))
    )
    setTimeLimit()
    seen
  })
  expect_true(all(vapply(1:15, \(i) is_seen(allow_interrupt), NA)))
})

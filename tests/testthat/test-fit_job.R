test_that("time_limit stops the search and keeps the best list so far", {
  model <- sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = 0.3, seed = 1, progress = FALSE)
  expect_true(model$stopped_early)
  expect_lt(sum(model$chains$iterations), 1e9)
  expect_sound(model, tictactoe)
  expect_false(quick_fit(mk(), time_limit = 1000)$stopped_early)
})

test_that("setTimeLimit() is obeyed and the next fit works", {
  on.exit(setTimeLimit())
  expect_error(
    {
      setTimeLimit(elapsed = 0.5, transient = TRUE)
      sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, progress = FALSE)
    },
    "time limit"
  )
  setTimeLimit()
  expect_s3_class(quick_fit(mk()), "sbrl")
})

test_that("fits run in forked processes", {
  skip_on_os("windows")
  fit <- function(seed) without_clock(quick_fit(mk(), rule_maxlen = 2, seed = seed))
  expect_identical(parallel::mclapply(1:4, fit, mc.cores = 2), lapply(1:4, fit))
})

test_that("progress goes to the error stream, and only if wanted", {
  fit <- function(progress) sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = 0.4, progress = progress)
  shown <- capture.output(out <- capture.output(fit(TRUE), type = "message"))
  expect_match(paste(out, collapse = " "), "iterations.*best log posterior")
  expect_identical(capture.output(invisible(fit(FALSE)), type = "message"), character())
  expect_identical(capture.output(model <- quick_fit(mk())), character())
})

test_that("Ctrl-C returns to the prompt within half a second and leaves no thread", {
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  skip_if_not_built()
  python <- Sys.which("python3")
  skip_if(!nzchar(python), "no python3")
  arguments <- c(
    test_path("fixtures", "interrupt.py"), file.path(R.home("bin"), "R"), dirname(system.file(package = "sbrl"))
  )
  lines <- system2(python, shQuote(arguments), stdout = TRUE)
  expect_null(attr(lines, "status"))
  report <- as.list(stats::setNames(as.numeric(sub(".*=", "", lines)), sub("=.*", "", lines)))
  expect_gt(report$threads_during, report$threads_before)
  expect_lt(report$seconds, 0.5)
  expect_identical(report$threads_after, report$threads_before)
  expect_identical(report$interrupt_seen, 1)
  expect_identical(report$next_fit, 1)
})

test_that("a time limit that ends before there are candidates is an error", {
  set.seed(1)
  wide <- as.data.frame(lapply(1:60, \(j) rep_len(c("a", "b"), 400)))
  names(wide) <- paste0("x", 1:60)
  wide$label <- rbinom(400, 1, 0.5)
  fit <- function() {
    sbrl(wide, rule_maxlen = 30, minsupport_pos = 0, max_rules = 1e12, time_limit = 0.2, progress = FALSE)
  }
  expect_error(fit(), class = "sbrl_error_time_limit")
})

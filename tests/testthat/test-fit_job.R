# A fit that would take hours.
long_fit <- function(..., seconds = 0.3) {
  sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = seconds, seed = 1, ..., progress = FALSE)
}

# The first model of `fit(seconds)` that satisfies `is_reached`: a busy machine needs longer limits.
fit_in_time <- function(fit, is_reached) {
  for (seconds in c(2, 8, 32, 128)) {
    model <- suppressMessages(fit(seconds), classes = "sbrl_message_time_limit")
    if (is_reached(model)) break
  }
  model
}

test_that("time_limit stops the search and keeps the best list so far", {
  model <- suppressMessages(long_fit(), classes = "sbrl_message_time_limit")
  expect_true(model$stopped_early)
  expect_lt(sum(model$chains$iterations), 1e9)
  expect_sound(model, tictactoe)
  expect_false(quick_fit(two_factor_data(), time_limit = 1000)$stopped_early)
})

test_that("with a time limit every chain has its share", {
  for (threads in 1:2) {
    fit <- function(seconds) long_fit(threads = threads, seconds = seconds)
    model <- fit_in_time(fit, \(model) all(model$chains$iterations > 0))
    expect_length(model$chains$iterations, 10L)
    expect_true(all(model$chains$iterations > 0))
  }
})

test_that("a time limit that is not reached changes nothing", {
  for (method in c("mcmc", "map")) {
    fit <- function(limit) {
      sbrl(tictactoe, iters = 3000, rule_maxlen = 3, method = method, time_limit = limit, seed = 1, progress = FALSE)
    }
    expect_no_message(limited <- fit(1000))
    free <- fit(Inf)
    expect_false(limited$stopped_early)
    expect_identical(limited[c("rs", "chains", "trace")], free[c("rs", "chains", "trace")])
  }
})

test_that("one message says how far a fit came that the time limit stopped", {
  said <- function(...) {
    messages <- list()
    keep <- function(m) {
      messages[[length(messages) + 1L]] <<- m
      invokeRestart("muffleMessage")
    }
    model <- withCallingHandlers(long_fit(...), message = keep)
    expect_length(messages, 1L)
    expect_s3_class(messages[[1L]], c("sbrl_message_time_limit", "sbrl_message"))
    text <- conditionMessage(messages[[1L]])
    gsub(sprintf(" in %d of 10 chains", sum(model$chains$iterations > 0)), " in its chains", text, fixed = TRUE)
  }
  so_far <- "^Stopped by `time_limit` after [0-9.]+ s: (less than 1|0)%% of %s,000,000,000 iterations done%s[.]\n$"
  expect_match(said(), sprintf(so_far, 10, " in its chains"))
  expect_match(said(lambda = "auto"), sprintf(so_far, 20, " in its chains"))
  expect_match(said(method = "map"), sprintf(so_far, 10, ""))
})

test_that("map has walks and polish within its time limit", {
  fit <- function(seconds) long_fit(method = "map", seconds = seconds)
  model <- fit_in_time(fit, \(model) nrow(model$chains) > 10L && all(model$chains$iterations[-(1:10)] > 0))
  expect_true(model$stopped_early)
  expect_gt(nrow(model$chains), 10L)
  expect_true(all(model$chains$iterations[-(1:10)] > 0))
})

test_that("a small fit is the same at once and as a job", {
  fit <- function(limit) {
    model <- without_clock(quick_fit(tictactoe, rule_maxlen = 2, time_limit = limit))
    model$settings$time_limit <- NULL
    model$call <- NULL
    model
  }
  expect_identical(fit(1), fit(Inf))
})

test_that("a fit that was thought small is finished as a job", {
  set.seed(1)
  wide <- as.data.frame(replicate(60, sample(c("a", "b"), 400, TRUE)))
  wide$label <- rbinom(400, 1, 0.5)
  fit <- function(threads) {
    without_clock(sbrl(
      wide, iters = 10, nchain = 1, rule_maxlen = 3, minsupport = 0, seed = 1, threads = threads, progress = FALSE
    ))
  }
  model <- fit(1)
  expect_gt(length(model$rulenames), 2e5)
  expect_sound(model, wide)
  other <- fit(2)
  expect_identical(other$rs, model$rs)
})

test_that("setTimeLimit() stops a fit, and the next fit works", {
  on.exit(setTimeLimit())
  expect_error(
    {
      setTimeLimit(elapsed = 0.5, transient = TRUE)
      sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, progress = FALSE)
    },
    "time limit"
  )
  setTimeLimit()
  expect_s3_class(quick_fit(two_factor_data()), "sbrl")
})

test_that("fits run in forked processes", {
  skip_on_os("windows")
  fit <- function(seed) without_clock(quick_fit(two_factor_data(), rule_maxlen = 2, seed = seed))
  expect_identical(parallel::mclapply(1:4, fit, mc.cores = 2), lapply(1:4, fit))
})

test_that("progress goes to the error stream, and only if wanted", {
  fit <- function(progress) {
    suppressMessages(sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = 0.4, progress = progress))
  }
  shown <- capture.output(out <- capture.output(fit(TRUE), type = "message"))
  expect_match(paste(out, collapse = " "), "iterations.*best log posterior")
  expect_identical(capture.output(invisible(fit(FALSE)), type = "message"), character())
  expect_identical(capture.output(model <- quick_fit(two_factor_data())), character())
})

test_that("the time left is that of the pace so far, or of the time limit", {
  left <- \(done, seconds) sbrl:::time_left(list(done = done, total = 100), seconds)
  expect_equal(left(25, 10), 30)
  expect_identical(left(0, 10), NA_real_)
  expect_identical(left(25, 0.5), NA_real_)
  text <- \(seconds) sbrl:::time_left_text(seconds)
  expect_identical(vapply(c(NA, 0.2, 40.4, 119, 150, 7100, 9000), text, ""), c(
    "", ", about 1 s left", ", about 40 s left", ", about 119 s left", ", about 2 min left", ", about 118 min left",
    ", about 2 h left"
  ))
  seen <- function(limit, seconds, phase = "search") {
    line <- sbrl:::progress_line(TRUE, \(state, seconds, left) sprintf("%.0f", left), limit)
    show <- \(done) line$show(list(phase = phase, done = done, total = 100))
    out <- capture.output(type = "message", {
      show(0)
      Sys.sleep(seconds)
      show(50)
    })
    sub(".*\r", "", paste(out, collapse = ""))
  }
  expect_identical(trimws(seen(Inf, 1.2)), "1")
  expect_identical(trimws(seen(1.2, 1.1)), "0")
  expect_identical(trimws(seen(Inf, 0, "mine")), "NA")
  fit <- function() sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = 3, progress = TRUE)
  shown <- paste(capture.output(suppressMessages(fit()), type = "message"), collapse = " ")
  expect_match(shown, "0% of 10,000,000,000 iterations, about 1 s left, best log posterior")
})

test_that("Ctrl-C returns to the prompt and leaves no thread", {
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  skip_if_not_built()
  python <- Sys.which("python3")
  skip_if(!nzchar(python), "no python3")
  arguments <- c(
    test_path("fixtures", "interrupt.py"), file.path(R.home("bin"), "R"), dirname(system.file(package = "sbrl"))
  )
  lines <- suppressWarnings(system2(python, shQuote(arguments), stdout = TRUE))
  skip_if(identical(attr(lines, "status"), 77L), "there is no pseudo-terminal")
  expect_null(attr(lines, "status"))
  report <- as.list(stats::setNames(as.numeric(sub(".*=", "", lines)), sub("=.*", "", lines)))
  expect_gt(report$threads_during, report$threads_before)
  expect_identical(report$threads_after, report$threads_before)
  expect_identical(report$interrupt_seen, 1)
  expect_identical(report$says_how_to_keep_the_list, 1)
  expect_identical(report$users_handler_called, 1)
  expect_identical(report$cv_says_it_keeps_nothing, 1)
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

test_that("names of many candidates come in their order, however they are fetched", {
  set.seed(1)
  first <- rep_len(c("u", "v"), 60)
  copies <- as.data.frame(stats::setNames(rep(list(first), 16), paste0("x", 1:16)), stringsAsFactors = TRUE)
  copies$label <- ifelse(first == "u", 1, 0)
  model <- quick_fit(copies, rule_maxlen = 16, iters = 1, nchain = 1)
  expect_length(model$rulenames, 2 * (2^16 - 1))
  expect_identical(model$rulenames, sort(model$rulenames, method = "radix"))
  ends <- cumsum(model$pool$lengths)
  some <- c(1:3, 99999:100002, length(ends))
  by_hand <- vapply(some, function(j) {
    items <- model$pool$items[seq(ends[j] - model$pool$lengths[j] + 1, ends[j])]
    paste0("{", paste(model$items$name[items], collapse = ","), "}")
  }, "")
  expect_identical(model$rulenames[some], by_hand)
  expect_identical(model$pool$n_distinct, 2L)
})

# Half of the levels have label 1, and nothing else indicates which: the best list has a rule for each of them.
long_data <- function() {
  x <- rep(1:80, each = 20)
  data.frame(x = factor(x), label = x %% 2)
}

test_that("a message says when the default of `max_length` bounds the list", {
  fit <- function(...) quick_fit(long_data(), minsupport = 0.01, lambda = 30, iters = 5000, ...)
  expect_message(model <- fit(), "25 rules.*max_length = Inf", class = "sbrl_message_max_length")
  expect_identical(nrow(model$rs), 26L)
  expect_message(
    quick_fit(label ~ x, data = long_data(), minsupport = 0.01, lambda = 30, iters = 5000),
    class = "sbrl_message_max_length"
  )
  # not where the limit was given, nor where it does not matter
  expect_no_message(fit(max_length = 25))
  expect_no_message(fit(max_length = Inf))
  expect_no_message(quick_fit(two_factor_data()))
  expect_message(
    cv_sbrl(
      long_data(), minsupport = 0.01, lambda = 30, rule_maxlen = 1, folds = 2, iters = 5000, nchain = 2, seed = 1,
      progress = FALSE
    ),
    "In 2 of 2 fits", class = "sbrl_message_max_length"
  )
})

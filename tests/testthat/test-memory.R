# Memory that runs out: a model or an sbrl_error, never the end of R.

# What the child processes do: make data, then work on them.
memory_cases <- list(
  numbers = c("d <- data.frame(x = runif(n), z = runif(n), label = y)", "sbrl(d, iters = 200, nchain = 2)"),
  factors = c(
    "d <- data.frame(lapply(1:6, \\(j) factor(rep_len(letters[1:(j + 2)], n))), label = y)
     names(d)[1:6] <- LETTERS[1:6]",
    "sbrl(d, rule_maxlen = 2, iters = 200, nchain = 2)"
  ),
  text = c(
    "d <- data.frame(a = rep_len(sprintf('t%d', 1:900), n), label = y)",
    "sbrl(d, iters = 200, nchain = 2, minsupport = 0.001)"
  ),
  weights = c(
    "d <- data.frame(x = rep_len(1:9, n), label = y); w <- runif(n)",
    "sbrl(d, iters = 200, nchain = 2, weights = w)"
  ),
  formula = c(
    "d <- data.frame(x = runif(n), z = runif(n), label = y)",
    "sbrl(label ~ log(x) + z, d, iters = 200, nchain = 2)"
  ),
  chains = c(
    "d <- data.frame(x = rep_len(1:9, n), z = rep_len(1:11, n), label = y)",
    "sbrl(d, iters = 200, nchain = 50, rule_maxlen = 2, minsupport = 0.01, threads = 8)"
  ),
  map = c(
    "d <- data.frame(x = rep_len(1:9, n), z = rep_len(1:11, n), label = y)",
    "sbrl(d, iters = 500, nchain = 4, rule_maxlen = 2, minsupport = 0.01, method = 'map')"
  ),
  predict = c(
    "m <- sbrl(tictactoe, iters = 500, rule_maxlen = 2, nchain = 2, seed = 1)
     d <- data.frame(lapply(tictactoe[1:9], rep_len, n))",
    "predict(m, d, type = 'class')"
  ),
  json = c(
    "wide <- data.frame(lapply(1:25, \\(j) factor((1:500 %/% j) %% 3)), label = rep_len(0:1, 500))
     names(wide)[1:25] <- sprintf('x%d', 1:25); file <- tempfile()
     sbrl_write_json(sbrl(wide, rule_maxlen = 3, minsupport = 0, iters = 10, nchain = 1), file); rm(wide)",
    "sbrl_read_json(file)"
  )
)

# Runs one case in a fresh R of limited address space, and reports what came of it: "done"; "no data", if R itself could
# not make the data; the class of an error; or what else was printed.
run_limited <- function(case, n, megabytes) {
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(c(
    "e <- tryCatch(suppressMessages(library(sbrl)), error = identity)",
    "if (inherits(e, 'error')) { cat('no package'); quit(runLast = FALSE) }", sprintf("n <- %.0f", n),
    sprintf("e <- tryCatch({set.seed(1); y <- rep_len(c(0L, 0L, 1L), n); %s; NULL}, error = identity)", case[1]),
    "if (!is.null(e)) { cat('no data'); options(warn = -1); quit(runLast = FALSE) }", # no memory to remove files either
    sprintf("e <- tryCatch({%s; NULL}, error = identity)", case[2]),
    "cat(if (is.null(e)) 'done' else if (inherits(e, 'sbrl_error')) class(e)[1] else conditionMessage(e))",
    "invisible(gc())", "options(warn = -1)"
  ), file)
  command <- sprintf(
    "ulimit -v %.0f; exec %s --vanilla %s 2>&1", 1024 * megabytes, shQuote(file.path(R.home("bin"), "Rscript")),
    shQuote(file)
  )
  said <- suppressWarnings(system2("sh", c("-c", shQuote(command)), stdout = TRUE))
  status <- attr(said, "status")
  paste(c(said, if (!is.null(status)) sprintf("(status %d)", status)), collapse = " ")
}

# What a process that has loaded the package takes, in megabytes.
loaded_size <- function() {
  code <- "library(sbrl); cat(grep('^VmPeak', readLines('/proc/self/status'), value = TRUE))"
  said <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-e", shQuote(code)), stdout = TRUE)
  as.numeric(gsub("[^0-9]", "", said)) / 1024
}

test_that("R survives whatever address space is left to it", {
  skip_on_cran()
  skip_if_not(file.exists("/proc/self/status"), "there is no /proc")
  skip_if(grepl("asan", Sys.getenv("LD_PRELOAD")), "the address sanitizer cannot live with little address space")
  # `make hostile` climbs a longer ladder
  long <- as.integer(Sys.getenv("SBRL_HOSTILE", "1")) > 1L
  rungs <- loaded_size() + 100 * if (long) 1.12^(0:24) else c(1, 1.4, 2.4)
  came <- lapply(memory_cases, \(case) vapply(rungs, \(rung) run_limited(case, 2e6, rung), ""))
  for (name in names(came)) {
    expect_true(all(came[[name]] %in% c("done", "no data", "sbrl_error_memory")), info = paste(name, came[[name]]))
  }
  outcomes <- unlist(came)
  # the ladder is neither too low nor too high to show anything
  expect_true(all(c("done", "sbrl_error_memory") %in% outcomes))
})

# Leaves as many pieces of 64 kB as `n` says, all functions having been read from disk before.
little_left <- "
  for (name in ls(asNamespace('sbrl'), all.names = TRUE)) get(name, asNamespace('sbrl'))
  hog <- vector('list', 1e5); i <- 0
  tryCatch(while (TRUE) hog[[i <- i + 1]] <- raw(2^16 - 64), error = identity)
  hog[max(1, i - n):i] <- list(NULL); invisible(gc())"

test_that("the first native call of a process survives whatever is left to it", {
  skip_on_cran()
  skip_if_not(file.exists("/proc/self/status"), "there is no /proc")
  skip_if(grepl("asan", Sys.getenv("LD_PRELOAD")), "the address sanitizer cannot live with little address space")
  case <- c(little_left, sprintf("sbrl_read_json('%s')", normalizePath(test_path("fixtures/2.0.0/frame.json"))))
  step <- if (as.integer(Sys.getenv("SBRL_HOSTILE", "1")) > 1L) 2 else 12
  size <- loaded_size() + 20
  came <- vapply(seq(0, 144, step), \(n) run_limited(case, n, size), "")
  expect_true(all(came %in% c("done", "no data", "sbrl_error_memory")), info = paste(unique(came), collapse = "; "))
  expect_true("done" %in% came)
})

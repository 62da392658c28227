test_that("method = \"map\" finds the best list of tic-tac-toe from every seed", {
  for (seed in 1:5) {
    model <- sbrl(tictactoe, rule_maxlen = 3, method = "map", seed = seed, progress = FALSE)
    expect_equal(model$score[["log_posterior"]], -100.6965, tolerance = 1e-6)
  }
  expect_identical(model$settings$method, "map")
  expect_identical(sum(model$chains$iterations), 300000)
  expect_output(print(summary(model)), "10 chain(s), 15,000 iterations", fixed = TRUE)
  expect_output(print(summary(model)), "5 annealing run(s), 285,000 iterations", fixed = TRUE)
})

test_that("method = \"map\" gives the same list on any number of threads", {
  fits <- lapply(1:3, \(threads) quick_fit(two_factor_data(300), method = "map", threads = threads, seed = 2))
  expect_identical(fits[[2]]$rs, fits[[1]]$rs)
  expect_identical(fits[[3]]$rs, fits[[1]]$rs)
})

test_that("no list is longer than max_length, and summary() says when it is as long", {
  for (method in c("mcmc", "map")) {
    short <- sbrl(tictactoe, rule_maxlen = 3, method = method, max_length = 3, iters = 3000, nchain = 2, seed = 1,
                  progress = FALSE)
    expect_identical(nrow(short$rs), 4L)
    expect_lte(max(short$trace$length), 3)
    expect_output(print(summary(short)), "as long as `max_length` allows", fixed = TRUE)
  }
  long <- sbrl(tictactoe, rule_maxlen = 3, max_length = Inf, iters = 3000, nchain = 2, seed = 1, progress = FALSE)
  expect_no_match(paste(capture.output(print(summary(long))), collapse = "\n"), "max_length")
})

test_that("method = \"map\" finds the best known lists of at most three to six rules", {
  # proved by branch and bound for three and four rules; the best of long runs for five and six
  best <- c(`3` = -483.246085, `4` = -417.504130, `5` = -280.1786, `6` = -257.0425)
  for (max_length in names(best)) {
    model <- sbrl(tictactoe, rule_maxlen = 3, method = "map", max_length = as.integer(max_length), seed = 2,
                  progress = FALSE)
    expect_equal(model$score[["log_posterior"]], best[[max_length]], tolerance = 1e-6)
  }
})

test_that("method and max_length survive JSON, and files from before have none of them", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  model <- quick_fit(two_factor_data(), method = "map", max_length = 7)
  sbrl_write_json(model, file)
  expect_identical(sbrl_read_json(file)$settings[c("method", "max_length")], list(method = "map", max_length = 7))
  text <- paste(readLines(file), collapse = "\n")
  text <- sub("\"max_length\":[^,}]*,", "", sub("\"map\":[^,}]*,", "", text))
  expect_no_match(text, "max_length|\"map\"")
  text <- sub("\"format_version\": [0-9]+", "\"format_version\": 1", text)
  writeLines(text, file)
  expect_identical(sbrl_read_json(file)$settings[c("method", "max_length")], list(method = "mcmc", max_length = Inf))
})

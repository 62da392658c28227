# The boundary: R's errors never jump over Rust, whatever a column or a file is made of.

# Vectors that R does not hold in memory; see altrep/unwilling.c.
load_unwilling <- function(env = parent.frame()) {
  skip_on_cran()
  folder <- tempfile("altrep")
  dir.create(folder)
  file.copy(test_path("altrep", "unwilling.c"), folder)
  r <- file.path(R.home("bin"), "R")
  built <- suppressWarnings(system2(
    "sh", c("-c", shQuote(sprintf("cd %s && %s CMD SHLIB unwilling.c", shQuote(folder), shQuote(r)))),
    stdout = TRUE, stderr = TRUE
  ))
  library <- file.path(folder, paste0("unwilling", .Platform$dynlib.ext))
  skip_if_not(file.exists(library), paste(c("no C compiler:", built), collapse = " "))
  symbol <- getNativeSymbolInfo("unwilling", dyn.load(library))
  function(is_text, n, limit = -1L) .Call(symbol, is_text, n, limit)
}

test_that("columns that have no data pointer are read as any other", {
  unwilling <- load_unwilling()
  n <- 500L
  label <- rep_len(c(0L, 1L, 1L), n)
  plain <- data.frame(x = (seq_len(n) - 1L) %% 7L, t = rep_len(c("a", "b", "b"), n), label = label)
  odd <- plain
  odd$x <- unwilling(FALSE, n)
  odd$t <- unwilling(TRUE, n)
  expect_identical(without_clock(quick_fit(odd))[1:3], without_clock(quick_fit(plain))[1:3])
  model <- quick_fit(plain, rule_maxlen = 2)
  odd$x <- unwilling(FALSE, n)
  odd$t <- unwilling(TRUE, n)
  expect_identical(predict(model, odd), predict(model, plain))
  weighted <- quick_fit(plain, weights = as.double(seq_len(n)))
  expect_identical(weighted$counts, quick_fit(plain, weights = as.double(c(1, 2:n)))$counts)
})

test_that("a column whose values cannot be had is an error that names it, and the next call works", {
  unwilling <- load_unwilling()
  n <- 5000L
  plain <- data.frame(x = (seq_len(n) - 1L) %% 7L, t = rep_len(c("a", "b", "b"), n), label = rep_len(c(0L, 1L, 1L), n))
  model <- quick_fit(plain, rule_maxlen = 2)
  for (limit in c(0L, 1L, 1500L, 4999L)) {
    for (name in c("x", "t")) {
      odd <- plain
      odd[[name]] <- unwilling(name == "t", n, limit)
      message <- sprintf("Column `%s` cannot be read: the values are gone", name)
      expect_error(quick_fit(odd), message, class = "sbrl_error_column")
    }
    expect_error(native_text_codes(unwilling(TRUE, n, limit)), "values are gone", class = "sbrl_error_column")
    used <- used_columns(model)[1]
    odd <- plain
    odd[[used]] <- unwilling(used == "t", n, limit)
    expect_error(predict(model, odd), "cannot be read: the values are gone", class = "sbrl_error_column")
  }
  expect_identical(predict(quick_fit(plain, rule_maxlen = 2), plain), predict(model, plain))
})

test_that("reading files with U+0000 leaks nothing", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(quick_fit(tictactoe, rule_maxlen = 3, minsupport = 0.02), file)
  text <- readLines(file)
  writeLines(sub("\"levels\":[\"b\"", "\"levels\":[\"b\\u0000\"", text, fixed = TRUE), file)
  read <- \() expect_error(sbrl_read_json(file), "U+0000", fixed = TRUE, class = "sbrl_error_file")
  skip_if_not(file.exists("/proc/self/statm"), "there is no /proc")
  resident <- function() {
    invisible(gc())
    4096 * scan("/proc/self/statm", quiet = TRUE)[2]
  }
  for (i in 1:5) read()
  before <- resident()
  for (i in 1:30) read()
  # the leak was seven times the file each time, 210 times in all; the heap itself may grow a little
  expect_lt(resident() - before, 70 * file.size(file))
})

test_that("an answer that was never fetched does not disturb the next call", {
  .Call(wrap__native_text_codes, c("a", "b"))
  expect_identical(call_native(native_text_codes(c("u", "v", "u")))$codes, c(1L, 2L, 1L))
  expect_error(.External(external_answer), "no native function was called")
})

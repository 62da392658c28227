# Models as JSON files, and back to the last bit.

round_trip <- function(model) {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  sbrl_read_json(file)
}

without_call <- function(model) {
  model["call"] <- list(NULL)
  model
}

json_of <- function(model) {
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  readBin(file, "raw", file.size(file))
}

read_bytes <- function(bytes) {
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(bytes, file)
  sbrl_read_json(file)
}

test_that("a model comes back identical but for its call", {
  odd <- data.frame(x = rep(c("a,b", "{\"\u00e9\"}", "\n\\", ""), 50), label = rep(c("n o", "\u65e5"), each = 100))
  names(odd)[1] <- "x = \"1\""
  models <- list(
    quick_fit(tictactoe, rule_maxlen = 3),
    quick_fit(two_factor_data(), alpha = c(1 / 3, 0.1), lambda = pi, eta = exp(1), time_limit = 100),
    quick_fit(two_factor_data(), rule_maxlen = 2, target_rules = 7),
    suppressWarnings(quick_fit(odd)),
    quick_fit(transform(two_factor_data(), one = 1, "odd name" = "k")),
    quick_fit(titanic(), label = "Survived", rule_maxlen = 3),
    suppressWarnings(quick_fit(two_factor_data(), minsupport_pos = 1, minsupport_neg = 1)),
    suppressWarnings(quick_fit(two_factor_data()["label"])),
    suppressMessages(sbrl(tictactoe, iters = 1e9, rule_maxlen = 3, time_limit = 0.5, progress = FALSE))
  )
  for (model in models) {
    expect_identical(round_trip(model), without_call(model))
  }
  expect_identical(predict(round_trip(models[[1]]), tictactoe), predict(models[[1]], tictactoe))
})

test_that("a file cut short anywhere is refused", {
  bytes <- json_of(quick_fit(two_factor_data()))
  for (n in unique(round(seq(1, length(bytes) - 2, length.out = 200)))) {
    expect_error(read_bytes(bytes[seq_len(n)]), class = "sbrl_error_file")
  }
})

test_that("a damaged byte gives an error or a model that still works, never anything else", {
  d <- two_factor_data()
  bytes <- json_of(quick_fit(d))
  set.seed(9)
  for (position in sample(length(bytes), 400)) {
    damaged <- bytes
    damaged[position] <- as.raw(sample(c(0:255, 48:57, 44, 34, 91, 93), 1))
    outcome <- tryCatch(read_bytes(damaged), sbrl_error_file = identity)
    if (inherits(outcome, "sbrl")) {
      expect_type(suppressWarnings(tryCatch(predict(outcome, d)$V2, sbrl_error_column = \(e) 0)), "double")
      expect_output(print(summary(outcome)))
    } else {
      expect_s3_class(outcome, "sbrl_error_file")
    }
  }
})

test_that("a value changed by hand is found out", {
  text <- rawToChar(json_of(quick_fit(two_factor_data(), rule_maxlen = 2)))
  changes <- list(
    c("sbrl rule list", "another list"), c("\"format_version\": 2", "\"format_version\": 99"),
    c("\"lambda\":10.0", "\"lambda\":-1"), c("\"eta\":1.0", "\"eta\":null"), c("\"alpha\":\\[1.0", "\"alpha\":[0"),
    c("\"alpha\":\\[1.0,", "\"alpha\":["), c("\"candidate\":[0-9]+", "\"candidate\":999"),
    c("\"candidate\":[0-9]+", "\"candidate\":0"), c("\"counts\":\\[", "\"counts\":[1,"),
    c("\"counts\":\\[[0-9.]+", "\"counts\":[-3"), c("\"probabilities\":\\[[0-9.]+", "\"probabilities\":[0.5"),
    c("\"classes\": \\[\"0\",\"1\"\\]", "\"classes\": [\"0\",\"0\"]"), c("\"classes\": \\[\"0\",", "\"classes\": ["),
    c("\"levels\":\\[\"u\",", "\"levels\":["), c("\"feature\":1", "\"feature\":7"), c("\"lo\":1", "\"lo\":5"),
    c("\"log_prior\":", "\"log_prio\":"), c("\"stopped_early\":", "\"stopped\":"),
    c("\"seed\":\\[1.0\\]", "\"seed\":[]"),
    c("\"chains\":", "\"chain\":"), c("\"report\":", "\"remark\":"),
    c("\"binarise\":\\[[0-9.e-]+\\]", "\"binarise\":[]"),
    c("\"n_rows\":\\[400.0\\]", "\"n_rows\":[1,2]"), c("\"minsupport\":\\[0.1,", "\"minsupport\":[")
  )
  for (change in changes) {
    damaged <- sub(change[1], change[2], text)
    expect_false(damaged == text, info = change[1])
    expect_error(read_bytes(charToRaw(damaged)), class = "sbrl_error_file", info = change[2])
  }
})

test_that("foreign files are refused", {
  foreign <- c(
    "{}", "[]", "null", "1", "\"text\"", "hello", " ", "NaN", "a,b,c\n1,2,3\n", "\ufeff{}", strrep("[", 1e5),
    "{\"format\":1}", "{\"rs\":{\"V1\":[0],\"V2\":[0.5]}}"
  )
  for (text in foreign) {
    expect_error(read_bytes(charToRaw(text)), class = "sbrl_error_file")
  }
  expect_error(read_bytes(as.raw(c(0x7b, 0, 0x7d))), class = "sbrl_error_file")
  expect_error(read_bytes(as.raw(c(0x22, 0xff, 0x22))), class = "sbrl_error_file")
  rds <- tempfile()
  on.exit(unlink(rds))
  saveRDS(two_factor_data(), rds)
  expect_error(sbrl_read_json(rds), class = "sbrl_error_file")
})

test_that("files that are not there, not files or not writable are named", {
  model <- quick_fit(two_factor_data())
  directory <- tempfile("dir")
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  empty <- file.path(directory, "empty.json")
  file.create(empty)
  for (file in c(file.path(directory, "none.json"), directory, empty)) {
    expect_error(sbrl_read_json(file), basename(file), class = "sbrl_error_file")
  }
  expect_error(sbrl_write_json(model, file.path(directory, "no", "m.json")), "m.json", class = "sbrl_error_file")
  expect_error(sbrl_write_json(model, directory), class = "sbrl_error_file")
  for (bad in list(NULL, NA_character_, 1, c("a", "b"))) {
    expect_error(sbrl_write_json(model, bad), class = "sbrl_error_argument")
    expect_error(sbrl_read_json(bad), class = "sbrl_error_argument")
  }
  expect_error(sbrl_write_json(list(), empty), class = "sbrl_error_argument")
})

test_that("a path that is too long for a file is refused without a warning of R", {
  path <- strrep("x", 10000)
  expect_warning(expect_error(sbrl_read_json(path), "too long", class = "sbrl_error_file"), NA)
  model <- quick_fit(two_factor_data())
  expect_warning(expect_error(sbrl_write_json(model, path), "too long", class = "sbrl_error_file"), NA)
})

test_that("writing replaces a file whole and leaves nothing else behind", {
  directory <- tempfile("dir")
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  file <- file.path(directory, "model.json")
  writeLines("old", file)
  expect_invisible(sbrl_write_json(quick_fit(two_factor_data()), file))
  expect_identical(list.files(directory, all.files = TRUE, no.. = TRUE), "model.json")
  expect_s3_class(sbrl_read_json(file), "sbrl")
})

test_that("a formula that a file cannot hold in full is written with a warning", {
  d <- transform(two_factor_data(), x = seq_len(400))
  limit <- 200
  double <- function(x) 2 * x
  file <- tempfile(fileext = ".json")
  write <- function(formula) {
    model <- sbrl(formula, data = d, iters = 200, nchain = 1, seed = 1, progress = FALSE)
    sbrl_write_json(model, file)
  }
  expect_warning(write(label ~ a + I(x > limit)), "limit", class = "sbrl_warning_file")
  expect_warning(write(label ~ a + double(x)), "double.*will refuse", class = "sbrl_warning_file")
  expect_warning(write(rev(rev(label)) ~ a), "rev.*will refuse", class = "sbrl_warning_file")
  sum <- Reduce(\(left, right) call("+", left, right), rep(list(quote(x)), 200))
  expect_warning(write(eval(bquote(label ~ a + I(.(sum))))), "100 deep.*will refuse", class = "sbrl_warning_file")
  expect_error(sbrl_read_json(file), "100 deep", class = "sbrl_error_file")
  expect_warning(write(label ~ a + log(x) + I(x > 200)), NA)
  expect_warning(write(label ~ a + x), NA)
})

test_that("a file too large to be a model is refused by name before it is read", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  connection <- file(file, "wb")
  seek(connection, max_json_bytes, rw = "write")
  writeBin(as.raw(32), connection)
  close(connection)
  expect_identical(file.size(file), max_json_bytes + 1)
  expect_error(sbrl_read_json(file), "268,435,457 bytes; .* at most 268,435,456", class = "sbrl_error_file")
  expect_error(check_json_size(max_json_bytes + 1, "m.json"), "m.json", class = "sbrl_error_file")
})

test_that("a pipe or a device is refused, not waited for", {
  skip_on_os("windows")
  pipe <- tempfile()
  on.exit(unlink(pipe))
  skip_if(system2("mkfifo", pipe, stdout = FALSE, stderr = FALSE) != 0, "no mkfifo")
  for (file in c(pipe, "/dev/zero", "/dev/null")) {
    expect_error(sbrl_read_json(file), "regular file", class = "sbrl_error_file")
  }
})

test_that("reading the text of a file takes about twice its size in memory", {
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  writeBin(rep(charToRaw("0123456789"), 5e5), file)
  gc(reset = TRUE)
  before <- sum(gc(reset = TRUE)[, 6])
  text <- read_text(file)
  used <- sum(gc()[, 6]) - before
  expect_identical(nchar(text), 5000000L)
  # Cells are counted in units of a million bytes: two copies are 10, the comparison of all bytes would be 60.
  expect_lt(used, 16)
})

test_that("a path whose bytes are no text is an error of ours", {
  path <- "\xff\xfe.json"
  for (encoding in c("unknown", "bytes", "UTF-8")) {
    Encoding(path) <- encoding
    expect_error(sbrl_read_json(path), "`file` must be text in a valid", class = "sbrl_error_argument")
    model <- quick_fit(two_factor_data())
    expect_error(sbrl_write_json(model, path), "`file` must be text in", class = "sbrl_error_argument")
  }
})

test_that("a cut that only infinite values reach survives a file", {
  d <- data.frame(x = rep(c(1, .Machine$double.xmax, Inf), each = 60), label = rep(c(0, 1, 0), each = 60))
  model <- quick_fit(d)
  expect_identical(max(model$features[[1]]$cuts), Inf)
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  again <- sbrl_read_json(file)
  expect_identical(again$features, model$features)
  expect_identical(predict(again, d), predict(model, d))
})

test_that("a count that is too large for R is refused without a warning", {
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(quick_fit(two_factor_data()), file)
  writeLines(sub("\"n_distinct\":\\[[0-9.]+\\]", "\"n_distinct\":[1e300]", readLines(file)), file)
  expect_warning(expect_error(sbrl_read_json(file), class = "sbrl_error_file"), NA)
})

test_that("numbers in the account of a posterior that no integer holds are refused without a warning", {
  file <- tempfile()
  on.exit(unlink(file))
  d <- two_factor_data()
  posterior <- suppressWarnings(sbrl_posterior(quick_fit(d), d, draws = 20, chains = 2, warmup = 20, seed = 1))
  sbrl_write_json(posterior, file)
  text <- paste(readLines(file), collapse = "\n")
  fields <- c(
    ".chain", ".iteration", "active", "class", "lengths", "rules", "chosen", "candidate", "group", "other_draw"
  )
  for (field in fields) {
    first <- sprintf("(\"%s\": *\\[(null, *)*)[^],]+", field)
    expect_match(text, first)
    for (number in c("1e300", "2147483648", "-3e9")) {
      changed <- sub(first, paste0("\\1", number), text)
      writeLines(changed, file)
      expect_warning(expect_error(sbrl_read_json(file), class = "sbrl_error_file", info = field), NA)
    }
  }
})

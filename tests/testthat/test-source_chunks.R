# Chunks are pieces of one table: what their columns hold counts, not the class or unit of one piece.

# Chunks of 100 rows, each changed by the function in its place.
changed_chunks <- function(data, ...) {
  changes <- list(...)
  k <- 0
  sbrl_source(restart = \() k <<- 0, chunks = function() {
    k <<- k + 1
    rows <- seq_len(100) + 100 * (k - 1)
    if (rows[1] <= nrow(data)) changes[[(k - 1) %% length(changes) + 1]](data[rows, ])
  })
}

as_is <- function(chunk) chunk

in_unit <- function(unit) {
  function(chunk) {
    units(chunk$x) <- unit
    chunk
  }
}

# `x` is long for "yes", and missing now and then.
spans_data <- function(n = 300, unit = "hours") {
  set.seed(1)
  x <- round(stats::rexp(n), 2)
  label <- ifelse(stats::runif(n) < ifelse(x > 1, 0.9, 0.2), "yes", "no")
  data.frame(x = as.difftime(replace(x, 7, NA), units = unit), z = sample(letters[1:3], n, TRUE), label = label)
}

# Chunks taken without the methods of any column.
hostile_chunks <- function(data, size) {
  k <- 0
  sbrl_source(restart = \() k <<- 0, chunks = function() {
    rows <- seq_len(size) + size * k
    k <<- k + 1
    if (rows[1] > 300) {
      return(NULL)
    }
    columns <- lapply(unclass(data), \(x) structure(unclass(x)[rows], class = oldClass(x)))
    structure(columns, class = "data.frame", row.names = seq_along(rows))
  })
}

test_that("spans of time keep their unit in chunks", {
  data <- spans_data()
  expected <- fit_with(data)
  expect_match(format(expected), "hours", all = FALSE)
  for (size in c(7, 100, 300)) {
    found <- fit_with(chunk_source(data, size))
    expect_same_model(found, expected)
    expect_identical(predict(found, data), predict(expected, data))
    expect_equal(sbrl_performance(found, chunk_source(data, size)), sbrl_performance(expected, data))
  }
  own <- list(x = as.difftime(c(30, 90), units = "mins"))
  expect_same_model(fit_with(chunk_source(data), discretize = own), fit_with(data, discretize = own))
})

test_that("chunks in hours, minutes and hours are one column of hours", {
  data <- spans_data()
  # as binary fractions, so that no unit rounds
  data$x[] <- round(as.double(data$x) * 64) / 64
  expected <- fit_with(data)
  mixed <- changed_chunks(data, in_unit("hours"), in_unit("mins"), in_unit("hours"))
  found <- fit_with(mixed)
  expect_same_model(found, expected)
  expect_identical(predict(found, in_unit("mins")(data)), predict(expected, data))
  # the unit is that of the first chunk with a value
  found <- fit_with(changed_chunks(data, in_unit("mins"), in_unit("hours"), in_unit("hours")))
  expect_same_model(found, fit_with(in_unit("mins")(data)))
})

test_that("a chunk without a value has no class to give to the others", {
  data <- spans_data()
  without <- function(value) {
    force(value)
    function(chunk) {
      chunk$x <- rep(value, nrow(chunk))
      chunk
    }
  }
  for (x in list(data$x, as.Date("2024-01-01") + round(100 * as.double(data$x)), round(as.double(data$x), 1),
                 as.POSIXct("2024-01-01", tz = "CET") + 1e5 * as.double(data$x), cut(as.double(data$x), 4))) {
    data$x <- x
    rows <- data
    rows$x[1:100] <- NA
    expected <- fit_with(rows)
    for (empty in list(NA, NA_character_, as.Date(NA), as.difftime(NA_real_, units = "secs"))) {
      source <- changed_chunks(data, without(empty), as_is, as_is)
      expect_same_model(fit_with(source), expected)
    }
  }
})

test_that("a factor in one chunk and text in another are one column", {
  data <- spans_data()
  data$z[150] <- "zz"
  as_factor <- function(chunk) {
    chunk$z <- factor(chunk$z, c("c", "b", "a", "d"))
    chunk
  }
  expected <- as.character(predict(fit_with(data), data, type = "class"))
  for (source in list(changed_chunks(data, as_factor, as_is, as_is), changed_chunks(data, as_is, as_is, as_factor))) {
    found <- fit_with(source)
    expect_identical(as.character(predict(found, data, type = "class")), expected)
  }
})

test_that("numbers in one chunk and text in another are the text of both", {
  data <- spans_data()
  data$x <- round(as.double(data$x)) * 1e5
  data$x[is.na(data$x)] <- 0
  as_words <- function(chunk) {
    chunk$x <- ifelse(chunk$x == 2e5, "two", format(chunk$x, scientific = FALSE, trim = TRUE))
    chunk
  }
  found <- fit_with(changed_chunks(data, as_is, as_words, as_is))
  expect_setequal(found$features[[1]]$levels, c("0", "100000", "200000", "300000", "400000", "500000", "600000", "two"))
})

test_that("dates and numbers in one column are refused by name", {
  data <- spans_data()
  as_dates <- function(chunk) {
    chunk$x <- as.Date("2024-01-01") + seq_len(nrow(chunk))
    chunk
  }
  as_numbers <- function(chunk) {
    chunk$x <- as.double(chunk$x)
    chunk
  }
  for (source in list(changed_chunks(data, as_dates, as_numbers), changed_chunks(data, as_numbers, as_dates),
                      changed_chunks(data, as_is, as_dates, as_is))) {
    expect_error(fit_with(source), "`x` must have values of one kind in all chunks", class = "sbrl_error_column")
  }
})

test_that("a sample cuts spans of time as it cuts numbers", {
  data <- many_values(5000)
  data$label <- ifelse(data$level < 0.3, "yes", "no")
  hours <- transform(data, level = as.difftime(level, units = "hours"))
  expected <- with_few_pairs(fit_with(chunk_source(data), cut_sample = 2000))
  found <- with_few_pairs(fit_with(chunk_source(hours), cut_sample = 2000))
  expect_identical(found$features[[1]]$cuts, expected$features[[1]]$cuts)
  expect_identical(found$features[[1]]$unit, "hours")
})

test_that("a value that occurs only in rows without a label is no sign of a change", {
  data <- spans_data()
  data$label[c(5, 205)] <- NA
  data$z[c(5, 205)] <- c("only here", "and here")
  data$x[205] <- 1e6
  expected <- suppressWarnings(fit_with(data))
  expect_same_model(suppressWarnings(fit_with(chunk_source(data))), expected)
  # and a level that only such rows have in another chunk
  data$z <- factor(data$z)
  expect_same_model(suppressWarnings(fit_with(chunk_source(data))), suppressWarnings(fit_with(data)))
})

test_that("a chunk whose columns have foreign classes is read or refused without their methods", {
  hostile_methods(environment())
  data <- spans_data()[c("z", "label")]
  text <- with_column(data, 1, structure(data$z, class = "hostile"))
  for (size in c(50, 300)) {
    source <- hostile_chunks(text, size)
    expect_same_model(fit_with(source), fit_with(data))
  }
  data$w <- rep(0:2, 100)
  weighted <- with_column(data, 1, structure(data$z, class = "hostile"))
  expect_same_model(fit_with(hostile_chunks(weighted, 300), weights = "w"),
                    fit_with(data[c("z", "label")], weights = data$w))
  expect_same_model(fit_with(with_column(data[c("z", "label")], 1, weighted[[1]]), weights = data$w),
                    fit_with(data[c("z", "label")], weights = data$w))
  for (j in 1:2) {
    bad <- with_column(data, j, structure(seq_len(300), class = "hostile"))
    expect_error(fit_with(hostile_chunks(bad, 300)), "hostile", class = "sbrl_error")
  }
})

test_that("weights in chunks that are no plain column of numbers are refused by name", {
  for (weights in list(matrix(1, 400, 2), as.Date("2024-01-01") + 1:400, letters[rep(1:2, 200)], rep(NaN, 400))) {
    d <- two_factor_data()
    d$w <- weights
    given <- FALSE
    source <- sbrl_source(restart = \() given <<- FALSE, chunks = function() {
      if (given) return(NULL)
      given <<- TRUE
      d
    })
    expect_error(quick_fit(source, weights = "w"), "w`", class = "sbrl_error")
  }
})

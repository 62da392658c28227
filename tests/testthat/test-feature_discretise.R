# A number that decides, one that does not, and gaps in both.
numbers <- function(n = 600, seed = 5) {
  set.seed(seed)
  x <- round(stats::runif(n, 0, 100), 1)
  positive <- ifelse(x < 30, 0.9, ifelse(x < 60, 0.5, 0.1))
  d <- data.frame(x, noise = stats::rnorm(n), label = stats::rbinom(n, 1, positive))
  d$x[1:20] <- NA
  d
}

feature_of <- function(model, name) {
  Find(\(feature) feature$name == name, model$features)
}

items_for <- function(model, name) {
  position <- which(vapply(model$features, \(feature) feature$name == name, NA))
  model$items$name[model$items$feature == position]
}

test_that("a number gives half-lines and intervals, named by its cut points", {
  d <- numbers()
  model <- quick_fit(d, discretize = list(x = c(60, 30)), rule_maxlen = 2)
  expect_identical(feature_of(model, "x")$cuts, c(30, 60))
  expect_identical(items_for(model, "x"), c("x=<30", "x=<60", "x=[30,60)", "x=>=30", "x=>=60", "x=NA"))
  expect_sound(model, d)
  # Half-lines of one feature meet only where neither contains or excludes the other: that pair is an interval.
  expect_identical(grep("^\\{x=[^}]*,x=", model$rulenames, value = TRUE), "{x=<60,x=>=30}")
})

test_that("learnt cut points part the data, are few and have few digits", {
  d <- numbers()
  for (method in c("modl", "mdlp", "quantile", "width")) {
    for (bins in c(2, 3, 8)) {
      model <- quick_fit(d, discretize = method, bins = bins)
      cuts <- feature_of(model, "x")$cuts
      expect_true(length(cuts) >= 1 && length(cuts) < bins && !is.unsorted(cuts, strictly = TRUE))
      expect_true(all(nchar(format(cuts)) <= 6))
      expect_sound(model, d)
    }
  }
  supervised <- feature_of(quick_fit(d), "x")$cuts
  expect_true(any(abs(supervised - 30) < 5) && any(abs(supervised - 60) < 5))
})

test_that("the supervised cut is the one of least class entropy", {
  x <- c(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
  d <- data.frame(x = rep(x, 4), label = rep(c(0, 0, 0, 0, 1, 1, 1, 1, 1, 1), 4))
  expect_identical(feature_of(quick_fit(d), "x")$cuts, 5)
  expect_identical(quick_fit(d)$rs$V2[1] > 0.9 || quick_fit(d)$rs$V2[1] < 0.1, TRUE)
})

test_that("a number without any supervised cut falls back to quantiles", {
  d <- numbers()
  expect_length(feature_of(quick_fit(d, bins = 10), "noise")$cuts, 3)
  expect_length(feature_of(quick_fit(d, bins = 3), "noise")$cuts, 2)
  expect_length(feature_of(quick_fit(d, bins = 2), "noise")$cuts, 1)
  # Nearly all rows have the greatest value: one cut below it.
  skewed <- data.frame(x = c(1, 2, rep(3, 98)), label = rep(0:1, 50))
  expect_identical(feature_of(suppressWarnings(quick_fit(skewed)), "x")$cuts, 3)
})

test_that("cut points separate classes that version 1.4 binned apart", {
  d <- data.frame(x = c(1:100, 201:300), label = rep(0:1, each = 100))
  model <- quick_fit(d)
  new <- data.frame(x = c(-Inf, 0, 1e300, Inf))
  expect_identical(as.character(predict(model, new, type = "class")), c("0", "0", "1", "1"))
})

test_that("numbers with one or two values are levels, with three they are cut", {
  d <- two_factor_data()
  d$two <- rep(c(1, 2), 200)
  d$three <- rep_len(c(1L, 2L, 5L), 400)
  model <- quick_fit(d)
  expect_identical(items_for(model, "two"), c("two=1", "two=2"))
  expect_identical(feature_of(model, "three")$type, "integer")
  expect_sound(model, d)
  own <- quick_fit(d, discretize = list(two = 1.5))
  expect_identical(items_for(own, "two"), c("two=<1.5", "two=>=1.5"))
})

test_that("dates, times and spans keep their units", {
  label <- rep(0:1, each = 50)
  day <- as.Date("2024-02-10") + seq_len(100)
  time <- as.POSIXct("2024-03-30 22:00", tz = "Europe/Berlin") + 60 * seq_len(100)
  span <- as.difftime(seq_len(100), units = "mins")
  cases <- list(
    list(day, c("x=<2024-04-01", "x=>=2024-04-01")),
    list(time, c("x=<2024-03-30 22:51", "x=>=2024-03-30 22:51")),
    list(as.POSIXlt(time), c("x=<2024-03-30 22:51", "x=>=2024-03-30 22:51")),
    list(time + 86400 * seq_len(100), c("x=<2024-05-20", "x=>=2024-05-20")),
    list(time + seq_len(100) / 1000, c("x=<2024-03-30 22:51", "x=>=2024-03-30 22:51")),
    list(span, c("x=<51 mins", "x=>=51 mins"))
  )
  for (case in cases) {
    d <- data.frame(x = case[[1]], label)
    model <- quick_fit(d)
    expect_identical(items_for(model, "x"), case[[2]])
    expect_sound(model, d)
  }
  hours <- quick_fit(data.frame(x = span, label))
  units(span) <- "hours"
  expect_identical(predict(hours, data.frame(x = span), type = "class"), factor(label))
  three <- quick_fit(data.frame(x = span, label), discretize = list(x = as.difftime(c(30, 60), units = "mins")))
  expect_identical(items_for(three, "x"), paste0("x=", c("<0.5", "<1", "[0.5,1)", ">=0.5", ">=1"), " hours"))
  dates <- quick_fit(data.frame(x = day, label), discretize = list(x = as.Date(c("2024-03-01", "2024-04-15"))))
  expect_true("x=[2024-03-01,2024-04-15)" %in% dates$featurenames)
})

test_that("64-bit integers are numbers", {
  # The bits of 1, 2, ..., as package bit64 keeps them, and of its missing value.
  as_integer64 <- function(x) {
    bytes <- writeBin(as.integer(rbind(x, 0)), raw(), endian = "little")
    structure(readBin(bytes, "double", length(x), endian = "little"), class = "integer64")
  }
  frame <- function(x, ...) {
    d <- data.frame(x = seq_along(x), ...)
    d$x <- x
    d
  }
  label <- rep(0:1, each = 50)
  model <- quick_fit(frame(as_integer64(1:100), label))
  expect_identical(model$features, quick_fit(data.frame(x = 1:100, label))$features)
  expect_identical(predict(model, frame(as_integer64(c(1, 99)))), predict(model, data.frame(x = c(1, 99))))
  weighted <- quick_fit(frame(as_integer64(1:100), label), weights = rep(0:1, c(1, 99)))
  expect_identical(weighted$features, model$features)
  expect_identical(quick_fit(label ~ x, data = frame(as_integer64(1:100), label))$features, model$features)
  missing <- structure(readBin(as.raw(c(0, 0, 0, 0, 0, 0, 0, 0x80)), "double", endian = "little"), class = "integer64")
  expect_identical(integer64_values(missing), NA_real_)
  expect_identical(integer64_values(structure(readBin(as.raw(rep(255, 8)), "double"), class = "integer64")), -1)
})

test_that("ordered factors have levels and half-lines", {
  d <- two_factor_data()
  d$size <- factor(rep_len(c("S", "M", "L", "XL"), 400), c("S", "M", "L", "never", "XL"), ordered = TRUE)
  model <- quick_fit(d, rule_maxlen = 2)
  expect_identical(items_for(model, "size"), paste0("size=", c("S", "M", "L", "XL", "<=M", "<=L", ">=M", ">=L")))
  expect_sound(model, d)
  two <- quick_fit(transform(d, size = factor(b, ordered = TRUE)))
  expect_identical(items_for(two, "size"), c("size=p", "size=q"))
})

test_that("labels say cut points with as few digits as tell them apart", {
  text <- function(cuts) short_text(cuts)
  expect_identical(text(c(37.5, 45)), c("37.5", "45"))
  expect_identical(text(c(1e5, 1234567)), c("100000", "1234567"))
  expect_identical(text(1 / 3), "0.3333333")
  expect_identical(text(c(1 / 3, 1 / 3 + 1e-9)), c("0.333333333", "0.333333334"))
  expect_identical(text(c(1, 1 + 2^-52)), c("1", "1.0000000000000002"))
  expect_identical(text(c(-1e-20, 0, 1e20)), c("-1e-20", "0", "1e+20"))
  old <- options(OutDec = ",", scipen = -10, digits = 3)
  on.exit(options(old))
  expect_identical(text(c(37.5, 12345.6789)), c("37.5", "12345.6789"))
})

test_that("a learnt cut point is said in full, however many digits it takes", {
  d <- data.frame(x = rep(c(0.1, 0.2, 0.3, 0.1 + 0.2, 0.5, 0.6), 20), label = rep(c(0, 0, 0, 1, 1, 1), 20))
  expect_identical(quick_fit(d)$featurenames, c("x=<0.30000000000000004", "x=>=0.30000000000000004"))
  own <- quick_fit(d, discretize = list(x = 1 / 3))
  expect_identical(own$featurenames, c("x=<0.3333333", "x=>=0.3333333"))
})

test_that("what the calendar cannot say is said in days or seconds", {
  d <- data.frame(x = structure(rep(c(5, 6, 1e10, 3e12), 20), class = "Date"), label = rep(c(0, 0, 1, 1), 20))
  cuts <- structure(c(6, 1e12), class = "Date")
  text <- quick_fit(d, discretize = list(x = cuts))$featurenames
  expect_setequal(text, paste0(
    "x=", c("<1970-01-07", "<1e+12 days", "[1970-01-07,1e+12 days)", ">=1970-01-07", ">=1e+12 days")
  ))
  d$x <- as.POSIXct("2024-01-01", tz = "UTC") + rep(0:3 * 4e-7, 20)
  model <- quick_fit(d, discretize = "quantile", bins = 4)
  expect_identical(anyDuplicated(model$featurenames), 0L)
  expect_identical(model$featurenames[1], "x=<1704067200.0000002 secs")
  expect_sound(model, d)
})

test_that("user cut points are checked by name", {
  d <- transform(two_factor_data(), x = seq_len(400) / 3)
  bad <- list(
    "chimerge", 5, NULL, NA, TRUE, c("mdlp", "width"), list(5), list(x = 5, x = 6), list(x = "five"), list(x = NA),
    list(x = c(1, NaN)), list(x = c(1, Inf)), list(x = numeric()), list(x = list(1)), list(nowhere = 5), list(a = 1),
    list(label = 0.5), list(x = seq_len(2000))
  )
  for (discretize in bad) {
    expect_error(quick_fit(d, discretize = discretize), "discretize", class = "sbrl_error_argument")
  }
  expect_condition_snapshot({
    quick_fit(d, discretize = "chimerge")
    quick_fit(d, discretize = list(nowhere = 5))
    quick_fit(d, discretize = list(x = c(1, NaN)))
    quick_fit(d, discretize = list(a = 1))
    quick_fit(d, bins = 1)
  })
  # Cuts outside the data make the column constant.
  expect_identical(quick_fit(d, discretize = list(x = c(-5, 500)))$dropped, "x")
  expect_sound(quick_fit(d, discretize = list()), d)
})

test_that("missing values have an item of their own", {
  d <- numbers()
  d$x[d$label == 0 & seq_len(600) %% 3 > 0] <- NA
  model <- quick_fit(d, iters = 3000)
  expect_true("{x=NA}" %in% model$rulenames)
  expect_lt(predict(model, data.frame(x = NA, noise = 0))$V2, 0.1)
  expect_sound(model, d)
  gaps <- data.frame(x = rep(c("k", NA), c(150, 50)), label = rep(0:1, c(150, 50)))
  expect_identical(quick_fit(gaps)$featurenames, c("x=NA", "x=k"))
  expect_identical(quick_fit(transform(gaps, x = as.Date(ifelse(is.na(x), NA, "2024-01-01"))))$featurenames[3], "x=NA")
  # A level never seen is not missing.
  expect_warning(rule <- predict(quick_fit(gaps, iters = 2000), data.frame(x = c(NA, "new")), type = "class"))
})

test_that("new data of another type are defined, with one warning at most", {
  d <- numbers()
  model <- quick_fit(d, discretize = list(x = c(30, 60)), iters = 3000)
  used <- model$rulenames[model$rs$V1]
  expect_match(used, "x=", all = FALSE)
  rule <- predict(model, d, type = "rule")
  same <- function(new) expect_identical(predict(model, new, type = "rule"), rule)
  expect_warning(same(transform(d, x = as.character(x), noise = factor(noise))), NA)
  whole <- transform(d, x = as.integer(x))
  expect_warning(expect_length(predict(model, whole)$V2, 600), NA)
  expect_warning(same(transform(d, x = as.difftime(x, units = "days"))), "another type", class = "sbrl_warning_column")
  expect_warning(predict(model, transform(d, x = ifelse(is.na(x), "?", x))), "`x` (\"?\")", fixed = TRUE)
  expect_warning(predict(model, data.frame(x = c("", "NA", NA), noise = 0)), NA)
  expect_warning(predict(model, data.frame(x = NA, noise = NA)), NA)
  expect_warning(predict(model, data.frame(x = TRUE, noise = 0)), "logical values taken as numbers")
  label <- rep(0:1, each = 50)
  days <- as.Date("2024-01-01") + 1:100
  by_day <- quick_fit(data.frame(x = days, label))
  by_time <- quick_fit(data.frame(x = as.POSIXct("2024-01-01", tz = "UTC") + 86400 * (1:100), label))
  for (fit in list(by_day, by_time)) {
    same_class <- function(x) expect_identical(predict(fit, data.frame(x = x), type = "class"), factor(label))
    expect_warning(same_class(days), NA)
    expect_warning(same_class(format(days)), NA)
    expect_warning(same_class(as.POSIXct(paste(days, "12:00"), tz = "UTC")), NA)
    expect_warning(same_class(factor(paste0(days, "T12:30"))), NA)
  }
  expect_warning(predict(by_day, data.frame(x = 19800)), "numbers taken as dates")
})

test_that("JSON keeps cut points and units", {
  d <- numbers()
  d$day <- as.Date("2024-01-01") + seq_len(600)
  d$time <- as.POSIXct("2024-01-01", tz = "Asia/Tokyo") + 1000 * seq_len(600)
  d$span <- as.difftime(seq_len(600) / 7, units = "weeks")
  d$size <- factor(rep_len(1:3, 600), ordered = TRUE)
  model <- quick_fit(d, rule_maxlen = 2)
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  again <- sbrl_read_json(file)
  model["call"] <- list(NULL)
  expect_identical(again, model)
  expect_identical(predict(again, d), predict(model, d))
})

# The roundest number in (low, high], by trying all decimal numbers of one digit, then of two, and so on.
roundest <- function(low, high) {
  if (low < 0 && high >= 0) {
    return(0)
  }
  for (digits in 1:7) {
    whole <- seq(10^(digits - 1), 10^digits - 1)
    powers <- floor(log10(max(abs(c(low, high))))) + (-7:1)
    power <- rep(powers, each = length(whole))
    tried <- data.frame(power, value = as.numeric(paste0(if (high < 0) "-", whole, "e", power)))
    tried$ends_in_5 <- rep(whole %% 5 == 0, length(powers))
    tried <- tried[tried$value > low & tried$value <= high, ]
    if (nrow(tried) > 0) {
      zeros <- tried[tried$power == max(tried$power), ]
      fives <- if (any(zeros$ends_in_5)) zeros[zeros$ends_in_5, ] else zeros
      return(sort(fives$value)[which.min(round(abs(sort(fives$value) - (low + high) / 2), 9))])
    }
  }
}

# What is next below and above each cut.
neighbours <- function(cuts, x) {
  lapply(cuts, \(cut) c(max(x[x < cut]), min(x[x >= cut])))
}

test_that("with a formula, cut points are the roundest numbers between their neighbours", {
  set.seed(2)
  n <- 150
  d <- data.frame(
    label = rep(0:1, n / 2), pounds = round(stats::runif(n, 8e3, 8e4)), fine = round(stats::rnorm(n), 3),
    small = signif(stats::rexp(n), 4) / 1e3, whole = stats::rpois(n, 30), below = -round(stats::rexp(n, 0.02), 1)
  )
  n_moved <- 0
  for (bins in c(3, 5, 9)) {
    for (method in c("modl", "quantile")) {
      as_before <- quick_fit(d, discretize = method, bins = bins, iters = 10)
      model <- quick_fit(label ~ ., data = d, discretize = method, bins = bins, iters = 10)
      for (name in setdiff(names(d), "label")) {
        found <- feature_of(model, name)$cuts
        before <- feature_of(as_before, name)$cuts
        expect_identical(neighbours(found, d[[name]]), neighbours(before, d[[name]]))
        expect_equal(found, vapply(neighbours(found, d[[name]]), \(next_to) roundest(next_to[1], next_to[2]), 1))
        expect_true(all(nchar(number_text(abs(found))) <= nchar(number_text(abs(before))) + 5))
        n_moved <- n_moved + sum(found != before)
      }
    }
  }
  expect_gt(n_moved, 10)
  salaries <- data.frame(label = rep(0:1, each = 20), salary = c(seq(10000, 24987, length.out = 20), 25300 + 1:20))
  model <- quick_fit(label ~ salary, data = salaries)
  expect_identical(feature_of(model, "salary")$cuts, 25000)
})

test_that("equal steps, own cut points and data frames keep their cut points", {
  d <- data.frame(label = rep(0:1, each = 20), visits = rep(0:3, 10), x = c(0, seq(30, 70, length.out = 38), 100))
  expect_identical(feature_of(quick_fit(d), "visits")$cuts, c(0.5, 2, 3))
  expect_identical(feature_of(quick_fit(label ~ ., data = d), "visits")$cuts, c(1, 2, 3))
  steps <- quick_fit(label ~ ., data = d, discretize = "width", bins = 4)
  expect_identical(feature_of(steps, "x")$cuts, c(25, 50, 75))
  own <- quick_fit(label ~ ., data = d, discretize = list(visits = 0.5, x = 1 / 3))
  expect_identical(feature_of(own, "visits")$cuts, 0.5)
  expect_identical(feature_of(own, "x")$cuts, 1 / 3)
})

test_that("dates are cut at the first day of a year or a month where the data allow it", {
  set.seed(3)
  start <- as.Date("2019-02-10")
  for (gap in c(2, 15, 90)) {
    day <- start + cumsum(sample(gap, 60, replace = TRUE))
    d <- data.frame(label = rep(0:1, 30), day)
    found <- feature_of(quick_fit(label ~ day, data = d, iters = 10), "day")$cuts
    expected <- vapply(neighbours(found, as.numeric(day)), function(next_to) {
      days <- seq(next_to[1] + 1, next_to[2])
      text <- format(as.Date(days, origin = "1970-01-01"))
      january <- days[endsWith(text, "-01-01")]
      first <- days[endsWith(text, "-01")]
      max(if (length(january) > 0) january else if (length(first) > 0) first else days)
    }, 1)
    expect_identical(found, expected)
  }
})

test_that("bags and cross-validations round cut points as the fit would", {
  d <- data.frame(label = rep(0:1, each = 40), visits = rep(c(0, 0, 1, 2), 20))
  first_cuts <- function(fit) fit$features[[1]]$cuts[1]
  by_formula <- sbrl_bag(label ~ visits, data = d, times = 2, iters = 50, nchain = 1, seed = 1)
  expect_identical(first_cuts(by_formula$medoid), 1)
  again <- sbrl_bag(quick_fit(label ~ visits, data = d), d, times = 2, iters = 50, nchain = 1, seed = 1)
  expect_identical(first_cuts(again$medoid), 1)
  expect_identical(first_cuts(sbrl_bag(d, times = 2, iters = 50, nchain = 1, seed = 1)$medoid), 0.5)
  cv <- \(...) refit(cv_sbrl(..., folds = 2, lambda = 1, rule_maxlen = 1, iters = 50, nchain = 1, seed = 1))
  expect_identical(first_cuts(cv(label ~ visits, data = d)), 1)
  expect_identical(first_cuts(cv(d)), 0.5)
})

# Models with rows to predict, for the tests of exports: every odd name, level and type.

# Rows as they come later: some values missing, some never seen.
later_rows <- function(d) {
  d[] <- lapply(d, function(x) {
    gap <- stats::runif(length(x)) < 0.15
    if (is.character(x) || is.factor(x)) {
      x <- as.character(x)
      x[stats::runif(length(x)) < 0.1] <- pick(c("never seen", "", "it's", "a\\b"))
    } else if (is.double(x) && !is.object(x)) {
      x[stats::runif(length(x)) < 0.1] <- pick(c(Inf, -Inf, NaN, 0, 1e300))
    }
    x[gap] <- NA
    x
  })
  d
}

# Models of random data frames that have rules, with rows to predict.
random_cases <- function(n, seed = 1) {
  cases <- list()
  while (length(cases) < n) {
    seed <- seed + 1
    set.seed(seed)
    args <- utils::modifyList(random_arguments(random_frame()), list(minsupport = 0, lambda = 10, iters = 100))
    model <- suppressWarnings(tryCatch(do.call(sbrl, args), sbrl_error = \(e) NULL))
    if (!is.null(model) && nrow(model$rs) > 1) {
      cases <- c(cases, list(sql_case_of(model, later_rows(args$tdata))))
    }
  }
  cases
}

# Every odd name as a column and as a level, every kind of column, two and three classes.
odd_cases <- function() {
  set.seed(7)
  n <- 600
  names <- c(odd_names, "quote ' and \" and `", "back\\slash", "${x}", "SELECT", "tab\t", "it''s")
  frame <- function(classes) {
    level <- pick(names, n, replace = TRUE)
    column <- \(name) ifelse(level == name, name, pick(names, n, replace = TRUE))
    d <- structure(lapply(names, column), names = names, class = "data.frame", row.names = seq_len(n))
    d$label <- classes[1 + (match(level, names) + (stats::runif(n) < 0.1)) %% length(classes)]
    d
  }
  lapply(list(0:1, c("it's", "a\\b\n", "\U1F600")), function(classes) {
    d <- frame(classes)
    sql_case_of(quick_fit(d, minsupport = 0.005, lambda = 30, iters = 5000), later_rows(d))
  })
}

typed_cases <- function() {
  set.seed(8)
  n <- 300
  d <- data.frame(
    number = stats::rnorm(n), flag = stats::rbinom(n, 1, 0.5), half = c(0.5, 1 / 3)[1 + stats::rbinom(n, 1, 0.5)],
    truth = stats::runif(n) < 0.5, day = as.Date("2024-02-29") + pick(-300:300, n),
    time = as.POSIXct("2024-03-31 01:30:00", tz = "Europe/Berlin") + 3600 * pick(-500:500, n),
    span = as.difftime(stats::rexp(n), units = "hours"),
    size = factor(pick(c("S", "M", "L", "XL"), n, replace = TRUE), levels = c("S", "M", "L", "XL"), ordered = TRUE)
  )
  d$number[pick(seq_len(n), 40)] <- NA
  lapply(names(d), function(name) {
    x <- d[[name]]
    high <- if (is.ordered(x)) x >= "L" else rank(x, na.last = "keep") > n / 2
    one <- data.frame(x = x, label = as.integer(ifelse(is.na(high), stats::runif(n) < 0.2, high)))
    names(one)[1] <- name
    model <- quick_fit(one, minsupport = 0.01)
    stopifnot(nrow(model$rs) > 1)
    sql_case_of(model, later_rows(one))
  })
}

# Models for which empty text is missing, also in a column that looks like numbers; later rows have empty text and gaps,
# the last ones also where training had none.
empty_cases <- function() {
  set.seed(9)
  levels <- list(letter = c("u", "v", ""), digit = c("1", "2", ""), word = c("s", "t"), code = c("7", "8"))
  lapply(names(levels), function(name) {
    d <- data.frame(x = rep_len(levels[[name]], 300))
    d$label <- stats::rbinom(300, 1, c(0.1, 0.5, 0.9)[match(d$x, levels[[name]])])
    names(d)[1] <- name
    model <- quick_fit(d, empty_as_missing = TRUE, minsupport = 0.01)
    stopifnot(nrow(model$rs) > 1, length(levels[[name]]) == 2 || "NA" %in% sub(".*=", "", rule_conditions(model)))
    sql_case_of(model, later_rows(d))
  })
}

# Sets of levels, among them odd ones, numbers and logical values; all levels but one; intervals, a range within an
# order, "is not missing", and two of these in one rule.
rich_cases <- function() {
  set.seed(10)
  n <- 600
  draw <- \(levels) pick(levels, n, replace = TRUE)
  levels <- list(
    odd = c("a,b", "", " x", "\"q\"", "back\\", "it's", "{s}", "missing"), few = c("u", "v", "w", "none"),
    digits = c("1", "2.50", "3e5", "7"), numbers = c(1, 2, 3, 5), letters = letters, truth = c(TRUE, FALSE, NA)
  )
  columns <- c(lapply(levels, draw), list(
    number = replace(stats::rnorm(n), sample.int(n, 200), NA), day = as.Date("2024-02-29") + draw(-300:300),
    time = as.POSIXct("2024-03-31 01:30:00", tz = "UTC") + 3600 * draw(-500:500),
    size = factor(draw(c("S", "M", "L", "XL", "XXL")), levels = c("S", "M", "L", "XL", "XXL"), ordered = TRUE)
  ))
  columns$numbers <- factor(columns$numbers)
  columns$day[sample.int(n, 200)] <- NA
  columns$most <- replace(draw(levels$few), sample.int(n, 100), NA)
  cases <- lapply(names(columns), function(name) {
    x <- columns[[name]]
    high <- if (name == "most") {
      x %in% c("u", "v", "w")
    } else if (is.ordered(x)) {
      x %in% c("M", "L")
    } else if (inherits(x, "POSIXct")) {
      abs(as.double(x) - mean(as.double(x))) < 5e5
    } else if (anyNA(x)) {
      is.na(x)
    } else {
      match(x, unique(x)) %in% 2:3
    }
    d <- data.frame(x = x, label = stats::rbinom(n, 1, ifelse(high, 0.85, 0.15)), stringsAsFactors = FALSE)
    names(d)[1] <- name
    model <- suppressWarnings(quick_fit(d, conditions = "rich", minsupport = 0.01))
    stopifnot(nrow(model$rs) > 1)
    sql_case_of(model, later_rows(d))
  })
  cases <- c(cases, list(rich_pair_case(n)))
  words <- unlist(lapply(cases, \(case) sbrl:::rule_conditions(case$model)))
  kinds <- c(" in \\{", " not in \\{", " is not (?!missing)", " is not missing$", " <= .* < ", " <= .* <= ")
  stopifnot(vapply(kinds, \(kind) any(grepl(kind, words, perl = TRUE)), NA))
  cases
}

rich_pair_case <- function(n) {
  gaps <- \(x) replace(x, sample.int(n, n / 10), NA)
  d <- data.frame(job = gaps(pick(letters[1:9], n, replace = TRUE)), age = gaps(stats::runif(n, 18, 90)))
  high <- d$job %in% c("b", "e", "h") & !is.na(d$age) & d$age > 35 & d$age < 65
  d$label <- stats::rbinom(n, 1, ifelse(high, 0.95, 0.05))
  model <- quick_fit(d, conditions = "rich", minsupport = 0.01, rule_maxlen = 2)
  stopifnot(lengths(sbrl:::rule_conditions(model)) == 2)
  sql_case_of(model, later_rows(d))
}

rule_conditions <- function(model) {
  unlist(strsplit(gsub("[{}]", "", model$rulenames[model$rs$V1]), ",", fixed = TRUE))
}

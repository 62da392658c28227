# Hostile values: expressions rather than values, so that a failing call can be printed, pasted and run again. They are
# evaluated in hostile_world(), which has the helpers of this file, small data sets and models.

hostile_text <- c(
  "", " ", "NA", "label", "'", "\"", "`", "\\", "{}", "a=b", "two\nlines", "\t", "%s%n", "$(touch pwned)",
  "`touch pwned`",
  "../../x", "~", "\u00e9t\u00e9", "\U1F600", "\ufffe", "\uffff", "\u202eright to left", "a\u0301", "\u200b", "\001",
  "</script>", "--", ";", "1e3", "false", "Inf", "0x1p-1074"
)

# Atoms of every type, empty, missing, huge, corrupt, and what is no data at all.
hostile_atoms <- expression(
  NULL, NA, NA_integer_, NA_real_, NA_character_, NaN, Inf, -Inf, -0, 0, 1, -1, 0.5, 2L, 1e300, -1e308, 5e-324, 2^31,
  -2^31, 2^53, 2^53 + 2, .Machine$integer.max, TRUE, FALSE, 1i, as.raw(0:3), logical(), integer(), double(),
  character(), list(), c(a = 1, a = 2), c(1, NA), c(NaN, Inf), c(0, 0), 1:3, seq_len(1e6), rep("a", 1e5), 1e6:1,
  strrep("x", 1e4), bytes_text(), broken_text(), latin1_text(), c("a", NA), letters, list(1, "a", NULL),
  list(list(list())), matrix(1:4, 2), matrix(0, 0, 3), array(1:8, c(2, 2, 2)), data.frame(), data.frame(a = 1:2)[0, ],
  factor(c("a", "b")), factor(), bad_factor(7L), bad_factor(-3L), bad_factor(0L), structure(1:2, class = "factor"),
  as.Date("2024-02-29"), structure("x", class = "Date"), structure(Inf, class = "Date"), Sys.time(),
  structure(1, class = c("POSIXct", "POSIXt"), tzone = 7), as.POSIXlt("2024-02-29", tz = "UTC"), empty_part(),
  structure(1.7e9, class = c("POSIXct", "POSIXt"), tzone = c("UTC", "CET", "CEST")), rep(5e-324, 60),
  c(1e20, rep(1, 59)),
  as.difftime(1, units = "hours"), structure(1, class = "difftime"), structure(1, class = "difftime", units = "years"),
  structure(4.94e-324, class = "integer64"), structure(list(1), class = "sbrl"), structure(list(), class = "cv_sbrl"),
  structure(1:3, class = "hostile"), structure(list(1), class = "hostile"), structure("a", class = "hostile"),
  structure(mean, class = "hostile"), structure(y ~ x, class = c("hostile", "formula")),
  structure(list(), class = c("hostile", "sbrl")), structure(d2, class = c("hostile", "data.frame")),
  structure(1:60, class = c("hostile", "Date")), bad_factor(2L, "hostile"), I(1), mean, function(...) NULL, `if`,
  new.env(), quote(x), quote(f(x)), expression(a, b), y ~ x, ~x, globalenv(), stdin(), a_pointer(),
  methods::getClass("numeric"), m2, m3, cv2, summary(m2), d2
)

# Data frames made from a good one, `d`; `atom` stands for another hostile value, `text` for a hostile name.
hostile_frames <- expression(
  d[0, ], d[, 0], d[1, ], d[0, 0], rbind(d, d), as.list(d), as.matrix(d), with_names(d, text), with_names(d, NA),
  with_names(d, names(d)[1]), with_column(d, 1, atom), with_column(d, 2, atom), with_column(d, 1, I(as.list(d[[1]]))),
  with_column(d, 1, matrix(1, nrow(d), 2)), with_column(d, 1, d), with_column(d, 1, NA), with_column(d, 1, text),
  with_column(d, 1, NULL), with_column(d, ncol(d), atom), with_column(d, ncol(d), NA), with_levels(d, text),
  with_codes(d, 99L), with_codes(d, -1L), with_codes(d, 0L), structure(d, row.names = c(NA, -3L)),
  structure(d, names = NULL), structure(list(), class = "data.frame"),
  d[d[[ncol(d)]] == d[[ncol(d)]][1], ], d[1:2 * 30, ],
  with_column(d, 1, recycle(atom)), with_column(d, 2, recycle(atom)), with_column(d, ncol(d), recycle(atom))
)

hostile_formulas <- expression(
  label ~ ., label ~ 0, label ~ 1, ~a, label ~ a:b, label ~ nothing, label ~ stop("no"), label ~ label, a ~ a,
  label ~ I(a), label ~ factor(b, levels = "z"), label ~ sqrt(1), label ~ NULL, NULL ~ a, log(label) ~ a,
  label ~ `two\nlines`, label ~ a + a, . ~ ., label ~ offset(a), label ~ function(x) x, label ~ quote(a),
  label ~ get("a")
)

# Values of classes whose methods only complain: code that calls them has taken something for data too early.
hostile_methods <- function(env) {
  generics <- c(
    setdiff(ls(.GenericArgsEnv), c("@<-", "UseMethod")), "as.vector", "unlist", "lengths", "is.unsorted", "rep.int",
    "rep_len", "nchar", "[", "[[", "$", "Ops", "Math", "Summary", "format", "unique", "duplicated",
    "anyDuplicated", "sort", "mean", "median", "range", "rev", "summary", "toString", "as.data.frame", "as.Date",
    "as.POSIXct", "as.list", "split", "merge", "all.equal", "droplevels", "is.na<-", "row.names"
  )
  for (generic in generics) {
    registerS3method(generic, "hostile", function(...) stop("a hostile method ran"), envir = env)
  }
}

bytes_text <- function() structure_encoding(c("\xff", "a"), "bytes")

broken_text <- function() structure_encoding(c("\xff\xfe", "a"), "UTF-8")

latin1_text <- function() structure_encoding(c("\xe9t\xe9", "a"), "latin1")

structure_encoding <- function(x, encoding) {
  Encoding(x) <- encoding
  x
}

bad_factor <- function(code, ...) structure(c(1L, code), levels = c("a", "b"), class = c(..., "factor"))

empty_part <- function() {
  time <- as.POSIXlt("2024-02-29", tz = "UTC")
  structure(replace(unclass(time), "min", list(integer())), class = class(time), tzone = "UTC")
}

a_pointer <- function() methods::new("externalptr")

# Not through `[[<-`, which would check the length.
with_column <- function(d, j, x) {
  columns <- unclass(d)
  columns[j] <- list(x)
  attributes(columns) <- attributes(d)
  columns
}

# As long as the data, whatever methods the class has; what is no vector stays as it is.
recycle <- function(x) {
  if (!is.vector(unclass(x)) && !is.factor(x)) {
    return(x)
  }
  long <- rep_len(unclass(x), 60)
  # not mostattributes(), which asks a class for its length
  others <- attributes(x)
  for (name in setdiff(names(others), c("names", "dim", "dimnames"))) attr(long, name) <- others[[name]]
  long
}

with_names <- function(d, names) structure(d, names = rep_len(names, length(d)))

with_levels <- function(d, levels) with_column(d, 1, factor(rep_len(c(levels, "b"), nrow(d))))

with_codes <- function(d, code) {
  codes <- rep_len(c(1L, 2L, code), nrow(d))
  with_column(d, 1, structure(codes, levels = c("a", "b"), class = "factor"))
}

# One hostile value as an expression; `frame` is the name of a good data frame, if one was asked for.
hostile_value <- function(frame = NULL) {
  share <- stats::runif(1)
  if (!is.null(frame) && share < 0.7) {
    parts <- list(d = as.name(frame), atom = pick(hostile_atoms)[[1]], text = pick(hostile_text))
    return(do.call(substitute, list(pick(hostile_frames)[[1]], parts)))
  }
  if (share > 0.85) pick(hostile_text) else pick(hostile_atoms)[[1]]
}

# Data sets of 60 rows and one model of each kind; made once in a process.
hostile_world <- local({
  world <- NULL
  function() {
    if (is.null(world)) world <<- new_hostile_world()
    world
  }
})

new_hostile_world <- function() {
  fit <- function(...) {
    settings <- list(iters = 20, nchain = 1, seed = 1, threads = 1, progress = FALSE)
    suppressWarnings(do.call(sbrl, c(list(...), settings)))
  }
  set.seed(1)
  d2 <- two_factor_data(60)
  x <- seq_len(60)
  world <- list(
    d2 = d2, d3 = data.frame(x = x, z = d2$a, label = c("low", "mid", "high")[1 + x %/% 21]),
    days = data.frame(
      day = as.Date("2024-01-01") + x, time = as.POSIXct("2024-01-01", tz = "UTC") + 3600 * rev(x),
      span = as.difftime(x, units = "hours"), size = factor(d2$a, ordered = TRUE), label = rep(0:1, each = 30)
    ),
    numbers = data.frame(x = x, gap = replace(x, 1:9, NA), label = rep(0:1, each = 30))
  )
  world$m2 <- fit(d2, rule_maxlen = 2)
  world$m3 <- fit(label ~ x + z, data = world$d3)
  world$mdays <- fit(world$days, discretize = "quantile")
  world$mcall <- fit(label ~ sqrt(x) + gap, data = world$numbers)
  world$mweights <- fit(world$numbers, weights = rep(1:2, 30) / 3)
  world$mnone <- fit(d2["label"])
  world$mold <- structure(unclass(world$m2)[1:4], class = "sbrl")
  cv <- cv_sbrl(d2, folds = 2, lambda = c(1, 5), rule_maxlen = 1, iters = 20, nchain = 1, seed = 1, progress = FALSE)
  world$cv2 <- cv
  world$proof <- sbrl_certify(world$m2, world$d2, max_nodes = 100, progress = FALSE)
  world$draws2 <- suppressWarnings(sbrl_posterior(world$m2, d2, draws = 40, warmup = 20, seed = 1, progress = FALSE))
  world$bag2 <- sbrl_bag(d2, times = 3, rule_maxlen = 2, iters = 20, nchain = 1, seed = 1, threads = 1,
                         progress = FALSE)
  world$why <- explain(world$m2, d2[1, ])
  world$whys <- explain(world$m2, d2[1:3, ])
  world$scorer <- as_r_function(world$m2)
  world$latex <- as_latex(world$m2)
  # the rows of `d2`, 20 at a time
  world$pieces <- function() {
    done <- 0
    sbrl_source(restart = \() done <<- 0, chunks = function() {
      done <<- done + 20
      if (done <= 60) d2[done - 19:0, ]
    })
  }
  # Helpers are found in the parent; what a call assigns stays here.
  world <- list2env(world, parent = environment(new_hostile_world))
  hostile_methods(world)
  world
}

hostile_models <- c(m2 = "d2", m3 = "d3", mdays = "days", mcall = "numbers", mweights = "numbers", mnone = "d2")
# What can be tampered with or written to a file.
hostile_objects <- c(hostile_models, bag2 = "d2", draws2 = "d2")

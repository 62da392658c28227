# Every bad input and the error it gives: what the user did, and the class of the condition. The words are snapshots.

d <- two_factor_data(30)
# Fitted when a test first needs them.
delayedAssign("fitted", quick_fit(two_factor_data(), iters = 3000))
delayedAssign("numeric_fit", quick_fit(data.frame(x = 1:100, label = rep(0:1, each = 50))))

with_column <- function(x) {
  d$odd <- x
  d
}

with_label <- function(y) {
  d$label <- y
  d
}

text_in <- function(bytes, encoding) {
  text <- rep_len(c("ok", bytes), 30)
  Encoding(text) <- encoding
  text
}

no_text <- text_in("\xff", "UTF-8")[2]

# Input no data can come from.
frames <- list(
  "no argument" = list("argument", quote(sbrl())),
  "NULL" = list("argument", quote(sbrl(NULL))),
  "a number" = list("argument", quote(sbrl(1:3))),
  "a matrix" = list("argument", quote(sbrl(as.matrix(d)))),
  "a list" = list("argument", quote(sbrl(list(label = 1:2)))),
  "no column" = list("label", quote(sbrl(data.frame()))),
  "no row" = list("argument", quote(sbrl(d[0, ]))),
  "one row" = list("label", quote(sbrl(d[1, ]))),
  "no label column" = list("label", quote(sbrl(d[c("a", "b")]))),
  "a label column of another name" = list("label", quote(sbrl(d, label = "outcome"))),
  "two label columns" = list("column", quote(sbrl(structure(d, names = c("a", "label", "label"))))),
  "duplicate names" = list("column", quote(sbrl(structure(d, names = c("a", "a", "label"))))),
  "a column without a name" = list("column", quote(sbrl(structure(d, names = c("a", NA, "label"))))),
  "a name that is not text" = list("column", quote(sbrl(structure(d, names = c("a", no_text, "label")))))
)

labels <- list(
  "one class" = list("label", quote(sbrl(with_label(1)))),
  "all missing" = list("label", quote(sbrl(with_label(NA)))),
  "NaN" = list("label", quote(sbrl(with_label(NaN)))),
  "one class, signs given" = list("label", quote(sbrl(with_label("yes"), pos_sign = "yes", neg_sign = "no"))),
  "a third value, signs given" = list("label", quote(sbrl(with_label(rep_len(0:2, 30)), pos_sign = "1"))),
  "other values than the signs" = list("label", quote(sbrl(d, pos_sign = "yes", neg_sign = "no"))),
  "too many values" = list("label", quote(sbrl(data.frame(a = 1:101, label = 1:101)))),
  "complex" = list("label", quote(sbrl(with_label(rep_len(c(1i, 2i), 30))))),
  "a list" = list("label", quote(sbrl(with_label(I(as.list(1:30)))))),
  "a matrix" = list("label", quote(sbrl(with_label(matrix(0:1, 30, 2))))),
  "dates" = list("label", quote(sbrl(with_label(Sys.Date() + 1:30)))),
  "bytes" = list("column", quote(sbrl(with_label(text_in("\xff\xfe", "bytes")))))
)

columns <- list(
  "a list" = list("column", quote(sbrl(with_column(as.list(1:30))))),
  "a matrix" = list("column", quote(sbrl(with_column(matrix(1:60, 30))))),
  "a data frame" = list("column", quote(sbrl(with_column(d[1:2])))),
  "complex" = list("column", quote(sbrl(with_column(rep_len(c(1i, 2i), 30))))),
  "raw" = list("column", quote(sbrl(with_column(as.raw(1:30))))),
  "a class we do not know" = list("column", quote(sbrl(with_column(structure(1:30, class = "money"))))),
  "invalid UTF-8" = list("column", quote(sbrl(with_column(text_in("\xff\xfe", "UTF-8"))))),
  "bytes" = list("column", quote(sbrl(with_column(text_in("\xe9", "bytes"))))),
  "an identifier" = list("column", quote(sbrl(data.frame(id = paste(1:1e5), label = 0:1))))
)

arguments <- list(
  "unknown" = list("argument", quote(sbrl(d, lambda = 5, lamda = 5, colour = "red"))),
  "unknown, without a name" = list("argument", quote(sbrl(d, 9, "1", "0", 1, 1, 0.1, 0.1, 10, 1, c(1, 1), 2, 99))),
  "equal signs" = list("argument", quote(sbrl(d, pos_sign = "1", neg_sign = 1))),
  "a sign that is missing" = list("argument", quote(sbrl(d, pos_sign = NA))),
  "iters of 0" = list("argument", quote(sbrl(d, iters = 0))),
  "iters of 1.5" = list("argument", quote(sbrl(d, iters = 1.5))),
  "iters of text" = list("argument", quote(sbrl(d, iters = "many"))),
  "iters of 1e300" = list("argument", quote(sbrl(d, iters = 1e300))),
  "lengths the wrong way round" = list("argument", quote(sbrl(d, rule_minlen = 3, rule_maxlen = 2))),
  "a support in per cent" = list("argument", quote(sbrl(d, minsupport_pos = 10))),
  "a negative support" = list("argument", quote(sbrl(d, minsupport = -0.1))),
  "supports for other classes" = list("argument", quote(sbrl(d, minsupport = c(no = 0.1, yes = 0.1)))),
  "lambda of 0" = list("argument", quote(sbrl(d, lambda = 0))),
  "lambda of NaN" = list("argument", quote(sbrl(d, lambda = NaN))),
  "lambda of text" = list("argument", quote(sbrl(d, lambda = "automatic"))),
  "two etas" = list("argument", quote(sbrl(d, eta = c(1, 2)))),
  "eta of Inf" = list("argument", quote(sbrl(d, eta = Inf))),
  "negative alpha" = list("argument", quote(sbrl(d, alpha = c(-5, -5)))),
  "alpha for three" = list("argument", quote(sbrl(d, alpha = c(1, 1, 1)))),
  "alpha of text" = list("argument", quote(sbrl(d, alpha = "1"))),
  "alpha for other classes" = list("argument", quote(sbrl(d, alpha = c(yes = 1, no = 1)))),
  "threads without end" = list("argument", quote(sbrl(d, threads = Inf))),
  "no time" = list("argument", quote(sbrl(d, time_limit = 0))),
  "progress of NA" = list("argument", quote(sbrl(d, progress = NA))),
  "a negative seed" = list("argument", quote(sbrl(d, seed = -1))),
  "a data frame for a number" = list("argument", quote(sbrl(d, max_rules = d))),
  "nchain of NULL" = list("argument", quote(sbrl(d, nchain = NULL))),
  "weights too short" = list("argument", quote(sbrl(d, weights = 1:29))),
  "a negative weight" = list("argument", quote(sbrl(d, weights = c(-1, rep(1, 29))))),
  "a missing weight" = list("argument", quote(sbrl(d, weights = c(NA, rep(1, 29))))),
  "no weight at all" = list("argument", quote(sbrl(d, weights = rep(0, 30)))),
  "one bin" = list("argument", quote(sbrl(d, bins = 1))),
  "an unknown way to cut" = list("argument", quote(sbrl(d, discretize = "chimerge"))),
  "cut points for no column" = list("argument", quote(sbrl(d, discretize = list(age = 40)))),
  "cut points that are no numbers" = list("argument", quote(sbrl(with_column(1:30), discretize = list(odd = "a")))),
  "too many candidates" = list("max_rules", quote(sbrl(d, max_rules = 1)))
)

new_data <- list(
  "none" = list("argument", quote(predict(fitted))),
  "twice" = list("argument", quote(predict(fitted, d, newdata = d))),
  "no data frame" = list("argument", quote(predict(fitted, "d"))),
  "none of the columns" = list("column", quote(predict(fitted, data.frame(x = 1:3)))),
  "a list column" = list("column", quote(predict(fitted, transform(d, a = I(as.list(a)), b = I(as.list(b)))))),
  "a matrix column" = list("column", quote(predict(numeric_fit, list2DF(list(x = matrix(1:4, 2)))))),
  "invalid UTF-8" = list("column", quote(predict(numeric_fit, data.frame(x = text_in("\xff", "UTF-8"))))),
  "an unknown type" = list("argument", quote(predict(fitted, d, type = "response"))),
  "a level of 2" = list("argument", quote(predict(fitted, d, type = "interval", level = 2))),
  "no model" = list("argument", quote(rules.sbrl(list())))
)

for (table in c("frames", "labels", "columns", "arguments", "new_data")) {
  local({
    cases <- get(table)
    test_that(sprintf("bad %s: each gives its class of error", gsub("_", " ", table)), {
      said <- vapply(names(cases), function(name) {
        condition <- tryCatch(suppressWarnings(eval(cases[[name]][[2]])), error = identity)
        expect_s3_class(condition, "sbrl_error")
        expect_true(inherits(condition, paste0("sbrl_error_", cases[[name]][[1]])), info = name)
        sprintf("%s: %s", name, conditionMessage(condition))
      }, "")
      expect_snapshot(writeLines(said))
    })
  })
}

test_that("Latin-1 that does not say so is no UTF-8", {
  skip_if_not(l10n_info()[["UTF-8"]])
  expect_error(quick_fit(with_column(text_in("caf\xe9", "unknown"))), "iconv", class = "sbrl_error_column")
  expect_error(quick_fit(structure(d, names = c("caf\xe9", "b", "label"))), class = "sbrl_error_column")
})

test_that("odd but usable input gives a model", {
  usable <- list(
    d["label"], transform(d, a = NA, b = NA), transform(d, a = 1, b = "k"), d[c(1, which(d$label != d$label[1])[1]), ],
    with_column(text_in("caf\xe9", "latin1")), with_column(rep_len(c("two\nlines", "\"{,}\"", "\U1F600", ""), 30)),
    with_column(rep_len(c(Inf, -Inf, NaN, 0), 30)), with_column(rep_len(c(1e308, -1e308, 5e-324), 30)),
    with_column(rep_len(as.Date(c("0001-01-01", "9999-12-31", NA)), 30)), with_label(rep_len(c("a", "b", "c"), 30)),
    with_label(factor(rep_len(c("x", "y"), 30), levels = c("z", "y", "x"))),
    structure(d, names = c(" ", "if (TRUE) {", "label")), data.frame(id = 1:1e4, label = 0:1)
  )
  for (frame in usable) {
    expect_s3_class(suppressWarnings(quick_fit(frame)), "sbrl")
  }
})

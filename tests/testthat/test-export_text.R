# LaTeX, Markdown and HTML: what a reader of each language sees must be what was in the model.

# One model per odd name, which is also one of its levels and of its classes.
odd_models <- function() {
  names <- c(
    "a_b & c%", "<i>x</i>", "p|q", "$m^2$", "#{~}\\", "`k*`", "\"'", "--- ...", "@me :x: [l](u)", "1. x", "www.x.org"
  )
  lapply(names, function(name) {
    d <- data.frame(rep(c(name, "no"), each = 100), label = rep(c(name, "other"), c(90, 110)))
    names(d)[1] <- name
    quick_fit(d, pos_sign = name)
  })
}

# The words of the rules as they should be seen, taken from the items by another way.
seen_words <- function(model) {
  rules <- antecedents_of(model, model$rs$V1[-nrow(model$rs)])
  words <- \(item) paste(item$name, "=", item$feature$levels[item$lo])
  one <- \(items) paste(vapply(items, words, ""), collapse = " and ")
  c(vapply(rules, one, ""), sprintf("P(label = %s)", model$classes[2]))
}

squash <- function(x) gsub("\\s+", " ", x)

# pandoc reads each language with a parser of its own.
plain_text <- function(text, from, to = "plain") {
  files <- tempfile(fileext = c(".in", ".out"))
  on.exit(unlink(files))
  writeLines(enc2utf8(as.character(text)), files[1], useBytes = TRUE)
  rmarkdown::pandoc_convert(files[1], to = to, from = from, output = files[2], options = "--wrap=none", wd = tempdir())
  squash(paste(readLines(files[2], encoding = "UTF-8"), collapse = " "))
}

expect_seen <- function(seen, models, info) {
  words <- unlist(lapply(models, seen_words))
  expect_gt(length(words), 20)
  for (one in words) expect_true(grepl(squash(one), seen, fixed = TRUE), info = paste(info, one, seen))
}

test_that("odd names survive every language", {
  skip_if_not_installed("rmarkdown")
  skip_if(!rmarkdown::pandoc_available("2"), "no pandoc")
  models <- odd_models()
  all_of <- \(write, ...) paste(vapply(models, \(model) as.character(write(model, ...)), ""), collapse = "\n\n")
  caption <- "Caption_with $odd$ <b>&</b> #1"
  for (style in c("table", "list")) {
    seen <- plain_text(all_of(as_html, style = style, caption = caption), "html")
    expect_seen(seen, models, paste("html", style))
    expect_match(seen, caption, fixed = TRUE)
    for (from in c("markdown", "markdown+tex_math_single_backslash", "gfm", "commonmark_x")) {
      seen <- plain_text(all_of(as_markdown, style = style, interval = FALSE, counts = FALSE), from)
      expect_seen(seen, models, paste(from, style))
    }
    expect_match(plain_text(all_of(as_markdown, style = style, caption = caption), "markdown"), caption, fixed = TRUE)
  }
})

test_that("a Markdown table with backticks in it can be knitted", {
  skip_if_not_installed("knitr")
  d <- data.frame(rep(c("`r stop()`", "b"), each = 30), label = rep(0:1, c(25, 35)))
  names(d)[1] <- "`r 1 + 1`"
  for (style in c("table", "list")) {
    text <- as_markdown(quick_fit(d), style = style)
    expect_identical(knitr::knit(text = text, quiet = TRUE), as.character(text))
  }
})

test_that("LaTeX compiles with no packages and shows every character", {
  skip_on_cran()
  skip_if(!nzchar(Sys.which("pdflatex")) || !nzchar(Sys.which("pdftotext")), "no LaTeX")
  models <- odd_models()
  folder <- tempfile("tex")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  body <- lapply(models, function(model) {
    c(as_latex(model, interval = FALSE, counts = FALSE), "", as_latex(model, style = "list", counts = FALSE), "")
  })
  first <- as_latex(models[[1]], caption = "50 % of $x_1$ & {more}", label = "tab:a")
  text <- c("\\documentclass{article}", "\\usepackage[T1]{fontenc}", "\\begin{document}", first, unlist(body),
            "See \\ref{tab:a}.", "\\end{document}")
  writeLines(text, file.path(folder, "t.tex"))
  status <- system2("pdflatex", c("-interaction=nonstopmode", "-halt-on-error", "-output-directory", folder,
                                  file.path(folder, "t.tex")), stdout = FALSE)
  expect_identical(status, 0L)
  system2("pdftotext", c("-layout", file.path(folder, "t.pdf"), file.path(folder, "t.txt")))
  seen <- squash(paste(readLines(file.path(folder, "t.txt"), encoding = "UTF-8", warn = FALSE), collapse = " "))
  expect_match(seen, "50 % of $x_1$ & {more}", fixed = TRUE)
  # Fonts draw quotes in their own way.
  seen <- chartr("\u2018\u2019\u201c\u201d", "`'\"\"", seen)
  expect_seen(seen, models, "latex")
})

test_that("tables are as they were", {
  model <- quick_fit(tictactoe, rule_maxlen = 3, iters = 30000, nchain = 10)
  many <- quick_fit(data.frame(x = rep(1:8, 20), label = rep(letters[1:8], 20)), minsupport = 0.2)
  species <- quick_fit(iris, label = "Species")
  ordered <- data.frame(s = factor(rep(c("S", "M", "L", ""), 50), c("", "S", "M", "L"), ordered = TRUE))
  ordered$label <- rep(c(0, 1, 1, 0), 50)
  expect_snapshot({
    as_markdown(model, caption = "Who wins?", digits = 2, level = 0.9)
    as_markdown(many)
    as_markdown(species, style = "list")
    as_latex(species, counts = FALSE)
    as_latex(model, style = "list", interval = FALSE, counts = FALSE)
    as_html(quick_fit(two_factor_data()), css = FALSE)
    as_html(quick_fit(two_factor_data()), css = FALSE, bar = FALSE, style = "list")
    as_markdown(suppressWarnings(quick_fit(ordered)))
    as_markdown(suppressWarnings(quick_fit(two_factor_data()["label"])))
  })
})

test_that("the numbers in a table are those of rules()", {
  model <- quick_fit(titanic(), label = "Survived", rule_maxlen = 2)
  lines <- strsplit(as.character(as_markdown(model, digits = 6)), "\n")[[1]]
  cells <- do.call(rbind, lapply(strsplit(lines[-(1:2)], " *[|] *"), trimws))
  table <- rules(model)
  expect_identical(cells[, 2], c(seq_len(nrow(table) - 1), ""))
  expect_equal(as.numeric(sub("\\*", "", cells[, 5], fixed = TRUE)), table$prob, tolerance = 1e-5)
  expect_identical(endsWith(cells[, 5], "*"), table$thin)
  expect_identical(cells[, 6], sprintf("%.6f to %.6f", table$lower, table$upper))
  expect_equal(as.numeric(gsub(",", "", cells[, 7:8])), c(table$n_No, table$n_Yes))
})

# Four classes with names as people write them in questionnaires.
long_names <- c("low risk, to be seen once a year", "moderate risk individual needing follow-up",
                "high risk individual to be seen at once", "not enough information to decide")

long_classes <- function(classes = long_names) {
  set.seed(2)
  d <- data.frame(age = sample(20:80, 400, TRUE), smokes = sample(c("yes", "no"), 400, TRUE))
  risk <- 1 + (d$age > 50) + (d$smokes == "yes") + stats::rbinom(400, length(classes) - 3, 0.05)
  d$label <- factor(classes[risk], classes)
  quick_fit(d, rule_maxlen = 2, iters = 2000)
}

test_that("classes with long names are below their rules, each with its interval and rows", {
  model <- long_classes()
  lines <- strsplit(as.character(as_markdown(model, digits = 6)), "\n")[[1]]
  cells <- do.call(rbind, lapply(strsplit(grep("^[|]", lines, value = TRUE)[-(1:2)], " *[|] *"), trimws))
  m <- nrow(model$rs)
  expect_identical(nrow(cells), m * 5L)
  is_class <- rep(c(FALSE, TRUE, TRUE, TRUE, TRUE), m)
  expect_identical(cells[is_class, 4], rep(paste0("&emsp;", gsub("-", "\\-", long_names, fixed = TRUE)), m))
  shares <- as.numeric(sub("\\*", "", cells[is_class, 5], fixed = TRUE))
  expect_equal(shares, as.vector(t(model$probs)), tolerance = 1e-5)
  expect_equal(as.numeric(cells[is_class, 7]), as.vector(t(model$counts)))
  expect_equal(as.numeric(cells[!is_class, 7]), rowSums(model$counts))
  ends <- generics::tidy(model, conf.int = TRUE)
  shown <- do.call(rbind, strsplit(cells[is_class, 6], " to ", fixed = TRUE))
  expect_setequal(shown[, 1], sprintf("%.6f", ends$conf.low))
  # The same rows in the other languages.
  expect_identical(lengths(gregexpr("sbrl-class", as_html(model, css = FALSE), fixed = TRUE)), m * 4L)
  expect_identical(lengths(gregexpr("\\hspace*{1em}", as_latex(model), fixed = TRUE)), m * 4L)
  # Short names have columns of their own, and sentences have room for any.
  expect_match(as_markdown(long_classes(letters[1:4])), "P[(]a[)] [|] +P[(]b[)] [|] +P[(]c[)] [|] +P[(]d[)]")
  expect_match(as_markdown(model, style = "list"), "P(low risk, to be seen once a year) =", fixed = TRUE)
})

test_that("LaTeX tables stay on the page, be it wide or narrow", {
  skip_on_cran()
  skip_if(!nzchar(Sys.which("pdflatex")), "no LaTeX")
  models <- list(long_classes(), quick_fit(iris, label = "Species"), quick_fit(tictactoe, rule_maxlen = 3))
  folder <- tempfile("tex")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  tables <- vapply(models, \(model) as.character(as_latex(model)), "")
  for (width in c(345, 469)) {
    text <- c("\\documentclass{article}", sprintf("\\textwidth %dpt", width), "\\begin{document}",
              paste(tables, "", sep = "\n"), "\\end{document}")
    writeLines(enc2utf8(text), file.path(folder, "t.tex"), useBytes = TRUE)
    system2("pdflatex", c("-interaction=nonstopmode", "-halt-on-error", "-output-directory", folder,
                          file.path(folder, "t.tex")), stdout = FALSE)
    log <- readLines(file.path(folder, "t.log"), warn = FALSE)
    too_wide <- as.numeric(sub(".*[(]([0-9.]+)pt too wide.*", "\\1", grep("hbox .*too wide", log, value = TRUE)))
    expect_lt(max(too_wide, 0), 1)
  }
})

test_that("thin rules have a mark in every language, and a note explains it", {
  model <- quick_fit(Species ~ ., data = iris, seed = 1, iters = 3000)
  expect_true(any(sbrl:::thin_rules(model)))
  for (style in c("table", "list")) {
    for (write in list(as_markdown, as_html, as_latex)) {
      expect_match(write(model, style = style), "Thin evidence", fixed = TRUE)
    }
  }
  sure <- quick_fit(tictactoe, rule_maxlen = 3, iters = 5000)
  for (write in list(as_markdown, as_html, as_latex)) {
    if (!any(sbrl:::thin_rules(sure))) expect_no_match(write(sure), "Thin evidence", fixed = TRUE)
  }
})

test_that("bad arguments are named", {
  model <- quick_fit(two_factor_data())
  expect_condition_snapshot({
    as_html(two_factor_data())
    as_html(model, caption = 1)
    as_html(model, digits = -1)
    as_html(model, bar = "yes")
    as_html(model, css = NULL)
    as_latex(model, label = "tab:x")
    as_latex(model, label = "tab:x", caption = "x", style = "list")
    as_latex(model, style = "poem")
    as_markdown(model, interval = NA)
    as_markdown(model, counts = 1)
    as_markdown(model, level = 2)
  })
})

test_that("long conditions get a column of their own width in LaTeX, short ones do not", {
  d <- two_factor_data()
  expect_no_match(as_latex(quick_fit(d), interval = FALSE), "linewidth", fixed = TRUE)
  names(d)[1:2] <- c(strrep("long name ", 9), strrep("another long name ", 6))
  expect_match(as_latex(quick_fit(d)), "p\\{\\\\dimexpr\\\\linewidth")
})

test_that("a LaTeX label that would act as a command is refused", {
  model <- quick_fit(two_factor_data())
  good <- as_latex(model, caption = "x", label = "tab:my_rules-1.a/b+c")
  expect_match(good, "\\label{tab:my_rules-1.a/b+c}", fixed = TRUE)
  for (label in c("a}\\input{x}", "", "a b", "a\n", "\\x", "a%", "#", "\u00e9", "~", "a{b")) {
    expect_error(as_latex(model, caption = "x", label = label), "`label` must be made", class = "sbrl_error_argument")
  }
})

test_that("a caption that is not valid text is refused by name", {
  model <- quick_fit(two_factor_data())
  bytes <- "\u00e9"
  Encoding(bytes) <- "bytes"
  for (write in list(as_latex, as_html, as_markdown)) {
    for (caption in c("\xff", bytes)) {
      expect_error(write(model, caption = caption), "`caption` must be text in a valid", class = "sbrl_error_argument")
    }
  }
  expect_error(plot(model, main = "\xff"), "`main` must be text in a valid", class = "sbrl_error_argument")
})

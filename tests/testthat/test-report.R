# The report, rendered for real.

skip_if_no_report <- function() {
  skip_if_not_installed("rmarkdown")
  skip_if(!rmarkdown::pandoc_available("2"), "no pandoc")
  skip_if_not_built()
}

new_folder <- function() {
  folder <- tempfile("report")
  dir.create(folder)
  folder
}

report_text <- function(...) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  sbrl_report(..., file = file)
  paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

test_that("a report holds every part and needs no other file", {
  skip_if_no_report()
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "my report.html")
  model <- quick_fit(tictactoe[1:639, ], rule_maxlen = 3)
  test <- tictactoe[640:958, ]
  before <- list.files(tempdir())
  expect_identical(sbrl_report(model, test, file, title = "50 % of \"x\" & <o>: _y_", author = "A. M\u00fcller"), file)
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "my report.html")
  expect_identical(setdiff(list.files(tempdir()), before), character())
  text <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  expect_match(text, ">50 % of &quot;x&quot; &amp; &lt;o&gt;: _y_</h1>", fixed = TRUE)
  expect_match(text, "A. M\u00fcller", fixed = TRUE)
  headings <- c(
    "What it predicts", "The list", "How well it predicts", "What it must not be used for", "Method details"
  )
  for (heading in headings) {
    expect_match(text, sprintf(">%s</h2>", heading), fixed = TRUE)
  }
  for (part in c("How the list was found", "Settings", "Words used here", "Session")) {
    expect_match(text, sprintf("<summary>\n*%s\n*</summary>", part))
  }
  measured <- sbrl_performance(model, test, level = 0.95)
  expect_match(text, sprintf("<b>%.3f</b>", measured$auc), fixed = TRUE)
  expect_match(text, sprintf("<b>%.1f%%</b>", 100 * measured$accuracy), fixed = TRUE)
  expect_match(text, sprintf("%.3f to %.3f</td>", measured$brier_lower, measured$brier_upper), fixed = TRUE)
  expect_identical(lengths(gregexpr("<img[^>]*src=\"data:image/png", text)), 3L)
  # For screen readers: a language, a text for each picture, header cells for each table.
  expect_match(text, "<html[^>]* lang=\"en\"")
  expect_no_match(text, "<img(?![^>]*alt=\"[^\"]{10,})", perl = TRUE)
  tables <- strsplit(text, "<table", fixed = TRUE)[[1]][-1]
  expect_gt(length(tables), 3L)
  for (table in tables) {
    expect_match(table, "<th scope=\"col\"", fixed = TRUE)
    expect_match(table, "<th scope=\"row\"", fixed = TRUE)
  }
  for (setting in names(model$settings)) {
    expect_match(text, sprintf(">%s</th>", gsub("_", " ", setting)), fixed = TRUE)
  }
  # Nothing is loaded from elsewhere.
  expect_false(grepl("(src|href)=\"(https?:)?//", text))
  expect_match(text, "R version", fixed = TRUE)
})

# Numeric entities of ASCII characters resolved.
html_entities <- function(text) {
  for (point in setdiff(33:126, c(60, 62))) text <- gsub(sprintf("&#%d;", point), intToUtf8(point), text, fixed = TRUE)
  text
}

# What a reader of the page sees between two tags; entities resolved.
html_between <- function(text, open, close) {
  found <- regmatches(text, regexec(paste0(open, "((.|\n)*?)", close), text, perl = TRUE))[[1L]][2L]
  for (pair in list(c("&lt;", "<"), c("&gt;", ">"), c("&quot;", "\""), c("&#39;", "'"), c("&amp;", "&"))) {
    found <- gsub(pair[1L], pair[2L], found, fixed = TRUE)
  }
  # pandoc breaks long lines between words.
  gsub("\n", " ", found, fixed = TRUE)
}

test_that("a title or an author is text: nothing in it reaches a shell, YAML, Markdown or HTML", {
  skip_if_no_report()
  skip_on_cran()
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  model <- quick_fit(two_factor_data())
  run <- paste0("touch ", folder, "/", letters)
  shell <- sprintf("`%s` $(%s) $HOME \" ' ; %s | %s & %s > f \\ !! ~ *", run[1], run[2], run[3], run[4], run[5])
  code <- sprintf("`r file.create('%s/g')` ${h} ```{r} <script>x()</script> <!-- --> --- ", folder)
  markup <- "false 1e3 a: b # *a* _b_ [a](b) $x$ \\(y\\) <b> &amp; :smile: -- ... @me ^1 [^1] {x} % \U1F600 \u00e9"
  texts <- c("false", "1e3", "\"", "a: b", "#", "\U1F600", "null", "- a", "1. a", shell, code, markup)
  for (j in seq_along(texts)) {
    title <- texts[j]
    author <- rev(texts)[j]
    text <- report_text(model, title = title, author = author)
    expect_identical(html_between(text, "<title>", "</title>"), title)
    expect_identical(html_between(text, "<h1 class=\"title toc-ignore\">", "</h1>"), title)
    expect_identical(html_between(text, "<h4 class=\"author\">", "</h4>"), author)
    expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), character())
  }
  lines <- report_text(model, title = "one\n\ntwo\n---\nthree")
  expect_match(lines, "<h1 class=\"title toc-ignore\">one two --- three</h1>", fixed = TRUE)
  expect_error(sbrl_report(model, title = "\xff"), "`title` must be text in a valid", class = "sbrl_error_argument")
  expect_match(report_text(model, title = ""), "<h1 class=\"title toc-ignore\">\u200b</h1>", fixed = TRUE)
})

test_that("data without a label, no data and a list without rules give a shorter report", {
  skip_if_no_report()
  model <- quick_fit(iris, label = "Species")
  expect_match(report_text(model, iris), "Area under the ROC curve", fixed = TRUE)
  for (data in list(NULL, iris[1:4])) {
    text <- report_text(model, data)
    expect_no_match(text, "Area under the ROC curve", fixed = TRUE)
    expect_match(text, "This report contains no test")
    expect_match(text, "Any decision, before it has been tested")
    expect_match(text, "How the list was found", fixed = TRUE)
  }
  d <- two_factor_data()
  expect_match(report_text(suppressWarnings(quick_fit(d["label"])), d), "0 rules", fixed = TRUE)
})

test_that("the report on a fit stopped before its first iteration says that nothing was searched", {
  skip_if_no_report()
  expect_true(grepl("before its first iteration:\\snothing was searched", report_text(stopped_at_once()), perl = TRUE))
})

test_that("odd names, a formula with a transformed label, and missing labels are shown", {
  skip_if_no_report()
  d <- data.frame(rep(c("50% $x_1$ & {more}", "<b>"), each = 100), y = rep(1:2, c(90, 110)))
  names(d)[1] <- "a*b* [c](d)"
  model <- sbrl(factor(y, labels = c("n|o", "*[yes]*\\(1)")) ~ ., data = d, iters = 200, nchain = 2, seed = 1)
  text <- report_text(model, d)
  expect_match(text, "a*b* [c](d) = 50% $x_1$ &amp; {more}", fixed = TRUE)
  expect_match(text, "<strong>*[yes]*\\(1)</strong>", fixed = TRUE)
  gaps <- replace(two_factor_data(), cbind(1:7, 3), NA)
  expect_match(report_text(quick_fit(two_factor_data()), gaps), "7 rows", fixed = TRUE)
})

test_that("a report uses the names for people, numbers the rules, and shows each class in a panel", {
  skip_if_no_report()
  labels <- c(Species = "Kind of iris", setosa = "bristly", Petal.Length = "Length of petals (cm)")
  text <- report_text(quick_fit(iris, label = "Species", labels = labels), iris)
  expect_match(text, "<strong>Kind of iris</strong>", fixed = TRUE)
  expect_match(text, "bristly\\s+\\(50,\\s+33%\\)")
  expect_match(html_entities(text), "Length of petals (cm)", fixed = TRUE)
  expect_match(text, "<span class=\"no\">1</span>", fixed = TRUE)
  expect_match(text, "\\* Thin evidence:\\s+fewer\\s+than\\s+30\\s+rows")
  # ROC curves, calibration and trace; none of them next to another.
  expect_identical(lengths(gregexpr("<p><img[^>]*src=\"data:image/png", text)), 3L)
  yes_no <- quick_fit(two_factor_data(), labels = c("label=1" = "has it", label = "Illness"))
  expect_match(report_text(yes_no), "the\\s+probability\\s+of\\s+<strong>has\\s+it</strong>")
})

test_that("the template can be drafted and rendered on its own", {
  skip_if_no_report()
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  draft <- rmarkdown::draft(file.path(folder, "mine.Rmd"), "sbrl_report", package = "sbrl", edit = FALSE)
  page <- rmarkdown::render(draft, quiet = TRUE, envir = new.env(parent = globalenv()))
  text <- paste(readLines(page, warn = FALSE), collapse = "\n")
  expect_match(text, "Rule list report", fixed = TRUE)
  expect_match(text, "Area under the ROC curve", fixed = TRUE)
})

test_that("a report can be made inside another document", {
  skip_if_no_report()
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  input <- file.path(folder, "outer.Rmd")
  inner <- file.path(folder, "inner.html")
  chunks <- c("```{r setup}", "model", "```", "", "```{r}", "sbrl_report(model, file = inner)", "```")
  writeLines(c("---", "title: x", "---", "", chunks, "", "after: `r 6 * 7`"), input)
  env <- list2env(list(model = quick_fit(two_factor_data()), inner = inner), parent = globalenv())
  page <- rmarkdown::render(input, "html_document", quiet = TRUE, envir = env)
  expect_match(paste(readLines(page, warn = FALSE), collapse = "\n"), "after: 42", fixed = TRUE)
  expect_true(file.exists(inner))
})

test_that("what cannot work is refused before anything is written", {
  skip_if_no_report()
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  model <- quick_fit(two_factor_data())
  file <- file.path(folder, "r.html")
  expect_condition_snapshot({
    sbrl_report(two_factor_data(), file = file)
    sbrl_report(model, 1, file)
    sbrl_report(model, two_factor_data()[0, ], file)
    sbrl_report(model, data.frame(label = 1), file)
    sbrl_report(model, transform(two_factor_data(), label = 7), file)
    sbrl_report(model, file = NA)
    sbrl_report(model, file = file, title = NULL)
    sbrl_report(model, file = file, author = 1)
    sbrl_report(model, file = file, quiet = "no")
    sbrl_report(model, file = file, purpose = 1)
    sbrl_report(model, file = file, not_for = NA)
    sbrl_report(model, file = file, certificate = "proved")
  })
  expect_error(sbrl_report(model, file = file.path(folder, "no", "r.html")), "directory does not exist",
               class = "sbrl_error_file")
  expect_error(sbrl_report(model, file = folder), "is a directory", class = "sbrl_error_file")
  expect_identical(list.files(folder), character())
})

test_that("without pandoc the error says so", {
  skip_if_no_report()
  skip_on_cran()
  said <- fresh_r(c(
    "Sys.setenv(PATH = tempdir(), RSTUDIO_PANDOC = '', HOME = tempdir())",
    "model <- sbrl(tictactoe, iters = 10, nchain = 1, progress = FALSE)",
    "e <- tryCatch(sbrl_report(model, file = tempfile()), sbrl_error_package = conditionMessage)", "cat(e)"
  ))
  expect_match(paste(said, collapse = " "), "needs the program pandoc", fixed = TRUE)
})

test_that("the report says when the list is as long as it may be, and counts annealing runs", {
  skip_if_no_report()
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  model <- quick_fit(tictactoe, rule_maxlen = 3, max_length = 2, method = "map")
  expect_identical(nrow(model$rs), 3L)
  sbrl_report(model, file = file)
  page <- gsub("\\s+", " ", paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = " "))
  expect_match(page, "The list is as long as <code>max_length</code> allows", fixed = TRUE)
  expect_match(page, "chains and annealing runs reached the best log posterior", fixed = TRUE)
})

test_that("a report says what a bag shows, and warns where rows are few", {
  skip_if_no_report()
  d <- two_factor_data(300)
  model <- quick_fit(d)
  bag <- sbrl_bag(model, d, times = 4, seed = 1, progress = FALSE)
  with_bag <- report_text(model, bag = bag)
  expect_match(with_bag, ">Would another sample give another list\\?</h2>")
  expect_match(with_bag, "Calibration slope", fixed = TRUE)
  expect_match(with_bag, sprintf("%.4f", summary(bag)$performance$log_loss[1]), fixed = TRUE)
  expect_no_match(with_bag, "learnt from few rows")
  without <- report_text(model)
  expect_match(without, "learnt from few rows")
  expect_no_match(without, "Would another sample")
  expect_error(sbrl_report(model, file = tempfile(), bag = 1), "`bag`", class = "sbrl_error_argument")
})

test_that("a report states purpose, limits and what was proved", {
  skip_if_no_report()
  people <- as.data.frame(Titanic)
  model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq, iters = 500, nchain = 2, seed = 1)
  certificate <- sbrl_certify(model, people, weights = people$Freq)
  text <- html_entities(report_text(
    model, certificate = certificate, purpose = "To <teach>.", not_for = c("Other ships.", "Other *times*.")
  ))
  expect_match(text, "To\\s+&#60;teach&#62;[.]|To\\s+&lt;teach&gt;[.]")
  expect_match(text, "<li>Other\\s+ships[.]</li>")
  expect_match(text, "Other\\s+[*]times[*][.]")
  expect_match(text, ">Is it the best list\\?</h2>")
  expect_match(text, gsub(" ", "\\\\s+", "Proved: among these"))
  expect_no_match(report_text(model), "Is it the best list")
})

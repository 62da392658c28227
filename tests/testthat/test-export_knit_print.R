# A model in documents of every kind, rendered for real.

skip_if_not_installed("knitr")

render_as <- function(format, options = "echo = FALSE, tab.cap = 'Who <wins>?', sbrl.digits = 2", body = "model",
                      yaml = "default") {
  skip_if_not_installed("rmarkdown")
  skip_if(!rmarkdown::pandoc_available("2"), "no pandoc")
  folder <- tempfile("doc")
  dir.create(folder)
  input <- file.path(folder, "doc.Rmd")
  writeLines(c("---", "title: x", "output:", sprintf("  %s: %s", format, yaml), "---", "",
               sprintf("```{r, %s}", options), body, "```"), input)
  model <- quick_fit(tictactoe, rule_maxlen = 3, iters = 30000, nchain = 10)
  env <- list2env(list(model = model), parent = globalenv())
  rmarkdown::render(input, quiet = TRUE, envir = env)
}

read_all <- function(file) paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")

test_that("HTML has a table with bars and a caption", {
  file <- render_as("html_document")
  on.exit(unlink(dirname(file), recursive = TRUE))
  text <- read_all(file)
  expect_match(text, "<caption>Who &lt;wins&gt;?</caption>", fixed = TRUE)
  expect_match(text, "<td class=\"sbrl-text\">c7 = x and c8 = x and c9 = x</td>", fixed = TRUE)
  # expect_match() takes minutes over a pattern in a whole page
  expect_true(grepl("9[0-9][.][0-9]%[)]\">0[.]9[0-9]</td>", text, perl = TRUE))
  plain <- render_as("html_document", "echo = FALSE, sbrl.bar = FALSE, sbrl.style = 'list'")
  on.exit(unlink(dirname(plain), recursive = TRUE), add = TRUE)
  expect_match(read_all(plain), "<b>else if</b> c1 = x", fixed = TRUE)
})

test_that("Word has a table", {
  file <- render_as("word_document")
  on.exit(unlink(dirname(file), recursive = TRUE))
  utils::unzip(file, "word/document.xml", exdir = dirname(file))
  text <- read_all(file.path(dirname(file), "word", "document.xml"))
  expect_identical(lengths(gregexpr("<w:tbl>", text, fixed = TRUE)), 1L)
  words <- gsub("<[^>]*>", "", text)
  expect_match(words, "Who &lt;wins&gt;?", fixed = TRUE)
  expect_match(words, "c7 = x and c8 = x and c9 = x0[.]9[0-9]0[.]9[0-9] to 1[.]000[0-9]{2}")
})

test_that("PDF has a table", {
  skip_on_cran()
  skip_if(!nzchar(Sys.which("pdflatex")) || !nzchar(Sys.which("pdftotext")), "no LaTeX")
  file <- render_as("pdf_document")
  on.exit(unlink(dirname(file), recursive = TRUE))
  text <- system2("pdftotext", c("-layout", shQuote(file), "-"), stdout = TRUE)
  expect_true(any(grepl("Table 1: Who <wins>?", text, fixed = TRUE)))
  expect_true(any(grepl("c7 = x and c8 = x and c9 = x +0.9[0-9] +0.9[0-9] to 1.00 +0 +[0-9]{2}", text)))
})

test_that("GitHub's Markdown has a table without styles", {
  file <- render_as("github_document", yaml = "\n    html_preview: false")
  on.exit(unlink(dirname(file), recursive = TRUE))
  text <- read_all(sub("[.]html$", ".md", file))
  expect_match(text, "\\| +\\| else +\\| \\(default rule\\)")
  expect_false(grepl("style", text))
})

test_that("with collapse = TRUE a table is a table, and the rest of the chunk is there", {
  body <- c("model", "40 + 2", "as_sql(model)", "'the end'")
  page <- render_as("html_document", "echo = TRUE, collapse = TRUE", body)
  on.exit(unlink(dirname(page), recursive = TRUE))
  text <- sub("^.*<body", "", read_all(page))
  # code in a block of code, not in the table's block of HTML
  expect_true(grepl("<pre[^>]*><code[^>]*>40 \\+ 2", text, perl = TRUE))
  expect_true(grepl("<pre[^>]*><code[^>]*>&#39;the end&#39;|<pre[^>]*><code[^>]*>'the end'", text, perl = TRUE))
  expect_match(text, "<table>", fixed = TRUE)
  file <- render_as("github_document", "echo = TRUE, collapse = TRUE", body, "\n    html_preview: false")
  on.exit(unlink(dirname(file), recursive = TRUE), add = TRUE)
  lines <- readLines(sub("[.]html$", ".md", file), encoding = "UTF-8")
  expect_match(lines, "^[|] +[|] else +[|] [(]default rule[)]", all = FALSE)
  expect_match(lines, "^## \\[1\\] 42|^    ## \\[1\\] 42", all = FALSE)
  expect_match(lines, "the end", fixed = TRUE, all = FALSE)
  # every block of code begins with its language
  fences <- grep("^```", lines, value = TRUE)
  expect_identical(fences[c(FALSE, TRUE)], rep("```", length(fences) / 2))
})

test_that("SQL is a block of code; text in the language of the document is taken as it is", {
  body <- c("as_sql(model)", "as_markdown(model)", "as_html(model)")
  file <- render_as("html_document", "echo = FALSE, results = 'markup'", body)
  on.exit(unlink(dirname(file), recursive = TRUE))
  text <- read_all(file)
  expect_true(grepl("<pre class=\"sql\"|<pre class=\"sourceCode sql\"", text, perl = TRUE))
  expect_identical(lengths(gregexpr("c7 = x and c8 = x and c9 = x", text, fixed = TRUE)), 2L)
  expect_identical(lengths(gregexpr("<div class=\"sbrl-rules\">", text, fixed = TRUE)), 1L)
})

test_that("without pandoc a model is printed as text, in LaTeX as a table", {
  model <- quick_fit(two_factor_data())
  env <- list2env(list(model = model), parent = globalenv())
  text <- knitr::knit(text = c("```{r}", "model", "```"), quiet = TRUE, envir = env)
  expect_match(text, "The rules list is", fixed = TRUE)
  lines <- c("\\documentclass{article}", "\\begin{document}", "<<>>=", "model", "@", "\\end{document}")
  text <- knitr::knit(text = lines, quiet = TRUE, envir = env)
  expect_match(text, "\\begin{tabular}{ll", fixed = TRUE)
  expect_false(grepl("{=latex}", text, fixed = TRUE))
})

test_that("options that are wrong are named", {
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  on.exit(knitr::opts_knit$set(rmarkdown.pandoc.to = old))
  knitr::opts_knit$set(rmarkdown.pandoc.to = "docx")
  model <- quick_fit(two_factor_data())
  expect_error(knitr::knit_print(model, options = list(sbrl.digits = "two")), "`digits`", class = "sbrl_error_argument")
  expect_error(knitr::knit_print(model, options = list(tab.cap = 1)), "`caption`", class = "sbrl_error_argument")
})

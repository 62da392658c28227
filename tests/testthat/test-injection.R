# Names, levels, classes, captions and titles that try to run something, through every export, with the output executed.

test_that("no name leaves the R code it is written in", {
  for (case in injected_cases()) {
    score <- as_r_function(case$model, "matrix")
    source <- paste(format(score), collapse = "\n")
    again <- eval(parse(text = source, keep.source = FALSE), new.env(parent = baseenv()))
    expected <- predict(case$model, case$data, type = "matrix")
    expect_identical(again(case$data), expected, info = names(case$data))
    expect_identical(unclass(score)(case$data), expected, info = names(case$data))
  }
  expect_nothing_ran()
})

test_that("no name leaves the SQL it is written in", {
  skip_if_not_installed("RSQLite")
  cases <- injected_cases()
  answers <- run_sqlite(cases)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = names(cases)[j])
})

test_that("no name leaves the SQL that PostgreSQL and DuckDB run", {
  skip_if_no_postgresql()
  cases <- injected_cases()
  answers <- run_postgresql(cases)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = names(cases)[j])
  expect_nothing_ran()
  skip_if_no_python("duckdb")
  answers <- run_python(cases, "duckdb")
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = names(cases)[j])
})

test_that("no table name leaves its query", {
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  for (case in injected_cases()) {
    table <- names(case$data)
    DBI::dbWriteTable(connection, DBI::dbQuoteIdentifier(connection, table), case$data)
    answer <- DBI::dbGetQuery(connection, as_sql(case$model, "sqlite", table = table, output = "rule"))
    expect_identical(as.integer(answer$rule), predict(case$model, case$data, type = "rule"), info = table)
  }
  expect_setequal(DBI::dbListTables(connection), unname(injections))
})

test_that("an XML parser finds the names in the PMML and nothing else", {
  skip_if_no_python("xml.etree.ElementTree")
  pages <- tempfile(names(injections), fileext = ".pmml")
  script <- tempfile(fileext = ".py")
  on.exit(unlink(c(pages, script)))
  Map(\(case, page) writeLines(enc2utf8(as_pmml(case$model)), page, useBytes = TRUE), injected_cases(), pages)
  writeLines(c(
    "import json, sys", "import xml.etree.ElementTree as tree", "answers = []", "for page in sys.argv[1:]:",
    "    nodes = list(tree.parse(page).iter())",
    "    names = [n.get('name') for n in nodes if n.tag.endswith('DataField')]",
    "    answers.append([names, sorted({n.tag.split('}')[-1] for n in nodes})])", "print(json.dumps(answers))"
  ), script)
  answers <- jsonlite::parse_json(system2(test_python(), shQuote(c(script, pages)), stdout = TRUE))
  plain <- answers[[match("shell_bare", names(injections))]][[2]]
  ways <- c("Array", "CompoundPredicate", "SimplePredicate", "SimpleSetPredicate")
  # An attribute's line breaks are written as references, so the parser gives the name back to the letter.
  for (j in seq_along(injections)) {
    expect_true(injections[[j]] %in% unlist(answers[[j]][[1]]), info = names(injections)[j])
    expect_identical(setdiff(answers[[j]][[2]], ways), setdiff(plain, ways), info = names(injections)[j])
  }
})

test_that("PMML engines take any name for a name", {
  skip_if_no_exports("jpmml_evaluator, lxml, pypmml")
  cases <- injected_cases()
  for (script in c(jpmml_script, pypmml_script)) {
    answers <- run_pmml(cases, script)
    for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = names(cases)[j])
  }
  expect_nothing_ran()
})

test_that("no name leaves the JavaScript it is written in", {
  skip_if_no_node()
  cases <- injected_cases()
  answers <- run_node(cases)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = names(cases)[j])
  expect_nothing_ran()
  skip_if_no_browser()
  scripts <- vapply(cases, \(case) paste0("<script>", as_javascript(case$model), "</script>"), "")
  expect_identical(title_of(page_in_browser(c("<title>as it was</title>", scripts))), "as it was")
})

test_that("no name leaves the decision table it is written in", {
  skip_if_no_module("feelin")
  cases <- injected_cases()
  answers <- run_dmn(cases, feelin_script)
  for (j in seq_along(cases)) expect_case(answers[[j]], cases[[j]], info = names(cases)[j])
  expect_nothing_ran()
  expect_nothing_ran(exports_folder())
})

test_that("a browser runs nothing of what HTML, Markdown and reports show", {
  skip_if_no_browser()
  attack <- "<title>as it was</title>"
  expect_identical(title_of(page_in_browser(c(attack, injections[["html"]]))), "pwned")
  expect_identical(title_of(page_in_browser(c(attack, injections[["html_image"]]))), "pwned")
  write <- \(case, style) as_html(case$model, caption = names(case$data), style = style)
  tables <- unlist(lapply(c("table", "list"), \(style) vapply(injected_cases(), write, "", style = style)))
  page <- page_in_browser(c(attack, tables))
  expect_identical(title_of(page), "as it was")
  expect_match(page, "&lt;script&gt;document.title", fixed = TRUE)
})

test_that("Markdown with any name in it can be knitted and rendered", {
  skip_if_not_installed("rmarkdown")
  skip_if(!rmarkdown::pandoc_available("2"), "no pandoc")
  folder <- tempfile("rmd")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "t.Rmd")
  write <- \(case, style) c(as_markdown(case$model, caption = names(case$data), style = style), "")
  body <- unlist(lapply(c("table", "list"), \(style) lapply(injected_cases(), write, style = style)))
  writeLines(enc2utf8(c("---", "title: as it was", "---", "", body)), file, useBytes = TRUE)
  page <- rmarkdown::render(file, "html_document", quiet = TRUE, envir = new.env(parent = globalenv()))
  expect_nothing_ran()
  expect_nothing_ran(folder)
  skip_if_no_browser()
  expect_identical(title_of(page_in_browser(readLines(page, encoding = "UTF-8"))), "as it was")
})

test_that("reports show titles, authors and names, and run none of them", {
  skip_on_cran()
  skip_if_not_installed("rmarkdown")
  skip_if(!rmarkdown::pandoc_available("2"), "no pandoc")
  skip_if_not_built()
  folder <- tempfile("report")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "report.html")
  for (name in c("shell", "shell_tick", "shell_end", "shell_pipe", "shell_bare", "html_quote", "r_chunk", "r_inline",
    "yaml_call")) {
    # The report is made in a folder of its own, which is gone afterwards.
    text <- gsub("pwned", file.path(folder, "pwned"), injections[[name]], fixed = TRUE)
    sbrl_report(injected_case(text)$model, file = file, title = text, author = text)
    expect_nothing_ran(folder)
    if (!is.na(browser_program())) {
      expect_no_match(title_of(page_in_browser(readLines(file, encoding = "UTF-8"))), "pwned$")
    }
  }
})

test_that("LaTeX reads and writes no other file, with shell escape off and on", {
  skip_on_cran()
  skip_if(!nzchar(Sys.which("pdflatex")), "no LaTeX")
  files_of_latex(injections[["latex"]], shell_escape = TRUE)
  expect_true(file.exists("pwned"))
  unlink("pwned")
  expect_true(any(grepl("/etc/passwd", files_of_latex(injections[["latex_file"]], FALSE)$files)))
  write <- function(case) {
    text <- names(case$data)
    # A label is a key, not text: one that LaTeX would not take as a key is refused.
    labelled <- tryCatch(as_latex(case$model, caption = text, label = text), sbrl_error = \(e) NULL)
    c(labelled, as_latex(case$model, caption = text), "", as_latex(case$model, caption = text, style = "list"),
      "\\clearpage")
  }
  body <- unlist(lapply(injected_cases(), write))
  for (shell_escape in c(FALSE, TRUE)) {
    result <- files_of_latex(body, shell_escape)
    expect_identical(result$status, 0L, info = paste(utils::tail(result$log, 20), collapse = "\n"))
    expect_false(any(grepl("passwd|pwned", c(result$files, result$made))))
    expect_nothing_ran()
  }
})

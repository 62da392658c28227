# sbrl_report(): a report on a model, as one HTML file.

#' A report on a model, as one HTML file
#'
#' `sbrl_report()` writes a report for people who have to decide whether to use a list. The first page has what the list
#' predicts, the list itself with its evidence, how well it predicts on data it has not seen, and what it must not be
#' used for. Settings and details of the search are folded away below.
#'
#' The file contains its pictures and styles, so it can be sent by mail. It can be read on a telephone, in dark mode
#' and on paper.
#'
#' The report is an R Markdown document. `rmarkdown::draft("report.Rmd", "sbrl_report", package = "sbrl")`, or
#' *New File > R Markdown > From Template* in RStudio, gives you its source to change.
#'
#' The file appears under its name only when it is complete; nothing else is left behind. Reports need the packages
#' rmarkdown and knitr and the program pandoc.
#'
#' @inheritParams as_sql
#' @param data A data frame that was not used for training, with the features that the rules use. If it also has the
#'   label, the report shows how well the model predicts it: the measures of [sbrl_performance()] with 95% intervals,
#'   the ROC curve and calibration. Without it the report warns that the list has not been tested.
#' @param file Name of the HTML file.
#' @param title,author Title of the report, and who wrote it; `NULL` for no author.
#' @param quiet Whether to hide the output of rmarkdown.
#' @param bag The result of [sbrl_bag()] for the same training rows, or `NULL`. With it, the report answers whether
#'   another sample would give another list: which rules recur, and how well calibrated a list is on rows it has not
#'   seen.
#' @param posterior The result of [sbrl_posterior()] for this model, or `NULL`. With it, the report shows how sure the
#'   list is: how often each rule is active, and predictions with intervals over lists.
#' @param certificate The result of [sbrl_certify()] for this model, or `NULL`. With it, the report states what was
#'   proved about the list. The default is the certificate kept in the model, if there is one.
#' @param purpose What the list is for, in a sentence or two that open the report; `NULL` for none.
#' @param not_for What the list must not be used for: a character vector of sentences, listed before the general
#'   limits. Only you know where your data come from.
#' @return `file`, invisibly.
#' @seealso [sbrl_performance()], [sbrl_bag()], [sbrl_posterior()] and [sbrl_certify()] for the parts of the report,
#'   [as_html()] for the list alone, [relabel()] for names that readers know.
#' @examples
#' if (requireNamespace("MASS", quietly = TRUE) &&
#'       requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2")) {
#'   set.seed(1)
#'   train <- sample(nrow(MASS::biopsy), 466)
#'   model <- sbrl(class ~ . - ID, data = MASS::biopsy[train, ],
#'                 lambda = 3, iters = 5000, nchain = 4)
#'   file <- tempfile(fileext = ".html")
#'   sbrl_report(
#'     model, MASS::biopsy[-train, ], file, title = "Is the lump malignant?",
#'     not_for = "Patients of other hospitals: all samples come from one."
#'   )
#'   unlink(file)
#' }
#' @export
sbrl_report <- function(model, data = NULL, file = "sbrl-report.html", title = "Rule list report", author = NULL,
                        quiet = TRUE, bag = NULL, posterior = NULL, certificate = NULL, purpose = NULL,
                        not_for = NULL) {
  model <- check_model(model, "model", pool = TRUE, report = TRUE)
  check_that(is.null(data) || is.data.frame(data), data, "data", "a data frame or NULL")
  if (!is.null(data)) {
    data <- check_data_frame(data, "data")
  }
  check_plain_text(file, "file")
  refuse_other_format(file)
  check_plain_text(title, "title")
  check_optional_text(author, "author")
  check_flag(quiet, "quiet")
  check_optional_text(purpose, "purpose")
  check_optional_texts(not_for, "not_for")
  model <- add_certificate(model, certificate)
  posterior <- check_report_posterior(posterior, model)
  check_report_bag(bag)
  calibration_of(bag, model, "bag")
  check_renderer()
  # before minutes of work, not after them
  check_target(full_path(file))
  data <- check_report_data(model, data)
  folder <- tempfile("sbrl-report")
  on.exit(unlink(folder, recursive = TRUE))
  params <- list(model = model, data = data, bag = bag, posterior = posterior, purpose = purpose, not_for = not_for)
  page <- render_report(folder, params, list(title = title, author = author), quiet)
  write_file(readBin(page, "raw", file.size(page)), full_path(file))
  invisible(file)
}

# The report is HTML whatever the file is called; no program would open it under these names.
refuse_other_format <- function(file) {
  if (grepl("[.](pdf|docx?|odt|rtf|tex|r?md|qmd)$", file, ignore.case = TRUE)) {
    message <- "`file` must end in \".html\", not %s: the report is a web page. A browser can print it as PDF."
    abort_sbrl("argument", sprintf(message, quote_values(sub("^.*[.]", ".", file))))
  }
}

check_report_posterior <- function(posterior, model) {
  if (is.null(posterior)) {
    return(NULL)
  }
  posterior <- check_lists(posterior, "posterior")
  check_that(inherits(posterior, "sbrl_posterior"), posterior, "posterior", "what sbrl_posterior() returns, or NULL")
  if (!identical(posterior$medoid$rulenames, model$rulenames)) {
    abort_sbrl("argument", "`posterior` must belong to this model, but it has other candidates.")
  }
  check_class_counts(model, posterior$medoid$settings$class_counts, arg = "posterior")
  posterior
}

add_certificate <- function(model, certificate) {
  if (is.null(certificate)) {
    return(model)
  }
  ok <- is_certificate(certificate, model)
  check_that(ok, certificate, "certificate", "what sbrl_certify() returns for this model, or NULL")
  model$certificate <- certificate
  model
}

check_optional_texts <- function(x, arg) {
  check_that(is.null(x) || (is.character(x) && !is.object(x) && are_texts(unname(x))), x, arg, "text, or NULL")
}

check_report_bag <- function(bag) {
  check_that(is.null(bag) || inherits(bag, "sbrl_bag"), bag, "bag", "what sbrl_bag() returns, or NULL")
}

check_renderer <- function() {
  absent <- Filter(\(package) !requireNamespace(package, quietly = TRUE), c("rmarkdown", "knitr"))
  if (length(absent) > 0L) {
    abort_sbrl("package", sprintf("A report needs the package %s, which is not installed.", quote_names(absent)))
  }
  if (!rmarkdown::pandoc_available("2")) {
    abort_sbrl("package", "A report needs the program pandoc, version 2 or newer, which was not found.")
  }
}

# What is wrong with the data is an error here, where it can be caught; data without a label give no measures.
check_report_data <- function(model, data) {
  if (is.null(data)) {
    return(NULL)
  }
  if (nrow(data) == 0L) {
    abort_sbrl("argument", "`data` must have at least one row, not 0.")
  }
  suppressWarnings(capture_rows(model, data, "data"))
  label <- tryCatch(take_columns(data, model$settings$label, model$terms, "data")[[1L]], sbrl_error_column = \(e) NULL)
  if (is.null(label)) {
    return(NULL)
  }
  suppressWarnings(sbrl_performance(model, data))
  data
}

# The template that draft() offers, rendered in a folder of its own; returns the name of the page.
render_report <- function(folder, params, metadata, quiet) {
  skeleton <- system.file("rmarkdown", "templates", "sbrl_report", "skeleton", package = "sbrl")
  dir.create(folder)
  file.copy(list.files(skeleton, full.names = TRUE), folder)
  input <- file.path(folder, "skeleton.Rmd")
  writeLines(set_metadata(readLines(input, encoding = "UTF-8"), metadata), input, useBytes = TRUE)
  job <- list(input = input, params = params, quiet = quiet)
  # knitr keeps one document in mind; inside another one the report is made by a process of its own.
  render <- if (isTRUE(getOption("knitr.in.progress"))) render_apart else render_here
  tryCatch(
    render(job, folder),
    error = function(e) abort_sbrl("report", sprintf("The report could not be rendered: %s", conditionMessage(e)))
  )
  file.path(folder, "skeleton.html")
}

# Title and author are written into the header of the document: as arguments of pandoc they would pass through a shell.
set_metadata <- function(lines, metadata) {
  metadata <- metadata[!vapply(metadata, is.null, NA)]
  keys <- paste0(names(metadata), ":")
  end <- which(lines == "---")[2L]
  replaced <- seq_along(lines) < end & sub(":.*$", ":", lines) %in% keys
  entries <- sprintf("%s \"%s\"", keys, vapply(metadata, header_text, ""))
  append(lines[!replaced], entries, after = 1L)
}

# Every character as a numeric entity, so that YAML, knitr, Markdown and HTML find nothing but text.
header_text <- function(text) {
  points <- utf8ToInt(gsub("[[:cntrl:]]+", " ", enc2utf8(text)))
  # pandoc replaces an empty title by the name of a file.
  if (length(points) == 0L) "&#8203;" else paste(sprintf("&#%d;", points), collapse = "")
}

render_here <- function(job, folder) {
  do.call(rmarkdown::render, c(job, list(envir = new.env(parent = globalenv()))))
}

# Paths are handed over as data or quoted, never as code.
render_apart <- function(job, folder) {
  files <- file.path(folder, c("job.rds", "job.R"))
  library_paths <- unique(c(dirname(system.file(package = "sbrl")), .libPaths()))
  saveRDS(list(library_paths = library_paths, arguments = job), files[1L])
  writeLines(c(
    "job <- readRDS(commandArgs(TRUE))", ".libPaths(job$library_paths)", "do.call(rmarkdown::render, job$arguments)"
  ), files[2L])
  rscript <- file.path(R.home("bin"), "Rscript")
  said <- suppressWarnings(system2(rscript, c("--vanilla", shQuote(rev(files))), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) {
    stop(paste(said, collapse = "\n"))
  }
  if (!job$quiet) message(paste(said, collapse = "\n"))
}

# Writes NAMESPACE and man/ from the comments in R/, with nothing compiled: document.R <package directory>
path <- commandArgs(trailingOnly = TRUE)[[1]]

# roxygen2's own loader leaves out the data sets, which have help pages too.
load_source_and_data <- function(path) {
  env <- roxygen2::load_source(path)
  for (file in list.files(file.path(path, "data"), "[.]rda$", full.names = TRUE)) load(file, env)
  env
}

roxygen2::roxygenise(path, load_code = load_source_and_data)

# Lists the crates that are compiled into the package, with authors and licences: authors.R <output>
output <- commandArgs(trailingOnly = TRUE)[[1]]

metadata <- system2(
  "cargo", c("metadata", "--locked", "--format-version", "1", "--manifest-path", "src/rust/Cargo.toml"),
  stdout = TRUE
)
packages <- jsonlite::fromJSON(metadata, simplifyVector = FALSE)$packages
is_dependency <- vapply(packages, \(package) !is.null(package$source), logical(1))

describe <- function(package) {
  authors <- unlist(package$authors)
  if (is.null(authors)) authors <- paste("The authors of", package$name)
  lines <- c(
    paste(package$name, package$version),
    paste("  Authors:", paste(authors, collapse = ", ")),
    paste("  Licence:", if (is.null(package$license)) "see the crate" else package$license),
    if (!is.null(package$repository)) paste("  Source: ", package$repository),
    ""
  )
}

described <- lapply(packages[is_dependency], describe)
described <- described[order(vapply(described, `[[`, "", 1), method = "radix")]
heading <- c(
  "The engine of this package is built from the following Rust crates.",
  "This file is generated from the crates' own manifests.",
  ""
)
dir.create(dirname(output), showWarnings = FALSE, recursive = TRUE)
writeLines(enc2utf8(c(heading, unlist(described))), output, useBytes = TRUE)

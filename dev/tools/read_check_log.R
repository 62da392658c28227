# Fails when R CMD check found anything worse than a new submission: read_check_log.R <00check.log>
lines <- readLines(commandArgs(trailingOnly = TRUE)[[1]], encoding = "UTF-8")
starts <- grep("^\\* ", lines)
sections <- split(lines, cumsum(seq_along(lines) %in% starts))

is_finding <- function(section) {
  if (!any(grepl("\\.\\.\\. (\\[[^]]*\\] ?)?(NOTE|WARNING|ERROR)$", section)) &&
    !any(grepl("^ *(NOTE|WARNING|ERROR)$", section))) {
    return(FALSE)
  }
  is_incoming <- grepl("checking CRAN incoming feasibility", section[1], fixed = TRUE)
  body <- section[-1]
  !(is_incoming && all(grepl("^(Maintainer: .*|New submission|)$", body)))
}

findings <- Filter(is_finding, sections)
finished <- any(grepl("^(Status: |\\* DONE)", lines))
if (!finished) stop("the check did not finish", call. = FALSE)
if (length(findings) > 0) {
  message("R CMD check found:\n", paste(unlist(findings), collapse = "\n"))
  quit(status = 1)
}
cat("R CMD check: nothing to complain of\n")

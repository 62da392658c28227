# Snapshots of conditions as plain text: testthat's own layout of them differs between its versions.

# The condition that each expression of `code` (one call, or several in braces) gives first: class and message.
expect_condition_snapshot <- function(code) {
  code <- substitute(code)
  calls <- if (identical(code[[1]], as.name("{"))) as.list(code)[-1] else list(code)
  text <- vapply(calls, condition_text, "", env = parent.frame())
  expect_snapshot(writeLines(text))
}

condition_text <- function(call, env) {
  condition <- tryCatch(
    {
      eval(call, env)
      NULL
    },
    condition = identity
  )
  said <- if (is.null(condition)) "nothing" else paste0(class(condition)[1], ": ", conditionMessage(condition))
  paste0("> ", deparse1(call, collapse = " "), "\n", said)
}

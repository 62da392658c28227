# Results other than models: explanations, summaries, exported text, cross-validations. They are made to be shown, so
# it is enough that showing one that was changed ends with an error of ours.

# The value of `code`, which shows `x`.
show_result <- function(x, class, maker, code) {
  check_that(inherits(x, class), x, "x", paste("what", maker, "returns"))
  tryCatch(code, error = function(e) {
    if (inherits(e, "sbrl_error")) stop(e)
    message <- "`x` is not as %s returned it, so it cannot be shown: %s."
    abort_sbrl("object", sprintf(message, maker, sub("[.]$", "", conditionMessage(e))))
  })
}

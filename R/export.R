# Portable text: a model as a JSON file, and back to the last bit.

#' Write a model to a JSON file, and read it back
#'
#' `sbrl_write_json()` writes a model as text that other programs can read;
#' `sbrl_read_json()` reads such a file and gives the same model back.
#'
#' The model read equals the model written in every bit, except that `call` is
#' `NULL` and that a formula has another environment: transformed variables such as `log(x)` are computed with
#' R's common functions only, so that a file can do no harm; a formula that needs more, a constant of yours for
#' instance, is written with a warning. The file appears under its name only when it is complete. A
#' truncated, foreign or damaged file is an error of class `sbrl_error_file`.
#'
#' @param model A model made by [sbrl()].
#' @param file Name of the file.
#' @return `sbrl_write_json()` returns `file` invisibly, `sbrl_read_json()` a model.
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' file <- tempfile(fileext = ".json")
#' sbrl_write_json(model, file)
#' again <- sbrl_read_json(file)
#' identical(predict(again, tictactoe), predict(model, tictactoe))
#' @export
sbrl_write_json <- function(model, file) {
  check_model(model, "model", pool = TRUE, report = TRUE)
  check_string(file, "file")
  warn_outside(attr(model$terms, "outside"))
  text <- call_native(native_write_json(as_portable(model)))
  write_atomically(charToRaw(enc2utf8(text)), path.expand(file))
  invisible(file)
}

#' @rdname sbrl_write_json
#' @export
sbrl_read_json <- function(file) {
  check_string(file, "file")
  portable <- native_read_json(read_text(path.expand(file)))
  if (is_native_error(portable)) {
    abort_file(file, sprintf("is not a usable model: %s", portable$message))
  }
  # The engine has proven the rule list itself; what can still be wrong is the report that travels with it.
  tryCatch(
    from_portable(portable),
    error = function(e) abort_file(file, sprintf("is not a usable model: %s", conditionMessage(e)))
  )
}

# The formula's environment does not travel with the file.
warn_outside <- function(outside) {
  if (length(outside) > 0L) {
    message <- "The formula uses %s, which a file does not hold: the model read from it may not be able to predict."
    warn_sbrl("file", sprintf(message, quote_names(outside)))
  }
}

abort_file <- function(file, problem) {
  abort_sbrl("file", sprintf("File %s %s", encodeString(file, quote = "\""), problem))
}

# A temporary file beside the target, then a rename: readers see the old file or the whole new one.
write_atomically <- function(bytes, file) {
  target <- normalizePath(file, mustWork = FALSE)
  if (!dir.exists(dirname(target))) {
    abort_file(file, "cannot be written: its directory does not exist.")
  }
  if (dir.exists(target)) {
    abort_file(file, "cannot be written: it is a directory.")
  }
  part <- tempfile(".sbrl-", dirname(target))
  on.exit(unlink(part))
  problem <- tryCatch(write_bytes(bytes, part), warning = conditionMessage, error = conditionMessage)
  if (!is.null(problem)) {
    abort_file(file, sprintf("cannot be written: %s.", problem))
  }
  if (!suppressWarnings(file.rename(part, target))) {
    abort_file(file, "cannot be written: the finished file could not be renamed.")
  }
}

# NULL, or what went wrong. A full disk shows only in the size of what was written.
write_bytes <- function(bytes, path) {
  connection <- file(path, "wb")
  tryCatch(writeBin(bytes, connection), finally = close(connection))
  if (!identical(file.size(path), as.double(length(bytes)))) {
    return("not all of it could be written (is the disk full?)")
  }
  NULL
}

read_text <- function(file) {
  if (!file.exists(file)) {
    abort_file(file, "does not exist.")
  }
  if (dir.exists(file)) {
    abort_file(file, "is a directory.")
  }
  bytes <- tryCatch(
    readBin(file, "raw", n = file.size(file)),
    warning = function(e) abort_file(file, sprintf("cannot be read: %s.", conditionMessage(e))),
    error = function(e) abort_file(file, sprintf("cannot be read: %s.", conditionMessage(e)))
  )
  if (length(bytes) == 0L) {
    abort_file(file, "is empty.")
  }
  # A zero byte would end an R string.
  text <- if (any(bytes == 0L)) NA_character_ else rawToChar(bytes)
  if (is.na(text) || !validUTF8(text)) {
    abort_file(file, "is not a usable model: it is not UTF-8 text.")
  }
  Encoding(text) <- "UTF-8"
  text
}

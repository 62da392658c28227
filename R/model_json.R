# Portable text: a model as a JSON file, and back to the last bit.

#' Write a model to a JSON file, and read it back
#'
#' `sbrl_write_json()` writes a model, or a bag of [sbrl_bag()], as text that other programs can read;
#' `sbrl_read_json()` reads such a file and gives the same model back.
#'
#' The model read equals the model written in every bit, except that `call` is
#' `NULL` and that a formula has another environment. The file appears under its name only when it is complete; one that
#' it replaces hands on its mode and, where that is allowed, its owner. A pipe or a device is written to. A
#' truncated, foreign or damaged file is an error of class `sbrl_error_file`, and so is one of more than 256 MiB, which
#' is refused before it is read; no larger file is written.
#'
#' @section Reading the file elsewhere:
#' The format is described by a JSON schema, `system.file("schema", "model.schema.json", package = "sbrl")`. A reader
#' for Python without dependencies is `system.file("python", "sbrl_reader.py", package = "sbrl")`; copy it to where it
#' is needed:
#' ```
#' import sbrl_reader
#' model = sbrl_reader.load("model.json")
#' model.predict([{"age": 52, "sex": "Male"}])   # [{'rule': 1, 'class': 'Yes', 'probs': {...}}]
#' ```
#' It gives what [predict()] gives. A file that `sbrl_read_json()` refuses is refused with a `ModelError`, and so are
#' rules on transformed variables of a formula, by name, and files of many lists.
#'
#' @section Formulas in files:
#' Reading a file and using the model runs no code from the file. The transformed variables of its formula, such as
#' `log(x)`, may use columns of the data, the functions and constants below, and nothing else; a file whose formula
#' calls another function, or nests calls more than 100 deep, is refused. [as_r_function()] has the same limits. A model
#' whose formula needs more is written with a warning.
#'
#' * operators: `(`, `+`, `-`, `*`, `/`, `^`, `%%`, `%/%`, `<`, `>`, `<=`, `>=`, `==`, `!=`, `!`, `&`, `|`, `%in%`, `:`,
#'   `[`, `[[`, `$`
#' * numbers: `abs()`, `sign()`, `sqrt()`, `exp()`, `expm1()`, `log()`, `log2()`, `log10()`, `log1p()`, `sin()`,
#'   `cos()`, `tan()`, `asin()`, `acos()`, `atan()`, `atan2()`, `sinh()`, `cosh()`, `tanh()`, `floor()`, `ceiling()`,
#'   `round()`, `signif()`, `trunc()`, `pmin()`, `pmax()`, `findInterval()`
#' * choices: `is.na()`, `is.nan()`, `is.finite()`, `is.infinite()`, `ifelse()`, `match()`, `is.element()`, `xor()`
#' * factors: `factor()`, `ordered()`, `as.factor()`, `as.ordered()`, `droplevels()`, `cut()`, `interaction()`
#' * types: `c()`, `I()`, `identity()`, `as.numeric()`, `as.double()`, `as.integer()`, `as.character()`, `as.logical()`,
#'   `as.vector()`, `unclass()`
#' * text: `paste()`, `paste0()`, `nchar()`, `substr()`, `substring()`, `startsWith()`, `endsWith()`, `toupper()`,
#'   `tolower()`, `trimws()`, `grepl()`, `sub()`, `gsub()`, `chartr()`, `sprintf()`, `format()`
#' * dates and times: `as.Date()`, `as.POSIXct()`, `as.difftime()`, `difftime()`, `ISOdate()`, `julian()`, `months()`,
#'   `weekdays()`, `quarters()`
#' * constants: `pi`, `T`, `F`, `letters`, `LETTERS`, `month.abb`, `month.name`
#'
#' Files written by [saveRDS()] have no such limits: read them only if you trust whoever wrote them.
#'
#' @param model A model made by [sbrl()], or what [sbrl_bag()] returns. The file of a bag is that of its [medoid()],
#'   with the lists in addition.
#' @param file Name of the file.
#' @param missing What a row gets if a missing value leaves open whether a rule matches, see [predict.sbrl()]. It is
#'   stored in the file, and is the default of [predict()] for the model that is read.
#' @return `sbrl_write_json()` returns `file` invisibly, `sbrl_read_json()` a model.
#' @seealso [as_javascript()], [as_pmml()], [as_dmn()] and [as_sql()], for other programs.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' file <- tempfile(fileext = ".json")
#' sbrl_write_json(model, file)
#' again <- sbrl_read_json(file)
#' identical(predict(again, people), predict(model, people))
#' @export
sbrl_write_json <- function(model, file, missing = c("fallthrough", "error", "base_rate")) {
  portable <- as_portable(model, missing)
  check_plain_text(file, "file")
  text <- call_native(native_write_json(portable))
  bytes <- charToRaw(enc2utf8(text))
  # what could not be read back is not written
  check_json_size(length(bytes), file)
  write_file(bytes, full_path(file))
  invisible(file)
}

#' @rdname sbrl_write_json
#' @export
sbrl_read_json <- function(file) {
  check_plain_text(file, "file")
  portable <- fetch_answer(native_read_json(read_text(full_path(file))))
  unusable <- function(message) abort_file(file, sprintf("is not a usable model: %s", message))
  if (is_native_error(portable)) {
    if (portable$kind == "memory") abort_sbrl("memory", portable$message) else unusable(portable$message)
  }
  # The engine has proven the rule list itself; what can still be wrong is the report that travels with it.
  tryCatch(
    withCallingHandlers(
      catch_memory(from_portable(class_portable(portable))),
      # of R: the report contains what no report does
      warning = \(w) if (!inherits(w, "sbrl_warning")) stop(conditionMessage(w))
    ),
    sbrl_error_memory = stop,
    error = function(e) unusable(conditionMessage(e))
  )
}

# Pipes and devices have no size; reading them might never end. Of a file that grows only its first size is read.
read_text <- function(file) {
  if (!file.exists(file)) {
    abort_file(file, "does not exist.")
  }
  if (dir.exists(file)) {
    abort_file(file, "is a directory.")
  }
  size <- file.size(file)
  if (is.na(size) || size == 0) {
    abort_file(file, "is empty, or is not a regular file.")
  }
  check_json_size(size, file)
  bytes <- tryCatch(
    catch_memory(readBin(file, "raw", n = size)),
    sbrl_error = stop,
    warning = function(e) abort_file(file, sprintf("cannot be read: %s.", conditionMessage(e))),
    error = function(e) abort_file(file, sprintf("cannot be read: %s.", conditionMessage(e)))
  )
  # A zero byte would end an R string. Comparing all bytes would take many times their memory.
  if (length(bytes) == 0L || length(grepRaw(as.raw(0L), bytes, fixed = TRUE)) > 0L) {
    abort_file(file, "is not a usable model: it is not UTF-8 text.")
  }
  text <- rawToChar(bytes)
  if (!validUTF8(text)) {
    abort_file(file, "is not a usable model: it is not UTF-8 text.")
  }
  Encoding(text) <- "UTF-8"
  text
}

# Far more than any model needs; what is larger is no model, and might not fit into memory.
max_json_bytes <- 256 * 2^20

check_json_size <- function(size, file) {
  if (size > max_json_bytes) {
    message <- "has %s bytes; a model's file may have at most %s."
    abort_file(file, sprintf(message, with_thousands(size), with_thousands(max_json_bytes)))
  }
}

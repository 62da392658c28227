# as_javascript(): the rule list as a JavaScript function that needs no library.

#' A rule list as a JavaScript function
#'
#' `as_javascript()` writes a rule list as a JavaScript function of one row that needs no library, for Node, browsers
#' and any other engine of ECMAScript 2015 or later.
#'
#' The row is an object with one property per column that the rules use. The function returns an object: `rule`, the
#' position of the rule that captures the row, 0 for the default rule; `class`, the most probable class; and `probs`, an
#' object with the probability of each class. `null`, `undefined` and `NaN` are missing values. A column that the row
#' does not have, or a value of another type, is an error.
#'
#' * *Numbers* are numbers; spans of time are numbers in the unit of the training data.
#' * *Levels* are text. A number matches a level that is written as this number, and `true` the level `TRUE`. An
#'   unseen level matches no condition.
#' * *Dates* are text such as `"2024-01-31"`, objects of class `Date` (the day in UTC), or days since 1970. *Times* are
#'   objects of class `Date` or seconds since 1970.
#'
#' A rule on a transformed variable of a formula, such as `log(x)`, is an error. The code is plain ASCII and can be put
#' into a file or between the tags of a script in a page; write `module.exports = score;` or `export default score;`
#' below it to make a module.
#'
#' @inheritParams as_sql
#' @param name Name of the function. Reserved words, and names that JavaScript uses itself, such as `Object`, are
#'   errors.
#' @param missing What a row gets if a missing value leaves open whether a rule matches, see [predict.sbrl()]. With
#'   `"base_rate"` such a row has the rule `null`; with `"error"` the function throws an error.
#' @return One string of class `"sbrl_text"`, which prints as it is.
#' @seealso [as_r_function()], [as_sql()], [as_dmn()], [sbrl_write_json()]
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' as_javascript(model)
#' @export
as_javascript <- function(model, name = "score", missing = c("fallthrough", "error", "base_rate")) {
  model <- check_model(model, "model", pool = TRUE)
  check_js_name(name)
  missing <- check_missing(missing, model)
  program <- column_program(model, missing)
  features <- program$features
  answers <- js_answers(program$answers)
  variables <- stats::setNames(sprintf("x%d", seq_along(features)), feature_names(features))
  readers <- vapply(features, js_reader, "")
  lines <- c(
    sprintf("// A rule list, written by sbrl %s; it needs no library.", js_comment(model$version)),
    sprintf("function %s(row) {", name),
    paste0("  ", c(
      if (length(features) > 0L) js_column,
      unlist(js_readers[names(js_readers) %in% readers], use.names = FALSE),
      sprintf("const %s = %s(%s);", variables, readers, js_text(names(variables))),
      js_rules(program, variables, answers),
      if (!is.null(program$note)) paste("//", program$note),
      answers[length(program$rules) + 1L]
    )),
    "}"
  )
  new_text(paste(lines, collapse = "\n"), "js")
}

js_words <- c(
  "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
  "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import",
  "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "return",
  "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield"
)

# What the language defines, and browsers do not give away: a function of such a name would be used in the place of the
# real one, also by its own code.
js_globals <- c(
  "AggregateError", "Array", "ArrayBuffer", "AsyncDisposableStack", "Atomics", "BigInt", "BigInt64Array",
  "BigUint64Array", "Boolean", "DataView", "Date", "decodeURI", "decodeURIComponent", "DisposableStack", "document",
  "encodeURI", "encodeURIComponent", "Error", "escape", "EvalError", "FinalizationRegistry", "Float16Array",
  "Float32Array", "Float64Array", "Function", "globalThis", "Infinity", "Int16Array", "Int32Array", "Int8Array", "Intl",
  "isFinite", "isNaN", "Iterator", "JSON", "location", "Map", "Math", "NaN", "Number", "Object", "parseFloat",
  "parseInt", "Promise", "Proxy", "RangeError", "ReferenceError", "Reflect", "RegExp", "Set", "SharedArrayBuffer",
  "String", "SuppressedError", "Symbol", "SyntaxError", "top", "TypeError", "Uint16Array", "Uint32Array", "Uint8Array",
  "Uint8ClampedArray", "undefined", "unescape", "URIError", "WeakMap", "WeakRef", "WeakSet", "WebAssembly", "window"
)

check_js_name <- function(name) {
  ok <- is_text(name) && grepl("^[A-Za-z_$][A-Za-z0-9_$]*$", name, perl = TRUE) && !name %in% c(js_words, js_globals)
  check_that(ok, name, "name", "a name that JavaScript leaves free for a function")
}

js_column <- c(
  "const column = function (name) {",
  "  if (Object(row) !== row || !Object.prototype.hasOwnProperty.call(row, name)) {",
  "    throw new Error(\"The row needs a column \" + JSON.stringify(name) + \".\");",
  "  }",
  "  const x = row[name];",
  "  return x === undefined || (typeof x === \"number\" && isNaN(x)) ? null : x;",
  "};",
  "const refuse = function (name, type) {",
  "  throw new Error(\"Column \" + JSON.stringify(name) + \" must be \" + type + \".\");",
  "};"
)

# How a column is read; a missing number is NaN, which no comparison takes.
js_readers <- list(
  number = c(
    "const number = function (name) {",
    "  const x = column(name);",
    "  return x === null ? NaN : typeof x === \"number\" ? x : refuse(name, \"a number\");",
    "};"
  ),
  day = c(
    "const day = function (name) {",
    "  const x = column(name);",
    "  if (x === null || typeof x === \"number\") return x === null ? NaN : Math.floor(x);",
    "  if (!(x instanceof Date) && !/^\\d{4}-\\d{2}-\\d{2}$/.test(x)) refuse(name, \"a date\");",
    "  return Math.floor(new Date(x).getTime() / 86400000);",
    "};"
  ),
  seconds = c(
    "const seconds = function (name) {",
    "  const x = column(name);",
    "  if (x === null || typeof x === \"number\") return x === null ? NaN : x;",
    "  return x instanceof Date ? x.getTime() / 1000 : refuse(name, \"a time\");",
    "};"
  ),
  level = c(
    "const level = function (name) {",
    "  const x = column(name);",
    "  if (typeof x === \"boolean\") return x ? \"TRUE\" : \"FALSE\";",
    "  return x === null || typeof x === \"string\" || typeof x === \"number\" ? x : refuse(name, \"text\");",
    "};"
  ),
  filled = c(
    "const filled = function (name) {",
    "  const x = column(name);",
    "  if (typeof x === \"boolean\") return x ? \"TRUE\" : \"FALSE\";",
    "  if (x === \"\") return null;",
    "  return x === null || typeof x === \"string\" || typeof x === \"number\" ? x : refuse(name, \"text\");",
    "};"
  )
)

js_reader <- function(feature) UseMethod("js_reader")

# nolint start: object_name_linter. Methods.
#' @export
js_reader.sbrl_feature_number <- function(feature) "number"

#' @export
js_reader.sbrl_feature_date <- function(feature) "day"

#' @export
js_reader.sbrl_feature_datetime <- function(feature) "seconds"

#' @export
js_reader.sbrl_feature_categorical <- function(feature) {
  if (is.null(feature$empty_as_missing)) "level" else "filled"
}
# nolint end

js_rules <- function(program, variables, answers) {
  m <- length(program$rules)
  holds <- vapply(program$conditions, js_item, "", variables = variables)
  absent <- vapply(program$conditions, js_missing, "", variables = variables)
  either <- ifelse(may_be_open(program), sprintf("(%s || %s)", absent, holds), holds)
  if_open <- if (program$missing == "error") js_refusal else answers[m + 2L]
  lines <- rbind(
    paste("//", js_comment(program$words), recycle0 = TRUE),
    sprintf("if (%s) %s", join_rules(program, holds, " && "), answers[seq_len(m)]),
    ifelse(has_open_test(program), sprintf("if (%s) %s", join_rules(program, either, " && "), if_open), NA)
  )
  lines[!is.na(lines)]
}

js_refusal <- "throw new Error(\"A value is missing that a rule asks for.\");"

# Brackets make `__proto__` a plain key.
js_answers <- function(answers) {
  classes <- js_text(answers$classes)
  probs <- apply(answers$probs, 1L, \(x) paste(sprintf("[%s]: %s", classes, java_number(unname(x))), collapse = ", "))
  rule <- ifelse(is.na(answers$rule), "null", answers$rule)
  sprintf("return { rule: %s, class: %s, probs: { %s } };", rule, js_text(answers$class), probs)
}

js_missing <- function(item, variables) {
  variable <- variables[[item$feature$name]]
  if (is_number_feature(item$feature)) sprintf("isNaN(%s)", variable) else sprintf("%s === null", variable)
}

js_item <- function(item, variables) {
  if (is_missing_item(item)) js_missing(item, variables) else js_condition(item$feature, item, variables)
}

js_condition <- function(feature, item, variables) UseMethod("js_condition")

# nolint start: object_name_linter. Methods.
#' @export
js_condition.sbrl_feature_number <- function(feature, item, variables) {
  if (is_present_item(item)) {
    return(sprintf("!%s", js_missing(item, variables)))
  }
  paste(bound_tests(item, variables[[feature$name]], java_number), collapse = " && ")
}

#' @export
js_condition.sbrl_feature_categorical <- function(feature, item, variables) {
  variable <- variables[[feature$name]]
  tests <- vapply(item$codes, function(code) {
    values <- c(js_text(feature$levels[code]), java_number(level_value(feature$levels, code)))
    sprintf("%s === %s", variable, paste(values, collapse = sprintf(" || %s === ", variable)))
  }, "")
  test <- paste(tests, collapse = " || ")
  if (grepl("||", test, fixed = TRUE)) sprintf("(%s)", test) else test
}
# nolint end

# In ASCII, so that a file means the same in every encoding; `<` as an escape, so that no tag ends a script in a page.
js_text <- function(x) {
  escape <- function(text) {
    points <- utf8ToInt(text)
    is_wide <- points > 0xFFFF
    characters <- vapply(points, intToUtf8, "")
    is_odd <- points < 32L | points > 126L | points %in% utf8ToInt("\"\\<>&'")
    characters[is_odd] <- sprintf("\\u%04X", points[is_odd])
    rest <- points[is_wide] - 0x10000
    characters[is_wide] <- sprintf("\\u%04X\\u%04X", 0xD800 + rest %/% 1024, 0xDC00 + rest %% 1024)
    sprintf("\"%s\"", paste(characters, collapse = ""))
  }
  vapply(enc2utf8(x), escape, "", USE.NAMES = FALSE)
}

js_comment <- function(x) {
  gsub("<(?=[!/A-Za-z])", "< ", r_comment(visible_text(x)), perl = TRUE)
}

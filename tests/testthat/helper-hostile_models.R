# Damaged models: tampered with in R, or read from a damaged JSON file; and every function that takes a model.

# The good calls whose first argument is one of these, made of `m` and its rows `d`. All of them answer, or raise an
# sbrl_error.
calls_on <- function(models) {
  roles <- c(stats::setNames(models, rep("m", length(models))), d = "d2", d = "d3", d = "days", d = "numbers")
  roles <- stats::setNames(lapply(names(roles), as.name), roles)
  is_on <- \(call) length(call) > 1 && is.name(call[[2]]) && as.character(call[[2]]) %in% models
  lapply(Filter(is_on, as.list(good_calls)), \(call) do.call(substitute, list(call, roles)))
}

# First two predictions, then what is asked of models besides the good calls.
model_calls <- c(as.list(expression(
  predict(m, d), predict(m, d, type = "matrix"), predict(m, d, type = "interval"), predict(m, d[1, ]), scored(m, d),
  sbrl_bag(m, d, times = 2, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE)
)), calls_on(c("m2", "m3", "mdays", "mcall", "mweights")))
# The same for many lists: a bag or a posterior.
bag_calls <- c(as.list(expression(
  predict(m, d), predict(m, d, type = "matrix"), predict(m, d, type = "class"), predict(m, d, missing = "base_rate"),
  print(medoid(m)), predict(medoid(m), d), as_sql(m), explain(m, d[1, ]), summary(m2, calibration = m)
)), calls_on(c("bag2", "draws2")))

# The exported code must give what predict() gives; where predict() is refused, it may fail in words of its own, because
# it needs base R only. It refuses columns of another type, which predict() reads with a warning.
scored <- function(m, d) {
  expected <- suppressWarnings(predict(m, d, type = "class"))
  found <- tryCatch(as_r_function(m, "class")(d), error = function(e) {
    if (grepl("^`data` needs a column ", conditionMessage(e))) expected else stop(e)
  })
  if (!identical(found, expected)) stop("the exported code differs from predict()")
  expected
}

# Two predictions and some of the other calls; pictures are slow, and rarer.
some_model_calls <- function(n, model) {
  calls <- if (inherits(model, "sbrl_lists")) bag_calls else model_calls
  is_slow <- grepl("plot", vapply(calls, function_name, ""))
  chosen <- sample(seq_along(calls), n, prob = ifelse(is_slow, 0.1, 1))
  calls[unique(c(1, 2, chosen))]
}

# Changes of one value at any depth of a model.
tamperings <- list(
  replaced = \(x) eval(pick(hostile_atoms)[[1]], hostile_world()),
  removed = \(x) NULL,
  emptied = \(x) x[0],
  shortened = \(x) x[-1],
  lengthened = \(x) c(x, x),
  reversed = \(x) rev(x),
  missing = \(x) replace(x, pick(seq_along(x)), NA),
  extreme = \(x) replace(x, pick(seq_along(x)), pick(c(-1, 0, 7, 1e308, -Inf, Inf, NaN, 2^31, 0.5))),
  constant = \(x) replace(x, seq_along(x), 7),
  text = \(x) replace(x, pick(seq_along(x)), pick(hostile_text)),
  as_text = \(x) as.character(x),
  as_list = \(x) as.list(x),
  as_number = \(x) suppressWarnings(as.double(x)),
  bare = \(x) `attributes<-`(x, NULL),
  nameless = \(x) unname(x),
  negative = \(x) -x
)

# A model of the world with one or two fields changed, the rows it is for, and what was done to it.
tampered_model <- function(seed) {
  set.seed(seed)
  world <- hostile_world()
  name <- pick(names(hostile_objects))
  model <- world[[name]]
  said <- name
  for (i in seq_len(pick(1:2))) {
    path <- random_path(model)
    change <- pick(names(tamperings))
    old <- value_at(model, path)
    # Not every value can be changed in every way.
    new <- tryCatch(tamperings[[change]](old), error = \(e) NULL)
    said <- c(said, paste(change, paste(path, collapse = "$")))
    model <- set_at(model, path, new)
  }
  list(model = model, data = world[[hostile_objects[[name]]]], said = paste(said, collapse = ", "))
}

random_path <- function(x) {
  path <- list()
  repeat {
    x <- unclass(x)
    keys <- if (is.null(names(x))) seq_along(x) else names(x)
    key <- pick(keys)
    path <- c(path, key)
    x <- x[[key]]
    if (!is.list(x) || length(unclass(x)) == 0 || stats::runif(1) < 0.2) {
      return(path)
    }
  }
}

value_at <- function(x, path) {
  for (key in path) x <- if (is.list(x)) unclass(x)[[key]]
  x
}

set_at <- function(x, path, value) {
  if (length(path) == 0 || !is.list(x)) {
    return(value)
  }
  class <- oldClass(x)
  parts <- unclass(x)
  parts[[path[[1]]]] <- set_at(parts[[path[[1]]]], path[-1], value)
  structure(parts, class = class)
}

# The text of each model's file, and its tokens: strings, numbers, words, marks.
stored_models <- local({
  stored <- NULL
  function() {
    if (is.null(stored)) stored <<- lapply(stats::setNames(nm = names(hostile_objects)), new_stored_model)
    stored
  }
})

new_stored_model <- function(name) {
  file <- tempfile()
  on.exit(unlink(file))
  sbrl_write_json(hostile_world()[[name]], file)
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  tokens <- regmatches(text, gregexpr("\"(\\\\.|[^\"\\\\])*\"|[-+.0-9eE]+|[a-z]+|[][{},:]|[ \n]+", text,
    perl = TRUE))[[1]]
  stopifnot(identical(paste(tokens, collapse = ""), text))
  # Most tokens are numbers of the trace: each kind gets its share.
  kind <- ifelse(startsWith(tokens, "\""), "text", ifelse(grepl("^[-0-9]", tokens), "number", "mark"))
  list(text = text, tokens = tokens, places = split(seq_along(tokens), kind))
}

json_numbers <- c(
  "-1", "0", "-0", "1.5", "1e308", "1e400", "-1e400", "5e-324", "2147483648", "4294967296", "18446744073709551616",
  "9007199254740993", "null", "true", "NaN", "Infinity", "01", "1.", "+1", "\"1\"", "[]", "{}", "[1]",
  "0.9999999999999999"
)
json_strings <- c(
  "\"\"", "\"a\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\udc00x\"", "\"\\ufffe\"", "\"\\u202e\"", "\"\\x\"", "\"\\\"",
  "null",
  "1", "[]", "\"NA\"", "\"'; DROP TABLE t; --\"", "\"<script>\"", "\"label\"", "\"number\"", "\"date\"",
  "\"categorical\"",
  "\"label ~ file.create('pwned')\"", "\"label ~ system('touch pwned')\"", "\"~\"", "\"label ~ .\"", "\"(((\""
)
# What a formula may be turned into: the same text wherever it stands, so that the rest of the file agrees with it.
json_calls <- c(
  "system('touch pwned')", "file.create('pwned')", "sqrt(file.create('pwned')+x)", "(\\(z)file.create('pwned'))(x)",
  "eval(parse(text='file.create(\\\"pwned\\\")'))", "base::file.create('pwned')",
  "do.call('file.create',list('pwned'))",
  "x$y", "sqrt", "sqrt()", "x[[1]]", "get('x')", "local(file.create('pwned'))", "Recall(x)", "sqrt(x, x)", "log(x)",
  "repeat x"
)

# The bytes of a model's file after one to three changes.
mutated_json <- function(seed) {
  set.seed(seed)
  name <- pick(names(hostile_objects))
  stored <- stored_models()[[name]]
  if (name == "mcall" && stats::runif(1) < 0.2) {
    text <- gsub("sqrt(x)", pick(json_calls), stored$text, fixed = TRUE)
    return(list(name = name, bytes = charToRaw(text)))
  }
  tokens <- stored$tokens
  for (i in seq_len(pick(1:3))) tokens <- mutate_tokens(tokens, stored$places)
  bytes <- charToRaw(enc2utf8(paste(tokens, collapse = "")))
  list(name = name, bytes = if (stats::runif(1) < 0.2) mutate_bytes(bytes) else bytes)
}

# The same after one change of a token.
changed_json <- function(seed) {
  # making the models draws random numbers, too
  models <- stored_models()
  set.seed(seed)
  name <- pick(names(hostile_objects))
  stored <- models[[name]]
  if (name == "mcall" && stats::runif(1) < 0.1) {
    return(list(name = name, bytes = charToRaw(gsub("sqrt(x)", pick(json_calls), stored$text, fixed = TRUE))))
  }
  list(name = name, bytes = charToRaw(enc2utf8(paste(mutate_tokens(stored$tokens, stored$places), collapse = ""))))
}

mutate_tokens <- function(tokens, places) {
  i <- pick(pick(places)[[1]])
  j <- pick(pick(places)[[1]])
  switch(pick(c("value", "value", "value", "value", "swap", "copy", "delete", "span", "repeat", "deep")),
    value = replace(tokens, i, pick(if (startsWith(tokens[i], "\"")) json_strings else json_numbers)),
    swap = replace(tokens, c(i, j), tokens[c(j, i)]),
    copy = replace(tokens, i, tokens[j]),
    delete = replace(tokens, i, ""),
    span = replace(tokens, i + 0:pick(0:8), ""),
    "repeat" = replace(tokens, i, strrep(tokens[i], 2)),
    deep = replace(tokens, i, paste0(strrep("[", pick(c(1, 130, 1e5))), tokens[i]))
  )[seq_along(tokens)]
}

mutate_bytes <- function(bytes) {
  i <- sample.int(length(bytes), 1)
  switch(pick(c("flip", "cut", "insert", "double", "zero")),
    flip = replace(bytes, i, xor(bytes[i], as.raw(2^pick(0:7)))),
    cut = bytes[seq_len(i)],
    insert = append(bytes, as.raw(sample(0:255, 3)), i),
    double = c(bytes, bytes),
    zero = replace(bytes, i, as.raw(0))
  )
}

# Formulas: a formula and a data frame become the frame that a fit reads; later its variables are found in new data.

#' @export
formula.sbrl <- function(x, ...) {
  x <- check_model(x, "x", legacy = TRUE)
  if (is.null(x$terms)) {
    abort_sbrl("model", "The model was not fitted with a formula.")
  }
  stats::formula(x$terms)
}

# As R's own method, which evaluates the call, for a model that has one.
#' @importFrom stats update
#' @export
update.sbrl <- function(object, ...) {
  object <- check_model(object, legacy = TRUE)
  if (is.null(object$call)) {
    abort_sbrl("model", "`object` has no call to update: models of sbrl 1.4 and those read from a file keep none.")
  }
  if (!is.call(object$call) || !as.character(object$call[[1L]])[1L] %in% c("sbrl", "refit")) {
    abort_sbrl("model", "`object` is not a valid model: `call` must be a call of sbrl() or refit().")
  }
  NextMethod()
}

#' @export
terms.sbrl <- function(x, ...) {
  formula.sbrl(x)
  x$terms
}

read_formula <- function(call, written, env) {
  formula <- eval(call$formula, env)
  data <- eval(call$data, env)
  formula <- check_formula(formula)
  if (is_remote(data)) {
    return(read_source_formula(formula, call, data))
  }
  if (!is.null(data)) {
    data <- check_data_frame(data, "data")
  }
  data <- plain_frame(data)
  check_names(names(data))
  terms <- simple_terms(formula, data)
  frame <- model_frame(written, env, terms, data)
  check_rowwise(terms, data)
  names <- variable_names(terms)
  rows <- rows_of_frame(frame, data)
  columns <- as.list(frame)
  # What is not a variable comes after them, whatever a column is called.
  weights <- if (length(columns) > length(names)) columns[[length(names) + 1L]]
  # A plain data frame: the class of the data must not meddle with the columns.
  frame <- as_frame(stats::setNames(columns[seq_along(names)], names), nrow(frame))
  terms <- record_external_names(stored_terms(terms), names(data))
  list(data = frame, label = names[1L], weights = weights, terms = terms, rows = rows)
}

# Which rows of the data `subset` and `na.action` have left.
rows_of_frame <- function(frame, data) {
  if (!is.data.frame(data)) {
    return(given_rows(frame))
  }
  some <- nrow(frame) < nrow(data)
  given_rows(data, if (some) match(attr(frame, "row.names"), attr(data, "row.names")), nrow(frame))
}

# The same for data that are not in memory: every variable must be a column, or one that add_terms() can make.
read_source_formula <- function(formula, call, data) {
  source <- as_source(data)
  head <- source_head(source)
  attr(head, "names") <- column_names(head)
  check_names(names(head))
  refused <- intersect(c("subset", "na.action"), names(call))
  if (length(refused) > 0L) {
    message <- "`%s` needs a data frame. Leave rows out in the query, for example with dplyr::filter()."
    abort_sbrl("argument", sprintf(message, refused[1L]))
  }
  weights <- call$weights
  if (!is.null(weights) && !is.symbol(weights)) {
    abort_sbrl("argument", sprintf("`weights` must name a column of the table, not %s.", short_code(weights)))
  }
  terms <- simple_terms(formula, head)
  columns <- names(head)
  check_source_variables(terms, columns)
  names <- variable_names(terms)
  weights <- if (!is.null(weights)) as.character(weights)
  computed <- computed_terms(variables_of(terms), columns)
  if (length(computed) > 0L) {
    check_rowwise(terms, plain_frame(head))
    source <- add_terms(source, head, computed, environment(terms))
    head <- source_head(source)
    attr(head, "names") <- column_names(head)
    check_terms_of_head(head, source, computed, environment(terms))
  }
  source <- structure(source, head = head, features = names[-1L])
  terms <- record_external_names(stored_terms(terms), columns)
  list(data = source, label = names[1L], weights = weights, terms = terms)
}

check_source_variables <- function(terms, names) {
  plain <- Filter(is.symbol, variables_of(terms))
  absent <- setdiff(vapply(plain, as.character, ""), names)
  if (length(absent) > 0L) {
    message <- "The table has no column %s; its columns are %s."
    abort_sbrl("column", sprintf(message, quote_names(absent[1L]), quote_names(names)))
  }
}

check_formula <- function(formula) {
  check_that(inherits(formula, "formula") && is.call(formula), formula, "formula", "a formula")
  # formulas of other packages have a length of their own
  oldClass(formula) <- "formula"
  if (length(formula) != 3L) {
    abort_sbrl("argument", sprintf("`formula` must have the label on its left side; %s has none.", short_code(formula)))
  }
  formula
}

# R writes the symbols of a formula in the locale's characters; a name that has none there would be lost.
check_names <- function(names) {
  lost <- is_lost_name(names) | names %in% "."
  if (any(lost)) {
    message <- "Column %s cannot be named in a formula here; rename it, or call sbrl() without a formula."
    abort_sbrl("column", sprintf(message, quote_names(names[lost])))
  }
}

# Every variable spelt out and none that was taken away again, as in `y ~ . - c`. Built from calls, never from text, so
# that names may hold anything.
simple_terms <- function(formula, data) {
  formula[[3L]] <- expand_dot(formula[[3L]], setdiff(names(data), all.vars(formula[[2L]])))
  terms <- try_formula(stats::terms(formula, data = data, keep.order = TRUE), formula, data)
  check_terms(terms)
  # A term that is no interaction is one variable.
  used <- max.col(t(attr(terms, "factors") > 0), "first")
  features <- if (length(attr(terms, "term.labels")) > 0L) variables_of(terms)[used] else list()
  # The dot stays where the data have no column but the label.
  features <- features[!vapply(features, identical, NA, quote(.)) | is.null(data)]
  right <- if (length(features) == 0L) 1 else Reduce(\(left, right) call("+", left, right), features)
  simple <- stats::as.formula(call("~", formula[[2L]], right), environment(formula))
  try_formula(stats::terms(simple, keep.order = TRUE))
}

# The other columns in place of the dot. R's terms() does so too, but complains where a variable that is no column
# stands next to it.
expand_dot <- function(expression, columns) {
  if (identical(expression, quote(.)) && length(columns) > 0L) {
    return(call("(", Reduce(\(left, right) call("+", left, right), lapply(columns, as.name))))
  }
  operators <- c("+", "-", "*", "/", "^", ":", "%in%", "(")
  if (is.call(expression) && is.symbol(expression[[1L]]) && as.character(expression[[1L]]) %in% operators) {
    expression[-1L] <- lapply(as.list(expression)[-1L], expand_dot, columns = columns)
  }
  expression
}

check_terms <- function(terms) {
  crossed <- attr(terms, "term.labels")[attr(terms, "order") > 1L]
  if (length(crossed) > 0L) {
    message <- "`formula` must not contain interactions such as %s: rules are conjunctions already, see `rule_maxlen`."
    abort_sbrl("argument", sprintf(message, quote_names(crossed[1L])))
  }
  if (!is.null(attr(terms, "offset"))) {
    abort_sbrl("argument", "`formula` must not contain an offset(): a rule list has no linear part.")
  }
}

# Missing values are information, so rows with them stay unless `na.action` removes them.
model_frame <- function(call, env, terms, data) {
  given <- intersect(c("subset", "weights", "na.action"), names(call))
  frame_call <- as.call(c(list(quote(stats::model.frame), terms), as.list(call)[given]))
  frame_call$data <- data
  if (!"na.action" %in% given) {
    frame_call$na.action <- quote(stats::na.pass)
  }
  try_formula(eval(frame_call, env), terms, data, as.list(call)[intersect(c("subset", "weights"), given)])
}

# A feature such as cut(x, 3) or scale(x) changes with the other rows, so new data could not be read in the same way.
check_rowwise <- function(terms, data) {
  features <- variables_of(terms)[-1L]
  for (expression in features[vapply(features, is.call, NA)]) {
    if (all(all.vars(expression) %in% names(data)) && !is_rowwise(expression, data, environment(terms))) {
      message <- "%s must give each row a value of its own; it depends on the other rows. Make it a column first."
      abort_sbrl("argument", sprintf(message, short_code(expression)))
    }
  }
}

is_rowwise <- function(expression, data, env) {
  value <- function(rows) {
    out <- tryCatch(suppressWarnings(eval(expression, lapply(data, `[`, rows), env)), error = \(e) NULL)
    if (is.factor(out)) as.character(out) else as.vector(unclass(out))
  }
  whole <- value(seq_len(nrow(data)))
  is.null(whole) || all(vapply(probe_rows(expression, data), \(rows) identical(value(rows), whole[rows]), NA))
}

# Rows that betray a mean, a rank or a range: the lower and the upper half by each variable, and single ones.
probe_rows <- function(expression, data) {
  n <- nrow(data)
  halves <- lapply(all.vars(expression), function(name) {
    ordered <- order(data[[name]])
    list(ordered[seq_len(n %/% 2L)], ordered[-seq_len(n %/% 2L)])
  })
  single <- as.list(unique(ceiling(n * c(0.01, 0.5, 1))))
  c(single, if (n > 1L) unlist(halves, recursive = FALSE))
}

# The variables of a formula's terms, their names, and what evaluates them.

# The label first, then the features.
variables_of <- function(terms) {
  as.list(attr(terms, "variables"))[-1L]
}

variable_names <- function(terms) {
  expression_names(variables_of(terms))
}

# As model.frame() names its columns.
expression_names <- function(expressions) {
  text <- function(x) paste(deparse(x, width.cutoff = 500L, backtick = !is.symbol(x)), collapse = " ")
  enc2utf8(with_point(vapply(expressions, text, "")))
}

# Terms of plain columns need no environment, so they keep none: it might hold the training data.
stored_terms <- function(terms) {
  if (all(vapply(variables_of(terms), is.symbol, NA))) {
    environment(terms) <- globalenv()
  }
  terms
}

is_lost_name <- function(names) {
  is.na(iconv(enc2utf8(as.character(names)), "UTF-8", ""))
}

short_code <- function(x) {
  shorten(paste0("`", with_point(deparse1(x, collapse = " ")), "`"))
}

# A plain list of columns for model.frame(), which takes no lists, as some times are, and does not support 64-bit
# integers.
plain_frame <- function(data) {
  if (is.null(data)) {
    return(NULL)
  }
  plain <- function(x, name) {
    if (is_integer64(x)) {
      return(integer64_values(x))
    }
    if (inherits(x, "POSIXlt")) as.POSIXct(check_whole_class(x, name)) else x
  }
  columns <- as.list(data)
  columns[] <- lapply(seq_along(columns), \(j) plain(columns[[j]], names(data)[j]))
  as_frame(columns, nrow(data))
}

# Errors of R's own functions for formulas, in our class, and in plainer words for common mistakes. `others` are the
# expressions for `subset` and `weights`.
try_formula <- function(code, formula = NULL, data = NULL, others = list()) {
  tryCatch(catch_memory(with_point(code)), error = function(e) {
    if (inherits(e, "sbrl_error")) stop(e)
    mistake <- if (!is.null(formula)) formula_mistake(formula, data, others)
    default <- sprintf("`formula` cannot be evaluated: %s", conditionMessage(e))
    abort_sbrl("argument", if (is.null(mistake)) default else mistake)
  })
}

formula_mistake <- function(formula, data, others) {
  if (has_text(formula)) {
    return("`formula` must name columns without quotes, as in `y ~ age + city`.")
  }
  env <- environment(formula)
  used <- unique(unlist(c(list(all.vars(formula)), lapply(others, all.vars))))
  used <- used[nzchar(used) & !is_lost_name(used)]
  is_unknown <- function(name) is.null(get0(name, env)) || is.function(get0(name, env))
  unknown <- Filter(is_unknown, setdiff(used, c(names(data), ".")))
  if (length(unknown) > 0L && is.null(data)) {
    return(sprintf("`data` is missing, and %s is not a variable either.", quote_names(unknown[1L])))
  }
  if (length(unknown) > 0L) {
    meant <- nearest_name(unknown[1L], names(data))
    columns <- if (length(data) > 0L) sprintf("Its columns are %s.", quote_names(names(data))) else "It has no columns."
    hint <- if (is.null(meant)) columns else sprintf("Did you mean %s?", quote_names(meant))
    return(sprintf("`data` has no column %s. %s", quote_names(unknown[1L]), hint))
  }
  weights <- tryCatch(eval(others$weights, data, env), error = \(e) NULL)
  if (!is.null(weights) && !is.null(data) && length(weights) != nrow(data)) {
    message <- "`weights` must have one number per row (%d), or name a column without quotes; it has length %d."
    sprintf(message, nrow(data), length(weights))
  }
}

# Is there text among the terms? Text inside calls, as in `I(x == "a")`, is right.
has_text <- function(expression) {
  operators <- c("~", "+", "-", "(")
  is_operator <- is.call(expression) && is.symbol(expression[[1L]]) && as.character(expression[[1L]]) %in% operators
  is.character(expression) || (is_operator && any(vapply(as.list(expression)[-1L], has_text, NA)))
}

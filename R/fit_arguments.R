# Arguments of functions that fit, by name: what was given, and the defaults in place of what was not.

# What the caller, a method whose matched `call` this is, was given: evaluated, and with what is in its `...`.
given_arguments <- function(call, env = parent.frame()) {
  is_given <- !vapply(as.list(call), identical, NA, quote(expr = )) # nolint: spaces_inside_linter. As in f(x = ).
  named <- setdiff(names(call)[is_given], c("", "tdata", "..."))
  c(mget(named, env), eval(quote(list(...)), env))
}

# The same for `values` that a function hands on to `method`, in whose `...` they may have short names or none.
match_given <- function(method, values) {
  call <- as.call(c(list(quote(method), quote(data)), stats::setNames(as.list(seq_along(values)), names(values))))
  matched <- as.list(match.call(method, call))[-(1:2)]
  stats::setNames(values[as.integer(matched)], names(matched))
}

# Values of all arguments of a signature but the data, and those that it has no name for, as `passed`.
complete_arguments <- function(signature, given) {
  values <- default_arguments(signature)
  own <- intersect(names(given), names(values))
  values[own] <- given[own]
  c(values, list(passed = given[!names(given) %in% own]))
}

default_arguments <- function(signature) {
  defaults <- as.list(signature[setdiff(names(signature), c("tdata", "data", "..."))])
  is_code <- vapply(defaults, is.language, NA)
  defaults[is_code] <- lapply(defaults[is_code], eval, envir = topenv())
  defaults
}

# Arguments of a fit: all those of sbrl() and of sbrl_control().
fit_defaults <- function() {
  defaults <- default_arguments(formals(sbrl.data.frame))
  c(defaults[names(defaults) != "control"], unclass(sbrl_control()))
}

# All arguments of a fit, checked, from those that were `given`. By a formula, a search without `iters` ends by itself.
read_fit_arguments <- function(given, is_remote, by_formula = FALSE) {
  check_known(given, c(names(formals(sbrl.data.frame)), names(formals(sbrl_control))))
  refuse_second_formula(given[["iters"]])
  given <- spread_control(given)
  args <- fit_defaults()
  taught <- taught_defaults(given)
  args[c(names(taught), names(given))] <- c(taught, given)
  args$has_default_length <- "rule_maxlen" %in% names(taught)
  args$settles <- by_formula && is.null(given[["iters"]])
  check_cut_sample(args$cut_sample, is_remote)
  is_default <- !c("pos_sign", "neg_sign", "max_length") %in% names(given)
  args$signs <- read_signs(args$pos_sign, args$neg_sign, is_default[1L], is_default[2L])
  args$has_default_max_length <- is_default[3L]
  check_settings(args)
  check_taught_fit(args, is_remote)
  args
}

check_known <- function(given, known) {
  names <- if (is.null(names(given))) rep("", length(given)) else names(given)
  unknown <- setdiff(names[nzchar(names) & !is.na(names)], known)
  if (length(unknown) > 0L) {
    abort_unknown(unknown, known)
  }
  if (any(!names %in% known)) {
    abort_sbrl("argument", paste(counted(sum(!names %in% known), "argument"), "too many."))
  }
}

# sbrl(data, y ~ x), where the formula comes first.
refuse_second_formula <- function(x) {
  if (inherits(x, "formula")) {
    code <- gsub("`", "", short_code(unclass(x)))
    abort_sbrl("argument", sprintf("The formula comes first: sbrl(%s, data = ...).", code))
  }
}

# Where a model comes from: the call, the terms of a formula or NULL. With `by_formula` it is learnt as formulas are:
# cut points are as round as the data allow, no default rule is empty, and a search without `iters` ends when its list
# has settled, or after `max_work`.
new_origin <- function(call = NULL, terms = NULL, by_formula = !is.null(terms), max_work = work_of_one_fit) {
  list(call = call, terms = terms, by_formula = by_formula, max_work = max_work)
}

# The call of `name` as the user wrote it. Data and the like, passed by value (do.call), must not hide in a model.
tidy_call <- function(call, name, hidden = c("tdata", "x", "data", "weights", "subset", "folds", "grid", "teacher")) {
  call[[1L]] <- name
  if (inherits(call$formula, "formula")) {
    attributes(call$formula) <- NULL
  }
  for (arg in intersect(hidden, names(call))) {
    if (is.list(call[[arg]]) || (!is.language(call[[arg]]) && length(call[[arg]]) > 1L)) {
      call[[arg]] <- as.name(arg)
    }
  }
  call
}

# The doors of sbrl(), cv_sbrl() and sbrl_bag() for formulas: a formula and data become the frame that a fit reads.

# A door has the `name` of the function, its data frame `method` with the arguments, formula `defaults` that differ from
# those of that method, what does the work (`fit`), and what the function `reads`, in words. The `call` comes with it,
# because `subset` and `weights` may name columns, as in lm(), and so does the `env` of that call.
new_door <- function(door, call, env) {
  c(door(), list(call = call, env = env))
}

# The default methods: a formula that was given by name, or nothing that the function reads.
default_door <- function(door, tdata, ...) {
  if ("formula" %in% ...names()) {
    return(fit_formula(door = door, ...))
  }
  if (missing(tdata)) {
    abort_sbrl("argument", "`tdata` is missing: give a data frame with a label column, or a formula and `data`.")
  }
  if (!grepl("source", door$reads)) {
    refuse_remote(tdata, "tdata")
  }
  check_that(FALSE, tdata, "tdata", door$reads)
}

# Defaults of a formula fit for the arguments that the user did not give: `given` has the others. The data frame method
# keeps the defaults of version 1.4, which had no formulas.
formula_defaults <- function(given) {
  least <- given[["rule_minlen"]]
  # a taught list has its own default
  is_ours <- !"rule_maxlen" %in% names(given) && is.null(given[["teacher"]])
  c(if (is_ours) list(rule_maxlen = max(2, if (is_number(least)) least)), support_default(given))
}

cv_formula_defaults <- function(given) {
  if (!"grid" %in% names(given)) support_default(given)
}

support_default <- function(given) {
  supports <- c("minsupport", "minsupport_pos", "minsupport_neg", "target_rules")
  has_target <- inherits(given[["control"]], "sbrl_control") && !is.null(given[["control"]]$target_rules)
  if (!has_target && !any(supports %in% names(given))) list(minsupport = 0.05)
}

# The arguments that a formula brings with it, in the order of other modelling functions.
formula_arguments <- function(formula, data, subset, weights, na.action, ...) NULL # nolint: object_name_linter.

# The formula methods: the variables become a data frame, which is fitted as any other.
fit_formula <- function(door, ...) {
  call <- door$call
  # in sbrl(formula = f, tdata = d) as in sbrl(formula = f, d) the data are the second argument
  if ("formula" %in% names(call)) {
    if (all(c("tdata", "data") %in% names(call))) {
      abort_sbrl("argument", "Give the rows of a formula as `data` or as `tdata`, not both.")
    }
    names(call)[names(call) == "tdata"] <- "data"
  }
  call <- match.call(formula_arguments, call, envir = door$env)
  written <- resolve_dots(call, door$env)
  frame <- catch_memory(read_formula(call, written, door$env))
  frame$origin <- c(new_origin(tidy_call(written, door$name), frame$terms), list(rows = frame$rows))
  fit_formula_frame(door = door, frame = frame, ...)
}

# A function that hands its `...` on leaves `..1`, `..2` in the call; what its caller wrote stands behind them.
resolve_dots <- function(call, env) {
  is_dot <- vapply(as.list(call), \(part) is.symbol(part) && grepl("^\\.\\.[0-9]+$", part), NA)
  if (any(is_dot)) {
    dots <- as.list(eval(quote(substitute(list(...))), env))[-1L]
    call[is_dot] <- dots[as.integer(substring(vapply(as.list(call)[is_dot], as.character, ""), 3L))]
  }
  call
}

# The arguments up to `na.action` were read from the call; the others are those of the data frame method.
fit_formula_frame <- function(door, frame, formula, data, subset, weights, na.action, # nolint: object_name_linter.
                              ..., label) {
  if (!missing(label)) {
    abort_sbrl("argument", "`label` must not be given with a formula, whose left side is the label.")
  }
  given <- match_given(door$method, list(...))
  given <- c(given, door$defaults(given), list(label = frame$label, weights = frame$weights))
  door$fit(frame$data, given, frame$origin)
}

# The grid: which settings a cross-validation tries, one row each.

# Arguments of sbrl() that cv_sbrl() sets itself, and one that rows in memory do not have.
reserved_arguments <- c("label", "weights", "seed", "threads", "progress", "cut_sample")

# Arguments of sbrl() that a grid may vary.
tunable_arguments <- function() {
  setdiff(names(fit_defaults()), reserved_arguments)
}

# What goes to sbrl() as it is: every name must be one of its arguments, in full. A misspelt one may have been meant for
# the caller's `own` arguments.
check_passed <- function(arguments, allowed = setdiff(tunable_arguments(), grid_arguments), own = character()) {
  names <- if (is.null(names(arguments))) rep("", length(arguments)) else names(arguments)
  if (any(names == "")) {
    abort_sbrl("argument", paste(counted(sum(names == ""), "argument"), "too many; arguments of sbrl() must be named."))
  }
  arguments <- spread_control(arguments)
  unknown <- setdiff(names(arguments), allowed)
  if (length(unknown) > 0L) {
    abort_unknown(unknown, c(allowed, own))
  }
  arguments
}

# The arguments of cv_sbrl() that take several values.
grid_arguments <- c("lambda", "eta", "rule_maxlen", "minsupport_pos", "minsupport_neg", "minsupport")

make_grid <- function(values, given, grid, arguments) {
  if (is.null(grid)) {
    grid <- cross_values(values)
  } else {
    if (length(given) > 0L) {
      abort_sbrl("argument", sprintf("Give `grid` or %s, not both.", quote_names(given)))
    }
    grid <- read_grid(grid, names(arguments))
  }
  for (setting in seq_len(nrow(grid))) {
    check_setting(c(setting_arguments(grid, setting), arguments))
  }
  grid
}

cross_values <- function(values) {
  unused <- if (is.null(values$minsupport)) "minsupport" else c("minsupport_pos", "minsupport_neg")
  values <- values[setdiff(names(values), unused)]
  for (name in names(values)) {
    x <- values[[name]]
    ok <- !is.object(x) && is.null(dim(x)) && length(x) > 0L && (is.numeric(x) || (name == "lambda" && are_texts(x)))
    check_that(ok && !anyNA(x), x, name, "one or more numbers to try")
  }
  expand.grid(lapply(values, \(x) unique(unname(x))), KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
}

read_grid <- function(grid, fixed) {
  grid <- if (is.data.frame(grid)) check_data_frame(grid, "grid") else grid
  check_that(is.data.frame(grid) && nrow(grid) > 0L && length(grid) > 0L, grid, "grid",
             "a data frame with at least one row and one column")
  # which rows have a label must not depend on the setting
  unknown <- setdiff(names(grid), setdiff(tunable_arguments(), "empty_as_missing"))
  if (length(unknown) > 0L) {
    abort_sbrl("argument", sprintf("`grid` must have arguments of sbrl() as columns, not %s.", quote_names(unknown)))
  }
  twice <- c(names(grid)[duplicated(names(grid))], intersect(names(grid), fixed))
  if (length(twice) > 0L) {
    abort_sbrl("argument", sprintf("%s must be given once, in `grid` or as an argument.", quote_names(twice)))
  }
  columns <- lapply(unclass(grid), without_foreign_classes)
  columns <- lapply(columns, \(x) if (is.factor(x) && is.null(broken_class(x))) as.character(x) else x)
  simple <- vapply(columns, \(x) is.atomic(x) && !is.object(x) && !has_dim(x) && !anyNA(x), NA)
  if (!all(simple)) {
    message <- "Column %s of `grid` must contain one value per row, none missing."
    abort_sbrl("argument", sprintf(message, quote_names(names(grid)[!simple])))
  }
  as_frame(columns, nrow(grid))
}

# One row of the grid as arguments of sbrl(). Together with "auto", numbers are text.
setting_arguments <- function(grid, setting) {
  arguments <- lapply(grid, \(x) x[[setting]])
  if (is.character(arguments$lambda) && !is_auto(arguments$lambda)) {
    number <- level_numbers(arguments$lambda)
    arguments$lambda <- if (is.na(number)) arguments$lambda else number
  }
  arguments
}

# By a formula, `iters = NULL` says what is the default.
without_default_iters <- function(arguments, by_formula) {
  if (by_formula && is.null(arguments[["iters"]])) arguments[names(arguments) != "iters"] else arguments
}

# Refused now rather than after an hour.
check_setting <- function(arguments) {
  settings <- fit_defaults()
  settings[names(arguments)] <- arguments
  check_settings(settings)
}

# The columns that differ between settings; all if there is only one setting.
varied <- function(grid) {
  differs <- vapply(grid, \(x) length(unique(x)) > 1L, NA)
  if (any(differs)) grid[differs] else grid
}

# One phrase per setting, such as "lambda 3, rule_maxlen 2".
setting_labels <- function(grid, sep = ", ") {
  shown <- varied(grid)
  parts <- Map(\(name, x) paste(name, setting_text(x)), names(shown), shown)
  do.call(paste, c(unname(parts), sep = sep))
}

setting_text <- function(x) {
  if (is.numeric(x)) vapply(x, format_numbers, "", digits = 6L) else as.character(x)
}

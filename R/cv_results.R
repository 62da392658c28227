# Results of a cross-validation: tables, the choice of settings, and how they are shown.

fold_table <- function(tasks, done, drawn) {
  measures <- do.call(rbind, lapply(done, \(x) x$measures))
  cbind(
    data.frame(setting = tasks$setting, fold = drawn$names[tasks$fold]),
    as.data.frame(measures),
    length = vapply(done, \(x) x$length, 1L), conditions = vapply(done, \(x) x$conditions, 1L),
    n = vapply(done, \(x) x$n, 1), seed = drawn$seeds[tasks$fold]
  )
}

# One row per setting and measure.
result_table <- function(per_fold, grid) {
  measures <- names(more_is_better)
  by_setting <- split(per_fold, per_fold$setting)
  mean_of <- \(x) if (all(is.na(x))) NA_real_ else mean(x, na.rm = TRUE)
  se_of <- \(x) stats::sd(x, na.rm = TRUE) / sqrt(sum(!is.na(x)))
  summarise <- \(f) unlist(lapply(by_setting, \(rows) vapply(rows[measures], f, 1)), use.names = FALSE)
  mean_size <- \(name) rep(vapply(by_setting, \(rows) mean(rows[[name]]), 1), each = length(measures))
  setting <- rep(seq_len(nrow(grid)), each = length(measures))
  cbind(
    data.frame(setting = setting),
    take_rows(grid, setting),
    data.frame(
      measure = rep(measures, nrow(grid)), mean = summarise(mean_of), se = summarise(se_of),
      length = mean_size("length"), conditions = mean_size("conditions")
    )
  )
}

choose_settings <- function(results, grid, measure) {
  at <- results[results$measure == measure, ]
  if (all(is.na(at$mean))) {
    abort_sbrl("argument", sprintf("`measure` %s cannot be computed in any fold.", quote_values(measure)))
  }
  loss <- if (more_is_better[[measure]]) -at$mean else at$mean
  simplest <- simplicity(at, loss, grid)
  first_of <- function(settings) settings[order(simplest[settings])][1L]
  best <- first_of(which(loss == min(loss, na.rm = TRUE)))
  margin <- if (is.na(at$se[best])) 0 else at$se[best]
  list(best = best, one_se = first_of(which(loss <= loss[best] + margin)))
}

# Rank: what a person must read comes first, conditions and then rules; then how well the lists predict, then large
# supports, short antecedents, a small `lambda` and `eta`, and the order of the grid.
simplicity <- function(at, loss, grid) {
  number <- \(name) if (is.null(grid[[name]])) rep(0, nrow(grid)) else suppressWarnings(as.numeric(grid[[name]]))
  support <- number("minsupport") + number("minsupport_pos") + number("minsupport_neg")
  rank <- integer(nrow(grid))
  by_size <- order(at$conditions, at$length, loss, -support, number("rule_maxlen"), number("lambda"), number("eta"))
  rank[by_size] <- seq_len(nrow(grid))
  rank
}

#' @export
as.data.frame.cv_sbrl <- function(x, row.names = NULL, optional = FALSE, ...) { # nolint: object_name_linter.
  check_cv(x)
  x$results
}

#' Show a cross-validation
#'
#' `print()` shows the measure that decided for each setting, `summary()` all measures.
#'
#' @param x,object The result of [cv_sbrl()].
#' @param ... Ignored.
#' @param calibration Whether to add the calibration slope of each setting to `table`: the predictions of all rows, each
#'   by the model that had not seen it, are taken together. Below 1, the probabilities are too extreme; see
#'   [sbrl_bag()].
#' @return `format()` returns the lines that `print()` shows, `summary()` a list of class `"summary.cv_sbrl"` with the
#'   parts `table` (one row per setting, mean and standard error of each measure, and
#'   `calibration_slope` on request), `best`, `one_se`, `measure`, `fixed`
#'   (the settings that did not vary), `n_folds`, `n_rows` and `seed`.
#' @seealso [cv_sbrl()], [plot.cv_sbrl()], [refit()].
#' @examples
#' cv <- cv_sbrl(Species ~ ., data = iris, lambda = c(2, 5, 10), folds = 5, seed = 1,
#'               iters = 1000, nchain = 2)
#' cv
#' summary(cv)
#' @export
print.cv_sbrl <- function(x, ...) {
  writeLines(format.cv_sbrl(x))
  invisible(x)
}

#' @rdname print.cv_sbrl
#' @export
format.cv_sbrl <- function(x, ...) {
  check_cv(x)
  show_result(x, "cv_sbrl", "cv_sbrl()", cv_lines(x))
}

cv_lines <- function(x) {
  at <- x$results[x$results$measure == x$measure, ]
  table <- c(
    lapply(varied(x$grid), setting_text),
    list(
      mean = format_numbers(at$mean, digits = 4L, scientific = FALSE),
      se = vapply(at$se, format_numbers, "", digits = 2L, scientific = FALSE)
    ),
    list_sizes(at),
    list(choice = choice_marks(x$best, x$one_se, nrow(x$grid)))
  )
  direction <- if (more_is_better[[x$measure]]) "higher" else "lower"
  c(
    format_cv_head(summary.cv_sbrl(x)),
    sprintf("Decided by %s (%s is better). Mean, standard error, mean size of the lists:", x$measure, direction),
    table_lines(table)
  )
}

# The mean numbers of rules and of conditions in a table of settings. Version 2.0.0 did not count the conditions.
list_sizes <- function(table) {
  c(
    list(rules = sprintf("%.1f", table$length)),
    if (!is.null(table$conditions)) list(conditions = sprintf("%.1f", table$conditions))
  )
}

choice_marks <- function(best, one_se, n) {
  marks <- character(n)
  marks[one_se] <- "1se"
  marks[best] <- if (best == one_se) "best, 1se" else "best"
  marks
}

format_cv_head <- function(summary) {
  fixed <- summary$fixed
  c(
    sprintf("Cross-validation of rule lists: %d folds, %s rows, %s, seed %.0f",
            summary$n_folds, with_thousands(summary$n_rows), counted(nrow(summary$table), "setting"), summary$seed),
    if (length(fixed) > 0L) {
      sprintf("For all: %s", paste(names(fixed), vapply(fixed, setting_text, ""), collapse = ", "))
    }
  )
}

# Columns padded to one width each, header first.
table_lines <- function(table) {
  padded <- Map(\(name, x) formatC(c(name, x), width = max(nchar(c(name, x)))), names(table), table)
  sub(" +$", "", do.call(paste, c(unname(padded), sep = "  ")))
}

#' @rdname print.cv_sbrl
#' @export
summary.cv_sbrl <- function(object, ..., calibration = FALSE) {
  check_cv(object, "object")
  check_flag(calibration, "calibration")
  results <- object$results
  at <- results[results$measure == object$measure, ]
  columns <- lapply(names(more_is_better), function(measure) {
    of_one <- results[results$measure == measure, c("mean", "se")]
    stats::setNames(as.list(of_one), paste0(measure, c("", "_se")))
  })
  shown <- varied(object$grid)
  structure(
    list(
      table = cbind(
        data.frame(setting = seq_len(nrow(object$grid))), shown, as.data.frame(unlist(columns, recursive = FALSE)),
        list2DF(as.list(at)[intersect(c("length", "conditions"), names(at))]),
        list2DF(if (calibration) list(calibration_slope = cv_slopes(object)) else list(), nrow = nrow(object$grid))
      ),
      best = object$best, one_se = object$one_se, measure = object$measure,
      fixed = as.list(object$grid[1L, setdiff(names(object$grid), names(shown)), drop = FALSE]),
      n_folds = length(unique(object$per_fold$fold)), n_rows = sum(!is.na(object$truth)), seed = object$seed
    ),
    class = "summary.cv_sbrl"
  )
}

#' @export
print.summary.cv_sbrl <- function(x, ...) {
  show_result(x, "summary.cv_sbrl", "summary()", write_cv_summary(x))
  invisible(x)
}

write_cv_summary <- function(x) {
  measures <- names(more_is_better)
  check_that(is.data.frame(x$table) && all(measures %in% names(x$table)), x$table, "x$table", "a table of the measures")
  with_error <- \(measure) sprintf("%.4f (%.4f)", x$table[[measure]], x$table[[paste0(measure, "_se")]])
  settings <- x$table[setdiff(names(x$table), c(measures, paste0(measures, "_se"), "length", "conditions",
                                          "calibration_slope"))]
  table <- c(
    lapply(settings, setting_text), stats::setNames(lapply(measures, with_error), measures), list_sizes(x$table),
    if (!is.null(x$table$calibration_slope)) list(slope = sprintf("%.2f", x$table$calibration_slope))
  )
  writeLines(c(
    format_cv_head(x), "Mean (and standard error) of each measure over the folds, and mean size of the lists:",
    table_lines(table),
    sprintf("Chosen by %s: setting %d is best, setting %d the simplest within one standard error.",
            x$measure, x$best, x$one_se)
  ))
}

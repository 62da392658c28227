# The summary of a bag: would another sample give another list, and can it predict better?

#' Summarise a bag
#'
#' `summary()` answers first whether another sample would give another list. Then it compares the averaged predictions
#' with those of one list, on rows that they have not seen, and lists the rules and features that recur.
#' `print()` shows the most important part.
#'
#' @param object,x The result of [sbrl_bag()].
#' @inheritParams predict.sbrl
#' @return An object of class `"summary.sbrl_bag"`: a list with the parts `verdict` (in words), `performance` (data
#'   frame: the measures of the average and the means over single lists, see [sbrl_bag()]), `spread`, `lengths` (of the
#'   lists), `rules` and `features` (see [rules.sbrl_lists()]), `n_lists`, `n_rows`, `label` and `seed`.
#' @seealso [sbrl_bag()], [rules.sbrl_lists()], [plot.sbrl_lists()].
#' @examples
#' hot <- transform(airquality, Hot = Temp > 80, Temp = NULL)
#' bag <- sbrl_bag(Hot ~ Ozone + Solar.R + Wind + Month, data = hot, times = 10,
#'                 iters = 500, nchain = 2, seed = 1)
#' summary(bag)
#' @export
summary.sbrl_bag <- function(object, ...) {
  check_dots_empty(...)
  object <- check_lists(object)
  structure(
    list(
      verdict = bag_verdict(object$spread), performance = bag_performance(object), spread = object$spread,
      lengths = object$fits$length, rules = rule_inclusion(object), features = feature_inclusion(object),
      n_lists = n_lists(object), n_rows = object$medoid$settings$n_rows, label = object$medoid$settings$label,
      seed = object$seed
    ),
    class = "summary.sbrl_bag"
  )
}

# One row for the average, one for a single list.
bag_performance <- function(x) {
  single <- vapply(x$fits[bag_measures], \(values) mean(values[is.finite(values)]), 1)
  single[is.nan(single)] <- NA
  data.frame(
    predictions = c("average of all lists", "one list (mean)"),
    rbind(x$out_of_bag[bag_measures], single), row.names = NULL
  )
}

# In words: whether another sample would give another list, and whether that matters to the predictions.
bag_verdict <- function(spread) {
  shared <- sprintf("two lists share %.0f%% of their rules", 100 * spread[["dice"]])
  list <- if (spread[["dice"]] >= 0.8) {
    "Another sample would most likely give nearly the same list: %s."
  } else if (spread[["dice"]] >= 0.5) {
    "Another sample would most likely give a list with some other rules: %s."
  } else {
    "Another sample would most likely give another list: %s."
  }
  varies <- paste(
    "the probability of a row varies from list to list with a standard deviation of %s, and %s of the",
    "classes change"
  )
  varies <- sprintf(varies, short_probability(spread[["sd"]]), percent_text(spread[["other_class"]]))
  predictions <- if (spread[["sd"]] < 0.03 && spread[["other_class"]] < 0.02) {
    "Its predictions would be nearly the same: %s."
  } else if (spread[["sd"]] < 0.1) {
    "Its predictions would be similar: %s."
  } else {
    "Its predictions would differ, too: %s."
  }
  c(sprintf(list, shared), sprintf(predictions, varies))
}

#' @rdname summary.sbrl_bag
#' @export
print.sbrl_bag <- function(x, ...) {
  writeLines(format.sbrl_bag(x))
  invisible(x)
}

#' @export
format.sbrl_bag <- function(x, ...) {
  x <- check_lists(x, "x")
  about <- summary.sbrl_bag(x)
  c(
    format_bag_head(about), "", wrapped(about$verdict), "", format_performance(about$performance), "",
    format_inclusion(about$rules, "rule", 5L),
    "summary() shows more; predict() averages the lists, medoid() returns one of them."
  )
}

#' @export
print.summary.sbrl_bag <- function(x, ...) {
  show_result(x, "summary.sbrl_bag", "summary()", writeLines(bag_summary_lines(x)))
  invisible(x)
}

bag_summary_lines <- function(x) {
  c(
    format_bag_head(x), "", wrapped(x$verdict), "",
    format_lengths(x$lengths), "", format_performance(x$performance), slope_lines(x$performance), "",
    format_inclusion(x$rules, "rule", 15L), "", format_inclusion(x$features, "feature", 15L)
  )
}

format_bag_head <- function(x) {
  sprintf("%d rule lists from bootstrap samples of %s rows, label %s, seed %.0f", x$n_lists,
          with_thousands(round(x$n_rows, 2L)), quote_names(x$label), x$seed)
}

wrapped <- function(text) {
  unlist(lapply(text, strwrap, width = min(100L, getOption("width")), exdent = 2L))
}

format_lengths <- function(lengths) {
  sprintf("Rules per list: %.0f to %.0f, on average %.1f", min(lengths), max(lengths), mean(lengths))
}

format_performance <- function(performance) {
  number <- function(x) ifelse(is.na(x), "-", sprintf("%.4f", x))
  short <- function(x) ifelse(is.na(x), "-", sprintf("%.2f", x))
  table <- list(
    auc = number(performance$auc), "log loss" = number(performance$log_loss), accuracy = number(performance$accuracy),
    Brier = number(performance$brier), slope = short(performance$slope), intercept = short(performance$intercept)
  )
  lines <- table_lines(table)
  title <- pad_text(c("", performance$predictions), left = TRUE)
  c("On rows that the lists have not seen (out of bag):", paste(title, lines, sep = "  "))
}

slope_lines <- function(performance) {
  sprintf("Calibration slope of %s: %s", c("the average", "one list"), vapply(performance$slope, slope_words, ""))
}

format_inclusion <- function(table, what, most) {
  n <- min(most, nrow(table))
  if (n == 0L) {
    return("No list has a rule.")
  }
  more <- if (nrow(table) > n) sprintf(" (%d of %d)", n, nrow(table)) else ""
  shown <- utils::head(table, n)
  columns <- list(
    share = c("lists", percent_text(shown$inclusion)), first = c("first", percent_text(shown$first)),
    alike = if (!is.null(shown$alike)) c("alike", shown$alike)
  )
  right <- do.call(paste, c(unname(lapply(Filter(Negate(is.null), columns), pad_text, left = FALSE)), sep = "  "))
  room <- max(20L, getOption("width") - max(nchar(right)) - 4L)
  left <- pad_text(c(what, encode_text(shorten(enc2utf8(shown[[what]]), room))), left = TRUE)
  heading <- sprintf("How many of the lists use a %s, and how many begin with it%s:", what, more)
  c(heading, paste(left, right, sep = "  "))
}

# Fields of its own: checked, written, read ----

#' @export
own_problem.sbrl_bag <- function(x) { # nolint: object_name_linter.
  x <- unclass(x)
  n <- length(x$lists$lengths)
  gaps <- c("seed", setdiff(bag_measures, "n"))
  first_failing(
    "`fits` must contain one row per list" =
      is_table(x$fits, c(fit_fields, bag_measures), gaps = gaps) && nrow(x$fits) == n,
    "`fits$length` must contain the lengths of the lists" = are_near(x$fits$length, x$lists$lengths),
    "`out_of_bag` must contain the measures of the average" = is_plain(x$out_of_bag, "double", length(bag_measures)) &&
      identical(names(x$out_of_bag), bag_measures),
    "`spread` must contain how much the lists differ" = are_named(x$spread, spread_fields) && min(x$spread) >= 0 &&
      max(x$spread) <= 1 + 1e-6,
    "`seed` must be a whole number" = is_whole(x$seed, 0, 2^53),
    "`call` must be NULL or a call" = is.null(x$call) || (is.call(x$call) && !is.object(x$call))
  )
}

fit_fields <- c("seed", "length", "conditions", "lambda", "log_posterior", "candidates")
spread_fields <- c("dice", "sd", "sd_median", "sd_90", "other_class")

#' @export
own_tables.sbrl_bag <- function(x) { # nolint: object_name_linter.
  fits <- stats::setNames(as.list(x$fits), paste0("fits.", names(x$fits)))
  list(bag = c(fits, list(out_of_bag = unname(x$out_of_bag), spread = unname(x$spread), seed = x$seed)))
}

#' @export
own_fields.sbrl_bag <- function(x, table) { # nolint: object_name_linter.
  fits <- table[paste0("fits.", c(fit_fields, bag_measures))]
  list(
    fits = list2DF(stats::setNames(fits, c(fit_fields, bag_measures))),
    out_of_bag = stats::setNames(table$out_of_bag, bag_measures),
    spread = stats::setNames(table$spread, spread_fields), seed = table$seed, call = NULL
  )
}

# Bagging: sbrl_bag() and its methods read the data; all of them meet in bag_rows().

#' Many lists from bootstrap samples
#'
#' `sbrl_bag()` fits a rule list to each of many bootstrap samples of the rows. This answers two questions. *Would
#' another sample give another list?* `summary()` and [rules()] report which rules and features recur, and
#' how much the probabilities of single rows vary. *Can I predict better?* [predict()][predict.sbrl_lists()] averages
#' the lists, which usually predicts clearly better than one of them; `summary()` compares both on rows that the lists
#' have not seen. [medoid()] returns one list, an ordinary model, to be read and exported.
#'
#' **Samples.** Each sample draws as many rows as there are, with replacement, so that it has about 63% of them. Rows
#' keep their weights. If your rows are counts of people, as in a table with frequencies, expand them first; otherwise
#' whole groups of people are drawn together. A sample in which a class has no row is drawn again. Everything that is
#' learnt, including the cut points of numbers, is learnt separately in each sample.
#'
#' **Out of bag.** The rows that a sample does not contain test its list. The averaged prediction of a row is compared
#' with its label using only the lists that have not seen it. That estimates how well the bag predicts other rows,
#' conservatively, because each row is predicted by only about a third of the lists. The measures of one list are
#' means over the lists. *Calibration slope*: the log odds of the label are regressed on those predicted. Below 1, the
#' probabilities are too extreme. *Calibration intercept*, for two classes: above 0, the probabilities of the positive
#' class are too low on average.
#'
#' **Bootstrap samples and new samples.** Bootstrap samples differ from each other about as much as new samples of the
#' same size would, but have fewer distinct rows. Lists from new samples would be somewhat more alike than those of a
#' bag.
#'
#' **Randomness and parallel runs.** One number, drawn from R's generator or given as `seed`, determines all samples and
#' fits; each sample has a seed of its own. The fits run one after the other, each on the engine's `threads`, or on the
#' workers of a parallel `future::plan()`, as for [cv_sbrl()]. The results are the same.
#'
#' **Cost.** A bag costs `times` fits. Fewer `iters` and a smaller `nchain` than for a single list suffice, because
#' averaging makes up for lists that are not quite the best.
#'
#' @param tdata A data frame with a label column; or a model made by [sbrl()], whose settings are used, and then `data`.
#'   How cut points were found (`discretize`) is not among the settings of a model: it is taken from its call, or give
#'   it again.
#' @param formula A formula, in place of `tdata`: label on the left, features on the right side. `data`, `subset`,
#'   `weights` and `na.action` follow, as for [sbrl()].
#' @param data With a model, its training rows; others are refused.
#' @param times Number of samples.
#' @param ... Other arguments, passed to [sbrl()]. With a model, they replace its settings.
#' @inheritParams sbrl
#' @return An object of class `"sbrl_bag"`, which is also an `"sbrl_lists"`: plain R data that can be saved with
#'   [saveRDS()] or [sbrl_write_json()]. It has no training rows. Its fields are
#' \describe{
#'   \item{medoid, chosen}{the list that [medoid()] returns, and its number}
#'   \item{lists}{`lengths`, the number of rules in each list; `rules`, indices into `medoid$rulenames`, one list after
#'     the other; `counts`, training rows of the sample captured, class by class and rule by rule, the default rule of
#'     each list last}
#'   \item{seen}{data frame, one row per candidate in use: its index, its support, and the candidate that represents
#'     all of nearly equal cover}
#'   \item{fits}{data frame, one row per sample: its `seed`, the `length` of its list, the `conditions` in it, `lambda`,
#'     `log_posterior`, the number of `candidates`, and the measures on the rows that it does not have}
#'   \item{out_of_bag}{the measures of the averaged predictions, and `n`, the number of rows, or their weight}
#'   \item{spread}{how much the lists differ: `dice`, mean similarity of two lists; `sd`, mean over the training rows of
#'     the standard deviation of their probabilities, its `sd_median` and its `sd_90` (90% quantile); `other_class`, the
#'     share of predictions of single lists that differ from the class predicted by the bag}
#'   \item{seed, call}{as in a model}
#' }
#' @references Breiman, L. (1996) Bagging predictors. *Machine Learning* **24**, 123--140.
#' @seealso [summary.sbrl_bag()], [predict.sbrl_lists()], [rules.sbrl_lists()], [medoid()], [sbrl()] with `teacher`,
#'   [plot.sbrl_lists()]; [sbrl_posterior()] for lists that differ because of the posterior, not because of the
#'   sample.
#' @examples
#' hot <- transform(airquality, Hot = Temp > 80, Temp = NULL)
#' bag <- sbrl_bag(Hot ~ Ozone + Solar.R + Wind + Month, data = hot, times = 10,
#'                 iters = 500, nchain = 2, seed = 1)
#' bag
#' summary(bag)
#' predict(bag, hot[1:3, ], type = "interval")
#' medoid(bag)
#' @export
sbrl_bag <- function(tdata, ...) {
  by_name <- missing(tdata) || "formula" %in% ...names()
  UseMethod("sbrl_bag", if (by_name) NULL else tdata)
}

#' @rdname sbrl_bag
#' @export
sbrl_bag.data.frame <- function(tdata, times = 20, ..., label = NULL, weights = NULL, seed = NULL, threads = NULL,
                                progress = interactive()) {
  call <- tidy_call(match.call(), quote(sbrl_bag))
  bag_frame(tdata, given_arguments(match.call(expand.dots = FALSE)), new_origin(call))
}

#' @rdname sbrl_bag
#' @export
sbrl_bag.formula <- function(formula, ...) {
  fit_formula(door = new_door(bag_door, sys.call(), parent.frame()), ...)
}

#' @rdname sbrl_bag
#' @export
sbrl_bag.sbrl <- function(tdata, data, times = 20, ..., weights = NULL, seed = NULL, threads = NULL,
                          progress = interactive()) {
  model <- check_model(tdata, "tdata", pool = TRUE, report = TRUE)
  if (missing(data)) {
    abort_sbrl("argument", "`data` is missing: give the training rows of the model.")
  }
  data <- check_data_frame(data, "data")
  given <- check_passed(list(...), allowed = bag_arguments(), own = names(formals(sbrl_bag.sbrl)))
  args <- list(times = times, seed = seed, threads = threads, progress = progress)
  origin <- new_origin(tidy_call(match.call(), quote(sbrl_bag)), model$terms)
  arguments <- without_default_iters(model_arguments(model, given), origin$by_formula)
  plan <- bag_plan(args, arguments, signals = identical(progress, TRUE) || missing(progress))
  catch_memory({
    training_rows(model, data, weights)
    frame <- model_frame_of(model, data, weights)
    bag_rows(read_cv_rows(frame, model$settings$label, weights, plan$arguments), plan, origin)
  })
}

#' @rdname sbrl_bag
#' @export
sbrl_bag.default <- function(tdata, ...) {
  default_door(door = new_door(bag_door, sys.call(), parent.frame()), tdata, ...)
}

bag_door <- function() {
  list(
    name = quote(sbrl_bag), method = sbrl_bag.data.frame, defaults = formula_defaults, fit = bag_frame,
    reads = "a data frame, a formula or a model made by sbrl()"
  )
}

bag_frame <- function(tdata, given, origin) {
  args <- complete_arguments(formals(sbrl_bag.data.frame), given)
  arguments <- check_passed(args$passed, allowed = bag_arguments(), own = names(formals(sbrl_bag.data.frame)))
  arguments <- without_default_iters(arguments, origin$by_formula)
  plan <- bag_plan(args, arguments, signals = identical(args$progress, TRUE) || !"progress" %in% names(given))
  catch_memory(bag_rows(read_cv_rows(tdata, args$label, args$weights, arguments), plan, origin))
}

# The lists of a bag are averaged, which shrinks their probabilities already.
bag_arguments <- function() {
  setdiff(tunable_arguments(), c("shrink", "teacher"))
}

bag_plan <- function(args, arguments, signals) {
  check_setting(arguments)
  check_whole(args$times, "times", min = 2, max = 1e5)
  check_flag(args$progress, "progress")
  check_optional_whole(args$seed, "seed", min = 0)
  check_optional_whole(args$threads, "threads", min = 1)
  list(
    times = args$times, arguments = arguments, seed = choose_seed(args$seed), threads = args$threads,
    progress = args$progress, signals = signals
  )
}

# The settings of a model as arguments of sbrl(), replaced by those that are `given`.
model_arguments <- function(model, given) {
  settings <- model$settings
  same <- c("iters", "rule_minlen", "rule_maxlen", "lambda", "eta", "alpha", "nchain", "minsupport", "method",
            "max_length", "time_limit", "max_rules", "bins")
  arguments <- c(settings[same], list(
    simplify = settings$simplify == 1, empty_as_missing = settings$empty_as_missing == 1,
    labels = if (length(model$labels) > 0L) model$labels
  ))
  if (is.na(settings$iters)) arguments$iters <- NULL
  if (!is.na(settings$lambda_first)) arguments$lambda <- "auto"
  if (!is.na(settings$target_rules)) arguments[c("target_rules", "minsupport")] <- list(settings$target_rules, NULL)
  arguments <- c(arguments, label_arguments(model))
  if (is.null(given$discretize)) arguments$discretize <- called_discretize(model)
  if (is.null(given$conditions)) arguments$conditions <- called_conditions(model)
  if (any(startsWith(as.character(names(given)), "minsupport"))) arguments$minsupport <- NULL
  arguments[names(given)] <- given
  arguments
}

# Only the call has how the cut points were found, and only if that was an argument.
called_discretize <- function(model) {
  found <- as.list(model$call)$discretize
  if (is.null(found)) {
    return(NULL)
  }
  if (!is_text(found)) {
    abort_sbrl("argument", "Give `discretize` again, as for the model: its settings do not include the cut points.")
  }
  found
}

# The same of the kind of conditions; where the call has only the name of a variable, or is lost, the items show it.
called_conditions <- function(model) {
  found <- as.list(model$call)$conditions
  is_known <- is_text(found) && found %in% condition_kinds
  if (is_known) found else if (model$format == newest_format) "rich"
}

# The label and the features of a model, from the rows it was fitted to; the label as a factor of its classes.
model_frame_of <- function(model, data, weights) {
  counts <- check_weights(weights, nrow(data)) %||% rep(1, nrow(data))
  codes <- score_label(model, data, counts > 0, "data")
  names <- c(feature_names(model$features), model$dropped)
  if (is.null(model$terms)) names <- intersect(names, readable_names(data))
  columns <- take_columns(data, names, model$terms, "data")
  label <- factor(model$classes, model$classes)[codes]
  as_frame(stats::setNames(c(columns, list(label)), c(names, model$settings$label)), nrow(data))
}

# Averaged predictions of many lists.

#' Predict with many rule lists
#'
#' `predict()` averages the class probabilities that the lists give each row.
#'
#' Rows are read as for a single list, see [predict.sbrl()], and `missing` has the same meaning: each list treats a
#' missing value as it would alone. Each distinct antecedent is matched once, so that many lists cost little more than
#' one.
#'
#' The interval is that of the mixture over lists: each list contributes the posterior distribution of the probability
#' of its rule. It covers both how much the lists differ and how few rows a rule may have captured, unlike the
#' interval *given one list* of [predict.sbrl()]. The lists of a bag differ as those of bootstrap samples do; those of
#' a posterior, as much as the data leave open.
#'
#' @param object Many rule lists: the result of [sbrl_bag()] or [sbrl_posterior()].
#' @param tdata,newdata A data frame with the features that the lists use; two names for the same argument.
#' @param type What to return for each row, as for [predict.sbrl()], except `"rule"`, because no single rule
#'   captures a row.
#' @param level Coverage of the interval.
#' @inheritParams predict.sbrl
#' @return See [predict.sbrl()].
#' @seealso [sbrl_bag()], [sbrl_posterior()], [predict.sbrl()] for one list.
#' @examples
#' bag <- sbrl_bag(Species ~ ., data = iris, times = 10, iters = 500, nchain = 2, seed = 1)
#' rows <- iris[c(1, 51, 71, 101), ]
#' predict(bag, rows, type = "matrix")
#' predict(bag, rows, type = "class")
#' predict(bag, rows, type = "interval")
#' @export
predict.sbrl_lists <- function(object, tdata, type = c("prob", "matrix", "class", "interval"), ..., # nolint
                               newdata, level = 0.95, missing = c("fallthrough", "error", "base_rate")) {
  check_dots_empty(...)
  object <- check_lists(object)
  is_old_name <- !base::missing(tdata)
  if (is_old_name != base::missing(newdata)) {
    abort_sbrl("argument", "Give the rows to predict as `tdata` or as `newdata`, not both.")
  }
  data <- if (is_old_name) tdata else newdata
  arg <- if (is_old_name) "tdata" else "newdata"
  data <- check_data_frame(data, arg)
  if (identical(type, "rule")) {
    abort_sbrl("argument", "`type` must not be \"rule\": no single rule captures a row. medoid() returns one list.")
  }
  type <- check_choice(type, "type", c(prediction_types(object$medoid), "interval"))
  check_level(level)
  policy <- check_missing(missing, object$medoid)
  catch_memory({
    found <- average_lists(object, data, arg, policy, if (type == "interval") level)
    meet_undecided(found, policy, identical(missing, missing_policies), nrow(data))
    format_average(object$medoid, found, type)
  })
}

# Mean class probabilities, one row per row of `data`; with a `level` also the ends of the interval. `columns` and
# `undecided` are for meet_undecided().
average_lists <- function(x, data, arg, missing = "fallthrough", level = NULL) {
  input <- list_input(x, data, arg, missing)
  weights <- cell_weights(x)
  probs <- mean_probabilities(weights)
  n_points <- if (is.null(level)) 0 else ceiling(n_points_in_all / n_lists(x))
  table <- list(
    n_classes = ncol(probs), probs = flat_by_row(probs), n_points = n_points,
    points = if (is.null(level)) double() else cell_points(x, weights, n_points),
    tail = if (is.null(level)) 0 else (1 - level) / 2
  )
  found <- call_job(native_average_lists, input, table)
  found$mean <- sum_to_one(matrix(found$mean, ncol = ncol(probs), dimnames = list(NULL, x$medoid$classes)))
  c(found, list(input = input))
}

# What native functions read: the columns of the features in use, and the rules of all lists numbered anew.
list_input <- function(x, data, arg, missing = "fallthrough") {
  compact <- compact_rules(x$medoid, x$seen$candidate)
  names <- feature_names(compact$features)
  columns <- encode_new(take_columns(data, names, x$medoid$terms, arg), compact$features)
  lists_on_columns(x, compact, columns, nrow(data), missing)
}

# The same for columns that are encoded already, in the order of the features of `compact`.
lists_on_columns <- function(x, compact, columns, n_rows, missing = "fallthrough") {
  list(
    columns = columns, items = compact$items, rules = list(items = compact$rule_items, lengths = compact$rule_lengths),
    lists = list(lengths = x$lists$lengths, rules = match(x$lists$rules, x$seen$candidate)),
    missing_is_known = compact$has_missing, base_rate = as.double(missing == "base_rate"), n_rows = n_rows,
    names = feature_names(compact$features)
  )
}

# The number of the cell that each list gives each row: a matrix of rows and lists.
list_cells <- function(x, data, arg, missing = "fallthrough") {
  found <- call_job(native_list_cells, list_input(x, data, arg, missing))
  matrix(found$cells, nrow(data), n_lists(x))
}

# A distribution is represented by its quantiles. All lists together have about this many points.
n_points_in_all <- 1000

# Points of each cell and class. Those of list i lie at the shares ((0, 1, ...) + v_i) / n; the v_i of all lists are
# spread evenly, so that also one point a list represents the mixture.
cell_points <- function(x, weights, n_points) {
  shift <- radical_inverse(seq_len(n_lists(x)))
  cell_shift <- rep(shift, x$lists$lengths + 2L)
  k <- ncol(weights)
  shares <- outer(seq_len(n_points) - 1, rep(cell_shift, each = k), `+`) / n_points
  weight <- rep(flat_by_row(weights), each = n_points)
  total <- rep(rep(rowSums(weights), each = k), each = n_points)
  used <- rep(rep(seq_len(k) %in% reported_classes(x$medoid), nrow(weights)), each = n_points)
  points <- double(length(weight))
  points[used] <- beta_end(as.vector(shares)[used], weight[used], (total - weight)[used], lower = TRUE)
  points
}

# The binary digits of whole numbers, mirrored at the point: 1/2, 1/4, 3/4, 1/8, ...
radical_inverse <- function(i) {
  result <- double(length(i))
  unit <- 1
  while (any(i > 0)) {
    unit <- unit / 2
    result <- result + unit * (i %% 2)
    i <- i %/% 2
  }
  result
}

meet_undecided <- function(found, missing, warn, n_rows) {
  if (length(found$undecided) > 0L && (missing == "error" || (missing == "fallthrough" && warn))) {
    input <- found$input
    lacking <- vapply(input$columns, \(column) anyNA(column$values[found$undecided]), NA)
    names <- input$names[lacking & input$missing_is_known == 0L]
    meet_missing(length(found$undecided), n_rows, names, missing)
  }
}

format_average <- function(model, found, type) {
  estimates <- found$mean
  allow_interrupt(nrow(estimates))
  if (type == "interval") {
    reported <- estimates[cbind(seq_len(nrow(estimates)), reported_class(model, estimates))]
    return(cbind(prob = reported, lower = found$lower, upper = found$upper))
  }
  values <- predicted_values(model, estimates, type = type)
  if (type == "class" && length(values) > 1L && length(unique(values)) == 1L) {
    inform_only_class(length(values), as.character(values[1L]))
  }
  values
}

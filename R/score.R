# Scores: log prior, log likelihood, log posterior and prefix bound of any list of a model's candidates.

#' Score any rule list
#'
#' `sbrl_score()` gives the log prior, log likelihood and log posterior of a
#' list of a model's candidates on any labelled data, and its prefix bound.
#'
#' The list is scored with the model's pool of candidates and its `lambda`, `eta` and
#' `alpha`. The log posterior is not normalised. The prefix bound is an upper
#' bound on the log posterior of every list that begins with the given rules.
#'
#' @param model A model made by [sbrl()].
#' @param tdata A data frame with the features used by `rules` and the label column of the model.
#' @param rules The antecedents in order, without the default rule: elements of
#'   `model$rulenames` or their indices. None at all is the list of the default rule only.
#' @param weights Weights of the rows, numbers from 0 on, or `NULL`.
#' @return A named numeric vector: `log_prior`, `log_likelihood`, `log_posterior`, `prefix_bound`.
#' @examples
#' set.seed(1)
#' model <- sbrl(tictactoe, iters = 2000, rule_maxlen = 3, nchain = 4)
#' sbrl_score(model, tictactoe)
#' sbrl_score(model, tictactoe, c("{c1=x,c2=x,c3=x}", "{c4=x,c5=x,c6=x}"))
#' sbrl_score(model, tictactoe, model$rs$V1[-nrow(model$rs)])
#' model$score
#' @export
sbrl_score <- function(model, tdata, rules = character(), weights = NULL) {
  model <- check_model(model, "model", pool = TRUE)
  check_data_frame(tdata, "tdata")
  rules <- resolve_rules(rules, model$rulenames)
  catch_memory(score_list(model, tdata, rules, check_weights(weights, nrow(tdata))))
}

score_list <- function(model, tdata, rules, weights) {
  compact <- compact_rules(model, rules)
  counts <- if (is.null(weights)) rep(TRUE, nrow(tdata)) else weights > 0
  label <- score_label(model, tdata, counts)
  allow_interrupt()
  warn_unlabelled(sum(is.na(label) & counts), model$settings$label)
  allow_interrupt()
  keep <- !is.na(label) & counts
  names <- feature_names(compact$features)
  columns <- encode_new(take_columns(tdata, names, model$terms, "tdata"), compact$features)
  if (!all(keep)) {
    columns <- lapply(columns, \(column) replace(column, "values", list(column$values[keep])))
  }
  allow_interrupt()
  training <- list(
    codes = label[keep], weights = weights[keep], n_classes = length(model$classes), columns = columns,
    items = compact$items
  )
  prior <- list(
    n_by_length = n_by_length(model$pool),
    lambda = model$settings$lambda, eta = model$settings$eta, alpha = unname(model$settings$alpha)
  )
  list <- list(items = compact$rule_items, lengths = compact$rule_lengths)
  score <- call_job(native_score, training, prior, list)
  stats::setNames(score, c("log_prior", "log_likelihood", "log_posterior", "prefix_bound"))
}

# Candidate indices of the rules, each one known and named once.
resolve_rules <- function(rules, rulenames) {
  by_name <- is.character(rules)
  index <- if (by_name) rules_by_name(as.vector(unclass(rules)), rulenames) else rules_by_index(rules, rulenames)
  if (anyDuplicated(index) > 0L) {
    twice <- rulenames[index[duplicated(index)]]
    abort_sbrl("argument", sprintf("`rules` must differ; %s occurs more than once.", quote_values(twice)))
  }
  index
}

rules_by_name <- function(rules, rulenames) {
  check_that(all(is_valid_text(rules)), rules, "rules", "text in a valid encoding")
  rules <- enc2utf8(rules)
  unknown <- !rules %in% rulenames
  if (any(unknown)) {
    message <- "`rules` must be elements of `model$rulenames`, not %s."
    abort_sbrl("argument", sprintf(message, quote_values(rules[unknown])))
  }
  # Odd names can make two candidates look alike; only an index tells these apart.
  ambiguous <- rules %in% rulenames[duplicated(rulenames)]
  if (any(ambiguous)) {
    message <- "More than one candidate is called %s; give its index instead."
    abort_sbrl("argument", sprintf(message, quote_values(rules[ambiguous])))
  }
  match(rules, rulenames)
}

rules_by_index <- function(rules, rulenames) {
  n <- length(rulenames)
  ok <- (is.numeric(rules) && !is.object(rules) || is.null(rules)) && all(rules %in% seq_len(n))
  check_that(ok, rules, "rules", sprintf("names of candidates, or their indices from 1 to %d", n))
  as.integer(rules)
}

# NA where `counts` is FALSE: what such a row says does not matter.
score_label <- function(model, tdata, counts, arg = "tdata", name = model$settings$label) {
  y <- tryCatch(
    take_columns(tdata, name, model$terms, arg)[[1L]],
    sbrl_error_column = function(e) {
      abort_sbrl("label", sprintf("`%s` has no label column %s.", arg, quote_names(name)))
    }
  )
  y <- as_label_column(y, name)
  y <- if (takes_empty_as_missing(model)) without_empty(y) else y
  y[!counts] <- NA
  allow_interrupt()
  unknown <- setdiff(label_levels(y, name), model$classes)
  allow_interrupt()
  if (length(unknown) > 0L) {
    message <- "Label column %s holds %s, but the classes of the model are %s."
    abort_sbrl("label", sprintf(message, quote_names(name), quote_values(unknown), quote_values(model$classes)))
  }
  label_codes(y, model$classes)
}

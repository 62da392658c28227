# Fitting: sbrl() and its methods read the data; all of them meet in fit_sbrl().

#' Fit a Bayesian rule list
#'
#' `sbrl()` learns a short, ordered list of *if ... then probability* rules
#' that predicts a label of two classes. It mines antecedents that are
#' frequent in either class, then searches the posterior distribution over
#' lists of them with several Markov chains, and returns the best list.
#'
#' The twelve arguments up to `nchain` are those of version 1.4, with the same
#' order, names and defaults.
#'
#' **The label** is two-valued. With `pos_sign` or `neg_sign` given, or if the
#' values are 0 and 1, these say which class is which. Otherwise `TRUE`, the
#' second level of a factor or the greater value is positive. Rows
#' whose label is missing are dropped with a warning.
#'
#' **The other columns** are features: factors, text, logicals, and numbers with
#' at most two distinct values. Each level is one item,
#' `feature=level`. A missing value obeys no item of its feature. Names and levels may hold any
#' text. Constant columns are dropped; `summary()` names them.
#'
#' **Candidates** are the conjunctions of `rule_minlen` to `rule_maxlen` items, of
#' different features, whose support reaches `minsupport_pos` within the positive *or*
#' `minsupport_neg` within the negative class.
#'
#' **Randomness.** `set.seed()` governs the result: one number is
#' drawn from R's generator, and `seed` takes its place if given. The result
#' does not depend on `threads`, on the locale or on the machine.
#'
#' @param tdata A data frame (a tibble or data table will do) with a label column.
#' @param iters Iterations of each chain.
#' @param pos_sign,neg_sign The label values of the positive and the negative class.
#' @param rule_minlen,rule_maxlen Least and greatest number of items in an antecedent.
#' @param minsupport_pos,minsupport_neg Least share of the rows of the positive
#'   and of the negative class that an antecedent must cover, from 0 to 1; 0 means at least one row.
#' @param lambda Prior mean of the number of rules.
#' @param eta Prior mean of the number of items in a rule.
#' @param alpha Prior pseudo-counts, `c(negative, positive)`: any positive numbers, or one for
#'   both, or two named by class.
#' @param nchain Number of chains.
#' @param ... For methods. A name that no argument has is an error.
#' @param label Name of the label column; `NULL` stands for `"label"`.
#' @param threads Number of threads that share the chains.
#' @param seed A whole number that seeds the search, or `NULL` to draw one from R's generator.
#' @param time_limit Seconds after which the search stops and returns the best
#'   list so far; the model then says `stopped_early`. If there are no candidates by then, it is an error.
#' @param progress Show the progress of the search on the console's error stream?
#' @param target_rules If given, both supports are replaced by the smallest
#'   one, in whole per cent, that gives at most this many candidates.
#' @param max_rules More candidates than this are an error, before they fill the memory.
#'
#' @return An object of class `"sbrl"`: a list of plain R data that can be
#'   saved with [saveRDS()] or [sbrl_write_json()]. It holds no training rows. Its fields are
#' \describe{
#'   \item{rs}{data frame, one row per rule and the default rule last: `V1`, the
#'     index of the antecedent in `rulenames`, 0 for the default rule; `V2`, the probability of the
#'     positive class}
#'   \item{rulenames}{the candidates, such as `{a=u,b=p}`}
#'   \item{featurenames}{the items, such as `a=u`}
#'   \item{mat_feature_rule}{0/1 matrix, items in rows, candidates in columns
#'     (`NULL` if it had more than 20 million cells)}
#'   \item{classes}{the two label values, the positive one last}
#'   \item{counts, probs}{matrices, rules in rows, classes in columns: training rows captured, and class probabilities}
#'   \item{score}{`log_prior`, `log_likelihood` and `log_posterior` of the list}
#'   \item{settings}{the settings of the fit}
#'   \item{features, items, pool}{levels of each feature, table of items, and the items of each candidate}
#'   \item{dropped}{names of the constant columns}
#'   \item{chains, trace}{data frames on the search: one row per chain; the course of each chain}
#'   \item{timing, stopped_early, seed, version, call}{how the fit went}
#' }
#'
#' @references Yang, H., Rudin, C. and Seltzer, M. (2017) Scalable Bayesian Rule
#'   Lists. *Proceedings of the 34th International Conference on Machine Learning*.
#'   \doi{10.48550/arXiv.1602.08610}
#'
#' @seealso [predict.sbrl()], [rules()], [summary.sbrl()], [sbrl_score()].
#' @examples
#' train <- tictactoe[1:639, ]
#' test <- tictactoe[640:958, ]
#' set.seed(1)
#' model <- sbrl(train, iters = 5000, rule_maxlen = 3, nchain = 4)
#' model
#' mean(predict(model, test, type = "class") == test$label)
#' @export
sbrl <- function(tdata, iters = 30000, pos_sign = "1", neg_sign = "0", rule_minlen = 1, rule_maxlen = 1,
                 minsupport_pos = 0.10, minsupport_neg = 0.10, lambda = 10, eta = 1, alpha = c(1, 1), nchain = 10,
                 ..., minsupport = NULL) {
  # `minsupport` is named here because R would otherwise take it for an abbreviation of two others.
  UseMethod("sbrl")
}

#' @rdname sbrl
#' @export
sbrl.data.frame <- function(tdata, iters = 30000, pos_sign = "1", neg_sign = "0", rule_minlen = 1, rule_maxlen = 1,
                            minsupport_pos = 0.10, minsupport_neg = 0.10, lambda = 10, eta = 1, alpha = c(1, 1),
                            nchain = 10, ..., label = NULL, weights = NULL, minsupport = NULL, discretize = "mdlp",
                            bins = 3, threads = getOption("sbrl.threads", 2), seed = NULL, time_limit = Inf,
                            progress = interactive(), target_rules = NULL, max_rules = 1e6) {
  check_dots_empty(...)
  signs <- read_signs(pos_sign, neg_sign, missing(pos_sign), missing(neg_sign))
  args <- check_settings(list(
    iters = iters, rule_minlen = rule_minlen, rule_maxlen = rule_maxlen, minsupport_pos = minsupport_pos,
    minsupport_neg = minsupport_neg, lambda = lambda, eta = eta, alpha = alpha, nchain = nchain,
    minsupport = minsupport, discretize = discretize, bins = bins, threads = threads, seed = seed,
    time_limit = time_limit, progress = progress, target_rules = target_rules, max_rules = max_rules
  ))
  fit_sbrl(read_frame(tdata, label, weights), signs, args, tidy_call(match.call()))
}

#' @rdname sbrl
#' @export
sbrl.default <- function(tdata, ...) {
  if (missing(tdata) && "formula" %in% ...names()) {
    return(fit_formula(match.call(), parent.frame(), ...))
  }
  if (missing(tdata)) {
    abort_sbrl("argument", "`tdata` is missing: give a data frame with a label column, or a formula and `data`.")
  }
  check_that(FALSE, tdata, "tdata", "a data frame or a formula")
}

# The call as the user wrote it; data passed by value (do.call) must not hide in the model.
tidy_call <- function(call) {
  call[[1L]] <- quote(sbrl)
  for (arg in intersect(c("tdata", "weights"), names(call))) {
    if (!is.language(call[[arg]])) {
      call[[arg]] <- as.name(arg)
    }
  }
  call
}

# From columns to model; whatever the door, this is the way. `args` were checked by check_settings().
fit_sbrl <- function(frame, signs, args, call) {
  label <- read_label(frame$label, frame$label_name, signs)
  warn_unlabelled(sum(!label$has_label), frame$label_name)
  frame <- keep_rows(frame, label$has_label)
  target <- list(
    codes = label$codes[label$has_label], weights = frame$weights, n_classes = length(label$classes)
  )
  input <- read_features(frame, target, read_cutting(args))
  settings <- settings_for(args, frame, stats::setNames(class_weights(target), label$classes))
  seed <- choose_seed(args$seed)
  result <- run_fit_job(
    list(
      columns = input$codes, items = as.list(input$items), label = target$codes, weights = target$weights,
      settings = engine_settings(settings, seed)
    ),
    settings$time_limit, args$progress
  )
  settings$minsupport[] <- result$minsupport
  warn_no_candidate(result)
  new_sbrl(c(
    parts_from_result(result, settings), input[c("features", "items", "dropped")], list(seed = seed, call = call)
  ))
}

class_weights <- function(target) {
  if (is.null(target$weights)) {
    return(as.double(tabulate(target$codes, target$n_classes)))
  }
  vapply(seq_len(target$n_classes), \(class) sum(target$weights[target$codes == class]), 1)
}

warn_no_candidate <- function(result) {
  if (length(result$rulenames) == 0L) {
    warn_sbrl("no_candidate", paste(
      "No antecedent has the support asked for, so the model holds the default rule only.",
      "Lower `minsupport_pos` and `minsupport_neg`, or give columns that vary."
    ))
  }
}

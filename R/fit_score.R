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
#' **Rules that you write.** A formula has nothing before the `~` and joins conditions by `&`: a feature compared with a
#' value by `<`, `<=`, `>`, `>=`, `==` or `!=`, in either order; `job %in% c("cook", "student")`; `is.na(x)` and
#' `!is.na(x)`; `!` before a condition; a logical feature alone. Values are numbers, text, `TRUE` and `FALSE`,
#' `as.Date("2024-01-31")` and `as.POSIXct("2024-01-31 12:00", tz = "UTC")`. Nothing is evaluated: a variable is an
#' error. The features are those of the model; for one of a formula, such as `log(x)`, write `~ log(x) > 2`. `!=` and
#' `!` before a set match the other levels of the training data, and no missing value. Words are those of [rules()]:
#' `"28 <= age < 36 and job in {cook, student}"`.
#'
#' A rule that matches the same values as a candidate is that candidate, the shortest one if there are several. Any
#' other is scored as a candidate that the pool has as well, with its own cut points; its length in the prior is the
#' nearest one that candidates have. A rule that matches all or none of the rows gives a warning of class
#' `sbrl_warning_rule`.
#'
#' @inheritParams as_sql
#' @param tdata,data A data frame with the features used by `rules` and the label column of the model; two names for
#'   the same argument.
#' @param rules The antecedents in order: elements of `model$rulenames` or their indices; or what you write: a formula
#'   such as `~ age >= 65 & sex == "male"`, words as they are printed, or a list of these, see below. The conditions of
#'   an antecedent may be in any order, `{b=p,a=u}` or `{a=u,b=p}`. The default rule may come last, as in
#'   `rules(model)$antecedent` and in `model$rs$V1`, or be left out. No rules at all: the list that has only the
#'   default rule.
#' @param weights Weights of the rows, numbers, 0 or more, or `NULL`.
#' @return A named numeric vector: `log_prior`, `log_likelihood`, `log_posterior`, `prefix_bound`.
#' @seealso [sbrl_max_length()] for the length bound, [sbrl_certify()] for a proof that a list is the best one.
#' @examples
#' # Is "women and children first" as good as the list that was found?
#' people <- as.data.frame(Titanic)
#' survival <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'                  lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' sbrl_score(survival, people, c("{Sex=Female}", "{Age=Child}"), weights = people$Freq)
#' survival$score
#' sbrl_score(survival, people, ~ Sex == "Female" & Class != "3rd", weights = people$Freq)
#'
#' # The empty list, two rules, and the list itself.
#' model <- sbrl(tictactoe, rule_maxlen = 3, lambda = 8, seed = 1)
#' sbrl_score(model, tictactoe)
#' sbrl_score(model, tictactoe, c("{c1=x,c2=x,c3=x}", "{c4=x,c5=x,c6=x}"))
#' sbrl_score(model, data = tictactoe, rules = rules(model)$antecedent)
#' model$score
#' @export
sbrl_score <- function(model, tdata, rules = character(), weights = NULL, data) {
  model <- check_model(model, "model", pool = TRUE)
  if (missing(tdata) == missing(data)) {
    abort_sbrl("argument", "Give the rows to score as `tdata` or as `data`, one of the two.")
  }
  arg <- if (missing(tdata)) "data" else "tdata"
  rows <- if (missing(tdata)) data else tdata
  rows <- check_data_frame(rows, arg)
  rules <- resolve_list(without_default(rules), model)
  weights <- check_weights(weights, nrow(rows))
  catch_memory(score_list(model, rows, rules, weights, arg))
}

score_list <- function(model, tdata, listed, weights, arg) {
  compact <- compact_list(model, listed)
  rows <- encode_rows(model, compact, tdata, weights, arg)
  warn_useless(compact, rows)
  own <- compact$prior_lengths[compact$own]
  score <- score_antecedents(model, rows$training, c(rows$rules, compact["prior_lengths"]), own)
  stats::setNames(score, c(score_fields, "prefix_bound"))
}

# Log prior, log likelihood, log posterior and prefix bound of antecedents: `items` of `training`, and `lengths`. The
# candidates are those of the model and as many as there are lengths of `own` ones.
score_antecedents <- function(model, training, list, own = integer()) {
  prior <- list(
    n_by_length = n_by_length_with(model$pool, own),
    lambda = model$settings$lambda, eta = model$settings$eta, alpha = unname(model$settings$alpha)
  )
  call_job(native_score, training, prior, list)
}

# The first three of a list of candidates of encoded rows.
score_candidates <- function(model, rows, candidates) {
  score_antecedents(model, rows$training, candidates_in(rows, candidates))[1:3]
}

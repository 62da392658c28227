# sbrl_certify(): a proof that no better list exists, or how much better one could be.

#' Is this the best list?
#'
#' `sbrl_certify()` looks for a rule list with a higher posterior than the model's, by branch and bound, and proves how
#' good the best one is: that no list of the model's candidates is better, that no list up to some length is, or by how
#' much a better one could exceed it at most.
#'
#' The proof is about the list as the search found it, `model$found`, before rules that captured no row were left out
#' (`simplify` in [sbrl()]). It is valid among the model's candidates, for its `lambda`, `eta` and `alpha`, and to
#' 1e-6 nats. Lists of other candidates may be better, and the best list need not predict best. If several lists have
#' the same posterior, the proof is about the value.
#'
#' Pools of a few dozen candidates, and clean data, are often proved completely. On noisy data with hundreds of
#' candidates a complete proof is out of reach; the certificate then reports what is proved for short lists, and the
#' gap.
#'
#' A budget in nodes gives the same certificate on any number of threads and any machine; one in seconds or memory does
#' not. A node is one pass over all candidates.
#'
#' @inheritParams as_sql
#' @param data The training rows of the model: a data frame with the label column. Other rows are refused.
#' @param max_length The most rules of the lists that the proof is about; `Inf` for lists of any length. By default the
#'   limit of the fit, `max_length` in [sbrl()].
#' @param gap Lists that are better by at most this, in nats, are not looked for.
#' @param time_limit,max_nodes,max_memory The most seconds, nodes and bytes to spend. `max_memory` does not count the
#'   data.
#' @inheritParams sbrl
#' @param weights The weights of the training rows, if the model was fitted with weights.
#' @return An object of class `"sbrl_certificate"`: a list with the fields
#' \describe{
#'   \item{status}{`"optimal"`: no list that was asked about is better; `"optimal_at_most"`: none of at most
#'     `max_length_proved` rules is; `"within"`: none is better by more than `gap`; `"none"`: the gap is too large to be
#'     useful}
#'   \item{log_posterior, upper_bound, gap}{of the best list known, of all lists asked about, and their difference}
#'   \item{max_length, max_length_proved}{the most rules of the lists asked about, and of those proved}
#'   \item{by_length}{data frame: `max_length`, the highest `log_posterior` of lists up to that length, and whether it
#'     is `proved`}
#'   \item{n_rules, n_candidates, lambda, eta, alpha}{what the proof is about}
#'   \item{nodes, seconds, ended}{what it cost, and what ended it: `"solved"`, `"max_nodes"`, `"max_memory"` or
#'     `"time_limit"`}
#'   \item{trace}{data frame: how the bound came down}
#'   \item{model}{if a better list was found, a model with that list; else `NULL`}
#' }
#' A model keeps a certificate as its field `certificate`; assign it, `model$certificate <- certificate`, to have it in
#' [summary()], [sbrl_report()] and [sbrl_write_json()]. `sbrl(certify_nodes = 1e6)` does so at once.
#' @seealso [plot.sbrl_certificate()], [sbrl_score()], [sbrl_posterior()] for how sure the list is, which is another
#'   question.
#' @examples
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               iters = 1000, nchain = 2, seed = 1)
#' certificate <- sbrl_certify(model, people, weights = people$Freq)
#' certificate
#' certificate$status
#' plot(certificate)
#' @export
sbrl_certify <- function(model, data, max_length = model$settings$max_length, gap = 0, time_limit = 60, max_nodes = Inf,
                         max_memory = 2e9, threads = getOption("sbrl.threads", 2), progress = interactive(),
                         weights = NULL) {
  model <- check_model(model, "model", pool = TRUE, report = TRUE)
  refuse_taught(model, "a certificate")
  if (missing(data)) {
    abort_sbrl("argument", "`data` is missing: give the training rows of the model.")
  }
  data <- check_data_frame(data, "data")
  check_max_length(max_length)
  check_that(is_number(gap) && gap >= 0 && is.finite(gap), gap, "gap", "one number from 0 on")
  check_seconds(time_limit, "time_limit")
  check_budget(max_nodes, "max_nodes")
  check_budget(max_memory, "max_memory")
  check_whole(threads, "threads", max = .Machine$integer.max)
  check_flag(progress, "progress")
  asked <- list(
    max_length = as.double(max_length), gap = as.double(gap), time_limit = as.double(time_limit),
    max_nodes = as.double(max_nodes), max_memory = as.double(max_memory), threads = as.double(threads)
  )
  catch_memory(certify_model(model, data, weights, asked, progress))
}

check_budget <- function(x, arg) {
  ok <- identical(x, Inf) || is_whole(x, 1, 2^53)
  check_that(ok, x, arg, "one whole number, 1 or more (`Inf` for no limit)")
}

certify_model <- function(model, data, weights, asked, progress) {
  if (length(model$rulenames) == 0L) {
    abort_sbrl("model", "`model` has no candidates, so there is nothing to prove.")
  }
  # all columns, so that the rows have the order of the fit
  training <- training_rows(model, data, weights, whole_pool(model))
  asked_settings <- c("max_length", "threads", "time_limit")
  settings <- replace(model$settings, asked_settings, asked[asked_settings])
  settings$ends_in_else <- as.double(!is.null(model$terms))
  line <- progress_line(progress, certify_progress, asked$time_limit)
  on.exit(line$clear())
  budget <- asked[c("gap", "max_nodes", "max_memory")]
  found <- on_interrupt(
    call_job(native_certify, training$training, settings, training$rules, model$found$rules, budget, see = line$show),
    "Interrupted: there is no certificate. To keep what is proved so far, set `time_limit` and let it end by itself."
  )
  if (!are_near(found$given$score[3L], model$found$score[["log_posterior"]])) {
    refuse_rows("model", "data", "the list that was found has another score on these.")
  }
  is_better <- found$certificate$log_posterior > found$given$score[3L] + certificate_claim
  certificate <- new_certificate(found$certificate, model, asked, found$seconds, length(found$found$rules))
  if (is_better && length(model$found$rules) <= asked$max_length) {
    certificate$model <- better_model(model, found, certificate)
  }
  certificate
}

# A model with the list that was found.
better_model <- function(model, found, certificate) {
  model$settings$else_rule <- found$else_rule
  # of the list that was found before
  model$settings$settled <- NULL
  new_sbrl(c(
    model[c("features", "items", "pool", "dropped", "labels", "seed", "terms", "settings", "chains", "trace", "timing",
            "stopped_early", "call")],
    list(
      rules = found$list$rules, counts = count_matrix(found$list$counts, model$classes), score = found$list$score,
      found = found$found[c("rules", "score")], certificate = certificate
    )
  ))
}

certify_progress <- function(state, seconds, left) {
  if (state$phase != "certify" || is.na(state$bound)) {
    return(sprintf("sbrl: preparing the proof, %.1f s", seconds))
  }
  sprintf("sbrl: bound %.3f, gap %.3f, lists of at most %.0f rules proved, %s nodes/s, %.0f s", state$bound,
          state$bound - state$best, state$proved, with_thousands(round(state$nodes / max(seconds, 0.1))), seconds)
}

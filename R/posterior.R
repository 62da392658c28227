# sbrl_posterior(): draws of whole rule lists from the posterior of a model.

#' How sure are we of this list?
#'
#' `sbrl_posterior()` draws rule lists from the posterior distribution behind a fitted model. The draws answer what one
#' list cannot: which rules and features are certain, how much a prediction varies between lists that fit about as well,
#' and how the average of all of them predicts.
#'
#' `print()` and `summary()` begin with a verdict: whether the chains agree well enough for the draws to be trusted. If
#' they do not, there is also a warning of class `"sbrl_warning_convergence"`. Averaged predictions are usually good
#' even then, but do not rely on statements about single rules.
#'
#' **What is drawn.** The posterior over the lists of the model's candidates with at most `max_length` rules, with the
#' model's `lambda`, `eta` and `alpha`. The candidates, and the cut points in them, were chosen with the labels of the
#' same rows; no interval accounts for that.
#'
#' **How.** By replica exchange (parallel tempering). Copies of the chain run at up to 32 temperatures between the
#' posterior and the prior, from which exact draws are free, and swap their lists. This reaches lists that the plain
#' chains of [sbrl()] would not reach: those are valid samplers as well, but rarely long enough. In a *round*, each
#' temperature makes as many steps as there are candidates, but at least 100 and at most 400, and then lists are
#' swapped. The temperatures are adapted during `warmup` and then fixed. Each chain is independent of the others and
#' begins at draws from the prior; after the warm-up it runs `draws` rounds and keeps one list in `chains` rounds, so
#' that all chains together keep about `draws` lists.
#'
#' **The verdict** asks for R-hat at most 1.05 for the log likelihood, for the number of active rules (those that
#' capture a training row) and for the predictions of up to 20 training rows that vary between lists; a Monte Carlo
#' standard error of at most 0.01 of these predictions; and ten restarts: copies that have been at the prior and arrive
#' at the posterior. R-hat is the rank-normalised split-R-hat.
#'
#' **The evidence** is the probability of the labels given candidates, `lambda`, `eta` and `alpha`. It depends on all
#' temperatures, not on the coldest alone, so it can be wrong by several nats where the draws are fine. It takes longer
#' to settle, and usually rises until it has. `summary()` warns about it unless there were ten round trips (copies that
#' went from the posterior to the prior and came back) and the two halves of the rounds agree to within one nat. More
#' `draws` help.
#'
#' @inheritParams as_sql
#' @param data The training rows of the model: a data frame with the label column. Other rows are refused.
#' @param draws Number of lists to keep, of all chains together, and rounds of each chain after the warm-up.
#' @param chains Number of independent chains, 2 or more.
#' @param warmup Rounds of warm-up of each chain; `NULL` for 800, or half of `draws` if that is more.
#' @param weights The weights that the model was fitted with, or `NULL`.
#' @param threads Number of threads, which has no effect on the draws.
#' @param seed A whole number that determines the draws. If `NULL`, one number is drawn from R's generator, so that
#'   [set.seed()] determines them.
#' @param time_limit Seconds after which sampling ends with the draws so far; at most half of it is spent on the
#'   warm-up.
#' @param progress Whether to show progress on the console's error stream.
#' @return An object of class `"sbrl_posterior"`, which is also an `"sbrl_lists"`: plain R data that can be saved with
#'   [saveRDS()] or [sbrl_write_json()]. It has no training rows. Its fields are
#' \describe{
#'   \item{medoid, chosen}{the list that [medoid()] returns, and its number}
#'   \item{lists}{the draws: `lengths`, the number of rules in each list; `rules`, indices into `medoid$rulenames`, one
#'     list after the other; `counts`, training rows captured, class by class and rule by rule, the default rule of
#'     each list last}
#'   \item{seen}{data frame, one row per candidate in use: its index, its support, and the candidate that represents
#'     all of equal cover}
#'   \item{draws}{data frame, one row per draw: `.chain`, `.iteration`, `.draw`, `log_prior`, `log_likelihood`,
#'     `log_posterior`, `length` and `active`, the number of rules that capture a row}
#'   \item{diagnostics}{data frame, one row per quantity: `quantity` (`"log_likelihood"`, `"active"` or `"prediction"`),
#'     the `row` of `data` and the `class` that a prediction is of, `mean`, `sd`, `mcse`, `rhat`, `ess_bulk`,
#'     `ess_tail`}
#'   \item{tempering}{`betas`, the inverse temperatures; `swap_rates` between them; `restarts` and `round_trips` of each
#'     chain; `warmup` and `rounds`, as many as were done}
#'   \item{evidence}{`log_evidence`, the log probability of the labels given that the list has at most `max_length`
#'     rules, by bridge sampling between neighbouring temperatures; `se`, its standard error from the spread between
#'     chains; `drift`, the same from the second half of the rounds minus that from the first; `log_prior_mass`, the log
#'     prior probability of such lists}
#'   \item{others}{lists for [alternatives()], with their prices and how far their predictions are apart}
#'   \item{stopped_early, seed, call}{as in a model}
#' }
#' @references Vehtari, A., Gelman, A., Simpson, D., Carpenter, B. and Bürkner, P.-C. (2021) Rank-normalization,
#'   folding, and localization: an improved R-hat for assessing convergence of MCMC. *Bayesian Analysis* **16**,
#'   667--718.
#'
#'   Meng, X.-L. and Wong, W. H. (1996) Simulating ratios of normalizing constants via a simple identity: a theoretical
#'   exploration. *Statistica Sinica* **6**, 831--860.
#'
#'   Syed, S., Bouchard-Côté, A., Deligiannidis, G. and Doucet, A. (2022) Non-reversible parallel tempering: a scalable
#'   highly parallel MCMC scheme. *Journal of the Royal Statistical Society B* **84**, 321--350.
#' @seealso [predict.sbrl_lists()], [rules.sbrl_posterior()], [medoid()], [alternatives()], [sbrl_loo()],
#'   [plot.sbrl_posterior()].
#' @examples
#' passengers <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = passengers, weights = Freq, seed = 1)
#' posterior <- sbrl_posterior(model, passengers, weights = passengers$Freq,
#'                             draws = 400, seed = 1)
#' posterior
#' rules(posterior)
#' predict(posterior, passengers[1:3, ], type = "interval")
#' @export
sbrl_posterior <- function(model, data, draws = 1000, chains = 4, warmup = NULL, weights = NULL,
                           threads = getOption("sbrl.threads", 2), seed = NULL, time_limit = Inf,
                           progress = interactive()) {
  model <- check_model(model, "model", pool = TRUE, report = TRUE)
  refuse_taught(model, "a posterior")
  if (missing(data)) {
    abort_sbrl("argument", "`data` is missing: give the training rows of the model.")
  }
  data <- check_data_frame(data, "data")
  plan <- check_posterior_plan(list(
    draws = draws, chains = chains, warmup = warmup, threads = threads, seed = seed, time_limit = time_limit,
    progress = progress
  ))
  call <- match.call()
  call[[1L]] <- quote(sbrl_posterior)
  catch_memory({
    training <- training_rows(model, data, weights)
    sampled <- run_posterior_job(model, training, plan)
    posterior <- assemble_posterior(model, training, sampled, plan, call)
    inform_posterior(posterior, plan)
    posterior
  })
}

check_posterior_plan <- function(plan) {
  check_whole(plan$chains, "chains", min = 2, max = 1000)
  check_whole(plan$draws, "draws", min = 1, max = 1e8)
  if (plan$draws < 4 * plan$chains) {
    message <- "`draws` must be at least four per chain, %.0f in all, not %.0f."
    abort_sbrl("argument", sprintf(message, 4 * plan$chains, plan$draws))
  }
  check_optional_whole(plan$warmup, "warmup", min = 0)
  check_whole(plan$threads, "threads", max = .Machine$integer.max)
  check_optional_whole(plan$seed, "seed", min = 0)
  check_seconds(plan$time_limit, "time_limit")
  check_flag(plan$progress, "progress")
  plan$warmup <- as.double(plan$warmup %||% max(800, plan$draws %/% 2))
  plan$seed <- choose_seed(plan$seed)
  plan
}

run_posterior_job <- function(model, training, plan) {
  settings <- c(model$settings[c("lambda", "eta", "max_length")], list(
    alpha = unname(model$settings$alpha), chains = as.double(plan$chains), warmup = plan$warmup,
    rounds = as.double(plan$draws), every = as.double(plan$chains), seed = plan$seed,
    threads = as.double(plan$threads), time_limit = as.double(plan$time_limit)
  ))
  line <- progress_line(plan$progress, posterior_progress_text, plan$time_limit)
  on.exit(line$clear())
  see <- \(state) line$show(list(phase = state$phase, done = state$iterations, total = state$total))
  sampled <- call_job(native_posterior, training$training, training$rules, settings, see = see)
  if (length(sampled$lengths) < 4 * plan$chains) {
    message <- "`time_limit` ran out after %.0f rounds of warm-up and %.0f more, too few to be useful. Raise it."
    abort_sbrl("time_limit", sprintf(message, sampled$rounds[1L], sampled$rounds[2L]))
  }
  sampled
}

posterior_progress_text <- function(state, seconds, left) {
  if (state$phase != "search") {
    return(sprintf("sbrl: reading columns, %.1f s", seconds))
  }
  share <- 100 * state$done / max(1, state$total)
  sprintf("sbrl: %3.0f%% of %s rounds%s", share, with_thousands(state$total), time_left_text(left))
}

inform_posterior <- function(x, plan) {
  if (x$stopped_early) {
    message <- "Stopped by `time_limit`: %.0f of %.0f rounds of warm-up done and %.0f of %.0f after it."
    rounds <- c(x$tempering$warmup, plan$warmup, x$tempering$rounds, plan$draws)
    inform_sbrl("time_limit", do.call(sprintf, c(list(message), as.list(rounds))))
  }
  verdict <- judge_posterior(x)
  if (!verdict$is_good) {
    warn_sbrl("convergence", paste(verdict$text, verdict$advice))
  }
}

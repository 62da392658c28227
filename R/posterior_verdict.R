# Whether the draws of a posterior can be trusted, in one sentence, and what to do if not.

most_rhat <- 1.05
most_mcse <- 0.01
least_restarts <- 10

# A quantity that hardly varies has no useful R-hat; its standard error still counts.
judge_posterior <- function(x) {
  found <- x$diagnostics
  is_prediction <- found$quantity == "prediction"
  rhat <- c(1, found$rhat[!is.na(found$rhat)])
  mcse <- c(0, found$mcse[is_prediction & !is.na(found$mcse)])
  restarts <- sum(x$tempering$restarts)
  problems <- c(
    if (max(rhat) > most_rhat) {
      sprintf("the chains disagree (R-hat is %s for %s)", rhat_text(max(rhat)), worst_quantity(found))
    },
    if (max(mcse) > most_mcse) {
      sprintf("a prediction is known to within a standard error of %.3f only", max(mcse))
    },
    if (restarts < least_restarts) {
      sprintf("only %s travelled from the prior to the posterior", counted(restarts, "list"))
    }
  )
  is_good <- length(problems) == 0L
  figures <- sprintf("largest R-hat %s, standard error of predictions at most %.4f, %s restarts from the prior",
                     rhat_text(max(rhat)), max(mcse), with_thousands(restarts))
  list(
    is_good = is_good, rhat = max(rhat), mcse = max(mcse), restarts = restarts, problems = problems,
    text = if (is_good) {
      sprintf("The draws can be trusted: the chains agree (%s).", figures)
    } else {
      sprintf("The draws should not be relied on: %s.", paste(problems, collapse = "; "))
    },
    advice = if (!is_good) {
      paste(
        "Averaged predictions may still be good, but do not rely on statements about single rules.",
        "Ask for more `draws`, or fit with a smaller `max_length` or fewer candidates."
      )
    }
  )
}

rhat_text <- function(rhat) {
  if (rhat >= 100) "over 100" else sprintf("%.2f", rhat)
}

worst_quantity <- function(found) {
  worst <- found[which.max(found$rhat), ]
  words <- c(log_likelihood = "the log likelihood", active = "the number of active rules")
  if (worst$quantity %in% names(words)) words[[worst$quantity]] else sprintf("the prediction of row %.0f", worst$row)
}

# The evidence depends on all temperatures, the draws on the coldest alone. So it settles later, and from below: lists
# of high likelihood form last.
least_round_trips <- 10
most_drift <- 1

# NULL, or why the evidence should not be used.
evidence_problem <- function(x) {
  trips <- sum(x$tempering$round_trips)
  drift <- x$evidence[["drift"]]
  if (trips >= least_round_trips && isTRUE(abs(drift) <= most_drift)) {
    return(NULL)
  }
  sprintf(
    "The log evidence has not settled (%.0f round trips, %+.1f from the first half of the rounds to the second): %s",
    trips, drift, "it may be several nats too low. Ask for more `draws`."
  )
}

# Sentences that belong to every summary: what the draws are draws of, and what they do not account for.
posterior_notes <- function(x) {
  limit <- x$medoid$settings$max_length
  at_limit <- mean(x$draws$length == limit)
  c(
    if (at_limit > 0) {
      sprintf("This is the posterior of lists of at most %.0f rules; %s of the draws have as many.",
              limit, percent_text(at_limit))
    },
    if (x$stopped_early) "Sampling was stopped early by the time limit.",
    "Candidates and cut points were chosen with the same labels; no interval accounts for that."
  )
}

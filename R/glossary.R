# The glossary: one help page for the words that help, messages and reports use.

#' The words used in this package
#'
#' @section Data:
#' \describe{
#'   \item{row}{one case: a patient, a customer, a game. Rows may have weights.}
#'   \item{feature}{a column that rules may use.}
#'   \item{label, class}{the column to predict; one of its values. Of two classes, the *positive* one is the class whose
#'     probability is reported.}
#'   \item{base rate}{the share of a class among all training rows.}
#'   \item{held-out rows}{rows that were not used for training, to judge a list by.}
#' }
#'
#' @section Rules:
#' \describe{
#'   \item{condition}{a test on one feature: `age < 40`, `colour = red`, `income is missing`.}
#'   \item{antecedent}{conditions joined by *and*. Its *length* is their number.}
#'   \item{rule}{an antecedent with the class probabilities of the rows it captures.}
#'   \item{rule list}{rules in order, and the default rule. The first rule that matches a row decides.}
#'   \item{default rule}{the last line, *else*. It captures the rows that no rule matches, and does not count as a
#'     rule.}
#'   \item{cover, support}{the rows that match an antecedent, whatever the rules above it; their share, from 0 to 1.
#'     The *minimum support* (`minsupport`) is how common an antecedent must be in some class to be considered.}
#'   \item{capture}{a rule captures the rows that match it and no rule above it.}
#'   \item{thin}{a rule with little evidence: fewer than 30 rows captured, or an interval wider than 0.3. Marked by a
#'     star.}
#'   \item{candidate, pool}{an antecedent that the search may use; all of them.}
#'   \item{cut point}{a number is cut into intervals; a cut point is where one ends and the next begins.}
#' }
#'
#' @section Probabilities:
#' \describe{
#'   \item{lambda}{the number of rules expected before the data are seen (prior mean).}
#'   \item{eta}{the number of conditions expected in a rule (prior mean).}
#'   \item{alpha}{pseudo-counts added to each class in each rule. They keep a rule with few rows from claiming
#'     certainty. By default they add up to 2.}
#'   \item{log posterior}{the score of a list, on the log scale: its prior, which prefers short lists of short rules,
#'     plus its likelihood, which prefers rules that separate the classes. Differences are in *nats*: 1 nat is a
#'     factor of 2.7.}
#'   \item{credible interval}{an interval that contains the probability of a rule with, for example, 95% probability.
#'     *Given this list*, it takes the rules as known. *Over lists* ([sbrl_posterior()]), it also includes the doubt
#'     about the rules, and is wider.}
#'   \item{confidence interval}{of a measure such as the AUC: how far it might be off because the held-out rows are a
#'     sample.}
#'   \item{AUC}{the probability that a positive row gets a higher probability than a negative one. 0.5 is guessing.}
#'   \item{log loss}{mean of minus the log probability of the true class. Lower is better.}
#'   \item{Brier score}{mean squared error of the probabilities. Lower is better.}
#'   \item{calibration slope}{1 if probabilities are right on average; below 1 if they are too extreme.}
#' }
#'
#' @section Search:
#' \describe{
#'   \item{chain, iteration}{one run of the search; one step of it.}
#'   \item{move}{a change to a list: add, remove, swap or replace a rule.}
#'   \item{polish}{try all single moves on the best list until none improves it.}
#'   \item{best list}{the list with the highest log posterior found (maximum a posteriori, MAP). It is *proved* to be
#'     the best only with a certificate.}
#'   \item{draw}{a list sampled from the posterior after warm-up.}
#'   \item{active rule}{in a draw, a rule that captures at least one training row.}
#'   \item{certificate, gap}{a proof about the best list, see [sbrl_certify()]; by how many nats a better list might
#'     still exceed it.}
#'   \item{bag, out of bag}{lists fitted to bootstrap samples, see [sbrl_bag()]; rows that a sample does not contain.}
#'   \item{medoid}{the list of a bag or posterior whose predictions are nearest to the average.}
#' }
#' @seealso [sbrl()], `vignette("sbrl")`, `vignette("method", "sbrl")`.
#' @name sbrl-glossary
#' @aliases glossary
#' @examples
#' # A word in use: support and captures differ, because rules above take rows away.
#' people <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = people, weights = Freq,
#'               lambda = 5, iters = 5000, nchain = 4, seed = 1)
#' rules(model)
NULL

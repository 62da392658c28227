# Which rules and features the draws of a posterior use, and in which order.

#' Which rules and features a posterior uses
#'
#' `rules()` reports how probable it is that a rule, or a feature, is in the list. A rule is *active* in a list if it
#' captures at least one training row there. Lists of a posterior also have rules that capture nothing, which reflect
#' the prior rather than the data: read `active` rather than `inclusion`. Rules whose antecedents cover the same
#' training rows are counted together.
#'
#' @param object The result of [sbrl_posterior()].
#' @inheritParams rules.sbrl_lists
#' @inheritParams predict.sbrl
#' @return A data frame, the most probable first. By rule, one row per candidate that occurs in a draw, or several that
#'   cover the same rows: `rule` (its conditions in words), `antecedent` (its name in `rulenames`), `candidate` (its
#'   index there), `length` (number of conditions), `support` (share of the training rows covered), `inclusion` (share
#'   of the draws with it), `active` (share of the draws where it captures a row), `mcse` (Monte Carlo standard error of
#'   `active`), `first` (share of the draws whose first active rule it is), `position` (mean position among the active
#'   rules) and `alike` (number of antecedents counted together). By feature: `feature`, `inclusion` (share of the
#'   draws with an active rule that uses it), `mcse`, `first` and `rules` (mean number of active rules that use it).
#' @seealso [sbrl_posterior()], [plot.sbrl_posterior()], [rules()] for one list.
#' @examples
#' passengers <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = passengers, weights = Freq, seed = 1)
#' posterior <- sbrl_posterior(model, passengers, weights = passengers$Freq,
#'                             draws = 400, seed = 1)
#' rules(posterior)
#' rules(posterior, by = "feature")
#' @export
rules.sbrl_posterior <- function(object, by = c("rule", "feature"), ...) { # nolint: object_name_linter. A method.
  check_dots_empty(...)
  object <- check_lists(object)
  by <- check_choice(by, "by", c("rule", "feature"))
  if (by == "rule") posterior_rules(object) else posterior_features(object)
}

posterior_rules <- function(x) {
  uses <- list_uses(x)
  uses$group <- x$seen$group[match(uses$candidate, x$seen$candidate)]
  groups <- sort(unique(uses$group))
  active <- active_uses(x)
  shares <- inclusion_shares(active, active$group, groups, n_lists(x))
  present <- unique(uses[c("list", "group")])
  table <- data.frame(
    rule = rule_antecedents(x$medoid, rules = groups), antecedent = x$medoid$rulenames[groups], candidate = groups,
    length = x$medoid$pool$lengths[groups], support = x$seen$support[match(groups, x$seen$candidate)],
    inclusion = tabulate(match(present$group, groups), length(groups)) / n_lists(x), active = shares$inclusion,
    mcse = indicator_mcse(x, active$list, active$group, groups), first = shares$first, position = shares$position,
    alike = tabulate(match(x$seen$group, groups), length(groups))
  )
  table <- table[order(-table$active, -table$first, -table$inclusion, groups), ]
  rownames(table) <- NULL
  table
}

posterior_features <- function(x) {
  table <- feature_inclusion(x)
  uses <- feature_uses(x)
  features <- match(table$feature, feature_names(x$medoid$features))
  cbind(
    table[c("feature", "inclusion")], mcse = indicator_mcse(x, uses$list, uses$feature, features),
    table[c("first", "rules")]
  )
}

# The lists and features of all conditions of active rules.
feature_uses <- function(x) {
  uses <- active_uses(x)
  pool <- x$medoid$pool
  lengths <- pool$lengths[uses$candidate]
  items <- pool$items[sequence(lengths, from = pool_places(pool$lengths, uses$candidate) + 1)]
  data.frame(list = rep(uses$list, lengths), feature = x$medoid$items$feature[items])
}

# Monte Carlo standard error of the share of the draws with each of `keys`; 0 for what all draws have or none.
indicator_mcse <- function(x, list, key, keys) {
  n_chains <- max(x$draws$.chain)
  n <- n_lists(x)
  vapply(keys, function(one) {
    has <- seq_len(n) %in% list[key == one]
    if (all(has) || !any(has)) {
      return(0)
    }
    halves <- split_halves(matrix(as.double(has), ncol = n_chains))
    size <- effective_size(halves)
    stats::sd(has) / sqrt(if (is.na(size)) n else size)
  }, 1)
}

# Share of the draws with both rules active in which that of the row comes before that of the column. NA where no draw
# has both, or where no draw shows that they compete for rows, so that their order is arbitrary.
rule_order <- function(x, candidates) {
  uses <- active_uses(x)
  place <- matrix(NA_real_, n_lists(x), length(candidates))
  known <- uses$group %in% candidates
  place[cbind(uses$list[known], match(uses$group[known], candidates))] <- uses$position[known]
  n <- length(candidates)
  before <- matrix(NA_real_, n, n, dimnames = list(candidates, candidates))
  for (i in seq_len(n)) {
    for (j in seq_len(n)[-i]) {
      both <- !is.na(place[, i]) & !is.na(place[, j])
      if (any(both) && !are_disjoint(x$medoid, candidates[c(i, j)])) {
        before[i, j] <- mean(place[both, i] < place[both, j])
      }
    }
  }
  before
}

# Whether no row can match both antecedents, because two of their conditions exclude each other.
are_disjoint <- function(model, pair) {
  items <- lapply(pair, function(candidate) {
    place <- pool_places(model$pool$lengths, candidate)
    model$pool$items[sequence(model$pool$lengths[candidate], from = place + 1)]
  })
  any(outer(items[[1L]], items[[2L]], are_exclusive, items = model$items))
}

# Which rules and features many lists use.

#' Which rules and features many lists use
#'
#' `rules()` reports how often each rule, or each feature, occurs in many lists. A rule counts if it captured at
#' least one training row. Rules whose antecedents cover nearly the same training rows are counted together: those of a
#' bag if the rows that both cover are at least 90% of those that one or the other covers.
#'
#' @param object Many rule lists, such as the result of [sbrl_bag()].
#' @param by `"rule"` or `"feature"`.
#' @inheritParams predict.sbrl
#' @return A data frame, the most frequent first. By rule: `rule` (its conditions in words), `antecedent` (its name in
#'   `rulenames`), `length` (number of conditions), `support` (share of the training rows that it covers), `inclusion`
#'   (share of the lists that use it), `first` (share of the lists that begin with it), `position` (mean position in the
#'   lists that use it) and `alike` (number of antecedents that are counted together; the one shown is the most
#'   frequent of them). By feature: `feature`, `inclusion` (share of the lists with a rule that uses it), `first` and
#'   `rules` (mean number of rules per list that use it).
#' @seealso [plot.sbrl_lists()], [rules()] for one list.
#' @examples
#' bag <- sbrl_bag(Species ~ ., data = iris, times = 10, iters = 500, nchain = 2, seed = 1)
#' rules(bag)
#' rules(bag, by = "feature")
#' @export
rules.sbrl_lists <- function(object, by = c("rule", "feature"), ...) { # nolint: object_name_linter.
  check_dots_empty(...)
  object <- check_lists(object)
  by <- check_choice(by, "by", c("rule", "feature"))
  if (by == "rule") rule_inclusion(object) else feature_inclusion(object)
}

# The rules that captured rows, with their position among these.
active_uses <- function(x) {
  uses <- list_uses(x)
  uses <- uses[uses$n > 0, ]
  uses$position <- sequence(tabulate(uses$list, n_lists(x)))
  uses$group <- x$seen$group[match(uses$candidate, x$seen$candidate)]
  uses
}

rule_inclusion <- function(x) {
  uses <- active_uses(x)
  group <- unique(uses$group)
  shares <- inclusion_shares(uses, uses$group, group, n_lists(x))
  alike <- x$seen$group[x$seen$candidate %in% uses$candidate]
  table <- data.frame(
    rule = rule_antecedents(x$medoid, rules = group), antecedent = x$medoid$rulenames[group],
    length = x$medoid$pool$lengths[group], support = x$seen$support[match(group, x$seen$candidate)], shares,
    alike = tabulate(match(alike, group), length(group))
  )
  sort_inclusion(table, group)
}

# `key` is what each use is counted for, one of `groups`; in a list it counts once, at its first position.
inclusion_shares <- function(uses, key, groups, n_lists) {
  once <- !duplicated(list2DF(list(uses$list, key)))
  place <- match(key[once], groups)
  n <- tabulate(place, length(groups))
  first <- tabulate(match(key[uses$position == 1L & once], groups), length(groups))
  position <- vapply(seq_along(groups), \(i) mean(uses$position[once][place == i]), 1)
  data.frame(inclusion = n / n_lists, first = first / n_lists, position = position)
}

sort_inclusion <- function(table, tie) {
  table <- table[order(-table$inclusion, -table$first, tie), ]
  rownames(table) <- NULL
  table
}

feature_inclusion <- function(x) {
  uses <- active_uses(x)
  pool <- x$medoid$pool
  lengths <- pool$lengths[uses$candidate]
  items <- pool$items[sequence(lengths, from = pool_places(pool$lengths, uses$candidate) + 1)]
  row <- rep(seq_len(nrow(uses)), lengths)
  feature <- x$medoid$items$feature[items]
  # a feature with two conditions in a rule counts once
  once <- !duplicated(list2DF(list(row, feature)))
  each <- seq_along(x$medoid$features)
  shares <- inclusion_shares(uses[row[once], ], feature[once], each, n_lists(x))
  table <- data.frame(
    feature = feature_names(x$medoid$features), inclusion = shares$inclusion, first = shares$first,
    rules = tabulate(feature[once], length(each)) / n_lists(x)
  )
  sort_inclusion(table, each)
}

# Which groups of rules each list uses: a logical matrix of lists and groups.
list_groups <- function(x) {
  uses <- active_uses(x)
  groups <- sort(unique(uses$group))
  used <- matrix(FALSE, n_lists(x), length(groups))
  used[cbind(uses$list, match(uses$group, groups))] <- TRUE
  used
}

# Mean similarity of two different lists, by Dice: twice the rules that both use over the rules of one and of the other.
# Two lists without rules are the same.
mean_dice <- function(x) {
  used <- list_groups(x) + 0
  if (nrow(used) < 2L) {
    return(NA_real_)
  }
  sizes <- rowSums(used)
  both <- outer(sizes, sizes, `+`)
  dice <- ifelse(both == 0, 1, 2 * tcrossprod(used) / both)
  mean(dice[upper.tri(dice)])
}

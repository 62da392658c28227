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
#' @inheritParams as_sql
#' @param tdata,data A data frame with the features used by `rules` and the label column of the model; two names for
#'   the same argument.
#' @param rules The antecedents in order: elements of `model$rulenames` or their indices. The conditions of an
#'   antecedent may be in any order, `{b=p,a=u}` or `{a=u,b=p}`. The default rule may come last, as in
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
  rules <- resolve_rules(without_default(rules), model)
  weights <- check_weights(weights, nrow(rows))
  catch_memory(score_list(model, rows, rules, weights, arg))
}

score_list <- function(model, tdata, rules, weights, arg) {
  rows <- encode_rows(model, compact_rules(model, rules), tdata, weights, arg)
  stats::setNames(score_antecedents(model, rows$training, rows$rules), c(score_fields, "prefix_bound"))
}

# Log prior, log likelihood, log posterior and prefix bound of antecedents: `items` of `training`, and `lengths`.
score_antecedents <- function(model, training, list) {
  prior <- list(
    n_by_length = n_by_length(model$pool),
    lambda = model$settings$lambda, eta = model$settings$eta, alpha = unname(model$settings$alpha)
  )
  call_job(native_score, training, prior, list)
}

# The first three of a list of candidates of encoded rows.
score_candidates <- function(model, rows, candidates) {
  score_antecedents(model, rows$training, candidates_in(rows, candidates))[1:3]
}

# Every list ends with the default rule, so it need not be named.
without_default <- function(rules) {
  n <- bare_length(rules)
  last <- if (n > 0L && is.atomic(rules) && !has_dim(rules)) as.vector(unclass(rules))[[n]]
  if (identical(last, default_rule_text) || is_whole(last, 0, 0)) as.vector(unclass(rules))[-n] else rules
}

# Candidate indices of the rules, each one known and named once.
resolve_rules <- function(rules, model) {
  rulenames <- model$rulenames
  by_name <- is.character(rules)
  index <- if (by_name) rules_by_name(as.vector(unclass(rules)), model) else rules_by_index(rules, rulenames)
  if (anyDuplicated(index) > 0L) {
    twice <- rulenames[index[duplicated(index)]]
    abort_sbrl("argument", sprintf("`rules` must differ; %s occurs more than once.", quote_values(twice)))
  }
  index
}

rules_by_name <- function(rules, model) {
  check_that(all(is_valid_text(rules)), rules, "rules", "text in a valid encoding")
  rules <- enc2utf8(rules)
  rulenames <- model$rulenames
  index <- match(rules, rulenames)
  index[is.na(index)] <- vapply(rules[is.na(index)], find_reordered, 1L, model = model)
  if (anyNA(index)) {
    message <- "`rules` must be elements of `model$rulenames`, not %s."
    abort_sbrl("argument", sprintf(message, quote_values(rules[is.na(index)])))
  }
  # Odd names can make two candidates look alike; only an index distinguishes these.
  ambiguous <- rules %in% rulenames[duplicated(rulenames)]
  if (any(ambiguous)) {
    message <- "More than one candidate is called %s; give its index instead."
    abort_sbrl("argument", sprintf(message, quote_values(rules[ambiguous])))
  }
  index
}

# The candidate with the conditions of a rule in another order; NA if there is none.
find_reordered <- function(rule, model) {
  items <- match(split_conditions(rule, model$items$name, max(model$pool$lengths, 0L)), model$items$name)
  alike <- which(model$pool$lengths == length(items))
  if (length(items) == 0L || length(alike) == 0L || anyDuplicated(items) > 0L) {
    return(NA_integer_)
  }
  places <- pool_places(model$pool$lengths, alike)
  flat <- model$pool$items[sequence(rep(length(items), length(alike)), from = places + 1)]
  alike[colSums(matrix(flat %in% items, length(items))) == length(items)][1L]
}

# "{a=u,b=p}" as its conditions, at most `n_most`. Levels may hold commas, so each piece is joined with those after it
# until a known condition is found. NULL if that cannot be done, or in more than one way.
split_conditions <- function(rule, known, n_most) {
  if (!isTRUE(startsWith(rule, "{") && endsWith(rule, "}"))) {
    return(NULL)
  }
  # strsplit() gives no empty piece at the end, so there must be something behind it
  inside <- substr(rule, 2L, nchar(rule) - 1L)
  pieces <- utils::head(strsplit(paste0(inside, ",."), ",", fixed = TRUE)[[1L]], -1L)
  n <- length(pieces)
  widest <- max(0L, lengths(strsplit(known, ",", fixed = TRUE))) + 1L
  if (n == 0L || n > n_most * widest) {
    return(NULL)
  }
  # from the last piece to the first: in how many ways the rest can be read, and where its first condition ends
  ways <- c(rep(0, n), 1)
  end <- integer(n)
  for (from in rev(seq_len(n))) {
    for (to in from:min(n, from + widest - 1L)) {
      if (ways[to + 1L] > 0 && paste(pieces[from:to], collapse = ",") %in% known) {
        ways[from] <- ways[from] + ways[to + 1L]
        end[from] <- to
      }
    }
  }
  if (ways[1L] != 1) {
    return(NULL)
  }
  starts <- Reduce(\(at, unused) if (at > n) at else end[at] + 1L, seq_len(n), 1L, accumulate = TRUE)
  starts <- unique(starts[starts <= n])
  vapply(starts, \(at) paste(pieces[at:end[at]], collapse = ","), "")
}

rules_by_index <- function(rules, rulenames) {
  n <- length(rulenames)
  ok <- (!is.object(rules) && is.numeric(rules) || is.null(rules)) && all(rules %in% seq_len(n))
  check_that(ok, rules, "rules", sprintf("names of candidates, or their indices from 1 to %d", n))
  as.integer(rules)
}

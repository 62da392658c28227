# Rules by name or number: which candidates of a model they are.

# Every list ends with the default rule, so it need not be named.
without_default <- function(rules) {
  n <- bare_length(rules)
  if (n > 0L && typeof(rules) == "list" && !is.object(rules) && identical(rules[[n]], default_rule_text)) {
    return(rules[-n])
  }
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
  widest <- max(0L, lengths(strsplit(known, ",", fixed = TRUE))) + 1L
  if (length(pieces) == 0L || length(pieces) > n_most * widest) {
    return(NULL)
  }
  split_pieces(pieces, ",", \(piece) piece %in% known, widest)
}

rules_by_index <- function(rules, rulenames) {
  n <- length(rulenames)
  ok <- (!is.object(rules) && is.numeric(rules) || is.null(rules)) && all(rules %in% seq_len(n))
  check_that(ok, rules, "rules", sprintf("names of candidates, or their indices from 1 to %d", n))
  as.integer(rules)
}

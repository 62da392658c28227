# Conditions in words as they are printed, `28 <= age < 36 and sex = Male`, read back.

# The conditions of a rule in words, one per feature, or NULL if it cannot be read, or in more than one way. What is
# printed of the model's own conditions is looked up; other bounds and levels are read.
read_words <- function(text, model) {
  features <- name_features(class_features(model$features), model)
  known <- known_words(model, features)
  read <- function(words) {
    at <- match(words, known$words)
    if (is.na(at)) read_condition_words(words, features) else known$tests[[at]]
  }
  pieces <- strsplit(text, " and ", fixed = TRUE)[[1L]]
  if (length(pieces) == 0L || length(pieces) > 200L) {
    return(NULL)
  }
  found <- split_pieces(pieces, " and ", \(words) !is.null(read(words)), length(pieces))
  if (is.null(found)) {
    return(NULL)
  }
  join_tests(lapply(found, read), features)
}

# The items of the model by their words, in all ways they are printed.
known_words <- function(model, features) {
  plain <- lapply(features, \(feature) replace(feature, c("shown", "shown_levels"), list(NULL)))
  ways <- list(
    describe_items(model$items, features), describe_items(model$items, features, typeset_signs),
    describe_items(model$items, plain)
  )
  tests <- Map(function(feature, codes) as_test(feature, codes, features), model$items$feature, item_codes(model$items))
  words <- unlist(ways)
  tests <- rep(tests, length(ways))
  # words that two conditions share name neither
  keys <- rep(item_keys(model$items), length(ways))
  keep <- !duplicated(paste(words, keys))
  shared <- unique(words[keep][duplicated(words[keep])])
  keep <- keep & !words %in% shared
  list(words = words[keep], tests = tests[keep])
}

# An item as read_test() gives it.
as_test <- function(feature, codes, features) {
  is_range <- is_number_feature(features[[feature]]) && !identical(codes, 0L) &&
    !has_all_codes(features[[feature]], codes)
  if (!is_range) {
    return(levels_condition(feature, codes))
  }
  bounds <- item_bounds(list(feature = features[[feature]], codes = codes))
  range_condition(feature, bounds$from %||% -Inf, bounds$to %||% Inf)
}

# One condition in words as a test, or NULL.
read_condition_words <- function(words, features) {
  for (sign in names(ascii_signs)) {
    words <- gsub(typeset_signs[[sign]], ascii_signs[[sign]], words, fixed = TRUE)
  }
  for (j in seq_along(features)) {
    for (name in unique(c(features[[j]]$shown, shown_text(features[[j]]$name)))) {
      test <- read_feature_words(words, name, features[[j]], j)
      if (!is.null(test)) {
        return(test)
      }
    }
  }
}

read_feature_words <- function(words, name, feature, j) {
  tryCatch(
    if (startsWith(words, paste0(name, " "))) {
      read_predicate(substring(words, nchar(name) + 2L), feature, j)
    } else {
      read_between(words, name, feature, j)
    },
    sbrl_error = \(e) NULL
  )
}

# What follows the name.
read_predicate <- function(words, feature, j) {
  every <- seq_len(n_codes(feature))
  if (words == "is missing") {
    return(levels_condition(j, 0L))
  }
  if (words == "is not missing") {
    return(levels_condition(j, every))
  }
  form <- regmatches(words, regexec("^(in|not in|is not|<=|>=|<|>|=) (.+)$", words))[[1L]]
  if (length(form) == 0L) {
    return(NULL)
  }
  if (is_number_feature(feature)) {
    x <- word_number(form[3L], feature)
    sign <- if (form[2L] == "=") "==" else form[2L]
    return(if (!is.null(x) && sign %in% names(flipped)) compare_feature(feature, j, sign, x))
  }
  is_set <- endsWith(form[2L], "in")
  codes <- if (is_set) word_codes(form[3L], feature) else word_code(form[3L], feature)
  if (length(codes) == 0L) {
    return(NULL)
  }
  if (form[2L] %in% c("is not", "not in")) codes <- setdiff(every, codes)
  if (form[2L] %in% c("<=", "<", ">=", ">")) {
    if (!has_ranges(feature)) {
      return(NULL)
    }
    codes <- every[do.call(form[2L], list(every, codes))]
  }
  levels_condition(j, codes)
}

# `a <= name < b` and `a <= name <= b`.
read_between <- function(words, name, feature, j) {
  at <- regexpr(sprintf(" <= %s <", name), words, fixed = TRUE)
  if (at < 2L) {
    return(NULL)
  }
  from <- substr(words, 1L, at - 1L)
  rest <- substring(words, at + attr(at, "match.length") - 1L)
  upper <- regmatches(rest, regexec("^(<=|<) (.+)$", rest))[[1L]]
  if (length(upper) == 0L) {
    return(NULL)
  }
  if (!is_number_feature(feature)) {
    ends <- c(word_code(from, feature), word_code(upper[3L], feature))
    return(if (length(ends) == 2L && has_ranges(feature) && upper[2L] == "<=") levels_condition(j, ends[1L]:ends[2L]))
  }
  from <- word_number(from, feature)
  to <- word_number(upper[3L], feature)
  if (!is.null(from) && !is.null(to)) {
    lower <- compare_feature(feature, j, ">=", from)
    upper <- compare_feature(feature, j, upper[2L], to)
    range_condition(j, lower$from, upper$to)
  }
}

# The cut point with this text, or else the number that it is.
word_number <- function(text, feature) {
  unit <- unit_text(feature)
  if (nzchar(unit) && endsWith(text, unit)) text <- substr(text, 1L, nchar(text) - nchar(unit))
  at <- match(text, cut_text(feature))
  x <- if (is.na(at)) parse_values(feature, text) else feature$cuts[at]
  if (!is.na(x)) x
}

word_code <- function(text, feature) {
  codes <- seq_along(feature$levels)
  plain <- replace(feature, "shown_levels", list(NULL))
  ways <- list(
    level_text(feature, codes), level_word(feature, codes), level_text(plain, codes), level_word(plain, codes)
  )
  for (words in ways) {
    found <- which(words == text)
    if (length(found) == 1L) {
      return(found)
    }
  }
}

# The levels in `{a, b}`; NULL if one of them is unknown, or if some are not named.
word_codes <- function(text, feature) {
  if (!startsWith(text, "{") || !endsWith(text, "}")) {
    return(NULL)
  }
  inside <- substr(text, 2L, nchar(text) - 1L)
  token <- "(?:^|, )(?:\"(?:[^\"\\\\]|\\\\.)*\"|[^,\"{}]+)"
  found <- regmatches(inside, gregexpr(token, inside, perl = TRUE))[[1L]]
  found <- sub("^, ", "", found)
  if (paste(found, collapse = ", ") != inside) {
    return(NULL)
  }
  codes <- lapply(found, word_code, feature = feature)
  if (all(lengths(codes) == 1L)) sort(unique(unlist(codes)))
}

# Pieces of text that `by` joins, put together so that each part is known: the parts, at most `n_most` pieces each, or
# NULL if that cannot be done, or in more than one way.
split_pieces <- function(pieces, by, is_known, n_most) {
  n <- length(pieces)
  # from the last piece to the first: in how many ways the rest can be read, and where its first part ends
  ways <- c(rep(0, n), 1)
  end <- integer(n)
  for (from in rev(seq_len(n))) {
    for (to in from:min(n, from + n_most - 1L)) {
      if (ways[to + 1L] > 0 && is_known(paste(pieces[from:to], collapse = by))) {
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
  vapply(starts, \(at) paste(pieces[at:end[at]], collapse = by), "")
}

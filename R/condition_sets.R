# Rich conditions: sets of levels, intervals of several bins, "is not missing". Which ones a fit makes, and their texts.

condition_kinds <- c("plain", "rich")

check_conditions <- function(conditions) {
  ok <- is_string(conditions) && !is.object(conditions) && conditions %in% condition_kinds
  check_that(ok, conditions, "conditions", "\"plain\" or \"rich\"")
}

# With more levels than this, nobody reads what is true of all levels but one.
max_complement_levels <- 6L

# With more intervals or levels than this, only those next to each other and those at the ends are conditions: the
# number of all intervals grows with the square.
max_span_codes <- 20L

# The smaller of the cases "is missing" and "is not missing" must have this share of the rows.
min_present_share <- 0.05

# For each feature: the `groups` of its levels that are most probable with the label, and whether values are missing in
# some rows and present in others often enough that both are conditions. `outcome` as in learn_cuts().
find_level_groups <- function(features, columns, has_missing, outcome) {
  n_levels <- vapply(features, n_grouped_levels, 1L)
  asked <- which(n_levels > 0L | has_missing)
  found <- rep(list(list(groups = integer(), is_present = FALSE)), length(features))
  if (length(asked) == 0L) {
    return(found)
  }
  training <- c(outcome[c("codes", "weights", "n_classes")], list(columns = columns[asked]))
  learnt <- call_job(native_group_levels, training, n_levels[asked])
  total <- if (is.null(outcome$weights)) length(outcome$codes) else sum(outcome$weights)
  found[asked] <- Map(function(part, has_missing) {
    share <- part$missing / total
    list(groups = part$groups, is_present = has_missing && min(share, 1 - share) >= min_present_share)
  }, learnt, has_missing[asked])
  found
}

# How many levels are there to group? Of two levels there is nothing to learn.
n_grouped_levels <- function(feature) UseMethod("n_grouped_levels")

#' @export
n_grouped_levels.sbrl_feature <- function(feature) {
  0L
}

#' @export
n_grouped_levels.sbrl_feature_categorical <- function(feature) {
  n <- length(feature$levels)
  if (n > 2L) n else 0L
}

#' @export
n_grouped_levels.sbrl_feature_ordered <- function(feature) {
  0L
}

# The codes of the conditions that a fit adds to those of feature_ranges().
rich_codes <- function(feature, found) {
  c(more_codes(feature, found$groups), if (found$is_present && n_codes(feature) > 1L) list(seq_len(n_codes(feature))))
}

more_codes <- function(feature, groups) UseMethod("more_codes")

# Groups of several levels, then all levels but one. A group may be all levels but one.
#' @export
more_codes.sbrl_feature_categorical <- function(feature, groups) {
  n <- length(feature$levels)
  sets <- unname(split(seq_along(groups), groups))
  sets <- sets[lengths(sets) > 1L & lengths(sets) < n]
  others <- if (n > 2L && n <= max_complement_levels) lapply(seq_len(n), \(level) seq_len(n)[-level])
  unique(c(sets, others))
}

# What lies between two levels, with neither end of the order.
#' @export
more_codes.sbrl_feature_ordered <- function(feature, groups) {
  inner_spans(length(feature$levels))
}

#' @export
more_codes.sbrl_feature_number <- function(feature, groups) {
  inner_spans(length(feature$cuts) + 1L)
}

# Ranges of two codes and more without the first and the last of `n`.
inner_spans <- function(n) {
  if (n < 4L || n > max_span_codes) {
    return(list())
  }
  ends <- expand.grid(to = 2:(n - 1L), from = 2:(n - 1L))
  ends <- ends[ends$from < ends$to, ]
  unname(Map(`:`, ends$from, ends$to))
}

# Names of items ----

# A set as items are named, `{a,b}`, and levels from one to another of an order, `[a,b]`. Quotes enclose a level that
# could be read in another way.
set_text <- function(levels) {
  paste0("{", paste(quoted_levels(levels), collapse = ","), "}")
}

span_text <- function(levels) {
  paste0("[", paste(quoted_levels(levels), collapse = ","), "]")
}

quoted_levels <- function(levels) {
  is_odd <- !nzchar(levels) | grepl("[],\"\\\\{}[]|^\\s|\\s$", levels, perl = TRUE)
  levels[is_odd] <- paste0("\"", gsub("([\"\\\\])", "\\\\\\1", levels[is_odd], perl = TRUE), "\"", recycle0 = TRUE)
  levels
}

# The levels in such a text, without the brackets; NULL if it is none.
read_levels <- function(text) {
  token <- "(?:\"((?:[^\"\\\\]|\\\\[\"\\\\])*)\"|([^],\"\\\\{}[]+))"
  found <- regmatches(text, gregexpr(token, text, perl = TRUE))[[1L]]
  if (paste(found, collapse = ",") != text) {
    return(NULL)
  }
  is_quoted <- startsWith(found, "\"")
  inside <- substr(found[is_quoted], 2L, nchar(found[is_quoted]) - 1L)
  found[is_quoted] <- gsub("\\\\([\"\\\\])", "\\1", inside, perl = TRUE)
  found
}

# Words ----

# Levels as people read them.
level_text <- function(feature, codes) {
  shown_text((feature$shown_levels %||% feature$levels)[codes])
}

# Longer sets end after this many levels.
max_words_levels <- 8L

# `job in {cook, student}`, or, where that is shorter, what is not in the set: `odor is not none`,
# `job not in {cook, student}`.
describe_set <- function(feature, name, codes) {
  rest <- setdiff(seq_along(feature$levels), codes)
  is_inverted <- length(rest) < length(codes)
  shown <- if (is_inverted) rest else codes
  if (length(shown) == 1L) {
    return(paste(name, if (is_inverted) "is not" else "=", level_word(feature, shown)))
  }
  words <- level_word(feature, utils::head(shown, max_words_levels))
  n_left <- length(shown) - length(words)
  words <- c(words, if (n_left > 0L) sprintf("... and %d more", n_left))
  sprintf("%s %s {%s}", name, if (is_inverted) "not in" else "in", paste(words, collapse = ", "))
}

# The words of a level in a set; `is not missing` is said of no level.
level_word <- function(feature, codes) {
  words <- level_text(feature, codes)
  is_quoted <- grepl("^\".*\"$", words, perl = TRUE)
  is_odd <- !is_quoted & (words == "missing" | grepl("[,{}\"]|^\\.\\.\\. and ", words, perl = TRUE))
  words[is_odd] <- paste0("\"", gsub("([\"\\\\])", "\\\\\\1", words[is_odd], perl = TRUE), "\"", recycle0 = TRUE)
  words
}

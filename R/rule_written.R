# Conditions that people write as R, `~ age >= 65 & sex == "male"`: read by R's parser and the grammar below, never
# evaluated. The features of `model` are all that a name can mean.

is_written <- function(x) typeof(x) == "language" && identical(x[[1L]], quote(`~`))

# The conditions of a formula without a left side, one per feature.
read_written <- function(formula, model) {
  if (length(formula) != 2L) {
    abort_written("A rule begins with `~` and has nothing before it, as in `~ age >= 65 & sex == \"male\"`.")
  }
  features <- class_features(model$features)
  join_tests(read_conjunction(formula[[2L]], features), features)
}

read_conjunction <- function(code, features) {
  if (is_call_of(code, "(", 2L)) {
    return(read_conjunction(code[[2L]], features))
  }
  if (is_call_of(code, c("&", "&&"), 3L)) {
    return(c(read_conjunction(code[[2L]], features), read_conjunction(code[[3L]], features)))
  }
  if (is_call_of(code, c("|", "||"), 3L)) {
    message <- "A rule joins conditions by `&`, not by `|`: %s. Write `%%in%%` for several levels."
    abort_written(message, short_code(code))
  }
  list(read_test(code, features))
}

read_test <- function(code, features) {
  while (is_call_of(code, "(", 2L)) code <- code[[2L]]
  if (is_call_of(code, "!", 2L)) {
    return(opposite(read_test(code[[2L]], features), features, code))
  }
  if (is_call_of(code, "is.na", 2L)) {
    return(levels_condition(find_feature_of(code[[2L]], features), 0L))
  }
  if (is_call_of(code, "%in%", 3L)) {
    return(read_set(code, features))
  }
  if (is_call_of(code, names(flipped), 3L)) {
    return(read_comparison(code, features))
  }
  # a logical column is a condition itself
  feature <- which(feature_names(features) == expression_names(list(code)))
  if (length(feature) == 1L && identical(sort(features[[feature]]$levels), c("FALSE", "TRUE"))) {
    return(levels_condition(feature, match("TRUE", features[[feature]]$levels)))
  }
  abort_written(paste(
    "%s is not a condition. Conditions are comparisons of a feature with a value by <, <=, >, >=, == or !=,",
    "`%%in%% c()`, `is.na()` and `!is.na()`, joined by `&`."
  ), short_code(code))
}

# What a comparison is when its sides change places.
flipped <- c("<" = ">", "<=" = ">=", ">" = "<", ">=" = "<=", "==" = "==", "!=" = "!=")

# The side that is a feature, and the other one, a value.
read_comparison <- function(code, features) {
  sign <- as.character(code[[1L]])
  names <- feature_names(features)
  is_feature <- expression_names(as.list(code)[-1L]) %in% names
  if (!is_feature[1L] && (is_feature[2L] || is_value(code[[2L]]))) {
    return(compare(find_feature_of(code[[3L]], features), flipped[[sign]], code[[2L]], features))
  }
  compare(find_feature_of(code[[2L]], features), sign, code[[3L]], features)
}

compare <- function(feature, sign, value, features) {
  compare_feature(features[[feature]], feature, sign, value)
}

# The number of the feature with the text of this code.
find_feature_of <- function(code, features) {
  names <- feature_names(features)
  name <- if (is.symbol(code) || is.call(code)) expression_names(list(code)) else abort_no_feature(code)
  found <- match(name, names)
  if (is.na(found)) {
    meant <- nearest_name(name, names)
    hint <- if (is.null(meant)) sprintf("The features are %s.", quote_names(names, 30L)) else
      sprintf("Did you mean %s?", quote_names(meant))
    abort_written("The model has no feature %s. %s", quote_names(name), hint)
  }
  found
}

abort_no_feature <- function(code) {
  abort_written("%s is a value where the name of a feature is needed.", short_code(code))
}

# `x %in% c("a", "b")`.
read_set <- function(code, features) {
  feature <- find_feature_of(code[[2L]], features)
  values <- code[[3L]]
  while (is_call_of(values, "(", 2L)) values <- values[[2L]]
  is_list <- is.call(values) && identical(values[[1L]], quote(c))
  values <- if (is_list) as.list(values)[-1L] else list(values)
  if (length(values) == 0L) abort_written("%s matches no row.", short_code(code))
  if (is_number_feature(features[[feature]])) {
    message <- "%s is a number: write an interval of it, as in `a <= x & x < b`."
    abort_written(message, quote_names(features[[feature]]$name))
  }
  codes <- vapply(values, \(value) level_code(features[[feature]], read_value(value)), 1L)
  levels_condition(feature, sort(unique(codes)))
}

opposite <- function(test, features, code) {
  feature <- features[[test$feature]]
  every <- seq_len(n_codes(feature))
  if (identical(test$codes, 0L) || identical(test$codes, every)) {
    return(levels_condition(test$feature, if (identical(test$codes, 0L)) every else 0L))
  }
  if (!is.null(test$codes)) {
    return(levels_condition(test$feature, setdiff(every, test$codes)))
  }
  if (test$from > -Inf && test$to < Inf) {
    abort_written("%s leaves two intervals: write one of them.", short_code(code))
  }
  if (test$from > -Inf) range_condition(test$feature, to = test$from) else range_condition(test$feature, test$to)
}

# All tests of a feature as one, in the order of the features.
join_tests <- function(tests, features) {
  each <- split(tests, vapply(tests, `[[`, 1L, "feature"))
  unname(lapply(each, \(tests) refuse_empty(Reduce(\(a, b) both_tests(a, b, features), tests), features)))
}

refuse_empty <- function(test, features) {
  is_empty <- if (is.null(test$codes)) test$from >= test$to else length(test$codes) == 0L
  if (is_empty) {
    name <- quote_names(features[[test$feature]]$name)
    abort_written("No value of %s meets all conditions on it, so no row matches the rule.", name)
  }
  test
}

both_tests <- function(a, b, features) {
  feature <- features[[a$feature]]
  is_all <- \(test) length(test$codes) == n_codes(feature) && !identical(test$codes, 0L)
  if (!is.null(a$codes) && !is.null(b$codes)) {
    levels_condition(a$feature, intersect(a$codes, b$codes))
  } else if (is.null(a$codes) && is.null(b$codes)) {
    range_condition(a$feature, max(a$from, b$from), min(a$to, b$to))
  } else if (is_all(a)) {
    b
  } else if (is_all(b)) {
    a
  } else {
    levels_condition(a$feature, integer())
  }
}

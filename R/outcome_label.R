# The label: which column values are which class; of two, the negative class first.

# A label with more values than this is almost surely a number to be predicted, or an identifier.
max_classes <- 100L

# Numbers with more values than this measure something; more classes than that need a factor.
max_number_classes <- 10L

# The signs the user gave, as text; NULL for one that was not given. A value other than the default counts as given
# even where missing() is TRUE, as it is for a wrapper function's own default.
read_signs <- function(pos_sign, neg_sign, pos_missing, neg_missing) {
  pos <- sign_text(pos_sign, "pos_sign")
  neg <- sign_text(neg_sign, "neg_sign")
  signs <- list(
    pos = if (pos_missing && pos == "1") NULL else pos,
    neg = if (neg_missing && neg == "0") NULL else neg
  )
  if (!is.null(signs$pos) && identical(signs$pos, signs$neg)) {
    abort_sbrl("argument", sprintf("`pos_sign` and `neg_sign` must differ; both are %s.", quote_values(pos)))
  }
  signs
}

sign_text <- function(x, arg) {
  x <- without_foreign_classes(x)
  if (is.factor(x) && is.null(broken_class(x))) {
    x <- as.character(x)
  }
  if (inherits(x, "AsIs")) {
    x <- unclass(x)
  }
  refuse_several_signs(x, arg)
  ok <- !is.object(x) && (is.character(x) || is.numeric(x) || is.logical(x)) && length(x) == 1L && !is.na(x)
  ok <- ok && is_valid_text(as.character(x))
  check_that(ok, x, arg, "one label value (a string, number or logical)")
  if (is.numeric(x)) number_text(x) else enc2utf8(as.character(x))
}

# Version 1.4 recycled them: it compared each row with one of them in turn.
refuse_several_signs <- function(x, arg) {
  if (!is.object(x) && is.character(x) && length(x) > 1L && !anyNA(x) && all(is_valid_text(x))) {
    is_class <- sprintf("%stdata$label %%in%% c(%s)", if (arg == "neg_sign") "!" else "",
                        paste(encodeString(enc2utf8(as.vector(x)), quote = "\""), collapse = ", "))
    message <- paste(
      "`%s` must be one label value, not %d, of which version 1.4 compared each row with one in turn. If they are one",
      "class together, use `tdata$label <- %s` and leave out `pos_sign` and `neg_sign`."
    )
    abort_sbrl("argument", sprintf(message, arg, length(x), is_class))
  }
}

# Classes (of two: negative, positive), the code of each row's class, and which rows have one.
read_label <- function(y, name, signs, empty_as_missing = FALSE) {
  y <- as_label_column(y, name)
  y <- if (empty_as_missing) without_empty(y) else y
  levels <- label_levels(y, name, max_numbers = max_number_classes)
  allow_interrupt(length(y))
  if (is.numeric(y)) {
    signs <- lapply(signs, as_number_sign)
  }
  classes <- choose_classes(levels, signs, name)
  codes <- label_codes(y, classes)
  # an empty class that was asked for by its sign surprises nobody
  empty <- if ("" %in% setdiff(levels, unlist(signs))) name
  list(classes = classes, codes = codes, has_label = !is.na(codes), empty = empty)
}

as_label_column <- function(y, name) {
  ok <- is.atomic(y) && !has_dim(y) && !is.complex(y) && !is.raw(y) && !is.null(y)
  if (!ok || (is.object(y) && !is.factor(y) && !inherits(y, "AsIs") && !is_integer64(y))) {
    message <- "Label column %s must be a factor, text, logical or numeric vector, not %s."
    abort_sbrl("label", sprintf(message, quote_names(name), describe(y)))
  }
  y <- check_whole_class(y, name, codes = TRUE, kind = "label")
  if (is.factor(y)) {
    return(y)
  }
  if (is_integer64(y)) {
    return(integer64_values(y))
  }
  y <- as.vector(unclass(y))
  if (is.character(y)) as_text_factor(y, name) else y
}

label_levels <- function(y, name, max_numbers = Inf) {
  levels <- if (is.numeric(y)) unique(y) else observed_levels(y, name)
  levels <- levels[!is.na(levels)]
  if (is.numeric(y) && length(levels) > max_numbers) {
    abort_measurement(levels, name)
  }
  if (length(levels) > max_classes) {
    message <- "Label column %s has %d distinct values; at most %d classes are allowed."
    abort_sbrl("label", sprintf(message, quote_names(name), length(levels), max_classes))
  }
  if (is.numeric(y)) number_text(levels[order(levels)]) else levels
}

abort_measurement <- function(values, name) {
  message <- paste(
    "Label column %s contains %d different numbers, but sbrl() predicts classes. Predict a condition, such as %s, or",
    "make classes with cut(). If each number is a class, make the label a factor()."
  )
  middle <- format_numbers(stats::median(values), digits = 2L)
  condition <- sprintf("I(%s > %s)", deparse(as.name(name), backtick = TRUE), middle)
  abort_sbrl("label", sprintf(message, quote_names(name), length(values), condition))
}

# The number of each row's class, NA for a missing label; by now every other value is one of the classes.
label_codes <- function(y, classes) {
  if (is.factor(y)) {
    return(match(enc2utf8(levels(y)), classes)[as.integer(y)])
  }
  if (is.logical(y)) {
    return(match(c("FALSE", "TRUE"), classes)[y + 1L])
  }
  numbers <- number_levels(classes)
  numbers$codes[match(y, numbers$values)]
}

as_number_sign <- function(sign) {
  number <- if (is.null(sign)) NA else level_numbers(sign)
  if (is.na(number)) sign else number_text(number)
}

choose_classes <- function(levels, signs, name) {
  classes <- classes_from_signs(levels, signs, name)
  n_observed <- sum(classes %in% levels)
  if (n_observed < 2L) {
    found <- if (length(levels) == 0L) "none" else paste("only", quote_values(levels))
    message <- "Label column %s must have two values or more; it has %s%s."
    abort_sbrl("label", sprintf(message, quote_names(name), found, describe_signs(signs)))
  }
  classes
}

classes_from_signs <- function(levels, signs, name) {
  given <- c(signs$neg, signs$pos)
  if (length(given) == 0L) {
    # The natural order makes TRUE, the greater value or the factor's second level positive. 0 and 1 are as in 1.4.
    return(if (setequal(levels, c("0", "1"))) c("0", "1") else levels)
  }
  others <- setdiff(levels, given)
  if (length(given) == 2L && length(others) > 0L || length(others) > 1L) {
    message <- "Label column %s contains %s%s."
    abort_sbrl("label", sprintf(message, quote_names(name), quote_values(others), describe_signs(signs)))
  }
  c(if (is.null(signs$neg)) others else signs$neg, if (is.null(signs$pos)) others else signs$pos)
}

describe_signs <- function(signs) {
  neg <- if (!is.null(signs$neg)) sprintf("`neg_sign` is %s", quote_values(signs$neg))
  pos <- if (!is.null(signs$pos)) sprintf("`pos_sign` is %s", quote_values(signs$pos))
  given <- paste(c(neg, pos), collapse = " and ")
  if (nzchar(given)) paste0(", but ", given) else ""
}

# Rows, or their weight, of each class.
class_weights <- function(outcome) {
  if (is.null(outcome$weights)) {
    return(as.double(tabulate(outcome$codes, outcome$n_classes)))
  }
  vapply(seq_len(outcome$n_classes), \(class) sum(outcome$weights[outcome$codes == class]), 1)
}

# Rows without a label teach nothing and leave with one warning.
warn_unlabelled <- function(n, label_name) {
  if (n > 0L) {
    message <- "Dropped %s whose label %s is missing."
    warn_sbrl("label", sprintf(message, counted(n, "row"), quote_names(label_name)))
  }
}

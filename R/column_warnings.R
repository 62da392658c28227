# Warnings about columns that may not be meant as they are: empty text, and numbers written as text.

# Is a value empty text?
has_empty <- function(x, counts = count_levels(x)) {
  is.factor(x) && isTRUE(counts[match("", attr(x, "levels"))] > 0L)
}

# How many rows have each level of a factor, NULL for what is not a factor: a million rows are counted once.
count_levels <- function(x) {
  if (is.factor(x)) tabulate(x, length(attr(x, "levels")))
}

# Fewer numbers than this may well be codes.
fewest_numbers <- 11L

# Does a text column consist of numbers, perhaps with commas between the thousands? A factor was made on purpose.
is_number_text <- function(x, counts = count_levels(x)) {
  if (!inherits(x, "sbrl_levels")) {
    return(FALSE)
  }
  levels <- gsub(",", "", setdiff(attr(x, "levels")[counts > 0L], c(NA, "")), fixed = TRUE)
  # the first level answers for most columns
  length(levels) >= fewest_numbers && !is.na(level_numbers(levels[1L])) && !anyNA(level_numbers(levels))
}

# Files often have empty cells for unknown values. `names` are the columns that have some.
warn_empty <- function(names) {
  if (length(names) > 0L) {
    message <- paste(
      "Empty text counts as a value in %s. If it means that a value is missing, set `empty_as_missing = TRUE` or read",
      "the file with `na.strings = \"\"`."
    )
    warn_sbrl(c("empty", "column"), sprintf(message, quote_names(names)))
  }
}

warn_number_text <- function(names) {
  if (length(names) > 0L) {
    message <- paste(
      "The numbers in %s are text, so each of them is a level of its own. Convert them with as.numeric() (and remove",
      "commas first) to get conditions such as `x < 40`, or make them a factor() if they are codes."
    )
    warn_sbrl(c("number_text", "column"), sprintf(message, quote_names(names)))
  }
}

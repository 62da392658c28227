# Numbers as text: exact for files and code, short for people, with a decimal point in every locale.

# R writes numbers as the locale (LC_NUMERIC) and `options(OutDec = )` want them; in `expr`, with a point.
with_point <- function(expr) {
  locale <- Sys.getlocale("LC_NUMERIC")
  if (locale %in% c("C", "POSIX") && identical(getOption("OutDec"), ".")) {
    return(expr)
  }
  Sys.setlocale("LC_NUMERIC", "C")
  old <- options(OutDec = ".")
  on.exit({
    options(old)
    # R warns of every locale but C
    suppressWarnings(Sys.setlocale("LC_NUMERIC", locale))
  })
  value <- expr
  # as.character() may put off its work until the text is looked at
  if (is.character(value)) nchar(value, "bytes")
  value
}

# In the place of base R's function everywhere in the package, so that no call can be forgotten.
sprintf <- function(fmt, ...) {
  with_point(base::sprintf(fmt, ...))
}

# format() of numbers.
format_numbers <- function(x, ...) {
  with_point(format(x, ...))
}

# As few digits as give the number back exactly.
number_text <- function(x) {
  # what format() returns for these, at once
  if (is.null(attributes(x)) && isTRUE(all(x == floor(x) & abs(x) < 1e9))) {
    return(sprintf("%d", as.integer(x)))
  }
  text <- with_point(vapply(x, format, "", digits = 15L, scientific = 5L))
  for (digits in c("%.16g", "%.17g")) {
    inexact <- suppressWarnings(as.numeric(text)) != x
    text[inexact] <- sprintf(digits, x[inexact])
  }
  text
}

level_numbers <- function(levels) {
  suppressWarnings(as.numeric(levels))
}

# The number that matches the level `code` in a numeric column: none if the level is not a number, or if another level
# is the same number as R writes it.
level_value <- function(levels, code) {
  numbers <- level_numbers(levels)
  if (is.na(numbers[code])) {
    return(numeric())
  }
  same <- which(numbers %in% numbers[code])
  same <- same[order(levels[same] != number_text(numbers[same]))]
  if (same[1L] == code) numbers[code] else numeric()
}

# Learnt cuts have as few digits as part the data, so all of them are shown. Of a user's cuts whole numbers are shown
# whole, and 1/3 with seven digits, or as many as distinguish it from the other cuts.
short_text <- function(cuts) {
  endless <- vapply(cuts, \(cut) signif(cut, 15L) != cut && cut != floor(cut), NA)
  for (digits in 7:15) {
    shown <- cuts
    shown[endless] <- signif(cuts[endless], digits)
    text <- number_text(shown)
    if (anyDuplicated(text) == 0L) {
      return(text)
    }
  }
  number_text(cuts)
}

# A probability with two decimals; nearer to 0 or 1 than 0.01, with as many as show how near.
short_probability <- function(prob) {
  margin <- pmin(prob, 1 - prob)
  digits <- ifelse(margin > 0 & margin < 0.01, 1 - floor(log10(pmax(margin, 1e-300))), 2)
  sprintf("%.*f", as.integer(pmin(digits, 15)), prob)
}

with_thousands <- function(x) {
  format_numbers(x, big.mark = ",", scientific = FALSE, trim = TRUE)
}

# Counts of rows are whole; weights need not be.
count_text <- function(n) {
  vapply(n, \(x) with_thousands(if (x >= 1000) round(x) else signif(x, 4L)), "")
}

# "1 row", "1,000 rows"
counted <- function(n, thing) {
  paste0(with_thousands(n), " ", thing, if (n != 1) "s")
}

percent_text <- function(share) {
  percent <- 100 * share
  ifelse(share > 0 & percent < 0.5, "< 1%", sprintf("%.0f%%", percent))
}

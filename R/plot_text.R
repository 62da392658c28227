# Text that fits: antecedents broken into lines and sized by the space that is really there. `measure` gives the width
# of each text in inches at the size in question, so that base graphics and grid share this.

# A rule gets at most this many lines; dots stand for what is left out.
max_lines <- 6L

# Inches per line of text at size 1: 12 points with a little leading.
line_height <- 0.18

# No page has room for more characters of one text. What is longer is cut before it is measured, so that the work does
# not grow with the text.
max_characters <- 2000L

# The lines of one antecedent: broken between conditions, then between words, then anywhere. Of more than `most` lines
# only the first `most + 1` are made.
wrap_phrases <- function(phrases, width, measure, most = Inf) {
  wrap_pieces(paste0(rep(c("", "and "), c(1L, length(phrases) - 1L)), phrases), width, measure, most)
}

wrap_pieces <- function(pieces, width, measure, most) {
  fill_lines(unlist(lapply(pieces, break_piece, width = width, measure = measure, most = most)), width, measure, most)
}

# A piece that fits is one element; else its words, and words too long for a line in parts.
break_piece <- function(piece, width, measure, most) {
  piece <- substr(piece, 1L, max_characters)
  if (!is_too_wide(piece, width, measure)) {
    return(piece)
  }
  words <- strsplit(piece, " ", fixed = TRUE)[[1L]]
  long <- is_too_wide(words, width, measure)
  parts <- as.list(words)
  parts[long] <- lapply(words[long], break_word, width = width, measure = measure, most = most)
  fill_lines(unlist(parts), width, measure, most)
}

break_word <- function(word, width, measure, most) {
  parts <- character()
  while (length(parts) <= most && is_too_wide(word, width, measure)) {
    n <- n_fitting(word, width, measure)
    parts <- c(parts, substr(word, 1L, n))
    word <- substring(word, n + 1L)
  }
  c(parts, if (nzchar(word)) word)
}

# Of a long text the beginning nearly always answers.
is_too_wide <- function(text, width, measure) {
  is_wide <- measure(substr(text, 1L, 100L)) > width
  open <- !is_wide & nchar(text) > 100L
  # grid cannot measure no text at all.
  if (any(open)) {
    is_wide[open] <- measure(text[open]) > width
  }
  is_wide
}

# How many characters of a text fit: doubled until they do not, then by bisection; at least one, or there would be no
# progress.
n_fitting <- function(text, width, measure, end = "") {
  fits <- 1L
  too_many <- nchar(text) + 1L
  while (2L * fits < too_many && measure(paste0(substr(text, 1L, 2L * fits), end)) <= width) {
    fits <- 2L * fits
  }
  too_many <- min(too_many, 2L * fits)
  while (too_many - fits > 1L) {
    n <- (fits + too_many) %/% 2L
    if (measure(paste0(substr(text, 1L, n), end)) <= width) fits <- n else too_many <- n
  }
  fits
}

fill_lines <- function(pieces, width, measure, most) {
  lines <- pieces[1L]
  for (piece in pieces[-1L]) {
    longer <- paste(lines[length(lines)], piece)
    if (measure(longer) <= width) {
      lines[length(lines)] <- longer
    } else if (length(lines) > most) {
      break
    } else {
      lines <- c(lines, piece)
    }
  }
  lines
}

shorten_to <- function(text, width, measure) {
  start <- substr(text, 1L, max_characters)
  if (start == text && !is_too_wide(text, width, measure)) {
    return(text)
  }
  paste0(substr(start, 1L, n_fitting(start, width, measure, "...")), "...")
}

# At most `most` lines; dots say that something is missing.
cap_lines <- function(lines, most, width, measure) {
  if (length(lines) <= most) {
    return(lines)
  }
  last <- paste(lines[most], lines[most + 1L])
  c(lines[seq_len(most - 1L)], shorten_to(last, width, measure))
}

# The lines of an antecedent that needs more than `most`: its longest conditions lose their middles until the rest fits,
# so that every condition stays in sight. The largest number of characters per condition is found by bisection.
squeeze_phrases <- function(phrases, most, width, measure) {
  wrap <- function(n) wrap_phrases(drop_middle(phrases, n), width, measure, most)
  least <- 9L
  fits <- least
  too_many <- max(nchar(phrases), least) + 1L
  while (too_many - fits > 1L) {
    n <- (fits + too_many) %/% 2L
    if (length(wrap(n)) <= most) fits <- n else too_many <- n
  }
  cap_lines(wrap(fits), most, width, measure)
}

# Size and lines of all antecedents: the largest size at which they fit into the height, better in one line each than a
# bit larger, better smaller than with a word broken. `space$width` is a function of the size; `space$padding` is left
# free in each row; `space$equal`: whether all rows are as high as the highest. What does not fit at the smallest
# size is capped at fewer lines; `fits` is FALSE if one line each is too much.
fit_antecedents <- function(antecedents, space, measure_at, sizes) {
  attempt <- function(size, most, whole, cap) data.frame(size, most, whole, cap)
  tries <- rbind(
    attempt(c(sizes[1L], sizes[sizes >= 0.699]), 1L, whole = TRUE, cap = FALSE),
    attempt(sizes, max_lines, whole = TRUE, cap = FALSE),
    attempt(c(sizes[sizes <= 0.701], min(sizes)), max_lines, whole = TRUE, cap = TRUE),
    attempt(sizes, max_lines, whole = FALSE, cap = TRUE),
    attempt(min(sizes), rev(seq_len(max_lines - 1L)), whole = FALSE, cap = TRUE)
  )
  antecedents <- lapply(antecedents, drop_middle, n = max_characters)
  words <- unlist(strsplit(unlist(antecedents), " ", fixed = TRUE))
  for (j in seq_len(nrow(tries))) {
    try <- tries[j, ]
    width <- space$width(try$size)
    measure <- measure_at(try$size)
    if (try$whole && any(is_too_wide(words, width, measure))) {
      next
    }
    lines <- lapply(antecedents, wrap_phrases, width = width, measure = measure, most = try$most)
    if (!try$cap && any(lengths(lines) > try$most)) {
      next
    }
    long <- lengths(lines) > try$most
    lines[long] <- lapply(antecedents[long], squeeze_phrases, most = try$most, width = width, measure = measure)
    if (text_height(lines, try$size, space) <= space$height) {
      break
    }
  }
  list(size = try$size, lines = lines, fits = text_height(lines, try$size, space) <= space$height)
}

text_height <- function(lines, size, space) {
  n <- length(lines)
  n_lines <- if (space$equal) n * max(lengths(lines)) else sum(lengths(lines))
  (n_lines * line_height + n * space$padding) * size
}

# Two or more colours that the colour-blind and a grey printer can distinguish: light to dark.
class_colours <- function(k) {
  if (k == 2L) {
    return(c("#F3C68F", "#1F4E8C"))
  }
  grDevices::colorRampPalette(c("#FCE2B0", "#EFA765", "#B5739D", "#5B5EA6", "#1D2F6F"), space = "Lab")(k)
}

quiet_grey <- "#E4E4E4"
line_grey <- "#8C8C8C"

# Words of the pictures, the same in both engines.
estimate_title <- function(model) {
  paste(estimate_pieces(model), collapse = " ")
}

captured_title <- function(model) {
  if (is_weighted(model)) "Weight captured" else "Rows captured"
}

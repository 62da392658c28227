# Text: valid, in UTF-8, and made visible for people.

# Text as UTF-8, or an error naming the column whose bytes are no text.
check_text <- function(x, name) {
  if (!all(is_valid_text(x))) {
    message <- "Column %s contains text that is not valid in its encoding; see iconv()."
    abort_sbrl("column", sprintf(message, quote_names(name)))
  }
  enc2utf8(x)
}

# Of the letters of ASCII. tolower() follows the locale: in Turkish, the small letter of `I` has no dot.
# By bytes, because chartr() fails on some code points, such as U+FFFE.
lower_case <- function(x) {
  lower <- function(text) {
    bytes <- charToRaw(text)
    is_upper <- bytes >= as.raw(0x41L) & bytes <= as.raw(0x5aL)
    bytes[is_upper] <- bytes[is_upper] | as.raw(0x20L)
    rawToChar(bytes)
  }
  found <- vapply(enc2utf8(as.character(x)), lower, "", USE.NAMES = FALSE)
  Encoding(found) <- "UTF-8"
  found
}

# Control characters become escapes or question marks, so that a line stays a line and reads from left to right.
visible_text <- function(x) {
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  x <- gsub("\t", "\\t", x, fixed = TRUE)
  x <- gsub("\r", "\\r", x, fixed = TRUE)
  x <- gsub("[\x01-\x1f\x7f]", "?", x, perl = TRUE)
  gsub("[\u0080-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]", "?", x)
}

# Names and values as people see them: quotes around what would look like nothing.
shown_text <- function(x) {
  x <- as.character(x)
  is_odd <- is.na(x) | !is_valid_text(x)
  x[is_odd] <- encodeString(x[is_odd])
  text <- visible_text(enc2utf8(x))
  is_hidden <- !nzchar(text) | grepl("^\\h|\\h$", text, perl = TRUE)
  text[is_hidden] <- paste0("\"", text[is_hidden], "\"", recycle0 = TRUE)
  text
}

# encodeString() in parts: its time grows with the square of a text beyond ASCII.
encode_text <- function(x) {
  in_parts <- function(text) {
    points <- utf8ToInt(text)
    parts <- split(points, (seq_along(points) - 1L) %/% 1000L)
    paste(encodeString(vapply(parts, intToUtf8, "")), collapse = "")
  }
  long <- nchar(x, "bytes") > 5000L & validUTF8(x)
  x[!long] <- encodeString(x[!long])
  x[long] <- vapply(x[long], in_parts, "")
  x
}

# Texts as wide as the widest, and at least `least`, flush left or right. Not by format(), whose time grows with the
# square of a text beyond ASCII.
pad_text <- function(text, left, least = 0L) {
  width <- nchar(text, "width")
  blanks <- strrep(" ", max(width, least) - width)
  if (left) paste0(text, blanks) else paste0(blanks, text)
}

# At most `n` characters, more of the beginning than of the end.
drop_middle <- function(text, n) {
  long <- nchar(text) > n
  tail <- (2L * (n - 3L)) %/% 5L
  cut <- text[long]
  text[long] <- paste0(substr(cut, 1L, n - 3L - tail), "...", substring(cut, nchar(cut) - tail + 1L), recycle0 = TRUE)
  text
}

# Text: valid, in UTF-8, and made visible for people.

# Asked before enc2utf8(), which would quietly write `<ff>` for a byte that is no text here. A missing value is valid.
is_valid_text <- function(x) {
  validEnc(x) & Encoding(x) != "bytes"
}

# Text as UTF-8, or an error naming the column whose bytes are no text.
check_text <- function(x, name) {
  if (!all(is_valid_text(x))) {
    message <- "Column %s holds text that is not valid in its encoding; see iconv()."
    abort_sbrl("column", sprintf(message, quote_names(name)))
  }
  enc2utf8(x)
}

# Control characters become escapes, so that a line stays a line.
visible_text <- function(x) {
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  x <- gsub("\t", "\\t", x, fixed = TRUE)
  x <- gsub("\r", "\\r", x, fixed = TRUE)
  gsub("[\x01-\x1f\x7f]", "?", x, perl = TRUE)
}

# A level that is empty or has blanks at its ends would not be seen without quotes.
visible_level <- function(levels) {
  hidden <- levels == "" | grepl("^\\s|\\s$", levels)
  text <- visible_text(levels)
  ifelse(hidden, paste0("\"", text, "\""), text)
}

# Control characters escaped; quotes around what would otherwise look like nothing, or like something else.
shown_text <- function(x) {
  x <- enc2utf8(as.character(x))
  text <- encode_text(x)
  hidden <- !nzchar(text) | startsWith(text, " ") | endsWith(text, " ")
  text[hidden] <- encodeString(x[hidden], quote = "\"")
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

# R code as text: strings and comments in ASCII, so that a script means the same in every encoding.

# ASCII only, so that a script means the same in every encoding. R does not allow \x and \u in one string.
r_text <- function(x) {
  quoted <- vapply(enc2utf8(x), r_string, "", USE.NAMES = FALSE)
  if (length(x) == 1L) quoted else sprintf("c(%s)", paste(quoted, collapse = ", "))
}

# R's parser takes no string of more than 10,000 characters that has escapes in it, so a long one is written in parts.
r_string <- function(x) {
  first <- seq(1L, max(1L, nchar(x)), by = 5000L)
  parts <- vapply(substring(x, first, first + 4999L), r_escape, "")
  quoted <- paste0("\"", parts, "\"", collapse = ", ")
  if (length(parts) == 1L) quoted else sprintf("paste0(%s)", quoted)
}

r_escape <- function(x, escaped = "\"\\") {
  points <- utf8ToInt(enc2utf8(x))
  characters <- vapply(points, intToUtf8, "")
  marked <- points %in% utf8ToInt(escaped)
  characters[marked] <- paste0("\\", characters[marked], recycle0 = TRUE)
  odd <- points < 32L | points > 126L
  characters[odd] <- sprintf("\\U{%X}", points[odd])
  paste(characters, collapse = "")
}

r_comment <- function(x) {
  iconv(x, "UTF-8", "ASCII", sub = "?")
}

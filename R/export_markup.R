# Text inside HTML and XML: what has a meaning there is escaped.

escape_html <- function(x) {
  x <- gsub("&", "&amp;", x, fixed = TRUE)
  x <- gsub("<", "&lt;", x, fixed = TRUE)
  x <- gsub(">", "&gt;", x, fixed = TRUE)
  x <- gsub("\"", "&quot;", x, fixed = TRUE)
  gsub("'", "&#39;", x, fixed = TRUE)
}

# Line ends and tabs in an attribute would become blanks; other control characters and two code points that are no
# characters are not allowed at all.
escape_xml <- function(x) {
  x <- enc2utf8(x)
  control <- grepl("[\x01-\x08\x0b\x0c\x0e-\x1f]", x, perl = TRUE)
  if (any(control)) {
    abort_sbrl("model", sprintf("XML cannot contain the control character in %s.", quote_values(x[control])))
  }
  for (point in c(0xFFFE, 0xFFFF)) {
    found <- grepl(intToUtf8(point), x, fixed = TRUE)
    if (any(found)) {
      abort_sbrl("model", sprintf("XML cannot contain the code point U+%X in %s.", point, quote_values(x[found])))
    }
  }
  x <- escape_html(x)
  x <- gsub("\n", "&#10;", x, fixed = TRUE)
  x <- gsub("\t", "&#9;", x, fixed = TRUE)
  gsub("\r", "&#13;", x, fixed = TRUE)
}

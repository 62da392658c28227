# The foot of plot(type = "rules"): what colours, lines and marks mean, in as many lines as that takes.

# The height of a line of the foot, in inches on a page of full size.
foot_line <- 0.2

# The keys of the classes and the notes, broken into lines that fit the page; keys come first, and on a page that draws
# no classes the meaning of the probabilities does.
rules_foot <- function(model, level, page) {
  size <- max(0.5, 0.8 * page$scale)
  measure <- function(text) graphics::strwidth(text, "inches", cex = size)
  width <- page$width - 2 * page$margin
  n_most <- max(2L, floor(0.3 * page$height / (foot_line * page$scale)))
  keys <- if (has_mix(page)) class_keys(model, width, size, measure)
  line_note <- paste("Line:", interval_title(level))
  same_line <- !is.null(keys) && keys$end + 2 * measure("M") + measure(line_note) <= width
  notes <- c(
    if (!has_mix(page)) estimate_title(model) else if (!same_line) line_note, rule_notes(model, level)
  )
  n_key_lines <- if (is.null(keys)) 0L else max(keys$table$line)
  room <- max(1L, n_most - n_key_lines)
  lines <- as.character(unlist(lapply(notes, \(note) wrap_pieces(note, width, measure, room))))
  lines <- cap_lines(lines, room, width, measure)
  list(
    size = size, keys = keys, after_keys = if (same_line) line_note, notes = lines, n_key_lines = n_key_lines,
    n_lines = n_key_lines + length(lines)
  )
}

# The label's name and one square per class, as many as three lines have room for.
class_keys <- function(model, width, size, measure) {
  text <- c(paste0(shown_label(model), ":"), shown_class(model))
  text <- vapply(text, shorten_to, "", width = 0.6 * width, measure = measure, USE.NAMES = FALSE)
  square <- c(0, rep(0.2 * size, length(text) - 1L))
  widths <- measure(text) + square + measure("MM")
  line <- 1L
  x <- 0
  table <- data.frame(text = text, class = seq_along(text) - 1L, line = NA, x = NA)
  for (j in seq_along(text)) {
    if (x > 0 && x + widths[j] - measure("MM") > width) {
      line <- line + 1L
      x <- 0
    }
    table[j, c("line", "x")] <- list(line, x)
    x <- x + widths[j]
  }
  if (line > 3L) {
    first <- which(table$line > 3L)[1L]
    table$text[first - 1L] <- sprintf("... and %d more", length(text) - first + 2L)
    table$class[first - 1L] <- 0L
    table <- table[seq_len(first - 1L), ]
  }
  last <- nrow(table)
  list(table = table, end = table$x[last] + widths[last] - measure("MM"))
}

# Close under the table, as low as the page.
draw_foot <- function(model, foot, page, table) {
  line <- foot_line * page$scale
  first <- max((foot$n_lines - 0.3) * line, min(table$bottom) - 0.5 * page$scale)
  y <- first - line * (seq_len(foot$n_lines) - 1L)
  right <- page$width - page$margin
  if (!is.null(foot$keys)) {
    draw_class_keys(model, foot, page$margin, y)
  }
  if (!is.null(foot$after_keys)) {
    graphics::text(right, y[foot$n_key_lines], foot$after_keys, adj = c(1, 0.5), cex = foot$size, col = "grey35")
  }
  if (length(foot$notes) > 0L) {
    at <- foot$n_key_lines + seq_along(foot$notes)
    graphics::text(page$margin, y[at], foot$notes, adj = c(0, 0.5), cex = foot$size, col = "grey35")
  }
}

draw_class_keys <- function(model, foot, left, y) {
  table <- foot$keys$table
  side <- 0.14 * foot$size
  at <- left + table$x
  is_key <- table$class > 0L
  middle <- y[table$line]
  graphics::rect(
    at[is_key], middle[is_key] - side / 2, at[is_key] + side, middle[is_key] + side / 2,
    col = class_colours(length(model$classes))[table$class[is_key]], border = "grey20", lwd = 0.5
  )
  graphics::text(at + ifelse(is_key, 0.2 * foot$size, 0), middle, table$text, adj = c(0, 0.5), cex = foot$size)
}

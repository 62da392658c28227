# Small charts with the same axes, one per class, on one page of base graphics. Coordinates are inches, so that the page
# stays one figure of a layout and all text is measured against the room it has.

# A panel of less than this, in inches, shows nothing.
min_panel <- 0.6

# `titles` has one text per panel, `notes` may have one for its lower right corner; `draw(j, at)` draws what is in panel
# j, at the places that `at$x()` and `at$y()` give.
draw_panels <- function(frame, titles, draw, notes = rep("", length(titles))) {
  old <- graphics::par(cex = 1, ps = 12, mar = c(0, 0, 0, 0), xpd = TRUE, lheight = 0.9)
  on.exit(graphics::par(old))
  graphics::plot.new()
  size <- graphics::par("pin")
  graphics::plot.window(c(0, size[1L]), c(0, size[2L]), xaxs = "i", yaxs = "i")
  page <- list(width = size[1L], height = size[2L], scale = min(1, max(0.45, min(size[1L] / 6.5, size[2L] / 4.8))))
  page <- panel_room(page, frame)
  grid <- panel_grid(page, length(titles))
  draw_page_text(page, frame, length(titles) - grid$n)
  for (j in seq_len(grid$n)) {
    box <- panel_box(page, grid, j)
    draw_panel(frame, box, page$scale, \(at) draw(j, at))
    size <- 0.8 * page$scale
    draw_panel_title(titles[j], box, size)
    graphics::text(box$right - 0.08 * size, box$bottom + 0.12 * size, notes[j], adj = c(1, 0.5), cex = size)
  }
}

# What the title, the note and the axes leave.
panel_room <- function(page, frame) {
  top <- (if (is.null(frame$main)) 0.08 else 0.4) + 0.2 * length(frame$note)
  page$left <- 0.75 * page$scale
  page$bottom <- 0.6 * page$scale
  page$right <- page$width - 0.15 * page$scale
  page$top <- page$height - top * page$scale
  page$gap <- 0.2 * page$scale
  # Two lines of title over each panel.
  page$strip <- 0.36 * page$scale
  page
}

# The number of columns that makes the panels largest; fewer panels where they would be too small.
panel_grid <- function(page, n) {
  width <- page$right - page$left
  height <- page$top - page$bottom
  side <- function(n_columns) {
    n_rows <- ceiling(n / n_columns)
    min(width / n_columns - page$gap, height / n_rows - page$gap - page$strip)
  }
  sides <- vapply(seq_len(n), side, 1)
  if (max(sides) < min_panel * page$scale && n > 1L) {
    return(panel_grid(page, n - 1L))
  }
  n_columns <- which.max(sides)
  list(n = n, n_columns = n_columns, n_rows = ceiling(n / n_columns))
}

# The place of panel j; the panels of the last row and of the first column have the numbers of the axes.
panel_box <- function(page, grid, j) {
  row <- (j - 1L) %/% grid$n_columns
  column <- (j - 1L) %% grid$n_columns
  width <- (page$right - page$left + page$gap) / grid$n_columns
  height <- (page$top - page$bottom + page$gap) / grid$n_rows
  top <- page$top - row * height
  left <- page$left + column * width
  list(
    left = left, right = left + width - page$gap, top = top - page$strip,
    bottom = max(top - height + page$gap, page$bottom), title_at = top,
    is_lowest = j + grid$n_columns > grid$n, is_first = column == 0L
  )
}

draw_page_text <- function(page, frame, n_left_out) {
  line <- function(text, x, y, ..., cex = 1, font = 1, room = page$width - 0.2 * page$scale) {
    measure <- function(text) graphics::strwidth(text, "inches", cex = cex * page$scale, font = font)
    graphics::text(x, y, shorten_to(text, room, measure), cex = cex * page$scale, font = font, ...)
  }
  left <- 0.1 * page$scale
  if (!is.null(frame$main)) {
    line(frame$main, left, page$height - 0.2 * page$scale, adj = c(0, 0.5), cex = 1.15, font = 2)
  }
  more <- if (n_left_out > 0L) sprintf("... and %d more classes", n_left_out)
  note <- paste(c(frame$note, more), collapse = "; ")
  if (nzchar(note)) {
    line(note, left, page$top + 0.12 * page$scale, adj = c(0, 0.5), cex = 0.85, col = "grey35")
  }
  middle <- c((page$left + page$right) / 2, (page$bottom + page$top) / 2)
  line(frame$xlab, middle[1L], 0.15 * page$scale, adj = c(0.5, 0.5), room = page$right - page$left)
  line(frame$ylab, 0.15 * page$scale, middle[2L], adj = c(0.5, 0.5), srt = 90, room = page$top - page$bottom)
}

draw_panel <- function(frame, box, scale, draw) {
  place <- function(x, limits, from, to) from + (x - limits[1L]) / diff(limits) * (to - from)
  at <- list(
    x = \(x) place(x, frame$xlim, box$left, box$right), y = \(y) place(y, frame$ylim, box$bottom, box$top), size = scale
  )
  ticks <- c(0, 0.5, 1)
  numbers <- c("0", "0.5", "1")
  graphics::segments(at$x(ticks), box$bottom, at$x(ticks), box$top, col = quiet_grey, lwd = 0.8)
  graphics::segments(box$left, at$y(ticks), box$right, at$y(ticks), col = quiet_grey, lwd = 0.8)
  graphics::rect(box$left, box$bottom, box$right, box$top, border = line_grey, lwd = 0.8)
  size <- 0.8 * scale
  if (box$is_lowest) {
    graphics::text(at$x(ticks), box$bottom - 0.13 * scale, numbers, cex = size, col = "grey25")
  }
  if (box$is_first) {
    graphics::text(box$left - 0.07 * scale, at$y(ticks), numbers, adj = c(1, 0.5), cex = size, col = "grey25")
  }
  draw(at)
}

draw_panel_title <- function(title, box, size) {
  width <- box$right - box$left
  measure <- function(text) graphics::strwidth(text, "inches", cex = size, font = 2)
  lines <- cap_lines(wrap_pieces(title, width, measure, 2L), 2L, width, measure)
  middle <- (box$top + box$title_at) / 2
  graphics::text(box$left, middle, paste(lines, collapse = "\n"), adj = c(0, 0.5), cex = size, font = 2)
}

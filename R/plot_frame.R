# The frame of the x-y charts of plot(): margins, axes, titles and key, in base graphics.

# A chart with axes and a key under its title, sized for the device, however small. Calls `draw` for what is in it and
# leaves par() as it was.
draw_chart <- function(frame, draw) {
  size <- graphics::par("fin")
  scale <- min(1, max(0.45, min(size[1L] / 6.5, size[2L] / 4.8)))
  key <- arrange_key(frame$key, 0.2 * size[1L] / (scale * graphics::par("cin")[2L]))
  top <- 0.8 + key$n_rows + if (is.null(frame$main)) 0 else 1.5
  at_y <- grDevices::axisTicks(frame$ylim, log = FALSE, nint = 5L)
  labels_y <- frame$yformat(at_y)
  # a percent sign is nearly as wide as two digits
  left <- 2.2 + 0.45 * max(nchar(labels_y) + 0.8 * grepl("%", labels_y, fixed = TRUE))
  margins <- fitting_margins(c(3.6, left, top, 1.8), size / (graphics::par("cin")[2L] * scale))
  old <- graphics::par(cex = scale, mar = margins, mgp = c(2.4, 0.6, 0), tcl = -0.3, las = 1, xpd = FALSE)
  on.exit(graphics::par(old))
  graphics::plot.new()
  graphics::plot.window(frame$xlim, frame$ylim, xaxs = "i", yaxs = "i")
  draw_axes(frame, at_y, left - 1.2)
  draw()
  draw_key(key)
  if (!is.null(frame$main)) {
    room <- (size[1L] - graphics::par("mai")[2L]) / graphics::par("cex")
    main <- shorten_to(frame$main, room / 1.25, plain_width)
    graphics::mtext(main, 3L, line = top - 1.5, adj = 0, font = 2, cex = 1.15 * scale)
  }
}

# In lines of text. The chart keeps at least a third of the width and of the height.
fitting_margins <- function(margins, size) {
  room <- size[c(2L, 1L, 2L, 1L)]
  taken <- rep_len(c(margins[1L] + margins[3L], margins[2L] + margins[4L]), 4L)
  margins * pmin(1, 0.66 * room / taken)
}

draw_axes <- function(frame, at_y, line) {
  at_x <- grDevices::axisTicks(frame$xlim, log = FALSE, nint = 5L)
  graphics::abline(v = at_x, h = at_y, col = quiet_grey, lwd = 0.8)
  graphics::axis(1L, at_x, frame$xformat(at_x), col = line_grey, col.ticks = line_grey)
  graphics::axis(2L, at_y, frame$yformat(at_y), col = line_grey, col.ticks = line_grey)
  room <- graphics::par("pin") / graphics::par("cex")
  graphics::title(xlab = shorten_to(frame$xlab, 1.1 * room[1L], plain_width))
  graphics::title(ylab = shorten_to(frame$ylab, 1.2 * room[2L], plain_width), line = line)
}

# The entries of a key in columns of equal width. Text can only be measured once the chart is there, and the chart needs
# to know how high the key is; so widths are guessed here, at 0.07 inches a letter.
arrange_key <- function(key, width) {
  n <- length(key$text)
  if (n > max_key) {
    key <- lapply(key, \(part) rep_len(part, n)[seq_len(max_key)])
    key$text[max_key] <- sprintf("... and %d more", n - max_key + 1L)
  }
  widest <- 0.5 + 0.07 * max(nchar(key$text, "width"))
  n_columns <- max(1, min(length(key$text), floor((width - 1) / widest)))
  c(key, n_columns = n_columns, n_rows = ceiling(length(key$text) / n_columns))
}

# A longer key would leave no room for the chart.
max_key <- 12L

# By hand, because legend() spaces its columns differently in different versions of R.
draw_key <- function(key) {
  size <- 0.85
  n <- length(key$text)
  part <- function(name, default) rep_len(if (is.null(key[[name]])) default else key[[name]], n)
  line <- graphics::strheight("A\nA", cex = size) - graphics::strheight("A", cex = size)
  sample <- graphics::strwidth("MMM", cex = size)
  gap <- graphics::strwidth("M", cex = size)
  usr <- graphics::par("usr")
  room <- diff(usr[1:2]) * (1 + graphics::par("mai")[4L] / graphics::par("pin")[1L]) / key$n_columns - sample - 2 * gap
  text <- vapply(key$text, shorten_to, "", width = room, measure = \(text) graphics::strwidth(text, cex = size))
  column <- (seq_len(n) - 1L) %/% key$n_rows
  row <- (seq_len(n) - 1L) %% key$n_rows
  x <- usr[1L] + column * (sample + 2 * gap + max(graphics::strwidth(text, cex = size)))
  y <- usr[4L] + line * (key$n_rows - row - 0.2)
  old <- graphics::par(xpd = NA)
  on.exit(graphics::par(old))
  drawn <- !is.na(part("lty", 1))
  graphics::segments(
    x[drawn], y[drawn], x[drawn] + sample, y[drawn], lty = part("lty", 1)[drawn], lwd = part("lwd", 1)[drawn],
    col = part("col", "black")[drawn], lend = 1
  )
  graphics::points(
    x + sample / 2, y, pch = part("pch", NA), bg = part("pt.bg", NA), col = part("col", "black"),
    cex = part("pt.cex", 1) * size
  )
  graphics::text(x + sample + 0.5 * gap, y, text, adj = c(0, 0.5), cex = size)
}

# Width in inches at size 1, whatever size the chart is drawn at.
plain_width <- function(text) {
  graphics::strwidth(text, "inches", cex = 1 / graphics::par("cex"))
}

whole_percent <- function(x) {
  sprintf("%.0f%%", 100 * x)
}

plain_decimal <- function(x) {
  format_numbers(x, digits = 3L, trim = TRUE)
}

# The other pictures of plot(): coverage, trace, ROC curve, calibration; plain x-y charts in base graphics.

# A chart with axes and a key under its title, sized for the device, however small. Calls `draw` for what is in it and
# leaves par() as it was.
draw_chart <- function(frame, draw) {
  size <- graphics::par("fin")
  scale <- min(1, max(0.45, min(size[1L] / 6.5, size[2L] / 4.8)))
  key <- arrange_key(frame$key, 0.2 * size[1L] / (scale * graphics::par("cin")[2L]))
  top <- 0.8 + key$n_rows + if (is.null(frame$main)) 0 else 1.5
  at_y <- grDevices::axisTicks(frame$ylim, log = FALSE, nint = 5L)
  left <- 2.2 + 0.45 * max(nchar(frame$yformat(at_y)))
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

draw_key <- function(key) {
  usr <- graphics::par("usr")
  arguments <- key[setdiff(names(key), c("text", "n_columns", "n_rows"))]
  do.call(graphics::legend, c(
    list(
      x = usr[1L], y = usr[4L], xjust = 0, yjust = 0, legend = key$text, ncol = key$n_columns, bty = "n", cex = 0.85,
      xpd = NA, x.intersp = 0.6, seg.len = 1.6, y.intersp = 0.95,
      text.width = 1.12 * max(graphics::strwidth(key$text, cex = 0.85))
    ),
    arguments
  ))
}

# Width in inches at size 1, whatever size the chart is drawn at.
plain_width <- function(text) {
  graphics::strwidth(text, "inches", cex = 1 / graphics::par("cex"))
}

whole_percent <- function(x) {
  sprintf("%.0f %%", 100 * x)
}

plain_decimal <- function(x) {
  format(x, digits = 3L, trim = TRUE)
}

draw_coverage <- function(model, steps, level, main) {
  colours <- stats::setNames(class_colours(length(model$classes)), model$classes)
  several <- length(model$classes) > 2L
  frame <- list(
    xlim = c(0, 1), ylim = c(0, 1.06), xformat = whole_percent, yformat = plain_decimal, main = main,
    xlab = coverage_axis(model),
    ylab = probability_title(model), key = coverage_key(model, level, colours)
  )
  draw_chart(frame, function() {
    line <- if (several) colours[as.character(steps$class)] else colours[2L]
    graphics::rect(steps$from, steps$lower, steps$to, steps$upper, col = "#00000026", border = NA)
    graphics::segments(steps$to, steps$prob, steps$to, c(steps$prob[-1L], NA), col = line_grey, lty = 3)
    if (!several) {
      overall <- model$settings$class_counts[[2L]] / sum(model$settings$class_counts)
      graphics::abline(h = overall, lty = 2, col = "grey30")
    }
    graphics::segments(steps$from, steps$prob, steps$to, steps$prob, col = "grey15", lwd = 6, lend = 1)
    graphics::segments(steps$from, steps$prob, steps$to, steps$prob, col = line, lwd = 3.5, lend = 1)
    label_steps(steps)
  })
}

coverage_axis <- function(model) {
  sprintf("Training rows%s, in the order in which rules capture them", if (is_weighted(model)) " (weight)" else "")
}

# The rule's number over its step where there is room for it, from the widest step down.
label_steps <- function(steps) {
  text <- ifelse(steps$position == 0L, "default", steps$position)
  middle <- (steps$from + steps$to) / 2
  half <- graphics::strwidth(paste0(text, " "), cex = 0.85) / 2
  height <- graphics::strheight("0", cex = 0.85)
  above <- steps$upper + 1.1 * height < 1.05
  y <- ifelse(above, steps$upper, steps$lower) + ifelse(above, 1, -1) * 0.9 * height
  placed <- integer()
  for (j in order(steps$from - steps$to)) {
    apart <- abs(middle[placed] - middle[j]) > half[placed] + half[j] | abs(y[placed] - y[j]) > 1.5 * height
    if (all(apart) && steps$to[j] > steps$from[j]) {
      placed <- c(placed, j)
    }
  }
  inside <- pmin(pmax(middle, half), 1 - half)
  graphics::text(inside[placed], y[placed], text[placed], cex = 0.85)
}

coverage_key <- function(model, level, colours) {
  several <- length(model$classes) > 2L
  lines <- if (several) shown_text(model$classes) else "rule"
  n <- length(lines)
  list(
    text = c(lines, interval_title(level), if (!several) "share among all rows"),
    lwd = c(rep(4, n), NA, 1), lty = c(rep(1, n), NA, 2), pch = c(rep(NA, n), 15, NA), pt.cex = 1.8,
    col = c(if (several) colours else colours[2L], "#00000040", "grey30")
  )
}

draw_trace <- function(model, trace, main) {
  best <- model$score[["log_posterior"]]
  frame <- list(
    xlim = c(0, max(trace$iteration)), ylim = trace_range(trace, best), xformat = with_marks, yformat = with_marks,
    main = main, xlab = "Iteration", ylab = "Log posterior", key = trace_key(model, trace)
  )
  draw_chart(frame, function() {
    for (is_best in c(FALSE, TRUE)) {
      for (chain in split(trace, trace$chain)) {
        if (chain$is_best[1L] == is_best) {
          graphics::lines(chain$iteration, chain$log_posterior, col = chain_colours[[is_best + 1L]], lwd = 1)
        }
      }
    }
    graphics::abline(h = best, lty = 2)
    first <- first_best(trace)
    graphics::points(first$iteration, first$log_posterior, pch = 21, bg = "white", col = "black", cex = 1.2, lwd = 1.5)
  })
}

trace_key <- function(model, trace) {
  n_best <- length(unique(trace$chain[trace$is_best]))
  n_other <- length(unique(trace$chain)) - n_best
  list(
    text = c(
      sprintf("reached the best (%d)", n_best), sprintf("other chains (%d)", n_other),
      sprintf("best list, %.2f", model$score[["log_posterior"]]), "first at its best"
    ),
    lty = c(1, 1, 2, NA), lwd = c(1.5, 1.5, 1, 1.5), pch = c(NA, NA, NA, 21), pt.cex = 1.2,
    col = c(chain_colours[2:1], "black", "black")
  )
}

chain_colours <- c("#A9A9A9", "#1F4E8C")

# From the lowest value after the first tenth of the iterations on: how a chain starts says little.
trace_range <- function(trace, best) {
  settled <- trace$log_posterior[trace$iteration >= 0.1 * max(trace$iteration)]
  range <- range(settled, best, finite = TRUE)
  range + c(-0.03, 0.06) * max(diff(range), 1)
}

# Where each best chain is first at its own top.
first_best <- function(trace) {
  tops <- lapply(split(trace, trace$chain), \(chain) chain[which.max(chain$log_posterior), ])
  tops <- do.call(rbind, tops)
  tops[tops$is_best, ]
}

draw_roc <- function(model, curves, main) {
  classes <- unique(curves$class)
  colours <- class_colours(length(model$classes))[as.integer(classes)]
  shapes <- class_shapes(model)[as.integer(classes)]
  frame <- list(
    xlim = c(-0.01, 1.01), ylim = c(-0.01, 1.02), xformat = plain_decimal, yformat = plain_decimal, main = main,
    xlab = "False positive rate", ylab = "True positive rate",
    key = list(text = roc_words(model, curves), lwd = 2, col = "grey15", pch = shapes, pt.bg = colours, pt.cex = 1.2)
  )
  draw_chart(frame, function() {
    graphics::segments(0, 0, 1, 1, lty = 2, col = line_grey)
    for (j in seq_along(classes)) {
      curve <- curves[curves$class == classes[j], ]
      graphics::lines(curve$false_positive, curve$true_positive, col = "grey15", lwd = 3.2)
      graphics::lines(curve$false_positive, curve$true_positive, col = colours[j], lwd = 2)
      graphics::points(curve$false_positive, curve$true_positive, pch = shapes[j], bg = colours[j], col = "grey15")
    }
  })
}

# Shapes help where colours do not; they repeat after five classes.
class_shapes <- function(model) {
  if (length(model$classes) > 2L) 21 + (seq_along(model$classes) - 1) %% 5 else c(21, 21)
}

roc_words <- function(model, curves) {
  auc <- curves$auc[!duplicated(curves$class)]
  classes <- unique(curves$class)
  if (length(model$classes) > 2L) {
    return(sprintf("%s or not: AUC %.3f", shown_text(classes), auc))
  }
  sprintf("%s: AUC %.3f", outcome_text(model, classes), auc)
}

draw_calibration <- function(model, points, level, main) {
  several <- length(model$classes) > 2L
  colours <- class_colours(length(model$classes))
  shapes <- class_shapes(model)
  keys <- if (several) seq_along(model$classes) else 2L
  words <- if (several) shown_text(model$classes) else "rule (area: rows)"
  frame <- list(
    xlim = c(-0.06, 1.06), ylim = c(-0.06, 1.06), xformat = plain_decimal, yformat = plain_decimal, main = main,
    xlab = calibration_axis(model),
    ylab = "Observed share of rows",
    key = list(
      text = c(words, sprintf("%s %% interval of the share", format(100 * level, digits = 4L))),
      pt.bg = c(colours[keys], NA), pch = c(shapes[keys], NA), pt.cex = 1.4, col = "grey15",
      lty = c(rep(NA, length(keys)), 1)
    )
  )
  draw_chart(frame, function() {
    graphics::segments(0, 0, 1, 1, lty = 2, col = line_grey)
    graphics::segments(points$predicted, points$lower, points$predicted, points$upper, col = "grey30")
    graphics::points(
      points$predicted, points$observed, cex = 0.5 + 3 * sqrt(points$n / max(points$n)),
      pch = shapes[as.integer(points$class)], col = "grey15",
      bg = grDevices::adjustcolor(colours[as.integer(points$class)], 0.7)
    )
  })
}

calibration_axis <- function(model) {
  if (length(model$classes) > 2L) "Predicted probability" else sub("^P", "Predicted p", probability_title(model))
}

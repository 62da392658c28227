# Pictures of plot() about the training: coverage and trace; x-y charts in the frame of plot_frame.R.

draw_coverage <- function(model, steps, level, main) {
  colours <- stats::setNames(class_colours(length(model$classes)), model$classes)
  several <- reports_several(model)
  frame <- list(
    xlim = c(0, 1), ylim = c(0, 1.06), xformat = whole_percent, yformat = plain_decimal, main = main,
    xlab = coverage_axis(model),
    ylab = estimate_title(model), key = coverage_key(model, level, colours)
  )
  draw_chart(frame, function() {
    line <- if (several) colours[as.character(steps$class)] else colours[reported_classes(model)]
    graphics::rect(steps$from, steps$lower, steps$to, steps$upper, col = "#00000026", border = NA)
    graphics::segments(steps$to, steps$prob, steps$to, c(steps$prob[-1L], NA), col = line_grey, lty = 3)
    if (!several) {
      graphics::abline(h = overall_estimate(model), lty = 2, col = "grey30")
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
  several <- reports_several(model)
  lines <- if (several) shown_class(model) else "rule"
  n <- length(lines)
  list(
    text = c(lines, interval_title(level), if (!several) "share among all rows"),
    lwd = c(rep(4, n), NA, 1), lty = c(rep(1, n), NA, 2), pch = c(rep(NA, n), 15, NA), pt.cex = 1.8,
    col = c(if (several) colours else colours[reported_classes(model)], "#00000040", "grey30")
  )
}

draw_trace <- function(model, trace, main) {
  best <- model$score[["log_posterior"]]
  frame <- list(
    xlim = c(0, max(trace$iteration)), ylim = trace_range(trace, best),
    xformat = with_thousands, yformat = with_thousands,
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

# From the lowest value after the first tenth of the iterations on: the start of a chain is not informative.
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

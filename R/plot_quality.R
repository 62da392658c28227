# Pictures of plot() about other data: ROC curve and calibration, for more than two classes with a panel for each.

draw_roc <- function(model, curves, main) {
  frame <- list(
    xlim = c(-0.01, 1.01), ylim = c(-0.01, 1.02), xformat = plain_decimal, yformat = plain_decimal, main = main,
    xlab = "False positive rate", ylab = "True positive rate"
  )
  classes <- unique(curves$class)
  draw_one <- function(class, at) draw_curve(curves[curves$class == class, ], class_colour(model, class), at)
  if (reports_several(model)) {
    auc <- sprintf("AUC %.3f", curves$auc[!duplicated(curves$class)])
    return(draw_panels(frame, shown_class(model, classes), notes = auc, \(j, at) draw_one(classes[j], at)))
  }
  frame$key <- list(
    text = sprintf("%s: AUC %.3f", outcome_text(model), curves$auc[1L]), lwd = 2, col = "grey15", pch = 21,
    pt.bg = class_colour(model, classes), pt.cex = 1.2
  )
  draw_chart(frame, \() draw_one(classes[1L], as_is))
}

# Where a chart with axes of its own draws a point; panels place it elsewhere.
as_is <- list(x = identity, y = identity, size = 1)

class_colour <- function(model, class) {
  class_colours(length(model$classes))[match(class, model$classes)]
}

draw_curve <- function(curve, colour, at) {
  x <- at$x(curve$false_positive)
  y <- at$y(curve$true_positive)
  draw_diagonal(at)
  graphics::lines(x, y, col = "grey15", lwd = 3.2)
  graphics::lines(x, y, col = colour, lwd = 2)
  graphics::points(x, y, pch = 21, bg = colour, col = "grey15", cex = at$size)
}

draw_diagonal <- function(at) {
  graphics::segments(at$x(0), at$y(0), at$x(1), at$y(1), lty = 2, col = line_grey)
}

draw_calibration <- function(model, points, level, main) {
  frame <- list(
    xlim = c(-0.06, 1.06), ylim = c(-0.06, 1.06), xformat = plain_decimal, yformat = plain_decimal, main = main,
    xlab = calibration_axis(model), ylab = "Observed share of rows"
  )
  classes <- unique(points$class)
  size <- function(n) 0.5 + 3 * sqrt(n / max(points$n))
  draw_one <- function(class, at, scale) {
    chosen <- points[points$class == class, ]
    draw_rule_points(chosen, class_colour(model, class), scale * at$size * size(chosen$n), at)
  }
  interval <- sprintf("%s%% interval of the share", format_numbers(100 * level, digits = 4L))
  if (reports_several(model)) {
    frame$note <- sprintf("One point per rule, its area: rows; line: %s", interval)
    return(draw_panels(frame, shown_class(model, classes), \(j, at) draw_one(classes[j], at, 0.6)))
  }
  frame$key <- list(
    text = c("rule (area: rows)", interval), pt.bg = c(class_colour(model, classes), NA), pch = c(21, NA), pt.cex = 1.4,
    col = "grey15", lty = c(NA, 1)
  )
  draw_chart(frame, \() draw_one(classes[1L], as_is, 1))
}

draw_rule_points <- function(points, colour, size, at) {
  x <- at$x(points$predicted)
  draw_diagonal(at)
  graphics::segments(x, at$y(points$lower), x, at$y(points$upper), col = "grey30")
  graphics::points(
    x, at$y(points$observed), cex = size, pch = 21, col = "grey15", bg = grDevices::adjustcolor(colour, 0.7)
  )
}

calibration_axis <- function(model) {
  if (reports_several(model)) "Predicted probability" else sub("^P", "Predicted p", estimate_title(model))
}

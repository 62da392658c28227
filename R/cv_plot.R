# Pictures of a cross-validation: the measure against the length of the lists.

#' Plot a cross-validation
#'
#' `plot()` draws the mean of a measure, with one standard error up and down, against the mean number of rules, one
#' labelled point per setting. The best setting and the one-standard-error choice are marked; the dashed line is one
#' standard error from the best. If there is little room, `plot()` labels only the marked points. `autoplot()` draws
#' the same with ggplot2.
#'
#' @param x,object The result of [cv_sbrl()].
#' @param measure The measure to draw; `NULL` for the one that decided.
#' @param labels Whether to label the points with their settings.
#' @param ... For `plot()`, passed to [graphics::plot.default()]; for `autoplot()`, it must be empty.
#' @return `plot()` returns `x` invisibly, `autoplot()` a ggplot.
#' @seealso [cv_sbrl()], [print.cv_sbrl()].
#' @examples
#' cv <- cv_sbrl(Species ~ ., data = iris, lambda = c(2, 5, 10), rule_maxlen = 1:2, folds = 5,
#'               seed = 1, iters = 1000, nchain = 2)
#' plot(cv)
#' @export
plot.cv_sbrl <- function(x, measure = NULL, labels = TRUE, ...) {
  check_cv(x)
  points <- plot_points(x, measure)
  measure <- points$measure[1L]
  check_flag(labels, "labels")
  points <- fitting_labels(points, graphics::par("pin")[1L])
  drawn <- list(
    x = points$length, y = points$mean, type = "n", ylim = measure_range(points),
    xlim = length_range(points, labels, graphics::par("pin")[1L]), xlab = "mean number of rules",
    ylab = measure_title(measure)
  )
  own <- check_graphical(list(...))
  drawn[names(own)] <- own
  draw_empty(drawn)
  graphics::abline(h = points$limit[1L], lty = 2, col = "grey50")
  graphics::segments(points$length, points$lower, points$length, points$upper, col = "grey60")
  graphics::points(points$length, points$mean, pch = choice_symbols[points$choice],
                   bg = choice_colours[points$choice], cex = 1.3)
  if (labels) {
    draw_labels(points)
  }
  shown <- intersect(names(choice_symbols), points$choice)
  graphics::legend(
    "top", shown, pch = choice_symbols[shown], pt.bg = choice_colours[shown], bty = "n", horiz = TRUE, xpd = NA,
    inset = c(0, -1.9 * graphics::par("cin")[2L] / graphics::par("pin")[2L])
  )
  invisible(x)
}

# R would ignore any other name with a warning for each part of the picture.
check_graphical <- function(arguments) {
  known <- setdiff(c(names(formals(graphics::plot.default)), graphical_parameters), "...")
  if (length(arguments) > 0L && is.null(names(arguments))) {
    abort_sbrl("argument", paste(counted(length(arguments), "argument"), "too many."))
  }
  unknown <- setdiff(names(arguments), known)
  if (length(unknown) > 0L) {
    abort_sbrl("argument", sprintf("Unknown argument: %s.", quote_names(unknown)))
  }
  arguments
}

# Those of par() that high-level functions take.
graphical_parameters <- c(
  "adj", "bg", "bty", "cex", "cex.axis", "cex.lab", "cex.main", "cex.sub", "col", "col.axis", "col.lab", "col.main",
  "col.sub", "crt", "err", "family", "fg", "font", "font.axis", "font.lab", "font.main", "font.sub", "lab", "las",
  "lend", "ljoin", "lmitre", "lty", "lwd", "mgp", "mkh", "pch", "ps", "smo", "srt", "tck", "tcl", "tmag", "xaxp",
  "xaxs", "xaxt", "xpd", "yaxp", "yaxs", "yaxt"
)

# What the user added may be nothing that R can draw with.
draw_empty <- function(arguments) {
  tryCatch(
    do.call(graphics::plot.default, arguments),
    error = function(e) abort_sbrl("argument", sprintf("The picture cannot be drawn: %s.", conditionMessage(e)))
  )
}

choice_symbols <- c("best and 1 SE" = 23, "best" = 24, "1 SE" = 21, "other" = 1)
choice_colours <- c("best and 1 SE" = "#1b7837", "best" = "#2166ac", "1 SE" = "#1b7837", "other" = "white")

measure_title <- function(measure) {
  c(auc = "AUC", log_loss = "log loss", accuracy = "accuracy", brier = "Brier score")[[measure]]
}

# One row per setting: where it is drawn, and as what. The one-standard-error limit is that of the deciding measure.
plot_points <- function(cv, measure) {
  measure <- if (is.null(measure)) cv$measure else check_choice(measure, "measure", names(more_is_better))
  at <- cv$results[cv$results$measure == measure, ]
  se <- ifelse(is.na(at$se), 0, at$se)
  choice <- rep("other", nrow(at))
  choice[cv$one_se] <- "1 SE"
  choice[cv$best] <- if (cv$best == cv$one_se) "best and 1 SE" else "best"
  away <- if (more_is_better[[measure]]) -1 else 1
  points <- data.frame(
    length = at$length, mean = at$mean, lower = at$mean - se, upper = at$mean + se, measure = measure,
    choice = choice, label = setting_labels(cv$grid), limit = at$mean[cv$best] + away * se[cv$best]
  )
  # The chosen ones are drawn last, over the others.
  points[order(choice != "other"), ]
}

# The room that labels need, in inches, a letter taking 0.055.
label_room <- function(points) {
  ifelse(nzchar(points$label), 0.055 * nchar(points$label, "width") + 0.25, 0.15)
}

# On a picture of this width, in inches.
fitting_labels <- function(points, width) {
  if (max(label_room(points)) > 0.45 * width) {
    points$label[points$choice == "other"] <- ""
  }
  points
}

# Labels are to the right of their points, and end before the axis does; a long one has at most two thirds of the
# picture, whose width is given in inches.
length_range <- function(points, labels, width) {
  length <- points$length
  left <- min(length) - 0.04 * max(diff(range(length)), 1)
  room <- if (labels) pmin(label_room(points), 0.66 * width) else 0.15
  c(left, max(left + (length - left) * width / (width - room), left + 1))
}

measure_range <- function(points) {
  ends <- range(points$lower, points$upper, na.rm = TRUE)
  ends + c(-0.08, 0.08) * diff(ends)
}

draw_labels <- function(points) {
  points <- points[nzchar(points$label), ]
  cex <- 0.7
  gap <- graphics::strwidth("M", cex = 0.9)
  room <- graphics::par("usr")[2L] - points$length - gap
  measure <- function(text) graphics::strwidth(text, cex = cex)
  points$label <- unlist(Map(\(label, room) shorten_to(label, room, measure), points$label, room), use.names = FALSE)
  size <- list(width = measure(points$label), height = 1.4 * graphics::strheight("M", cex = cex))
  y <- spread_labels(points$length, points$mean, gap, size, graphics::par("usr")[3:4])
  graphics::text(points$length + gap, y, points$label, adj = c(0, 0.5), cex = cex, col = "grey25")
}

# Heights of the labels of points (x, y): each as near to its point as it can be between the `limits` without touching
# another point or a label that has its place already. The last points come first: they are the chosen ones.
spread_labels <- function(x, y, gap, size, limits) {
  left <- x + gap
  right <- left + size$width
  placed <- y
  steps <- c(0, rep(seq_along(y), each = 2L) * c(1, -1)) * size$height
  for (i in rev(seq_along(y))) {
    others <- seq_along(y) > i
    overlapping <- others & left < right[i] & left[i] < right
    obstacles <- c(placed[overlapping], y[x > left[i] & x < right[i]])
    tried <- y[i] + steps
    is_free <- vapply(tried, \(at) all(abs(at - obstacles) >= 0.99 * size$height), NA)
    is_free <- is_free & tried - size$height / 2 >= limits[1L] & tried + size$height / 2 <= limits[2L]
    placed[i] <- c(tried[is_free], y[i])[1L]
  }
  placed
}

#' @rdname plot.cv_sbrl
#' @exportS3Method ggplot2::autoplot
autoplot.cv_sbrl <- function(object, measure = NULL, labels = TRUE, ...) { # nolint: object_name_linter.
  check_cv(object, "object")
  check_dots_empty(...)
  check_flag(labels, "labels")
  points <- plot_points(object, measure)
  points$choice <- factor(points$choice, names(choice_symbols))
  picture <- ggplot2::ggplot(points, aes_of(x = "length", y = "mean")) +
    ggplot2::geom_hline(yintercept = points$limit[1L], linetype = 2, colour = "grey50") +
    ggplot2::geom_linerange(aes_of(ymin = "lower", ymax = "upper"), colour = "grey60") +
    ggplot2::geom_point(aes_of(shape = "choice", fill = "choice"), size = 3) +
    ggplot2::scale_shape_manual(name = NULL, values = choice_symbols) +
    ggplot2::scale_fill_manual(name = NULL, values = choice_colours) +
    ggplot2::labs(x = "mean number of rules", y = measure_title(points$measure[1L])) +
    ggplot2::theme_minimal() +
    gg_theme()
  if (labels) picture + label_layers(points) else picture
}

# The size of text is not known before it is drawn; these shares of the picture are right for one of common size.
label_layers <- function(points) {
  limits <- length_range(points, TRUE, 5.5)
  heights <- measure_range(points)
  gap <- 0.015 * diff(limits)
  size <- list(width = 0.012 * diff(limits) * nchar(points$label), height = 0.035 * diff(heights))
  points$place <- spread_labels(points$length, points$mean, gap, size, heights)
  list(
    ggplot2::geom_text(
      aes_of(y = "place", label = "label"), points, hjust = 0, nudge_x = gap, size = 3, colour = "grey25"
    ),
    ggplot2::coord_cartesian(xlim = limits, ylim = heights)
  )
}

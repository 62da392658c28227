# plot(type = "rules") in base graphics: the rule list as a table with drawn columns. Coordinates are inches, so that
# all text is measured against the room it really has.

draw_rules <- function(model, level, main) {
  # Sizes first, then margins in lines: put back in this order, they are what they were even with several figures.
  old <- graphics::par(cex = 1, ps = 12, mar = c(0, 0, 0, 0), xpd = TRUE, lheight = 0.9)
  on.exit(graphics::par(old))
  graphics::plot.new()
  page <- list(width = graphics::par("pin")[1L], height = graphics::par("pin")[2L])
  graphics::plot.window(c(0, page$width), c(0, page$height), xaxs = "i", yaxs = "i")
  # Large enough to read; a short list needs less than the four inches of a longer one.
  needed <- min(4, 1.5 + 0.35 * nrow(model$rs))
  page$scale <- min(1, max(0.55, min(page$width / 6, page$height / needed)))
  page$margin <- 0.12 * page$scale
  page$top <- page$height - (if (is.null(main)) 0.05 else 0.42) * page$scale
  page$body_top <- page$top - 0.45 * page$scale
  foot <- rules_foot(model, level, page)
  page$body_bottom <- (0.4 + 0.2 * foot$n_lines) * page$scale
  table <- rules_on_page(model, level, page)
  draw_headings(model, table, page, main)
  draw_grid(table, page)
  draw_rule_text(model, table)
  draw_probability(model, table)
  draw_mix(model, table)
  draw_share(model, table)
  draw_foot(model, foot, page, table)
}

draw_headings <- function(model, table, page, main) {
  columns <- table$columns
  if (!is.null(main)) {
    measure <- function(text) graphics::strwidth(text, "inches", cex = 1.15 * page$scale, font = 2)
    title <- shorten_to(main, page$width - 2 * page$margin, measure)
    graphics::text(page$margin, page$top + 0.2 * page$scale, title, adj = c(0, 0.5), font = 2, cex = 1.15 * page$scale)
  }
  size <- max(0.5, 0.95 * table$size)
  measure <- function(text) graphics::strwidth(text, "inches", cex = size, font = 2)
  heading <- function(x, text, width, side = 0) {
    lines <- cap_lines(wrap_pieces(text, width, measure, 2L), 2L, width, measure)
    y <- page$body_top + (0.08 + 0.09 * length(lines)) * size
    graphics::text(x, y, paste(lines, collapse = "\n"), adj = c(side, 0.5), cex = size, font = 2, col = "grey25")
  }
  heading(columns$left, "Rule", columns$text_width)
  from <- if (columns$class > 0) columns$class_at else columns$number_at
  if (columns$interval == 0) {
    heading(columns$number_at + columns$number, "Probability", measure("Probability"), side = 1)
    heading(columns$share_text_at, "Share", measure("Share"))
    return(invisible())
  }
  to <- if (columns$mix > 0) columns$mix_at else columns$share_at
  heading(from, estimate_pieces(model), to - from - 0.5 * columns$gap)
  if (columns$mix > 0) {
    heading(columns$mix_at, "Class mix", columns$mix + columns$gap / 2)
  }
  heading(columns$share_at, captured_title(model), page$width - page$margin - columns$share_at)
}

draw_grid <- function(table, page) {
  columns <- table$columns
  edges <- c(table$top[1L], table$bottom)
  graphics::segments(page$margin, edges, page$width - page$margin, edges, col = quiet_grey)
  if (columns$interval == 0) {
    return(invisible())
  }
  at <- columns$interval_at + columns$interval * c(0, 0.5, 1)
  lowest <- min(table$bottom)
  graphics::segments(at, lowest, at, table$top[1L], col = c(line_grey, quiet_grey, line_grey), lwd = 0.8)
  size <- max(0.5, 0.85 * table$size)
  graphics::text(at, lowest - 0.11 * table$size, c("0", "0.5", "1"), cex = size, col = "grey35")
}

row_middle <- function(table) {
  (table$top + table$bottom) / 2
}

draw_rule_text <- function(model, table) {
  columns <- table$columns
  y <- row_middle(table)
  if (columns$index > 0) {
    right <- columns$left + columns$index - 0.6 * columns$gap
    graphics::text(right, y, table$data$number, adj = c(1, 0.5), cex = table$size, col = "grey35")
  }
  at <- columns$left + columns$index
  graphics::text(at, y, table$data$keyword, adj = c(0, 0.5), cex = table$size, col = "grey45", font = 3)
  text <- vapply(table$lines, paste, "", collapse = "\n")
  plain <- is.na(table$data$position) | table$data$position == 0L
  graphics::text(
    columns$text_at, y, text, adj = c(0, 0.5), cex = table$size, col = ifelse(plain, "grey35", "black")
  )
}

# The number, and the interval with the estimate on it.
draw_probability <- function(model, table) {
  shown <- !is.na(table$data$prob)
  data <- table$data[shown, ]
  y <- row_middle(table)[shown]
  columns <- table$columns
  if (columns$class > 0) {
    class <- vapply(table$classes[shown], paste, "", collapse = "\n")
    graphics::text(columns$class_at, y, class, adj = c(0, 0.5), cex = table$size)
  }
  graphics::text(columns$number_at, y, number_label(data), adj = c(0, 0.5), cex = table$size)
  if (columns$interval > 0) {
    at <- function(prob) columns$interval_at + columns$interval * prob
    colour <- class_colours(length(model$classes))[match(data$class, model$classes)]
    graphics::segments(at(data$lower), y, at(data$upper), y, col = "grey20", lwd = 2, lend = 1)
    graphics::points(at(data$prob), y, pch = 21, bg = colour, col = "grey20", cex = 1.15 * table$size)
  }
}

bar_half <- function(table) {
  0.3 * min(table$top - table$bottom, 0.36 * table$size)
}

draw_mix <- function(model, table) {
  columns <- table$columns
  if (columns$mix == 0) {
    return(invisible())
  }
  mix <- plot_data_mix(model)
  row <- match(mix$position, table$data$position)
  mix <- mix[!is.na(row), ]
  y <- row_middle(table)[row[!is.na(row)]]
  at <- function(share) columns$mix_at + columns$mix * share
  colour <- class_colours(length(model$classes))[as.integer(mix$class)]
  half <- bar_half(table)
  graphics::rect(at(mix$from), y - half, at(mix$to), y + half, col = colour, border = "grey20", lwd = 0.5)
}

draw_share <- function(model, table) {
  columns <- table$columns
  y <- row_middle(table)
  page <- list(width = graphics::par("pin")[1L])
  if (columns$share > 0) {
    width <- columns$share * table$data$share / max(table$data$share)
    half <- bar_half(table)
    graphics::rect(columns$share_at, y - half, columns$share_at + width, y + half, col = "grey60", border = NA)
    graphics::segments(columns$share_at, table$top, columns$share_at, table$bottom, col = line_grey, lwd = 0.8)
  }
  label <- share_label(table$data, page)
  graphics::text(columns$share_text_at, y, label, adj = c(0, 0.5), cex = table$size, col = "grey20")
}

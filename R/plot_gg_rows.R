# Layers of autoplot(type = "rules") whose rows are placed when they are drawn, because only then is the height of the
# page known. Where it has no room for all rules, a note replaces the last ones before the default rule, as in plot().

# Sizes of text, and the space between two rows at size 1, in inches.
gg_sizes <- seq(0.75, 0.45, by = -0.05)
row_padding <- 0.05

more_rules <- function(rows) {
  sprintf("... %d more rules ...", length(rows))
}

# Which rows are shown on a panel of this height, in inches, of a list of `n` rows; NA for the row of the note.
rows_shown <- function(n, height) {
  lowest_row <- (line_height + row_padding) * min(gg_sizes)
  n_fit <- max(2L, as.integer(height / lowest_row))
  if (n <= n_fit) seq_len(n) else c(seq_len(n_fit - 2L), NA, as.integer(n))
}

# How far the rows move, in units of the scale, and by how much they grow. Row r of n is at n + 1 - r.
place_rows <- function(row, shown, n) {
  stretch <- n / length(shown)
  list(at = n + 0.5 - (match(row, shown) - 0.5) * stretch, stretch = stretch)
}

# A layer of ggplot2's own, with the aesthetic `row`.
layer_of_rows <- function(geom, n, mapping, params, data = NULL, legend = FALSE) {
  moved <- ggplot2::ggproto(
    NULL, geom,
    required_aes = c(geom$required_aes, "row"),
    draw_panel = function(self, data, panel_params, coord, ...) {
      draw <- function(data) geom$draw_panel(data, panel_params, coord, ...)
      grid::gTree(data = data, n = n, draw = draw, cl = "sbrl_rows")
    }
  )
  ggplot2::layer(
    geom = moved, stat = "identity", position = "identity", data = data, mapping = mapping, params = params,
    inherit.aes = FALSE, show.legend = legend
  )
}

panel_height <- function() {
  grid::convertHeight(grid::unit(1, "npc"), "inches", valueOnly = TRUE)
}

# grid asks for the content each time the picture is drawn, with the panel's size known.
#' @rawNamespace S3method(grid::makeContent, sbrl_rows)
makeContent.sbrl_rows <- function(x) { # nolint: object_name_linter. grid's name.
  shown <- rows_shown(x$n, panel_height())
  data <- x$data[x$data$row %in% shown, ]
  if (nrow(data) == 0L) {
    return(x)
  }
  if (length(shown) < x$n) {
    places <- place_rows(data$row, shown, x$n)
    for (side in intersect(c("y", "yend", "ymin", "ymax"), names(data))) {
      data[[side]] <- places$at + (data[[side]] - (x$n + 1L - data$row)) * places$stretch
    }
  }
  grid::setChildren(x, grid::gList(x$draw(data)))
}

# Text broken into lines and sized when it is drawn. `data` has one row per rule, all in one panel; `words` are the
# `texts` and `keywords` of the rules, `one_line`, whether a text must not be broken, and `other`, a function that
# gives the note in place of rules that are left out.
geom_fitted_text <- function(data, words) {
  geom <- ggplot2::ggproto(
    NULL, ggplot2::Geom,
    required_aes = c("xmin", "xmax", "y", "row"),
    draw_panel = function(data, panel_params, coord) {
      at <- \(y) coord$transform(data.frame(x = data$xmin[1L], y = y), panel_params)$y
      ends <- coord$transform(data.frame(x = c(data$xmin[1L], data$xmax[1L]), y = data$y[1L]), panel_params)$x
      grid::gTree(words = words, n = length(words$texts), ends = ends, at = at, cl = "sbrl_fitted_text")
    }
  )
  ggplot2::layer(
    geom = geom, stat = "identity", position = "identity", data = data, inherit.aes = FALSE, show.legend = FALSE,
    mapping = aes_of(xmin = "from", xmax = "to", y = "y", row = "row")
  )
}

#' @rawNamespace S3method(grid::makeContent, sbrl_fitted_text)
makeContent.sbrl_fitted_text <- function(x) { # nolint: object_name_linter. grid's name.
  height <- panel_height()
  shown <- rows_shown(x$n, height)
  words <- shown_words(x$words, shown)
  y <- x$at(place_rows(shown, shown, x$n)$at)
  # The distance of the rows is their height; a single one has the whole panel.
  row_height <- height * if (length(y) > 1L) abs(y[1L] - y[2L]) else 1
  width <- grid::convertWidth(grid::unit(diff(x$ends), "npc"), "inches", valueOnly = TRUE)
  indent <- function(size) if (any(nzchar(words$keywords))) max(grid_width(paste0(words$keywords, " "), size)) else 0
  space <- list(
    width = \(size) width - indent(size), height = length(y) * row_height, padding = row_padding, equal = TRUE
  )
  measure_at <- function(size) function(text) grid_width(text, size)
  fit <- if (x$words$one_line) fit_lines else fit_antecedents
  text <- fit(words$texts, space, measure_at, gg_sizes)
  left <- grid::unit(x$ends[1L], "npc")
  draw <- function(label, at, gp) grid::textGrob(label, at, grid::unit(y, "npc"), just = c(0, 0.5), gp = gp)
  lines <- vapply(text$lines, paste, "", collapse = "\n")
  grid::setChildren(x, grid::gList(
    draw(words$keywords, left, grid::gpar(fontsize = 12 * text$size, fontface = "italic", col = "grey40")),
    draw(lines, left + grid::unit(indent(text$size), "inches"), grid::gpar(fontsize = 12 * text$size, lineheight = 0.9))
  ))
}

# Numbers are never broken: better a bit too wide than unreadable.
fit_lines <- function(texts, space, measure_at, sizes) {
  fits <- function(size) {
    max(measure_at(size)(unlist(texts))) <= space$width(size) && text_height(texts, size, space) <= space$height
  }
  list(size = c(Filter(fits, sizes), min(sizes))[1L], lines = texts)
}

shown_words <- function(words, shown) {
  note <- is.na(shown)
  texts <- words$texts[shown]
  texts[note] <- words$other(setdiff(seq_along(words$texts), shown))
  list(texts = texts, keywords = ifelse(note, "", words$keywords[shown]))
}

# Widths grow with the size of the letters; so one measurement, at the size that is set here, does for all.
grid_width <- function(text, size) {
  here <- grid::get.gpar(c("fontsize", "cex"))
  width <- grid::convertWidth(grid::stringWidth(text), "inches", valueOnly = TRUE)
  width * 12 * size / (here$fontsize * here$cex)
}

# What the pictures of autoplot() share: columns by name, colours and shapes of the classes, the theme.

# aes() with column names as text.
aes_of <- function(...) {
  ggplot2::aes(!!!lapply(c(...), as.name))
}

gg_theme <- function() {
  bold <- ggplot2::element_text(face = "bold")
  ggplot2::theme(
    panel.grid.minor = ggplot2::element_blank(), legend.position = "bottom", plot.title = bold,
    plot.title.position = "plot", strip.text = ggplot2::element_text(face = "bold", hjust = 0, vjust = 0),
    strip.background = ggplot2::element_blank(), legend.spacing.y = ggplot2::unit(3, "pt")
  )
}

# The classes in their order, their names broken into lines, in as many columns as have room on a page of common size.
gg_class_scale <- function(model, aesthetic) {
  labels <- gg_wrap(shown_class(model))
  widest <- max(nchar(unlist(strsplit(labels, "\n", fixed = TRUE)), "width"), 1L)
  n_columns <- max(1L, min(length(labels), 70L %/% (widest + 4L)))
  ggplot2::scale_discrete_manual(
    aesthetic, values = stats::setNames(class_colours(length(model$classes)), model$classes), labels = labels,
    limits = model$classes, name = paste(gg_wrap(shown_label(model)), collapse = "\n"),
    guide = ggplot2::guide_legend(ncol = n_columns, byrow = TRUE)
  )
}

# Long names in lines of some 25 characters; of very long ones only the beginning.
gg_wrap <- function(text, width = 25L) {
  measure <- function(text) nchar(text, "width")
  one <- function(text) paste(cap_lines(wrap_pieces(text, width, measure, 3L), 3L, width, measure), collapse = "\n")
  vapply(text, one, "", USE.NAMES = FALSE)
}

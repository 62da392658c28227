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
    strip.background = ggplot2::element_blank()
  )
}

gg_class_scale <- function(model, aesthetic) {
  colours <- class_colours(length(model$classes))
  ggplot2::scale_discrete_manual(
    aesthetic, values = stats::setNames(colours, model$classes), labels = shown_text, drop = FALSE,
    name = shown_text(model$settings$label)
  )
}

gg_shape_scale <- function(model) {
  ggplot2::scale_shape_manual(
    values = stats::setNames(class_shapes(model), model$classes), labels = shown_text, drop = FALSE,
    name = shown_text(model$settings$label)
  )
}

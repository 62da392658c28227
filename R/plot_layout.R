# The layout of plot(type = "rules"), in inches: which rules fit on the page, how high their rows are, where the columns
# are.

# The rules that fit, their lines of text, their heights and the columns.
rules_on_page <- function(model, level, page) {
  data <- plot_data_rules(model, level)
  data$shown_class <- shown_class(model, data$class)
  antecedents <- c(rule_conditions(model), data$antecedent[nrow(data)])
  measure_at <- function(size) function(text) graphics::strwidth(text, "inches", cex = size)
  room <- page$body_top - page$body_bottom
  columns_at <- function(size) rule_columns(model, data, page, size)
  space <- list(width = \(size) columns_at(size)$text_width, height = room, padding = 0.09, equal = FALSE)
  sizes <- seq(min(0.9, 1.1 * page$scale), 0.5, by = -0.05)
  text <- fit_antecedents(antecedents, space, measure_at, sizes)
  if (!text$fits) {
    kept <- elide_rules(data, antecedents, floor(room / ((line_height + space$padding) * text$size)))
    data <- kept$data
    text <- fit_antecedents(kept$antecedents, space, measure_at, sizes)
  }
  columns <- widen_columns(columns_at(text$size), max(measure_at(text$size)(unlist(text$lines))))
  classes <- fitting_classes(data, columns, text, space)
  needed <- (pmax(lengths(text$lines), lengths(classes)) * line_height + space$padding) * text$size
  # Spare height is shared out, but a short list does not fill a tall page.
  heights <- needed + max(0, min((room - sum(needed)) / length(needed), 0.17 * text$size))
  bottom <- page$body_top - cumsum(heights)
  list(
    data = data, lines = text$lines, classes = classes, size = text$size, bottom = bottom, top = bottom + heights,
    columns = columns
  )
}

# The names of the classes, broken into four lines, or fewer if there is no room for them; blank where none is shown.
fitting_classes <- function(data, columns, text, space) {
  measure <- function(text_of) graphics::strwidth(text_of, "inches", cex = text$size)
  for (most in 4:1) {
    classes <- class_lines(data, columns, measure, pmax(most, lengths(text$lines)))
    n_lines <- sum(pmax(lengths(text$lines), lengths(classes)))
    if ((n_lines * line_height + nrow(data) * space$padding) * text$size <= space$height) {
      break
    }
  }
  classes
}

class_lines <- function(data, columns, measure, most) {
  if (columns$class == 0) {
    return(rep(list(""), nrow(data)))
  }
  width <- columns$class - 0.8 * columns$gap
  one <- function(text, most) cap_lines(wrap_pieces(text, width, measure, most), most, width, measure)
  lines <- Map(one, data$shown_class, most)
  replace(unname(lines), is.na(data$prob), "")
}

# The first rules, one row that stands for the others, and the default rule.
elide_rules <- function(data, antecedents, n_rows) {
  n_first <- max(0L, min(n_rows - 2L, nrow(data) - 2L))
  left_out <- seq(n_first + 1L, nrow(data) - 1L)
  others <- data[left_out[1L], ]
  others$position <- NA
  others[c("number", "keyword")] <- ""
  others[c("prob", "lower", "upper")] <- NA
  others[c("n", "share")] <- lapply(data[left_out, c("n", "share")], sum)
  note <- sprintf("... %d more rules ...", length(left_out))
  list(
    data = rbind(data[seq_len(n_first), ], others, data[nrow(data), ]),
    antecedents = c(antecedents[seq_len(n_first)], note, antecedents[nrow(data)])
  )
}

# Where the columns begin and how wide they are, in inches. A narrow page does without the drawn ones.
rule_columns <- function(model, data, page, size) {
  width <- \(text) max(graphics::strwidth(text, "inches", cex = size))
  gap <- 0.15 * page$scale
  several <- reports_several(model)
  columns <- list(
    gap = gap, left = page$margin,
    index = if (nrow(data) > 1L) width(data$number) + 0.6 * gap else 0,
    keyword = if (any(nzchar(data$keyword))) width("else if") + 0.6 * gap else 0,
    class = if (several) min(width(data$shown_class), class_share(page) * page$width) + gap else 0,
    number = width(number_label(data)),
    interval = if (page$width >= 3.8) min(0.12 * page$width, 1.5) else 0,
    mix = if (has_mix(page)) min(0.08 * page$width, 1.1) else 0,
    share = if (page$width >= 3.8) min(0.05 * page$width, 0.9) else 0,
    share_text = width(share_label(data, page))
  )
  fixed <- unlist(columns[c("index", "keyword", "class", "number", "interval", "mix", "share", "share_text")])
  columns$text_width <- page$width - 2 * page$margin - sum(fixed) - gap * (sum(fixed[-(1:2)] > 0) + 0.5)
  columns
}

# Where nothing is drawn, the names of the classes get more of the width.
class_share <- function(page) {
  if (page$width >= 3.8) 0.17 else 0.28
}

# A narrow page does without the mix of classes.
has_mix <- function(page) {
  page$width >= 4.8
}

number_label <- function(data) {
  text <- rep("", nrow(data))
  shown <- !is.na(data$prob)
  text[shown] <- paste0(short_probability(data$prob[shown]), ifelse(data$thin[shown], thin_mark, ""), recycle0 = TRUE)
  text
}

share_label <- function(data, page) {
  percent <- percent_text(data$share)
  if (page$width >= 4.2) sprintf("%s (%s)", count_text(data$n), percent) else percent
}

# What the text does not need goes to the drawn columns, which then get their places.
widen_columns <- function(columns, needed) {
  spare <- max(0, columns$text_width - needed)
  drawn <- c("interval", "mix", "share")
  gain <- pmin(c(0.4, 0.25, 0.35) * spare, c(2, 2, 3) * unlist(columns[drawn]))
  columns[drawn] <- Map(`+`, columns[drawn], gain)
  columns$text_width <- columns$text_width - sum(gain)
  x <- columns$left + columns$index + columns$keyword
  columns$text_at <- x
  x <- x + columns$text_width + columns$gap
  for (name in c("class", "number", "interval", "mix", "share", "share_text")) {
    columns[[paste0(name, "_at")]] <- x
    if (columns[[name]] > 0) {
      x <- x + columns[[name]] + columns$gap * (if (name == "share") 0.5 else 1)
    }
  }
  columns
}

# Pictures of a posterior in base graphics: what they show is in posterior_plot_data.R.

posterior_plot_types <- c("rules", "features", "length", "rows", "order", "trace", "rank")

#' Draw a posterior
#'
#' `plot()` draws a posterior with base graphics, `ggplot2::autoplot()` with ggplot2.
#'
#' \describe{
#'   \item{`"rules"`}{the share of the draws in which each rule is active; the dark part of a bar is the share in which
#'     it is the first. Rules of equal cover are counted together}
#'   \item{`"features"`}{the same for features}
#'   \item{`"length"`}{the number of active rules, and as points what the prior expects of the number of rules}
#'   \item{`"rows"`}{predictions of the rows of `data`: the averaged probability with its interval over lists, and in
#'     grey that of the [medoid()] with its interval given this list}
#'   \item{`"order"`}{for each pair of the most active rules, how often that of the row comes before that of the column;
#'     empty where their conditions exclude each other, so that the order is arbitrary}
#'   \item{`"trace"`}{the log likelihood of the draws of each chain}
#'   \item{`"rank"`}{for each chain, how its draws rank among all draws by log likelihood: bars of about equal height if
#'     the chains agree}
#' }
#' @param x,object The result of [sbrl_posterior()].
#' @param data For `"rows"`: a data frame of at most 50 rows to predict.
#' @inheritParams plot.sbrl_lists
#' @inheritParams plot.sbrl
#' @inheritParams predict.sbrl
#' @return `plot()` returns `x`, invisibly; `autoplot()` a ggplot object.
#' @seealso [sbrl_posterior()], [rules.sbrl_posterior()] for the numbers.
#' @examples
#' passengers <- as.data.frame(Titanic)
#' model <- sbrl(Survived ~ Class + Sex + Age, data = passengers, weights = Freq, seed = 1)
#' posterior <- sbrl_posterior(model, passengers, weights = passengers$Freq,
#'                             draws = 400, seed = 1)
#' plot(posterior)
#' plot(posterior, "length")
#' plot(posterior, "rows", data = passengers[1:12, ])
#' plot(posterior, "order")
#' plot(posterior, "trace")
#' plot(posterior, "rank")
#' @order 1
#' @export
plot.sbrl_posterior <- function(x, type = c("rules", "features", "length", "rows", "order", "trace", "rank"), ...,
                                data = NULL, n = 10, level = 0.95, main) {
  check_dots_empty(...)
  x <- check_lists(x, "x")
  type <- check_posterior_plot(type, data, n, level)
  main <- if (missing(main)) posterior_title(x, type) else check_title(main)
  switch(type,
    rules = , features = draw_inclusion(posterior_inclusion_data(x, type, n), main),
    length = draw_active(active_table(x), main),
    rows = draw_rows(x, posterior_row_data(x, data, level), level, main),
    order = draw_order(posterior_order_data(x, n), main),
    trace = draw_draws(x$draws, main),
    rank = draw_ranks(posterior_rank_data(x), main)
  )
  invisible(x)
}

check_posterior_plot <- function(type, data, n, level) {
  type <- check_choice(type, "type", posterior_plot_types)
  check_whole(n, "n", min = 1, max = 1000)
  check_level(level)
  if ((type == "rows") == is.null(data)) {
    message <- if (type == "rows") "`data` is missing: give the rows to predict." else "Only \"rows\" takes `data`."
    abort_sbrl("argument", message)
  }
  if (!is.null(data)) {
    data <- check_data_frame(data, "data")
    check_that(nrow(data) >= 1L && nrow(data) <= 50L, data, "data", "a data frame of 1 to 50 rows")
  }
  type
}

posterior_title <- function(x, type) {
  sprintf(switch(type,
    rules = "Active rules in %s draws: %s", features = "Features in %s draws: %s",
    length = "Number of rules in %s draws: %s", rows = "Predictions by %s lists: %s",
    order = "Order of the rules in %s draws: %s", trace = "Log likelihood of %s draws: %s",
    rank = "Ranks of %s draws by log likelihood: %s"
  ), with_thousands(n_lists(x)), shown_label(x$medoid))
}

draw_active <- function(table, main) {
  table <- table[table$posterior > 0 | table$prior > 0.001, ]
  frame <- list(
    xlim = range(table$rules) + c(-0.6, 0.6), ylim = c(0, 1.06 * max(table$posterior, table$prior)),
    xformat = whole_label, yformat = whole_percent, main = main, xlab = "Number of rules", ylab = "Probability",
    key = list(
      text = c("posterior, active rules", "prior, all rules"), lty = c(1, NA), lwd = c(6, 1), pch = c(NA, 21),
      pt.bg = "white", col = c(inclusion_colours[["first"]], "black")
    )
  )
  draw_chart(frame, function() {
    graphics::rect(table$rules - 0.4, 0, table$rules + 0.4, table$posterior, col = inclusion_colours[["first"]],
                   border = NA)
    graphics::points(table$rules, table$prior, pch = 21, bg = "white", type = "b")
  })
}

draw_rows <- function(x, table, level, main) {
  n <- nrow(table)
  frame <- list(
    xlim = c(0.4, n + 0.6), ylim = c(0, 1), xformat = whole_label, yformat = plain_decimal, main = main,
    xlab = "Row of the data", ylab = estimate_title(x$medoid),
    key = list(
      text = sprintf(c("average, %s over lists", "one list, %s given this list"), interval_words(level)),
      lty = 1, lwd = c(3, 2), pch = c(21, 22), pt.bg = c("white", quiet_grey),
      col = c(inclusion_colours[["first"]], "grey50")
    )
  )
  draw_chart(frame, function() {
    at <- seq_len(n)
    graphics::segments(at + 0.15, table$list_lower, at + 0.15, table$list_upper, col = "grey50", lwd = 2)
    graphics::points(at + 0.15, table$list_prob, pch = 22, bg = quiet_grey, col = "grey50")
    graphics::segments(at - 0.15, table$lower, at - 0.15, table$upper, col = inclusion_colours[["first"]], lwd = 3)
    graphics::points(at - 0.15, table$prob, pch = 21, bg = "white", col = inclusion_colours[["first"]])
  })
}

# A square of shares; the darker, the more often the rule of the row comes first.
draw_order <- function(table, main) {
  n <- length(table$text)
  size <- graphics::par("fin")
  scale <- min(1, max(0.45, min(size[1L] / 7, size[2L] / (1.4 + 0.35 * n))))
  old <- graphics::par(cex = scale, mar = c(1, 1, if (is.null(main)) 2 else 3.4, 1), xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.new()
  text <- vapply(table$text, shorten_to, "", width = 0.45 * size[1L] / scale, measure = plain_width)
  text <- sprintf("%s  %d", text, seq_len(n))
  left <- n * max(c(0, plain_width(text))) * scale / max(0.1, graphics::par("pin")[1L] - max(plain_width(text)) * scale)
  graphics::plot.window(c(0.5 - left - 0.2, n + 0.5), c(n + 0.5, 0.5), xaxs = "i", yaxs = "i")
  shown <- !is.na(table$before)
  cell <- which(shown, arr.ind = TRUE)
  share <- table$before[shown]
  graphics::rect(0.5, 0.5, n + 0.5, n + 0.5, col = "grey93", border = NA)
  graphics::rect(cell[, 2L] - 0.5, cell[, 1L] - 0.5, cell[, 2L] + 0.5, cell[, 1L] + 0.5, border = "white",
                 col = order_colours(share))
  graphics::text(cell[, 2L], cell[, 1L], sprintf("%.0f", 100 * share), col = ifelse(share > 0.6, "white", "black"),
                 cex = 0.8)
  graphics::text(0.4, seq_len(n), text, adj = c(1, 0.5))
  graphics::text(seq_len(n), 0.3, seq_len(n), adj = c(0.5, 0))
  if (!is.null(main)) graphics::mtext(main, 3L, line = 2, adj = 0, font = 2, cex = 1.15 * scale)
}

order_colours <- function(share) {
  ramp <- grDevices::colorRamp(c("#F2F6FB", inclusion_colours[["first"]]))(share)
  if (length(share) == 0L) character() else grDevices::rgb(ramp, maxColorValue = 255)
}

chain_palette <- function(n) {
  grDevices::hcl.colors(max(n, 2L), "Dark 3")[seq_len(n)]
}

draw_draws <- function(draws, main) {
  n_chains <- max(draws$.chain)
  range <- range(draws$log_likelihood)
  frame <- list(
    xlim = c(1, max(draws$.iteration)), ylim = range + c(-0.03, 0.06) * max(diff(range), 1),
    xformat = whole_label, yformat = plain_decimal, main = main, xlab = "Draw of the chain", ylab = "Log likelihood",
    key = list(text = sprintf("chain %d", seq_len(n_chains)), lty = 1, lwd = 2, col = chain_palette(n_chains))
  )
  draw_chart(frame, function() {
    for (chain in split(draws, draws$.chain)) {
      graphics::lines(chain$.iteration, chain$log_likelihood, col = chain_palette(n_chains)[chain$.chain[1L]])
    }
  })
}

rank_axis_title <- function(table) {
  sprintf("Rank among all draws, in %d equal parts, lowest log likelihood first", max(table$bin))
}

draw_ranks <- function(table, main) {
  n_chains <- max(table$chain)
  width <- 0.8 / n_chains
  frame <- list(
    xlim = c(0.5, max(table$bin) + 0.5), ylim = c(0, 1.06 * max(table$n, table$expected)), xformat = whole_label,
    yformat = whole_label, main = main, xlab = rank_axis_title(table), ylab = "Draws",
    key = list(
      text = c(sprintf("chain %d", seq_len(n_chains)), "expected"), lty = c(rep(1, n_chains), 2),
      lwd = c(rep(5, n_chains), 1), col = c(chain_palette(n_chains), "black")
    )
  )
  draw_chart(frame, function() {
    left <- table$bin - 0.4 + (table$chain - 1) * width
    graphics::rect(left, 0, left + width, table$n, col = chain_palette(n_chains)[table$chain], border = NA)
    graphics::abline(h = table$expected[1L], lty = 2)
  })
}

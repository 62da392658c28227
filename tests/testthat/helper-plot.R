# Models for pictures, and a device to draw them on.

# Tic-tac-toe's best list, found with any luck by a search as long as this.
plot_ttt <- local({
  model <- NULL
  function() {
    if (is.null(model)) model <<- sbrl(tictactoe, rule_maxlen = 3, iters = 30000, seed = 1, progress = FALSE)
    model
  }
})

# No search: one candidate per item and nothing to choose from. Three classes, a missing value, odd names, no row left
# for the default rule.
plot_odd <- local({
  model <- NULL
  function() {
    if (is.null(model)) {
      d <- data.frame(
        `blood type` = rep(c("A", "a very long level, with commas = and signs, too wide for any page"), each = 30),
        label = rep(c("\u00e9t\u00e9", "", "winter"), c(28, 10, 22)), check.names = FALSE
      )
      model <<- quick_fit(d, lambda = 5)
    }
    model
  }
})

# The model with other rules, `chosen` (indices of candidates), and their counts; no search at all.
list_of <- function(model, tdata, chosen, label = model$settings$label) {
  counts <- naive_counts(tdata, as.character(tdata[[label]]), model$classes, antecedents_of(model, chosen))
  model$counts <- counts
  model$probs <- (counts + 1) / rowSums(counts + 1)
  model$rs <- data.frame(V1 = c(as.integer(chosen), 0L), V2 = unname(model$probs[, 2]))
  model
}

# Draws on a device of each size in inches; the error, if any, stops the test.
draw_on <- function(device, code, sizes = list(c(3, 2), c(7, 5), c(12, 8))) {
  code <- substitute(code)
  env <- parent.frame()
  for (size in sizes) {
    file <- tempfile()
    device(file, size)
    tryCatch(
      {
        before <- graphics::par(no.readonly = TRUE)
        eval(code, env)
        after <- graphics::par(no.readonly = TRUE)
      },
      finally = grDevices::dev.off()
    )
    # What describes the figure itself, and not how to draw the next one, may change.
    kept <- setdiff(names(before), c("usr", "xaxp", "yaxp", "pin", "plt", "new", "fig", "mfg"))
    testthat::expect_identical(after[kept], before[kept])
    testthat::expect_gt(sum(file.size(Sys.glob(paste0(file, "*")))), 500)
  }
}

plot_devices <- list(
  png = \(file, size) grDevices::png(file, size[1], size[2], units = "in", res = 72, type = "cairo"),
  svg = \(file, size) grDevices::svg(file, size[1], size[2]),
  pdf = \(file, size) grDevices::pdf(file, size[1], size[2])
)

# Themes and text of ggplot2 change with its minor versions, and so would the pictures.
skip_unless_ggplot2_as_recorded <- function(recorded = "3.4") {
  # testthat deletes the pictures of skipped tests unless they are announced
  pictures <- list.files(test_path("_snaps"), "^gg-.*[.]svg$", recursive = TRUE)
  lapply(basename(pictures), \(name) announce_snapshot_file(name = name))
  skip_if_not_installed("ggplot2")
  here <- utils::packageVersion("ggplot2")
  skip_if(paste(here$major, here$minor, sep = ".") != recorded, paste("snapshots were made with ggplot2", recorded))
}

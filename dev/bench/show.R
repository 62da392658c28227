# The bench's table and plot. Needs common.R.

# Medians per problem and version, in the order of first sight, with what 1.4 took where that is known.
median_table <- function(runs) {
  key <- paste(runs$problem, runs$version)
  rows <- lapply(split(runs, factor(key, unique(key))), function(group) {
    # a column of nothing but NA is read as logical
    numbers <- !vapply(group, is.character, NA)
    medians <- lapply(group[numbers], \(x) stats::median(as.numeric(x), na.rm = TRUE))
    # one run shows nothing about noise
    spread <- if (nrow(group) > 1L) stats::IQR(group$fit) / stats::median(group$fit) else NA_real_
    cbind(group[1, !numbers], as.data.frame(medians), runs = nrow(group), spread = spread)
  })
  table <- do.call(rbind, unname(rows))
  baseline <- read.csv(file.path(bench_root, "dev", "bench", "baseline.csv"))
  old <- baseline$ns_1.4[match(table$problem, baseline$problem)]
  # the others are run with the first version only
  first <- table[!duplicated(table$problem), ]
  for (other in c("rpart", "ns_pysbrl", "log_posterior_pysbrl")) {
    table[[other]] <- first[[other]][match(table$problem, first$problem)]
  }
  cbind(
    table, ns_old = old, times_old = old / table$ns, times_pysbrl = table$ns_pysbrl / table$ns,
    times_rpart = table$rpart / table$fit
  )
}

show_table <- function(table, versions) {
  for (version in versions) {
    cat(sprintf("\n%s: seconds of the clock, medians; search and fit on two threads\n\n", version))
    print_columns(table[table$version == version, ], c(
      problem = "problem", rows = "rows", candidates = "cand.", read = "read", cut = "cut", binarise = "bits",
      mine = "mine", search = "search", dress = "dress", fit = "fit", rpart = "rpart",
      times_rpart = "rpart/fit", predict = "predict"
    ))
    cat("\nns: processor time per iteration on one thread; 1.4: see baseline.csv; memory in MB\n\n")
    print_columns(table[table$version == version, ], c(
      problem = "problem", ns = "ns", ns_old = "ns of 1.4", times_old = "1.4/ns", ns_pysbrl = "ns of pysbrl",
      times_pysbrl = "pysbrl/ns", per_second = "iter/s, 2 thr.",
      peak_mb = "peak", fit_mb = "of the fit", bits_mb = "bit columns", log_posterior = "log posterior",
      log_posterior_pysbrl = "log posterior of pysbrl", length = "rules", runs = "runs", spread = "spread of fit"
    ))
  }
  if (length(versions) > 1L) {
    show_ratios(table, versions)
  }
}

# How many times faster, or smaller, the first version is.
show_ratios <- function(table, versions) {
  new <- table[table$version == versions[1], ]
  old <- table[table$version == versions[2], ]
  old <- old[match(new$problem, old$problem), ]
  measured <- c("read", "mine", "search", "fit", "fit_processor", "ns", "predict", "peak_mb", "fit_mb")
  ratios <- cbind(
    new["problem"], old[measured] / new[measured], gain = new$log_posterior - old$log_posterior,
    spread = pmax(new$spread, old$spread)
  )
  cat(sprintf("\n%s divided by %s (above 1: %s is better); gain: difference in log posterior\n",
              versions[2], versions[1], versions[1]))
  cat("spread: quartile range of the fits of one version by their median; a ratio within 1 +- spread may be noise\n\n")
  print_columns(ratios, stats::setNames(names(ratios), names(ratios)))
}

print_columns <- function(table, columns) {
  for (name in grep("^log_posterior", names(table), value = TRUE)) {
    table[[name]] <- ifelse(is.na(table[[name]]), "", sprintf("%.2f", table[[name]]))
  }
  shown <- lapply(table[names(columns)], \(x) if (is.numeric(x)) format_figures(x) else x)
  shown <- stats::setNames(as.data.frame(shown), columns)
  old <- options(width = 250)
  on.exit(options(old))
  print(shown, row.names = FALSE)
}

# Three digits, but never an exponent; empty where there is no figure.
format_figures <- function(x) {
  digits <- \(one) if (is.na(one) || abs(one) < 1000) signif(one, 3) else round(one, 1)
  text <- vapply(x, \(one) format(digits(one), scientific = FALSE), "")
  ifelse(is.na(x), "", ifelse(abs(x) < 5e-5, "0", text))
}

# Seconds of a fit by phase, next to rpart; both axes count what a user waits for.
plot_table <- function(table, file) {
  if (!capabilities("cairo")) {
    cat("no plot: this R cannot draw SVG\n")
    return(invisible())
  }
  table <- table[table$version == table$version[1], ]
  grDevices::svg(file, width = 9, height = 5)
  on.exit(grDevices::dev.off())
  graphics::par(mar = c(4, 8, 2, 1), las = 1)
  at <- rev(seq_len(nrow(table)))
  range <- range(table$fit, table$rpart, na.rm = TRUE)
  plot(table$fit, at, log = "x", xlim = range, yaxt = "n", ylab = "", pch = 19, xlab = "seconds",
       main = "A whole fit, 20 chains of 5000 iterations")
  graphics::segments(table$fit, at, table$rpart, at, col = "grey")
  graphics::points(table$fit, at, pch = 19)
  graphics::points(table$rpart, at, pch = 1)
  graphics::axis(2, at, table$problem)
  graphics::legend("bottomright", c("sbrl", "rpart"), pch = c(19, 1), bty = "n")
  cat("\nplot:", file, "\n")
}

# Simulation-based calibration of sbrl_posterior(): ranks of simulated truths among draws, over 200 data sets. Uniform
# ranks mean that the sampler draws from the posterior it claims to. Run by `make calibration`; N=1000 for more data
# sets.

n_sets <- as.integer(Sys.getenv("N", "200"))
space <- new.env(parent = asNamespace("sbrl"))
sys.source("tests/testthat/helper-posterior.R", space)
draws <- 100
ranks <- space$calibration_ranks(n_sets, draws, seed = 20)
output <- "build/calibration"
dir.create(output, showWarnings = FALSE, recursive = TRUE)
utils::write.csv(ranks, file.path(output, "ranks.csv"), row.names = FALSE)

n_bins <- 10
grDevices::png(file.path(output, "ranks.png"), 1000, 700, res = 110)
graphics::par(mfrow = c(2, 2), mar = c(4, 4, 2.5, 1))
expected <- n_sets / n_bins
band <- stats::qbinom(c(0.005, 0.995), n_sets, 1 / n_bins)
p_values <- vapply(names(ranks), function(name) {
  n <- tabulate(1 + pmin(n_bins - 1, floor(n_bins * ranks[[name]] / (draws + 1))), n_bins)
  graphics::barplot(n, main = name, xlab = "rank", ylab = "data sets", col = "#9DB8D9", border = NA, space = 0)
  graphics::abline(h = c(expected, band), lty = c(1, 2, 2))
  stats::chisq.test(n)$p.value
}, 1)
invisible(grDevices::dev.off())
print(round(p_values, 4))
cat(sprintf("%d data sets; the picture is %s/ranks.png\n", n_sets, output))
if (min(p_values) < 1e-4) quit(status = 1)

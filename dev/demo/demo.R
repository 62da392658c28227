# Learns tic-tac-toe from two thirds of its final boards and judges the rest: demo.R <report.html>
library(sbrl)
report <- commandArgs(trailingOnly = TRUE)[[1]]

# Probability that a random positive row scores above a random negative one, ties counting one half.
area_under_curve <- function(probability, label) {
  n_positive <- sum(label == 1)
  n_negative <- sum(label == 0)
  ranks <- rank(probability)
  (sum(ranks[label == 1]) - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)
}

data(tictactoe)
set.seed(2026)
in_training <- seq_len(nrow(tictactoe)) %in% sample(nrow(tictactoe), round(nrow(tictactoe) * 2 / 3))
training <- tictactoe[in_training, ]
held_out <- tictactoe[!in_training, ]

cat(sprintf("Fitting on %d of %d boards (does x win?), rules of up to 3 conditions ...\n\n",
            nrow(training), nrow(tictactoe)))
fit_time <- system.time(model <- sbrl(training, rule_maxlen = 3))[["elapsed"]]
print(model)

predict_time <- system.time(probability <- predict(model, held_out)$V2)[["elapsed"]]
accuracy <- mean((probability > 0.5) == (held_out$label == 1))
auc <- area_under_curve(probability, held_out$label)

cat(sprintf("\nHeld-out third (%d boards): accuracy %.1f %%, area under the curve %.4f\n",
            nrow(held_out), 100 * accuracy, auc))
cat(sprintf("Time: fit %.2f s (%d candidate rules), predict %.3f s\n",
            fit_time, length(model$rulenames), predict_time))

rmarkdown::render(
  "dev/demo/report.Rmd", output_file = basename(report), output_dir = dirname(report),
  intermediates_dir = tempdir(), quiet = TRUE, envir = new.env(parent = globalenv())
)
cat(sprintf("Report: %s\n", normalizePath(report)))

# Learns tic-tac-toe from two thirds of its final boards and judges the rest: demo.R <report.html>
library(sbrl)
report <- commandArgs(trailingOnly = TRUE)[[1]]

set.seed(2026)
in_training <- seq_len(nrow(tictactoe)) %in% sample(nrow(tictactoe), round(nrow(tictactoe) * 2 / 3))
training <- tictactoe[in_training, ]
held_out <- tictactoe[!in_training, ]

cat(sprintf("Fitting on %d of %d boards (does x win?), rules of up to 3 conditions ...\n\n",
            nrow(training), nrow(tictactoe)))
fit_time <- system.time(model <- sbrl(training, rule_maxlen = 3))[["elapsed"]]
print(model)

predict_time <- system.time(predict(model, held_out))[["elapsed"]]
measured <- sbrl_performance(model, held_out)
cat(sprintf("\nHeld-out third (%d boards): accuracy %.1f%%, area under the curve %.4f\n",
            nrow(held_out), 100 * measured$accuracy, measured$auc))
cat(sprintf("Time: fit %.2f s (%d candidate rules), predict %.3f s\n",
            fit_time, length(model$rulenames), predict_time))

sbrl_report(model, held_out, report, title = "Who wins at tic-tac-toe?")
cat(sprintf("Report: %s\n", normalizePath(report)))

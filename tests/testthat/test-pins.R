# List and score of both methods for a fixed seed, and how often chains accept. If a pin must change, NEWS.md must
# have an entry "results change".

# As dev/bench/problems.csv has them.
pinned_problems <- list(
  tictactoe = list(rule_maxlen = 3, minsupport_pos = 0.1, minsupport_neg = 0.1),
  titanic = list(rule_maxlen = 3, minsupport_pos = 0.05, minsupport_neg = 0.05),
  telco = list(rule_maxlen = 2, minsupport_pos = 0.25, minsupport_neg = 0.25),
  adult = list(rule_maxlen = 2, minsupport_pos = 0.1, minsupport_neg = 0.1)
)

pinned_fit <- function(problem, method, data) {
  iters <- if (method == "map") 10000 else 5000
  arguments <- list(data, method = method, iters = iters, nchain = 20, seed = 1, max_length = Inf, progress = FALSE)
  model <- do.call(sbrl, c(arguments, pinned_problems[[problem]]))
  rates <- colMeans(model$chains[c("add", "remove", "swap", "replace")], na.rm = TRUE)
  data.frame(
    problem = problem, method = method, rules = paste(c(model$found$rules, 0), collapse = " "),
    log_posterior = sprintf("%a", model$found$score[["log_posterior"]]),
    accepted = if (method == "mcmc") paste(sprintf("%.10f", rates), collapse = " ") else ""
  )
}

pins <- utils::read.csv(test_path("fixtures", "pins.csv"), colClasses = "character")

for (pin in split(pins, seq_len(nrow(pins)))) {
  test_that(paste("a fixed seed gives the pinned list on", pin$problem, "by", pin$method), {
    skip_on_cran()
    found <- pinned_fit(pin$problem, pin$method, benchmark_data(pin$problem))
    expect_identical(found$rules, pin$rules)
    expect_identical(found$accepted, pin$accepted)
    # logarithms of other processors may differ in the last bit
    expect_equal(as.numeric(found$log_posterior), as.numeric(pin$log_posterior), tolerance = 1e-12)
  })
}

# Certificates: what sbrl_certify() proves, how it is shown, and where it is kept.

titanic_rows <- as.data.frame(Titanic)

fit_titanic <- function(...) {
  sbrl(Survived ~ Class + Sex + Age, data = titanic_rows, weights = Freq, rule_maxlen = 3, minsupport = 0.05,
       iters = 2000, nchain = 2, seed = 1, progress = FALSE, ...)
}

certify_titanic <- function(model, ...) {
  sbrl_certify(model, titanic_rows, weights = titanic_rows$Freq, progress = FALSE, ...)
}

test_that("the list of titanic is proved, among its candidates and for its prior", {
  model <- fit_titanic()
  proof <- certify_titanic(model)
  expect_s3_class(proof, "sbrl_certificate")
  expect_identical(proof$status, "optimal")
  expect_identical(proof$gap, 0)
  expect_equal(proof$log_posterior, max(model$found$score[["log_posterior"]], proof$log_posterior))
  text <- paste(format(proof), collapse = " ")
  expect_match(text, "Proved: among these [0-9]+ candidates, for lambda = 10, eta = 1 and alpha = \\(1, 1\\),")
  expect_match(text, "no list of at most 25 rules has a higher posterior than this list")
  expect_output(print(proof), "Proved")
  expect_output(print(summary(proof)), "Proved")
  # lists of any length
  expect_identical(certify_titanic(model, max_length = Inf)$status, "optimal")
})

test_that("tic-tac-toe's certificate equals enumeration of short lists", {
  model <- sbrl(tictactoe, rule_maxlen = 1, iters = 500, nchain = 1, seed = 1, max_length = 2, progress = FALSE)
  proof <- sbrl_certify(model, tictactoe, progress = FALSE)
  n <- length(model$rulenames)
  pairs <- expand.grid(first = seq_len(n), second = seq_len(n))
  pairs <- pairs[pairs$first != pairs$second, ]
  score <- function(rules) sbrl_score(model, tictactoe, rules)[["log_posterior"]]
  of_pairs <- vapply(seq_len(nrow(pairs)), \(i) score(c(pairs$first[i], pairs$second[i])), 1)
  best <- max(score(integer()), vapply(seq_len(n), score, 1), of_pairs)
  expect_identical(proof$status, "optimal")
  expect_equal(proof$log_posterior, best, tolerance = 1e-9)
})

test_that("a poor list is made better, and the better model is an ordinary one", {
  model <- sbrl(tictactoe, rule_maxlen = 2, iters = 1, nchain = 1, seed = 1, max_length = 1, progress = FALSE)
  model$settings$max_length <- 3
  proof <- sbrl_certify(model, tictactoe, max_length = 3, progress = FALSE)
  expect_gt(proof$log_posterior, model$found$score[["log_posterior"]])
  expect_s3_class(proof$model, "sbrl")
  expect_equal(proof$model$found$score[["log_posterior"]], proof$log_posterior)
  expect_equal(sbrl_score(proof$model, tictactoe, rules(proof$model)$antecedent)[["log_posterior"]],
               proof$model$score[["log_posterior"]])
  expect_length(predict(proof$model, tictactoe, type = "class"), nrow(tictactoe))
  expect_match(paste(format(proof), collapse = " "), "better list")
  expect_output(print(summary(proof$model)), "Proof:")
})

test_that("other data or weights are refused", {
  model <- fit_titanic()
  expect_error(sbrl_certify(model, titanic_rows, progress = FALSE), class = "sbrl_error_data")
  other <- tictactoe
  model <- sbrl(tictactoe, iters = 100, nchain = 1, seed = 1, progress = FALSE)
  other$c1 <- rev(other$c1)
  expect_error(sbrl_certify(model, other, progress = FALSE), class = "sbrl_error_data")
  expect_error(sbrl_certify(model, tictactoe[1:900, ], progress = FALSE), class = "sbrl_error_data")
  expect_error(sbrl_certify(model), class = "sbrl_error_argument")
  expect_error(sbrl_certify(model, tictactoe, gap = -1), class = "sbrl_error_argument")
  expect_error(sbrl_certify(model, tictactoe, max_nodes = 0), class = "sbrl_error_argument")
})

test_that("a budget in nodes gives the same certificate on any number of threads", {
  model <- sbrl(tictactoe, rule_maxlen = 2, iters = 500, nchain = 2, seed = 1, progress = FALSE)
  same <- c("status", "log_posterior", "upper_bound", "gap", "max_length_proved", "by_length", "nodes", "ended")
  proofs <- lapply(c(1, 2, 7), \(threads) {
    sbrl_certify(model, tictactoe, max_nodes = 3000, time_limit = Inf, threads = threads, progress = FALSE)
  })
  expect_identical(unclass(proofs[[1]])[same], unclass(proofs[[2]])[same])
  expect_identical(unclass(proofs[[1]])[same], unclass(proofs[[3]])[same])
  expect_true(proofs[[1]]$status %in% c("optimal_at_most", "within", "none"))
  expect_identical(proofs[[1]]$ended, "max_nodes")
  expect_gte(proofs[[1]]$upper_bound, proofs[[1]]$log_posterior)
})

test_that("sbrl(certify_nodes =) keeps a certificate, which summary() and JSON show and damage does not survive", {
  model <- fit_titanic(certify_nodes = 1e5)
  expect_identical(model$certificate$status, "optimal")
  expect_identical(model$certificate$log_posterior, model$found$score[["log_posterior"]])
  expect_output(print(summary(model)), "Proof:  Proved: among these")
  file <- tempfile(fileext = ".json")
  sbrl_write_json(model, file)
  again <- sbrl_read_json(file)
  expect_equal(again$certificate, model$certificate)
  damaged <- model
  damaged$certificate$gap <- -1
  expect_error(summary(damaged), class = "sbrl_error_model")
  damaged <- model
  damaged$certificate$log_posterior <- 0
  expect_error(summary(damaged), class = "sbrl_error_model")
  expect_null(fit_titanic()$certificate)
})

test_that("the closing gap is drawn", {
  proof <- certify_titanic(fit_titanic())
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(proof), proof)
  expect_identical(plot(proof, against = "seconds", main = NULL), proof)
  expect_error(plot(proof, against = "x"), class = "sbrl_error_argument")
})

# Log posteriors that were proved by independent programs, to 1e-5.
certified <- function(data, log_posterior, ..., max_length = Inf) {
  model <- sbrl(data, ..., method = "map", iters = 2000, nchain = 5, seed = 1, max_length = max_length,
                progress = FALSE)
  proof <- sbrl_certify(model, data, time_limit = Inf, progress = FALSE)
  expect_identical(proof$status, "optimal")
  expect_lt(abs(proof$log_posterior - log_posterior), 1e-5)
  proof
}

test_that("the values proved for tic-tac-toe and titanic are those of other programs", {
  proof <- certified(tictactoe, -483.246085, rule_maxlen = 3, minsupport = 0.1, max_length = 3)
  expect_equal(proof$by_length$max_length, 1:3)
  expect_true(all(proof$by_length$proved))
  # one row per person
  people <- titanic_rows[rep(seq_len(nrow(titanic_rows)), titanic_rows$Freq), c("Class", "Sex", "Age", "Survived")]
  names(people)[4L] <- "label"
  people$label <- as.integer(people$label == "Yes")
  certified(people, -1094.860666, rule_maxlen = 3, minsupport = 0.05)
})

test_that("the values proved for other data are those of other programs", {
  skip_on_cran()
  certified(benchmark_data("nursery"), -3702.531814, rule_maxlen = 1, minsupport = 0.1)
  certified(benchmark_data("nursery"), -4872.206170, rule_maxlen = 2, minsupport = 0.1, max_length = 3)
  certified(benchmark_data("mushroom"), -112.042376, rule_maxlen = 1, minsupport = 0.1)
  certified(benchmark_data("telco"), -3229.692647, rule_maxlen = 1, minsupport = 0.3)
  certified(benchmark_data("telco"), -3275.025283, rule_maxlen = 1, minsupport = 0.1, max_length = 3)
  certified(benchmark_data("adult"), -17937.828186, rule_maxlen = 1, minsupport = 0.15)
})

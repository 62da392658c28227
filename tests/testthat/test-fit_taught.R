# Lists that learn from trees or from predictions.

quick <- list(iters = 200, nchain = 2, progress = FALSE, seed = 1)
learn <- function(...) do.call(sbrl, c(list(...), quick))

noisy <- function(n = 300, seed = 3) {
  set.seed(seed)
  d <- data.frame(x = stats::rnorm(n), z = stats::rnorm(n), a = factor(sample(letters[1:4], n, TRUE)))
  d$x[1:5] <- NA
  d$s <- factor(sample(c("S", "M", "L"), n, TRUE), c("S", "M", "L"), ordered = TRUE)
  log_odds <- ifelse(is.na(d$x), 0, 2 * d$x * sign(d$z)) + (d$a == "b") + 2 * (d$s > "S")
  d$y <- factor(stats::rbinom(n, 1, stats::plogis(log_odds)), labels = c("no", "yes"))
  d
}

test_that("a list taught by trees is an ordinary model whose counts are those of the labels", {
  d <- noisy()
  model <- learn(y ~ ., data = d, teacher = "trees")
  expect_s3_class(model, "sbrl")
  expect_identical(model$settings$rule_maxlen, 3)
  expect_gt(model$settings$shrinkage, 0)
  expect_identical(colSums(model$counts), c(no = sum(d$y == "no"), yes = sum(d$y == "yes")) + 0)
  expect_identical(model$teacher[1:3], list(source = "trees", outcome = "taught", strength = 8))
  expect_lt(model$teacher$log_loss, model$teacher$base_log_loss)
  # counts, score and predictions are those of a refit
  again <- refit(model, d)
  same <- c("rs", "counts", "probs", "score", "found", "teacher")
  expect_equal(unclass(again)[same], unclass(model)[same])
  expect_equal(sbrl_score(model, d, rules(model)$antecedent)[1:3], model$score)
  # fidelity is the explained variance of the teacher's predictions
  expect_true(model$teacher$fidelity > 0.2 && model$teacher$fidelity < 1 && model$teacher$agreement > 0.6)
})

test_that("the result does not depend on threads", {
  d <- noisy()
  of <- \(threads) learn(y ~ ., data = d, teacher = "trees", threads = threads)[c("rs", "probs", "score", "teacher")]
  expect_identical(of(2), of(1))
  expect_identical(of(7), of(1))
})

test_that("summary, files and refusals name the teacher", {
  d <- noisy()
  model <- learn(y ~ ., data = d, teacher = "trees", rule_maxlen = 1, shrink = FALSE)
  expect_identical(model$settings$rule_maxlen, 1)
  expect_identical(model$settings$shrinkage, 0)
  text <- paste(capture.output(print(summary(model))), collapse = " ")
  for (words in c("Teacher: boosted trees", "do not compare", "Fidelity: ")) expect_match(text, words)
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  expect_identical(sbrl_read_json(file)$teacher, model$teacher)
  expect_error(sbrl_certify(model, d), "teacher", class = "sbrl_error_model")
  expect_error(sbrl_posterior(model, d), "teacher", class = "sbrl_error_model")
  expect_error(learn(y ~ ., data = d, teacher = "trees", certify_nodes = 10), "certify_nodes", class = "sbrl_error")
  damaged <- model
  damaged$teacher$outcome <- "other"
  expect_error(summary(damaged), "teacher", class = "sbrl_error_model")
})

test_that("labels that the columns say nothing about are learnt as without a teacher", {
  set.seed(2)
  d <- data.frame(x = stats::rnorm(120), z = stats::rnorm(120), y = rep(0:1, 60))
  model <- learn(y ~ ., data = d, teacher = "trees")
  expect_identical(model$teacher$outcome, "no_better")
  plain <- learn(y ~ ., data = d, rule_maxlen = 3, shrink = TRUE)
  expect_identical(model$rs, plain$rs)
  expect_s3_class(sbrl_certify(model, d, time_limit = 5), "sbrl_certificate")
})

test_that("nearly pure labels are learnt as they are, and three classes and weights work", {
  model <- sbrl(label ~ ., data = tictactoe, teacher = "trees", iters = 2000, seed = 1, progress = FALSE)
  expect_identical(model$teacher$outcome, "pure")
  w <- rep(1:3, 50)
  flowers <- learn(Species ~ ., data = iris, teacher = "trees", weights = w)
  expect_identical(sum(flowers$counts), 300)
  expect_lt(flowers$teacher$log_loss, 0.4)
})

test_that("the left-out loss is the mean over rows", {
  counts <- rbind(c(3, 5), c(0, 2), c(4, 1))
  alpha <- c(0.5, 1.5)
  loss <- 0
  for (rule in 1:3) {
    for (class in 1:2) {
      for (row in seq_len(counts[rule, class])) {
        left <- counts[rule, ]
        left[class] <- left[class] - 1
        loss <- loss - log(((left + alpha) / sum(left + alpha))[class])
      }
    }
  }
  expect_equal(sbrl:::left_out_loss(counts, alpha), loss / sum(counts))
})

test_that("too many candidates for the default length give shorter rules and a message", {
  tried <- double()
  search <- function(rows, settings) {
    tried <<- c(tried, settings$rule_maxlen)
    if (settings$rule_maxlen > 2) sbrl:::abort_sbrl("max_rules", "too many")
    list(settings = settings)
  }
  settings <- list(rule_minlen = 1, rule_maxlen = 3, max_rules = 1e6)
  expect_message(found <- sbrl:::search_lengths(search, NULL, settings, TRUE), "2 conditions",
                 class = "sbrl_message_rule_maxlen")
  expect_identical(tried, c(3, 2))
  expect_identical(found$settings, replace(settings, "rule_maxlen", 2))
  expect_error(sbrl:::search_lengths(search, NULL, settings, FALSE), class = "sbrl_error_max_rules")
})

test_that("cv_sbrl() learns the trees anew in each fold and refuses other teachers", {
  d <- noisy(150)
  cv <- cv_sbrl(y ~ ., data = d, teacher = "trees", lambda = 3, rule_maxlen = 2, folds = 2, iters = 50, nchain = 1,
                seed = 1, progress = FALSE)
  expect_s3_class(cv, "cv_sbrl")
  expect_identical(refit(cv)$teacher$source, "trees")
  expect_error(cv_sbrl(y ~ ., data = d, teacher = rep(0.5, 150)), "anew", class = "sbrl_error_argument")
})

test_that("whole weights have the right mean for any number of classes", {
  soft <- rbind(c(0.2, 0.3, 0.5), c(1, 0, 0), c(0.01, 0.01, 0.98))[rep(1:3, each = 4000), ]
  units <- sbrl:::whole_weights(soft, 4, 7)
  expect_true(all(rowSums(units) == 4 & units >= 0))
  means <- rowsum(units, rep(1:3, each = 4000)) / 4000
  expect_lt(max(abs(means - 4 * soft[c(1, 4001, 8001), ])), 0.04)
})

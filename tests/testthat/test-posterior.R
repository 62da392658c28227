# Shares of draws, against enumerated values: four standard errors, and no less than what one draw in a thousand makes.
expect_near <- function(draws, expected, label, n_chains = 4) {
  by_chain <- matrix(as.double(draws), ncol = n_chains)
  se <- diagnose(by_chain)$mcse
  expect_lt(abs(mean(draws) - expected), 4 * max(se, 0.0005, na.rm = TRUE), label = label)
}

uses_each <- function(x, uses) {
  uses_one <- \(i) seq_len(n_lists(x)) %in% uses$list[uses$candidate == i]
  vapply(seq_along(x$medoid$rulenames), uses_one, logical(n_lists(x)))
}

test_that("the Titanic's posterior has the enumerated values", {
  x <- titanic_posterior()
  expect_identical(x$medoid$rulenames, c(
    "{Age=Adult}", "{Class=1st}", "{Class=2nd}", "{Class=3rd}", "{Class=Crew}", "{Sex=Female}", "{Sex=Male}"
  ))
  expect_lt(abs(x$evidence[["log_evidence"]] + 1112.85212586), max(4 * x$evidence[["se"]], 0.05))
  expect_near(x$draws$length, 5.918748, "length")
  expect_near(x$draws$active, 4.516966, "active")
  shares <- c(.002786, .094154, .349852, .489724, .063484)
  for (i in 1:5) expect_near(x$draws$active == i + 1L, shares[i], paste("active", i + 1L))
  active <- uses_each(x, active_uses(x))
  expected <- c(.260917, .803388, .524077, .942709, .401444, .601813, .982619)
  for (i in 1:7) expect_near(active[, i], expected[i], x$medoid$rulenames[i])
  first <- active_uses(x)
  first <- first$candidate[first$position == 1L]
  expect_near(first == 7L, .970865, "first")
  both <- list_uses(x)
  place <- vapply(c(7L, 4L), \(one) both$position[match(paste(seq_len(2000), one), paste(both$list, both$candidate))],
                  double(2000))
  expect_near(stats::complete.cases(place) & (place[, 1] < place[, 2]) %in% TRUE, .9412, "order")
  rows <- data.frame(
    Class = c("1st", "3rd", "Crew", "2nd"), Sex = c("Female", "Female", "Female", "Male"),
    Age = c("Adult", "Adult", "Adult", "Child")
  )
  mean <- predict(x, rows, type = "matrix")[, "Yes"]
  between <- c(.012889, .034784, .034608, .119553)
  expect_true(all(abs(mean - c(.960726, .453593, .865447, .233059)) < 4 * between / sqrt(500)))
  probs <- mean_probabilities(cell_weights(x))[, 2]
  sds <- apply(matrix(probs[list_cells(x, rows, "data")], 4), 1, stats::sd)
  expect_equal(sds, between, tolerance = 0.2)
  # with the variance of each rule's own probability
  weights <- cell_weights(x)
  within <- probs * (1 - probs) / (rowSums(weights) + 1)
  totals <- sqrt(sds^2 + rowMeans(matrix(within[list_cells(x, rows, "data")], 4)))
  expect_equal(totals, c(.019867, .049311, .063050, .120557), tolerance = 0.2)
})

test_that("a limit on the length restricts the posterior and its evidence", {
  model <- titanic_model(max_length = 3)
  x <- sbrl_posterior(
    model, passengers, weights = passengers$Freq, draws = 2000, warmup = 400, seed = 2, progress = FALSE
  )
  expect_near(x$draws$length, 2.938333, "length")
  included <- uses_each(x, list_uses(x))
  expected <- c(.008893, .727488, .137085, .999651, .024104, .041431, .999680)
  for (i in 1:7) expect_near(included[, i], expected[i], x$medoid$rulenames[i])
  expect_near(x$draws$log_likelihood, -1108.814835, "log likelihood")
  expect_equal(x$evidence[["log_prior_mass"]], -3.05899213, tolerance = 1e-7)
  total <- x$evidence[["log_evidence"]] + x$evidence[["log_prior_mass"]]
  expect_lt(abs(total + 1115.94935550), max(4 * x$evidence[["se"]], 0.05))
  keys <- list_keys(x)
  expect_near(keys == "7 2 4", .363569, "best")
  expect_equal(max(x$draws$log_posterior), -1116.961141, tolerance = 1e-9)
  expect_near(keys == "7 4 2", .363569, "best, other order")
  expect_output(print(summary(x)), "lists of at most 3 rules")
})

test_that("both modes of three fields of tic-tac-toe are found, and its symmetry", {
  d <- tictactoe[, c("c1", "c5", "c9", "label")]
  model <- sbrl(d, iters = 200, nchain = 2, seed = 1, max_length = Inf, progress = FALSE)
  x <- sbrl_posterior(model, d, draws = 2000, seed = 1, progress = FALSE)
  expect_lt(abs(x$evidence[["log_evidence"]] + 511.43738077), max(4 * x$evidence[["se"]], 0.1))
  expect_near(x$draws$length, 7.577843, "length")
  expect_near(x$draws$active, 6.659469, "active")
  included <- uses_each(x, list_uses(x))
  expected <- c(.775121, .809089, .942577, .740036, .994366, .789865, .775121, .809089, .942577)
  for (i in 1:9) expect_near(included[, i], expected[i], x$medoid$rulenames[i])
  expect_near(x$draws$length == 3L, .036, "short lists")
  # c1 and c9 are mirror images
  for (i in 1:3) expect_near(included[, i] - included[, i + 6L], 0, paste("symmetry", i))
})

test_that("three fields of tic-tac-toe in at most three rules have the enumerated values", {
  d <- tictactoe[, c("c1", "c5", "c9", "label")]
  model <- sbrl(d, iters = 200, nchain = 2, seed = 1, max_length = 3, progress = FALSE)
  x <- sbrl_posterior(model, d, draws = 1000, seed = 1, progress = FALSE)
  total <- x$evidence[["log_evidence"]] + x$evidence[["log_prior_mass"]]
  expect_lt(abs(total + 514.76402165), max(4 * x$evidence[["se"]], 0.05))
  expect_near(list_keys(x) == "5 2 8", .486777, "best")
  expect_equal(max(x$draws$log_posterior), -515.483971, tolerance = 1e-9)
})

test_that("the same seed gives the same draws on any number of threads, and set.seed() one", {
  model <- titanic_model()
  run <- \(threads, seed = 3) sbrl_posterior(
    model, passengers, weights = passengers$Freq, draws = 40, warmup = 32, seed = seed, threads = threads,
    progress = FALSE
  )
  suppressWarnings({
    one <- run(1)
    for (threads in c(2, 7)) {
      other <- run(threads)
      expect_identical(other[setdiff(names(one), "call")], one[setdiff(names(one), "call")])
    }
    set.seed(5)
    first <- run(1, NULL)
    set.seed(5)
    expect_identical(run(1, NULL)$lists, first$lists)
    expect_false(identical(run(1, 4)$lists, one$lists))
  })
})

test_that("draws that cannot be trusted give a warning and say so first", {
  model <- titanic_model()
  expect_warning(
    x <- sbrl_posterior(
      model, passengers, weights = passengers$Freq, draws = 16, warmup = 0, seed = 1, progress = FALSE
    ),
    class = "sbrl_warning_convergence"
  )
  expect_match(capture.output(print(x))[1], "The draws should not be relied on")
  expect_match(paste(capture.output(print(summary(x))), collapse = " "), "more `draws`")
  expect_match(capture.output(print(titanic_posterior()))[1], "The draws can be trusted")
  expect_true(judge_posterior(titanic_posterior())$is_good)
  stuck <- titanic_posterior()
  stuck$diagnostics$rhat[3] <- 1.2
  expect_match(judge_posterior(stuck)$text, "the chains disagree")
  stuck$diagnostics$rhat[3] <- NA
  stuck$diagnostics$mcse[3] <- 0.02
  expect_match(judge_posterior(stuck)$text, "standard error of 0.020")
  stuck <- titanic_posterior()
  stuck$tempering$restarts <- rep(2, 4)
  expect_match(judge_posterior(stuck)$text, "only 8 lists travelled", fixed = TRUE)
})

test_that("an evidence that has not settled is reported as such", {
  x <- titanic_posterior()
  expect_true(all(x$tempering$restarts >= x$tempering$round_trips))
  expect_true(all(x$tempering$round_trips >= 10))
  expect_false(any(grepl("not settled", capture.output(print(summary(x))))))
  few <- x
  few$tempering$round_trips <- rep(2, 4)
  expect_output(print(summary(few)), "has not settled \\(8 round trips")
  drifting <- x
  drifting$evidence[["drift"]] <- 2.3
  expect_output(print(summary(drifting)), "+2.3 from the first", fixed = TRUE)
})

test_that("only the training rows of the model are taken", {
  model <- titanic_model()
  expect_error(sbrl_posterior(model, passengers), class = "sbrl_error_argument")
  expect_error(
    sbrl_posterior(model, passengers[-1, ], weights = passengers$Freq[-1] + 1), class = "sbrl_error_data"
  )
  other <- passengers
  other$Sex <- rev(other$Sex)
  expect_error(sbrl_posterior(model, other, weights = passengers$Freq), "capture other rows", class = "sbrl_error_data")
  expect_error(sbrl_posterior(model), "`data` is missing", class = "sbrl_error_argument")
  expect_error(sbrl_posterior(model, passengers, draws = 5), "four per chain", class = "sbrl_error_argument")
  expect_error(sbrl_posterior(model, passengers, chains = 1), class = "sbrl_error_argument")
})

test_that("a time limit ends it with the draws so far, or an error if there are none", {
  model <- titanic_model()
  expect_message(
    suppressWarnings(x <- sbrl_posterior(
      model, passengers, weights = passengers$Freq, draws = 1e7, time_limit = 1.5, seed = 1, progress = FALSE
    )),
    class = "sbrl_message_time_limit"
  )
  expect_true(x$stopped_early)
  expect_length(unique(table(x$draws$.chain)), 1L)
  expect_error(
    sbrl_posterior(model, passengers, weights = passengers$Freq, time_limit = 1e-6, progress = FALSE),
    class = "sbrl_error_time_limit"
  )
})

test_that("R's own time limit, which works as Ctrl-C does, ends it", {
  on.exit(setTimeLimit())
  model <- titanic_model()
  expect_error({
    setTimeLimit(elapsed = 1, transient = TRUE)
    sbrl_posterior(model, passengers, weights = passengers$Freq, draws = 1e8, progress = FALSE)
  }, "time limit")
})

test_that("a posterior survives saveRDS() and JSON, and damage is noticed", {
  for (x in list(titanic_posterior(), iris_posterior())) {
    file <- tempfile(fileext = ".json")
    suppressWarnings(sbrl_write_json(x, file))
    again <- sbrl_read_json(file)
    fields <- setdiff(names(x), c("call", "medoid"))
    expect_equal(again[fields], x[fields], tolerance = 0)
    expect_equal(predict(again, iris_or_titanic(x)), predict(x, iris_or_titanic(x)))
    expect_identical(unserialize(serialize(x, NULL)), x)
  }
  broken <- titanic_posterior()
  broken$draws <- broken$draws[-1, ]
  expect_error(print(broken), "`draws` must be a table", class = "sbrl_error_model")
})

test_that("a thousand draws take little room", {
  x <- titanic_posterior()
  expect_lt(as.double(object.size(x$lists)) / n_lists(x), 600)
})

test_that("predictions are averages of the draws' own", {
  for (x in list(titanic_posterior(), iris_posterior())) {
    data <- iris_or_titanic(x)[c(1, 7, 20, 32), ]
    each <- lapply(seq_len(n_lists(x)), \(i) predict(list_model(x, i), data, type = "matrix"))
    expect_equal(predict(x, data, type = "matrix"), Reduce(`+`, each) / length(each), ignore_attr = TRUE)
    ends <- predict(x, data, type = "interval")
    expect_true(all(ends[, "lower"] <= ends[, "prob"] & ends[, "prob"] <= ends[, "upper"]))
    expect_s3_class(suppressMessages(predict(x, data, type = "class")), "factor")
    expect_named(predict(x, data), paste0("V", seq_along(x$medoid$classes)))
  }
})

test_that("intervals over lists are wider than those given one list", {
  x <- titanic_posterior()
  width <- \(ends) ends[, "upper"] - ends[, "lower"]
  over <- width(predict(x, passengers, type = "interval"))
  given <- width(predict(medoid(x), passengers, type = "interval"))
  expect_gt(mean(over), 1.2 * mean(given))
})

test_that("rules() adds up what the draws use", {
  x <- titanic_posterior()
  table <- rules(x)
  active <- uses_each(x, active_uses(x))
  expect_equal(table$active, colMeans(active)[table$candidate])
  expect_true(all(table$inclusion >= table$active))
  expect_true(all(diff(table$active) <= 0))
  expect_true(all(table$mcse >= 0 & table$mcse < 0.03))
  expect_equal(sum(table$first), 1, tolerance = 1e-12)
  features <- rules(x, by = "feature")
  class <- rowSums(active[, 2:5]) > 0
  expect_equal(features$inclusion[features$feature == "Class"], mean(class))
  order <- summary(x)$order
  expect_equal(order + t(order), order * 0 + 1)
  pair <- as.character(c(7, 6))
  expect_true(is.na(order[pair[1], pair[2]]))
})

test_that("medoid() and alternatives() are ordinary models without empty rules", {
  for (x in list(titanic_posterior(), iris_posterior())) {
    data <- iris_or_titanic(x)
    others <- alternatives(x, 3)
    expect_gt(nrow(others), 1)
    expect_true(all(others$price > -1e-9 & others$price <= 5))
    for (model in c(list(medoid(x)), others$model)) {
      n <- rowSums(model$counts)
      expect_true(all(n[-length(n)] > 0))
      expect_equal(sum(n), sum(x$medoid$settings$class_counts))
      expect_equal(nrow(predict(model, data, type = "matrix")), nrow(data))
      expect_output(print(model))
    }
    expect_output(print(others), "nats below the best list known, .*another class for")
    # the price is that of the list shown
    data <- if (is.null(data$Freq)) iris else passengers
    scored <- \(m, rules) sbrl_score(x$medoid, data, m$rulenames[rules], data$Freq)[[3]]
    scores <- vapply(others$model, \(m) scored(m, list_rules(m)), 1)
    expect_equal(diff(others$price), -diff(scores))
    # no list becomes better by losing a rule
    for (i in seq_along(scores)) {
      rules <- list_rules(others$model[[i]])
      shorter <- vapply(seq_along(rules), \(j) scored(others$model[[i]], rules[-j]), 1)
      expect_true(all(shorter < scores[i] + 1e-9))
    }
    expect_true(all(others$price >= max(x$draws$log_posterior) - scores - 1e-9))
  }
  none <- alternatives(titanic_posterior(), within = 0.001)
  expect_identical(nrow(none), 0L)
  expect_output(print(none), "None within 0.001 nats", fixed = TRUE)
  expect_identical(nrow(alternatives(titanic_posterior(), n = 1, within = 20)), 1L)
  expect_error(alternatives(titanic_posterior(), within = 21), "within", class = "sbrl_error_argument")
  expect_error(alternatives(titanic_posterior(), 3, 5), class = "sbrl_error_argument")
  model <- medoid(iris_posterior())
  rules <- list_rules(model)
  score <- sbrl_score(model, iris, rules)
  expect_equal(model$score, score[1:3])
})

test_that("leave-one-out is a harmonic mean over draws, with the row taken out of the counts", {
  x <- iris_posterior()
  found <- suppressWarnings(sbrl_loo(x, iris), classes = "sbrl_warning_loo")
  alpha <- x$medoid$settings$alpha
  for (row in c(3, 60, 118)) {
    p <- vapply(seq_len(n_lists(x)), function(i) {
      model <- list_model(x, i)
      rule <- predict(model, iris[row, ], type = "rule")
      n <- model$counts[if (rule == 0L) nrow(model$counts) else rule, ]
      y <- match(iris$Species[row], x$medoid$classes)
      (n[[y]] - 1 + alpha[[y]]) / (sum(n) - 1 + sum(alpha))
    }, 1)
    expect_equal(found$pointwise$elpd[row], log(1 / mean(1 / p)))
  }
  expect_equal(found$log_loss, -mean(found$pointwise$elpd))
  # the whole weight of a row at once: labels one after the other
  a <- 7.5
  b <- 20
  step <- sum(log(a + 0:3)) - sum(log(b + 0:3))
  expect_equal(log_left_out(matrix(a + 4 - 1), matrix(b + 4 - 2), 4, 1, 2), matrix(step))
})

test_that("other packages' functions work on a posterior", {
  x <- iris_posterior()
  skip_if_not_installed("posterior")
  draws <- posterior::as_draws(x)
  expect_identical(posterior::ndraws(draws), n_lists(x))
  expect_identical(posterior::nchains(draws), 4L)
  expect_identical(dim(posterior::as_draws_array(x)), c(100L, 4L, 5L))
  skip_if_not_installed("rstantools")
  each <- rstantools::posterior_epred(x, iris[1:3, ])
  expect_identical(dim(each), c(400L, 3L, 3L))
  expect_equal(colMeans(each[, , 2]), predict(x, iris[1:3, ], type = "matrix")[, 2], ignore_attr = TRUE)
  drawn <- rstantools::posterior_predict(x, iris[c(1, 60), ])
  expect_identical(dim(drawn), c(400L, 2L))
  expect_true(all(drawn %in% 1:3) && mean(drawn[, 1] == 1) > 0.9)
  likelihood <- rstantools::log_lik(x, iris[1:3, ])
  expect_equal(exp(likelihood[, 2]), each[, 2, 1])
  skip_if_not_installed("loo")
  ours <- suppressWarnings(sbrl_loo(x, iris))
  theirs <- suppressWarnings(loo::loo(x, data = iris))
  expect_equal(theirs$estimates["elpd_loo", "Estimate"], ours$elpd, tolerance = 0.05)
})

test_that("ranks of simulated truths are uniform among the draws", {
  ranks <- calibration_ranks(40)
  for (name in names(ranks)) {
    n <- tabulate(1 + pmin(3, ranks[[name]] %/% 25), 4)
    expect_gt(stats::chisq.test(n)$p.value, 1e-4, label = name)
  }
})

test_that("pictures can be drawn", {
  x <- titanic_posterior()
  three <- iris_posterior()
  for (type in posterior_plot_types) {
    rows <- \(d) if (type == "rows") d
    draw_on(plot_devices$png, plot(x, type, data = rows(passengers[1:6, ])))
    draw_on(plot_devices$png, plot(three, type, data = rows(iris[c(1, 70, 110), ])), list(c(7, 5)))
    if (requireNamespace("ggplot2", quietly = TRUE)) {
      expect_s3_class(ggplot2::autoplot(x, type, data = rows(passengers[1:6, ])), "ggplot")
      draw_on(plot_devices$png, print(ggplot2::autoplot(three, type, data = rows(iris[c(1, 70), ]))), list(c(7, 5)))
    }
  }
  expect_error(plot(x, "rows"), "`data` is missing", class = "sbrl_error_argument")
  expect_error(plot(x, "trace", data = passengers[1, ]), class = "sbrl_error_argument")
})

test_that("pictures look as they did", {
  skip_if_not_installed("vdiffr")
  skip_on_cran()
  x <- titanic_posterior()
  three <- iris_posterior()
  for (type in posterior_plot_types) {
    rows <- if (type == "rows") passengers[1:12, ]
    vdiffr::expect_doppelganger(paste("posterior", type), \() plot(x, type, data = rows))
  }
  vdiffr::expect_doppelganger("posterior rows iris", \() plot(three, "rows", data = iris[c(1, 71, 120), ]))
  vdiffr::expect_doppelganger("posterior order iris", \() plot(three, "order", main = NULL))
  skip_unless_ggplot2_as_recorded()
  for (type in posterior_plot_types) {
    rows <- if (type == "rows") passengers[1:12, ]
    vdiffr::expect_doppelganger(paste("gg posterior", type), ggplot2::autoplot(x, type, data = rows))
  }
})

test_that("the features of a posterior are importances of vip", {
  x <- iris_posterior()
  features <- rules(x, by = "feature")
  of_vip <- \(name) getExportedValue("vip", name)
  # as vip calls it, and through vip where it is installed
  ways <- list(vi_sbrl_posterior, if (nzchar(system.file(package = "vip"))) of_vip("vi"))
  for (vi in Filter(is.function, ways)) {
    found <- vi(x)
    expect_s3_class(found, "vi")
    expect_identical(attr(found, "type"), "inclusion")
    expect_identical(found$Variable, features$feature)
    expect_identical(found$Importance, features$inclusion)
  }
  skip_if_not_installed("vip")
  expect_s3_class(of_vip("vip")(x), "ggplot")
})

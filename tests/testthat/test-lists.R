# Many lists in one object: checks, predictions, rules, pictures and files.

quick_bag <- function(..., times = 6, iters = 200, nchain = 1, seed = 1, progress = FALSE) {
  sbrl_bag(..., times = times, iters = iters, nchain = nchain, seed = seed, progress = progress)
}

# Numbers, whole numbers, dates, levels, ordered levels and flags, with gaps; three of them matter.
mixed_columns <- function(n = 300, classes = 2, seed = 3) {
  set.seed(seed)
  d <- data.frame(
    x = stats::rnorm(n), visits = stats::rpois(n, 2), day = as.Date("2024-01-01") + sample.int(300, n, TRUE),
    a = sample(c("u", "v", NA), n, TRUE), size = factor(sample(c("S", "M", "L", "XL"), n, TRUE), c("S", "M", "L", "XL"),
                                                        ordered = TRUE),
    flag = sample(0:1, n, TRUE), rare = c(2, 3, rep(1, n - 2))
  )
  score <- (d$x > 0.3) + (d$visits >= 3) + (d$size >= "L") + d$a %in% "u"
  d$label <- if (classes == 2) stats::rbinom(n, 1, c(0.05, 0.3, 0.6, 0.9, 0.95)[score + 1]) else pmin(score, 2)
  d$x[sample.int(n, 15)] <- NA
  d
}

# Each list predicts alone, as an ordinary model would; then their mean.
one_by_one <- function(lists, data, missing = "fallthrough") {
  each <- lapply(seq_along(lists$lists$lengths), function(i) {
    predict(sbrl:::list_model(lists, i), data, type = "matrix", missing = missing)
  })
  Reduce(`+`, each) / length(each)
}

plot_quietly <- function(x) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  plot(x)
}

test_that("averaged predictions are the mean of what the lists predict one by one", {
  for (classes in 2:3) {
    d <- mixed_columns(classes = classes)
    bag <- quick_bag(d, rule_maxlen = 2)
    new <- mixed_columns(400, classes, seed = 4)
    new$visits[1:20] <- NA
    expected <- one_by_one(bag, new)
    found <- predict(bag, new, type = "matrix", missing = "fallthrough")
    expect_equal(found, expected, tolerance = 1e-12)
    expect_identical(colnames(found), bag$medoid$classes)
    expect_equal(predict(bag, new, missing = "base_rate", type = "matrix"), one_by_one(bag, new, "base_rate"),
                 tolerance = 1e-12)
    expect_gt(max(abs(one_by_one(bag, new, "base_rate") - expected)), 0.01)
    prob <- predict(bag, newdata = new, missing = "fallthrough")
    expect_identical(names(prob), paste0("V", seq_len(classes)))
    expect_identical(unname(do.call(cbind, prob)), unname(found))
    class <- predict(bag, new, type = "class", missing = "fallthrough")
    expect_identical(levels(class), bag$medoid$classes)
    expect_identical(as.integer(class), max.col(found, "first"))
    expect_identical(dim(predict(bag, new[0, ], type = "matrix")), c(0L, as.integer(classes)))
    expect_identical(predict(bag, new[57, ], type = "matrix"), found[57, , drop = FALSE])
  }
})

test_that("intervals are those of the mixture over lists", {
  for (classes in 2:3) {
    d <- mixed_columns(classes = classes)
    bag <- quick_bag(d, rule_maxlen = 2)
    rows <- d[seq(1, 300, by = 30), ]
    found <- predict(bag, rows, type = "interval", level = 0.9)
    cells <- sbrl:::list_cells(bag, rows, "rows")
    weights <- sbrl:::cell_weights(bag)
    mean <- predict(bag, rows, type = "matrix")
    for (i in seq_len(nrow(rows))) {
      class <- if (classes == 2) 2 else which.max(mean[i, ])
      w <- weights[cells[i, ], , drop = FALSE]
      below <- function(p) mean(stats::pbeta(p, w[, class], rowSums(w) - w[, class]))
      end <- function(share) stats::uniroot(\(p) below(p) - share, c(0, 1), tol = 1e-10)$root
      expect_equal(found[i, "prob"], mean[i, class], ignore_attr = TRUE)
      expect_equal(unname(found[i, c("lower", "upper")]), c(end(0.05), end(0.95)), tolerance = 0.01)
    }
  }
})

test_that("missing values and unknown levels give the warnings of a single list", {
  d <- mixed_columns()
  bag <- quick_bag(d, rule_maxlen = 2)
  gap <- d[1:20, ]
  gap$visits <- NA_integer_
  expect_warning(predict(bag, gap), class = "sbrl_warning_missing")
  expect_error(predict(bag, gap, missing = "error"), class = "sbrl_error_missing")
  expect_silent(predict(bag, gap, missing = "base_rate"))
  odd <- d[1:5, ]
  odd$a <- "never seen"
  expect_warning(predict(bag, odd), "never seen", class = "sbrl_warning_column")
  expect_error(predict(bag, d[c("x", "day")]), class = "sbrl_error_column")
  expect_error(predict(bag, d, type = "rule"), "medoid", class = "sbrl_error")
  expect_error(predict(bag), class = "sbrl_error_argument")
  expect_error(predict(bag, d, bogus = 1), class = "sbrl_error_argument")
})

test_that("rules() counts the lists that use a rule or a feature", {
  d <- mixed_columns()
  bag <- quick_bag(d, rule_maxlen = 2, times = 8)
  models <- lapply(1:8, \(i) sbrl:::list_model(bag, i))
  table <- rules(bag)
  group <- stats::setNames(bag$medoid$rulenames[bag$seen$group], bag$medoid$rulenames[bag$seen$candidate])
  used <- lapply(models, function(model) {
    own <- utils::head(rules(model), -1)
    unname(unique(group[own$antecedent[own$n > 0]]))
  })
  for (i in seq_len(nrow(table))) {
    uses <- vapply(used, \(own) table$antecedent[i] %in% own, NA)
    begins <- vapply(used, \(own) identical(own[1], table$antecedent[i]), NA)
    expect_equal(table$inclusion[i], mean(uses))
    expect_equal(table$first[i], mean(begins))
  }
  expect_false(is.unsorted(-table$inclusion))
  expect_setequal(unlist(used), table$antecedent)
  by_feature <- rules(bag, by = "feature")
  for (i in seq_len(nrow(by_feature))) {
    uses <- vapply(models, function(model) {
      own <- utils::head(rules(model), -1)
      any(grepl(paste0(by_feature$feature[i], "="), own$antecedent[own$n > 0], fixed = TRUE))
    }, NA)
    expect_equal(by_feature$inclusion[i], mean(uses))
  }
})

test_that("rules are alike if they cover nearly the same rows", {
  d <- mixed_columns(600)
  bag <- quick_bag(d, rule_maxlen = 1, times = 10)
  covered <- lapply(bag$seen$candidate, function(candidate) {
    model <- sbrl:::list_model(bag, 1)
    captured <- sbrl:::capture_rows(
      replace(model, c("rs", "probs"), list(data.frame(V1 = c(candidate, 0L), V2 = 0.5), model$probs[1:2, ])), d, "d"
    )
    captured == 1L
  })
  expect_equal(bag$seen$support, vapply(covered, mean, 1))
  expect_gt(sum(bag$seen$group != bag$seen$candidate), 0)
  for (i in seq_along(covered)) {
    leader <- covered[[match(bag$seen$group[i], bag$seen$candidate)]]
    expect_gte(sum(covered[[i]] & leader), 0.9 * sum(covered[[i]] | leader))
  }
})

write_lines <- function(text) {
  file <- tempfile(fileext = ".json")
  writeLines(text, file)
  file
}

test_that("lists can be saved, and come back from JSON in every bit", {
  for (classes in 2:3) {
    d <- mixed_columns(classes = classes)
    bag <- quick_bag(d, rule_maxlen = 2, labels = c(x = "X value"))
    file <- tempfile(fileext = ".json")
    sbrl_write_json(bag, file)
    again <- sbrl_read_json(file)
    bag["call"] <- list(NULL)
    bag$medoid["call"] <- list(NULL)
    expect_identical(again, bag)
    expect_identical(predict(again, d), predict(bag, d))
    text <- readLines(file)
    expect_error(sbrl_read_json(write_lines(sub("\"lengths\":[", "\"lengths\":[7,", text, fixed = TRUE))),
                 class = "sbrl_error_file")
  }
})

test_that("what needs one list is refused, and medoid() is named", {
  d <- two_factor_data()
  bag <- quick_bag(d)
  calls <- expression(
    as_sql(bag), as_r_function(bag), as_pmml(bag), as_dmn(bag), as_javascript(bag), as_latex(bag),
    as_html(bag), as_markdown(bag), relabel(bag, NULL),
    sbrl_score(bag, d), explain(bag, d[1, ]), refit(bag, d), sbrl_max_length(bag), sbrl_report(bag, file = tempfile())
  )
  for (call in calls) expect_error(eval(call), "medoid", class = "sbrl_error", info = deparse(call))
})

test_that("damaged lists are refused at every door", {
  d <- two_factor_data()
  bag <- quick_bag(d, rule_maxlen = 2)
  damages <- list(
    \(x) replace(x, "medoid", list(NULL)), \(x) replace(x, "lists", list(NULL)), \(x) replace(x, "seen", list(1)),
    \(x) replace(x, "chosen", list(99L)), \(x) replace(x, "spread", list(x$spread[-1])),
    \(x) replace(x, "fits", list(x$fits[-1, ])), \(x) replace(x, "out_of_bag", list("a")),
    \(x) {
      x$lists$rules[1] <- 10000L
      x
    },
    \(x) {
      x$lists$counts[1] <- NA
      x
    },
    \(x) {
      x$lists$lengths <- rev(x$lists$lengths + 1L)
      x
    },
    \(x) {
      x$medoid$items$lo[] <- 9L
      x
    }
  )
  for (damage in damages) {
    bad <- damage(bag)
    class(bad) <- class(bag)
    expect_error(predict(bad, d), class = "sbrl_error_model", info = deparse(damage))
    expect_error(rules(bad), class = "sbrl_error_model")
    expect_error(medoid(bad), class = "sbrl_error_model")
    expect_error(print(bad), class = "sbrl_error_model")
    expect_error(summary(bad), class = "sbrl_error_model")
    expect_error(plot(bad), class = "sbrl_error_model")
    expect_error(sbrl_write_json(bad, tempfile()), class = "sbrl_error_model")
  }
})

test_that("many rows are predicted in bounded memory, each antecedent matched once", {
  bag <- quick_bag(two_factor_data(), times = 20)
  d <- two_factor_data(5000)
  expect_equal(predict(bag, d, type = "matrix"), one_by_one(bag, d), tolerance = 1e-12)
})

test_that("pictures of many lists fit any page and leave par() as it was", {
  bag <- quick_bag(mixed_columns(), rule_maxlen = 2, labels = c(x = "A very long name of a measurement, in mmHg"))
  expect_warning(none <- quick_bag(transform(two_factor_data(), a = "u", b = "p")), class = "sbrl_warning_fits")
  expect_output(print(summary(none)), "No list has a rule")
  for (device in plot_devices) {
    draw_on(device, plot(bag))
    draw_on(device, plot(bag, "features", n = 3, main = NULL))
    draw_on(device, plot(bag, "length", main = "Lengths"))
    draw_on(device, plot(none), sizes = list(c(7, 5)))
  }
  expect_identical(plot_quietly(bag), bag)
  expect_error(plot(bag, "bogus"), "`type`", class = "sbrl_error_argument")
  expect_error(plot(bag, n = 0), "`n`", class = "sbrl_error_argument")
  skip_if_not_installed("ggplot2")
  for (type in c("rules", "features", "length")) {
    expect_s3_class(ggplot2::autoplot(bag, type), "ggplot")
    expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(bag, type)))
  }
  shown <- ggplot2::autoplot(bag, "rules", n = 4)$data
  expect_equal(shown$share[shown$what == "used"], rules(bag)$inclusion[1:4])
  expect_equal(shown$share[shown$what == "first"], rules(bag)$first[1:4])
})

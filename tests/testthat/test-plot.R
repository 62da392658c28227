# Pictures: what they show (as data), that they can always be drawn, and how they look.

test_that("the picture of the rules shows what rules() says", {
  model <- plot_ttt()
  shown <- sbrl:::plot_data_rules(model, 0.9)
  expected <- as.data.frame(rules(model, level = 0.9))
  expect_identical(shown$position, expected$position)
  expect_equal(shown[c("prob", "lower", "upper", "n")], expected[c("prob", "lower", "upper", "n")])
  expect_equal(cumsum(shown$share), expected$cumulative_share)
  expect_identical(shown$keyword, c("if", rep("else if", 7), "else"))
  expect_identical(shown$antecedent[9], "(default rule)")
  # Each antecedent has the items of its name, in words.
  plain <- gsub("[{}]", "", gsub(",", " and ", gsub("=", " = ", expected$antecedent[1:8])))
  expect_identical(shown$antecedent[1:8], plain)
})

test_that("a list of the default rule only is shown as such", {
  model <- suppressWarnings(quick_fit(data.frame(a = 1, label = c(0, 1, 1))))
  shown <- sbrl:::plot_data_rules(model, 0.95)
  expect_identical(shown$keyword, "")
  expect_match(shown$antecedent, "always")
  expect_equal(shown$share, 1)
})

test_that("the class mix adds up to 1 in each rule that captured rows, and leaves the others out", {
  model <- plot_odd()
  mix <- sbrl:::plot_data_mix(model)
  width <- tapply(mix$to - mix$from, mix$position, sum)
  captured <- rules(model)$n > 0
  expect_setequal(unique(mix$position), rules(model)$position[captured])
  expect_equal(as.vector(width), rep(1, sum(captured)))
  expect_false(anyNA(mix))
})

test_that("weights count as rows do", {
  counts <- as.data.frame(datasets::Titanic)
  by_weight <- quick_fit(Survived ~ Class + Sex + Age, data = counts, weights = Freq)
  by_row <- quick_fit(Survived ~ ., data = titanic())
  expect_equal(sbrl:::plot_data_rules(by_weight, 0.95), sbrl:::plot_data_rules(by_row, 0.95))
  expect_equal(
    sbrl:::plot_data_calibration(by_weight, counts, counts$Freq), sbrl:::plot_data_calibration(by_row, titanic())
  )
  expect_equal(sbrl:::plot_data_roc(by_weight, counts, counts$Freq), sbrl:::plot_data_roc(by_row, titanic()))
})

test_that("coverage runs from 0 to 1 without gaps", {
  steps <- sbrl:::plot_data_coverage(plot_ttt(), 0.95)
  expect_equal(steps$from, c(0, steps$to[-nrow(steps)]))
  expect_equal(steps$to, rules(plot_ttt())$cumulative_share)
})

test_that("traces are whole, and the chains that reached the best are marked", {
  model <- plot_ttt()
  trace <- sbrl:::plot_data_trace(model)
  expect_identical(nrow(trace), nrow(model$trace))
  best <- max(model$chains$best_log_posterior)
  expect_setequal(unique(trace$chain[trace$is_best]), model$chains$chain[model$chains$best_log_posterior > best - 1e-6])
  empty <- model
  empty$trace <- empty$trace[0, ]
  expect_error(plot(empty, "trace"), class = "sbrl_error_model")
})

test_that("ROC curves of more than two classes are one against the rest", {
  model <- quick_fit(Species ~ ., data = iris)
  curves <- sbrl:::plot_data_roc(model, iris[-(1:50), ])
  expect_identical(levels(curves$class)[unique(curves$class)], c("versicolor", "virginica"))
  prob <- predict(model, iris[-(1:50), ], type = "matrix")
  auc <- naive_auc(iris$Species[-(1:50)] == "virginica", prob[, 3])
  expect_equal(unique(curves$auc[curves$class == "virginica"]), auc)
})

test_that("calibration sets observed shares against predictions, rule by rule", {
  model <- quick_fit(two_factor_data(), rule_maxlen = 2)
  test <- two_factor_data(seed = 2)
  points <- sbrl:::plot_data_calibration(model, test, level = 0.9)
  rule <- predict(model, test, type = "rule")
  for (j in seq_len(nrow(points))) {
    rows <- rule == points$position[j]
    exact <- stats::binom.test(sum(test$label[rows]), sum(rows), conf.level = 0.9)
    shown <- unlist(points[j, c("observed", "lower", "upper")], use.names = FALSE)
    expect_equal(shown, c(exact$estimate, exact$conf.int), ignore_attr = TRUE)
    expect_equal(points$n[j], sum(rows))
    expect_equal(points$predicted[j], unique(predict(model, test[rows, ])$V2))
  }
  expect_setequal(points$position, rule)
})

test_that("text is broken to fit, and dots say what is missing", {
  measure <- function(text) nchar(text) / 10
  wrap <- function(phrases, width) sbrl:::wrap_phrases(phrases, width, measure)
  expect_identical(wrap(c("a = b", "c = d"), 2), "a = b and c = d")
  expect_identical(wrap(c("a = b", "c = d"), 1), c("a = b", "and c = d"))
  expect_identical(wrap("one two three", 0.7), c("one two", "three"))
  expect_identical(wrap("abcdefghij", 0.4), c("abcd", "efgh", "ij"))
  expect_identical(sbrl:::shorten_to("abcdefghij", 0.8, measure), "abcde...")
  expect_identical(sbrl:::shorten_to("abc", 0.3, measure), "abc")
  expect_identical(sbrl:::cap_lines(c("abcd", "efgh", "ij"), 1, 0.6, measure), "abc...")
  set.seed(1)
  for (i in 1:50) {
    one_phrase <- \() paste(sample(letters, sample(30, 1), replace = TRUE), collapse = sample(c("", " "), 1))
    phrases <- replicate(sample(3, 1), one_phrase())
    width <- stats::runif(1, 0.3, 4)
    lines <- wrap(phrases, width)
    expect_true(all(measure(lines) <= width + 1e-9))
    # Nothing is lost on the way.
    expect_identical(gsub(" ", "", paste(lines, collapse = "")), gsub(" ", "", paste(phrases, collapse = "and")))
  }
})

test_that("the work of fitting a text does not grow with it: it is cut before it is measured", {
  n_measured <- 0
  measure <- function(text) {
    n_measured <<- n_measured + sum(nchar(text))
    nchar(text) / 10
  }
  space <- list(width = \(size) 4, height = 2, padding = 0.1, equal = FALSE)
  work <- function(text) {
    n_measured <<- 0
    fitted <- sbrl:::fit_antecedents(list(c(text, "a = b"), "(default rule)"), space, \(size) measure, c(0.9, 0.7, 0.5))
    expect_lte(max(nchar(unlist(fitted$lines))), 40)
    expect_match(paste(unlist(fitted$lines), collapse = ""), "...", fixed = TRUE)
    sbrl:::shorten_to(text, 4, measure)
    n_measured
  }
  for (piece in c("x", "word ", "\u65e5", "a = b, ")) {
    longer <- vapply(c(5e3, 5e4, 5e5), \(n) work(strrep(piece, n)), 1)
    expect_lt(max(longer), 4e5)
    expect_lt(longer[3], 2 * longer[2])
  }
})

test_that("levels, names and classes of 10,000 characters are drawn and shown, however they are made up", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit({
    setTimeLimit()
    grDevices::dev.off()
  })
  for (text in c(strrep("x", 1e4), strrep("ab cd ", 2e3), paste0("a", strrep(" ", 1e4), "b"), strrep("\\_$\n<", 2e3))) {
    d <- data.frame(rep(c(text, "b"), each = 100), label = rep(c(text, "other"), c(95, 105)))
    names(d) <- c(text, "label")
    model <- quick_fit(d)
    # Minutes or hours once; a second or two now.
    setTimeLimit(elapsed = 60, transient = TRUE)
    for (type in sbrl:::plot_types) {
      data <- if (type %in% c("roc", "calibration")) d
      plot(model, type, data = data, main = text)
      print(ggplot2::autoplot(model, type, data = data))
    }
    expect_match(format(explain(model, d[1, ])), "decides", fixed = TRUE, all = FALSE)
    expect_output(print(summary(model)))
    expect_gt(nchar(as_sql(model, "ansi")), 1e4)
    for (export in list(as_markdown, as_html, as_latex, as_pmml, as_dmn, as_javascript)) {
      expect_gt(nchar(export(model)), 1e4)
    }
    expect_identical(as_r_function(model)(d), predict(model, d)$V2)
  }
})

test_that("what is too long loses its middles, and every condition stays in sight", {
  measure <- function(text) nchar(text) / 10
  squeeze <- function(phrases, most, width) sbrl:::squeeze_phrases(phrases, most, width, measure)
  expect_identical(sbrl:::drop_middle("abcdefghijkl", 8), "abc...kl")
  expect_identical(sbrl:::drop_middle("abcdefgh", 8), "abcdefgh")
  long <- "the state of the nursery = very critical"
  expect_match(squeeze(c(long, "health = priority"), 1, 4), "^the state[.]{3}itical and health = priority$")
  expect_identical(squeeze(c("a = b", "c = d"), 1, 4), "a = b and c = d")
  set.seed(1)
  for (i in 1:50) {
    phrases <- replicate(sample(3, 1), paste(sample(letters, sample(5:60, 1), replace = TRUE), collapse = ""))
    width <- stats::runif(1, 1, 6)
    lines <- squeeze(phrases, 2, width)
    expect_lte(length(lines), 2)
    expect_true(all(measure(lines) <= width + 1e-9))
  }
})

test_that("text is as large as fits, and never too high while it can be helped", {
  measure_at <- function(size) function(text) nchar(text) * 0.08 * size
  fit <- function(antecedents, width, height) {
    space <- list(width = \(size) width, height = height, padding = 0.1, equal = FALSE)
    c(sbrl:::fit_antecedents(antecedents, space, measure_at, seq(0.9, 0.5, by = -0.05)), list(space = space))
  }
  expect_equal(fit(list("a = b"), 3, 3)$size, 0.9)
  expect_lt(fit(rep(list(c("a = b", "c = d")), 20), 3, 3)$size, 0.9)
  expect_false(fit(rep(list("a = b"), 100), 3, 3)$fits)
  long <- fit(rep(list(strrep("word ", 60)), 4), 2, 1.2)
  expect_true(long$fits)
  expect_true(all(grepl("...", vapply(long$lines, paste, "", collapse = " "), fixed = TRUE)))
})

test_that("colours get darker from class to class, so that print without colour tells them apart", {
  for (k in 2:10) {
    grey <- colSums(grDevices::col2rgb(sbrl:::class_colours(k)) * c(0.299, 0.587, 0.114))
    expect_true(all(diff(grey) < -8), info = k)
  }
})

test_that("every picture can be drawn on every device at every size, and leaves par() as it was", {
  skip_if_not(capabilities("cairo"))
  models <- list(plot_ttt(), plot_odd(), suppressWarnings(quick_fit(data.frame(a = 1, label = 0:1))))
  for (device in plot_devices) {
    for (model in models) {
      for (type in c("rules", "coverage", if (nrow(model$trace) > 0) "trace")) {
        suppressWarnings(draw_on(device, plot(model, type)))
      }
    }
    draw_on(device, plot(plot_ttt(), "roc", data = tictactoe))
    draw_on(device, plot(plot_ttt(), "calibration", data = tictactoe))
  }
  # Smaller than anyone would ask for, and one of several figures on a page.
  draw_on(plot_devices$png, plot(plot_ttt()), list(c(0.5, 0.5), c(1, 8), c(8, 1)))
  draw_on(plot_devices$png, plot(plot_ttt(), "trace", main = NULL), list(c(0.5, 0.5), c(1, 8), c(8, 1)))
  draw_on(plot_devices$png, {
    graphics::par(mfrow = c(3, 3))
    plot(plot_ttt())
    plot(plot_ttt(), "coverage")
    graphics::par(mfrow = c(1, 1))
  }, list(c(5, 5)))
})

test_that("plot() returns its model", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(withVisible(plot(plot_odd())), list(value = plot_odd(), visible = FALSE))
})

test_that("wrong arguments give clear errors", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  model <- quick_fit(two_factor_data())
  legacy <- structure(model[c("rs", "rulenames", "featurenames", "mat_feature_rule")], class = "sbrl")
  expect_condition_snapshot({
    plot(model, "bars")
    plot(model, level = 2)
    plot(model, main = 1:2)
    plot(model, colour = "red")
    plot(model, "roc")
    plot(model, "calibration", data = 1)
    plot(model, "rules", data = two_factor_data())
    plot(model, "roc", data = two_factor_data()[c("a", "b")])
    plot(model, "roc", data = transform(two_factor_data(), label = 1))
    plot(model, "roc", data = transform(two_factor_data(), label = 7))
    plot(model, "roc", data = two_factor_data()[0, ])
    plot(model, "calibration", data = two_factor_data()["label"])
    plot(model, "calibration", data = transform(two_factor_data(), label = replace(label, 1:3, NA)))
    plot(model, "roc", data = two_factor_data(), weights = 1)
    plot(legacy)
  })
})

test_that("autoplot() makes every picture, at every size", {
  skip_if_not_installed("ggplot2")
  skip_if_not(capabilities("cairo"))
  pictures <- list(
    ggplot2::autoplot(plot_ttt()), ggplot2::autoplot(plot_odd()), ggplot2::autoplot(plot_odd(), "coverage"),
    ggplot2::autoplot(plot_ttt(), "coverage"), ggplot2::autoplot(plot_ttt(), "trace", main = "Title"),
    ggplot2::autoplot(plot_ttt(), "roc", data = tictactoe),
    ggplot2::autoplot(plot_ttt(), "calibration", data = tictactoe)
  )
  for (picture in pictures) {
    expect_s3_class(picture, "ggplot")
    expect_silent(draw_on(plot_devices$png, print(picture)))
  }
  expect_error(ggplot2::autoplot(plot_ttt(), "bars"), class = "sbrl_error_argument")
  expect_error(ggplot2::autoplot(plot_ttt(), "roc"), class = "sbrl_error_argument")
})

# A list of many rules, without a search: each level is a rule.
many_rules <- function(n = 42) {
  d <- data.frame(f = factor(rep(sprintf("level %02d", seq_len(n + 1)), each = 10)), label = rep(c(0, 1, 1, 0, 1), 2))
  model <- quick_fit(d, minsupport = 0.001, iters = 10, nchain = 1)
  list_of(model, d, seq_len(n))
}

test_that("autoplot() leaves rules out where a page has no room for them, as plot() does", {
  expect_identical(sbrl:::rows_shown(5, 10), 1:5)
  shown <- sbrl:::rows_shown(43L, 2)
  expect_lt(length(shown), 43)
  expect_identical(utils::tail(shown, 2), c(NA, 43L))
  expect_identical(shown[seq_len(length(shown) - 2)], seq_len(length(shown) - 2))
  # Rows stay within the scale, at equal distances.
  places <- sbrl:::place_rows(shown, shown, 43)
  expect_equal(range(places$at), c(0.5, 43.5) + c(0.5, -0.5) * places$stretch)
  words <- list(texts = as.list(letters), keywords = rep("if", 26), other = sbrl:::more_rules)
  kept <- sbrl:::shown_words(words, c(1:3, NA, 26))
  expect_identical(unlist(kept$texts), c("a", "b", "c", "... 22 more rules ...", "z"))
  expect_identical(kept$keywords, c("if", "if", "if", "", "if"))
  skip_if_not_installed("ggplot2")
  skip_if_not(capabilities("cairo"))
  draw_on(plot_devices$png, print(ggplot2::autoplot(many_rules())), list(c(4, 3), c(7, 5), c(12, 9)))
})

test_that("no text of autoplot() lies over another, on a small page either", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL, 5, 3)
  on.exit(grDevices::dev.off())
  print(ggplot2::autoplot(many_rules()))
  grid::grid.force()
  parts_of <- function(grob) {
    if (inherits(grob, "gTree")) do.call(c, lapply(unname(grob$children), parts_of)) else list(grob)
  }
  texts <- Filter(\(grob) inherits(grob, "text") && length(grob$label) > 5, parts_of(grid::grid.grab()))
  expect_gt(length(texts), 2)
  for (text in texts) {
    y <- sort(as.numeric(text$y))
    # A panel of some two inches; letters of 5.4 points.
    expect_gt(min(diff(y)) * 2, 0.075)
  }
})

test_that("keys and panels have the classes in their order, not in that of the alphabet", {
  skip_if_not_installed("ggplot2")
  classes <- c("zero", "mid", "all")
  d <- data.frame(x = rep(c("p", "q", "r"), each = 40), label = factor(rep(classes, each = 40), classes))
  model <- quick_fit(d)
  scale <- ggplot2::ggplot_build(ggplot2::autoplot(model))$plot$scales$get_scales("fill")
  expect_identical(scale$get_limits(), c("zero", "mid", "all"))
  expect_identical(levels(sbrl:::plot_data_rules(model, 0.95)$class), c("zero", "mid", "all"))
  for (type in c("roc", "calibration")) {
    built <- ggplot2::ggplot_build(ggplot2::autoplot(model, type, data = d))
    expect_match(as.character(built$layout$layout$panel), "^(zero|mid|all)")
    expect_identical(sub("\n.*", "", as.character(built$layout$layout$panel)), c("zero", "mid", "all"))
  }
})

test_that("pictures have the numbers of the rules and the marks of thin ones", {
  model <- quick_fit(Species ~ ., data = iris, iters = 3000)
  shown <- sbrl:::plot_data_rules(model, 0.95)
  expect_identical(shown$number, c(seq_len(nrow(shown) - 1), ""))
  expect_identical(shown$thin, rules(model)$thin)
  expect_true(any(shown$thin))
  expect_identical(endsWith(sbrl:::number_label(shown), "*"), shown$thin)
  # 0.0035 is not 0.00.
  shown$prob[1] <- 0.0035
  expect_match(sbrl:::number_label(shown)[1], "^0[.]0035")
})

test_that("panels are as large as the page allows, and those that have no room are counted", {
  page <- list(left = 0.75, right = 6.35, bottom = 0.6, top = 4.4, gap = 0.2, strip = 0.36, scale = 1)
  expect_identical(sbrl:::panel_grid(page, 4L)[c("n", "n_columns", "n_rows")], list(n = 4L, n_columns = 2L, n_rows = 2))
  many <- sbrl:::panel_grid(page, 100L)
  expect_lt(many$n, 100)
  boxes <- lapply(seq_len(many$n), \(j) sbrl:::panel_box(page, many, j))
  expect_true(all(vapply(boxes, \(box) box$right <= page$right + 1e-9 && box$bottom >= page$bottom, NA)))
  skip_if_not(capabilities("cairo"))
  model <- quick_fit(Species ~ ., data = iris)
  draw_on(plot_devices$png, plot(model, "roc", data = iris), list(c(0.5, 0.5), c(3, 2), c(7, 5), c(1, 8)))
  draw_on(plot_devices$png, plot(model, "calibration", data = iris), list(c(3, 2), c(7, 5), c(8, 1)))
})

test_that("pictures look as they did", {
  skip_if_not_installed("vdiffr")
  skip_on_cran()
  few <- list_of(plot_ttt(), tictactoe, match(x_wins[1:2], plot_ttt()$rulenames))
  vdiffr::expect_doppelganger("rules tictactoe", function() plot(plot_ttt()))
  vdiffr::expect_doppelganger("rules few", function() plot(few, main = NULL))
  vdiffr::expect_doppelganger("rules odd", function() plot(plot_odd()))
  vdiffr::expect_doppelganger("coverage tictactoe", function() plot(plot_ttt(), "coverage"))
  vdiffr::expect_doppelganger("coverage odd", function() plot(plot_odd(), "coverage"))
  vdiffr::expect_doppelganger("roc few", function() plot(few, "roc", data = tictactoe))
  vdiffr::expect_doppelganger("calibration few", function() plot(few, "calibration", data = tictactoe[1:500, ]))
})

test_that("ggplot2's pictures look as they did", {
  skip_if_not_installed("vdiffr")
  skip_on_cran()
  skip_unless_ggplot2_as_recorded()
  few <- list_of(plot_ttt(), tictactoe, match(x_wins[1:2], plot_ttt()$rulenames))
  vdiffr::expect_doppelganger("gg rules tictactoe", ggplot2::autoplot(plot_ttt()))
  vdiffr::expect_doppelganger("gg rules odd", ggplot2::autoplot(plot_odd()))
  vdiffr::expect_doppelganger("gg coverage tictactoe", ggplot2::autoplot(plot_ttt(), "coverage"))
  vdiffr::expect_doppelganger("gg roc few", ggplot2::autoplot(few, "roc", data = tictactoe))
  vdiffr::expect_doppelganger("gg calibration few", ggplot2::autoplot(few, "calibration", data = tictactoe[1:500, ]))
})

test_that("a key with too many entries ends with the number of those left out", {
  key <- list(text = paste("class", 1:100), col = "grey15")
  shown <- sbrl:::arrange_key(key, width = 7)
  n <- length(shown$text)
  expect_lt(n, 100)
  expect_identical(shown$text[c(1, n)], c("class 1", sprintf("... and %d more", 100 - n + 1)))
  expect_length(shown$col, n)
  expect_gte(shown$n_columns * shown$n_rows, n)
})

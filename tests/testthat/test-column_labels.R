# Labels: what people read in place of names, and nothing else reads.

passengers <- function(...) {
  sbrl(Survived ~ Class + Sex + Age, data = as.data.frame(Titanic), weights = Freq, rule_maxlen = 2, iters = 500,
       nchain = 2, seed = 1, progress = FALSE, ...)
}

people_labels <- c(
  Class = "Class of travel", Sex = "Sex, as registered", Age = "Age group", Survived = "Fate", Yes = "was saved",
  No = "was lost"
)

test_that("sbrl(labels = ) and relabel() set the same labels", {
  model <- passengers(labels = people_labels)
  expect_identical(model$labels, people_labels)
  expect_identical(without_clock(relabel(passengers(), people_labels)), without_clock(model))
  expect_identical(relabel(model, NULL)$labels, character())
  expect_identical(relabel(model, c(Sex = "x"))$labels, c(Sex = "x"))
  by_frame <- quick_fit(two_factor_data(), labels = c(a = "First"))
  expect_identical(by_frame$labels, c(a = "First"))
  # print() of a data frame's model is 1.4's, to the letter
  expect_identical(capture.output(print(by_frame)), capture.output(print(quick_fit(two_factor_data()))))
})

test_that("labels are used wherever people read, and nowhere else", {
  plain <- passengers()
  model <- relabel(plain, people_labels)
  someone <- data.frame(Class = "1st", Sex = "Male", Age = "Adult")
  read <- list(
    as_markdown(model), as_html(model), as_latex(model), as_markdown(model, style = "list"), format(model),
    format(explain(model, someone)), sbrl:::plot_data_rules(model, 0.95)$antecedent, rules(model)$rule
  )
  for (text in read) {
    text <- paste(text, collapse = " ")
    expect_match(text, "(Class of travel|Sex, as registered|Age group) =")
    expect_no_match(text, "(Class|Sex|Age) =")
  }
  expect_match(as_markdown(model), "P(Fate = was saved)", fixed = TRUE)
  expect_match(as_markdown(model), "n(was lost)", fixed = TRUE)
  expect_match(format(explain(model, someone))[1], "probability of Fate = was saved", fixed = TRUE)
  expect_identical(sbrl:::outcome_text(model, "Yes"), "Fate = was saved")
  expect_identical(sbrl:::default_title(model, "rules"), "Rule list for Fate")
  # Data keep their names.
  expect_identical(predict(model, someone), predict(plain, someone))
  expect_identical(as_sql(model), as_sql(plain))
  expect_match(as_pmml(model), "displayName=\"Fate\"", fixed = TRUE)
  expect_match(as_pmml(model), "displayValue=\"was saved\"", fixed = TRUE)
  expect_identical(attr(as_dmn(model), "inputs"), attr(as_dmn(plain), "inputs"))
  expect_identical(as_r_function(model)(someone), as_r_function(plain)(someone))
  expect_identical(model$rulenames, plain$rulenames)
  expect_identical(explain(model, someone)$class, explain(plain, someone)$class)
})

test_that("a name that is a feature and a class is the feature's; <label>=<class> is the class", {
  d <- data.frame(yes = rep(c("yes", "no"), each = 50), label = rep(c("yes", "no", "yes"), c(45, 50, 5)))
  model <- quick_fit(d, labels = c(yes = "Answer"))
  expect_identical(sbrl:::shown_class(model), c("no", "yes"))
  expect_match(as_markdown(model), "Answer = ", fixed = TRUE)
  model <- relabel(model, c(yes = "Answer", "label=yes" = "bought", no = "left"))
  expect_identical(sbrl:::shown_class(model), c("left", "bought"))
  expect_identical(sbrl:::shown_feature(model, "yes"), "Answer")
})

# A set, what is in no set, a range of an order and a logical value, each alone in a rule.
working_people <- function(n = 600) {
  set.seed(1)
  size <- c("S", "M", "L", "XL", "XXL")
  d <- data.frame(
    job = sample(letters[1:8], n, TRUE), size = factor(sample(size, n, TRUE), size, ordered = TRUE),
    flag = sample(c(TRUE, FALSE), n, TRUE)
  )
  high <- d$job %in% c("b", "e") | d$size %in% c("M", "L") & d$flag
  d$y <- stats::rbinom(n, 1, ifelse(high, 0.95, 0.05))
  d
}

working_labels <- c(
  job = "Profession", "job=b" = "baker, own shop", "job=e" = "engineer", "job=a" = "b", "size=M" = "medium",
  "size=L" = "large", "flag=TRUE" = "raised", "flag=FALSE" = "not raised"
)

test_that("levels have labels wherever people read them, and data keep theirs", {
  d <- working_people()
  fit <- \(...) sbrl(y ~ ., data = d, conditions = "rich", iters = 2000, nchain = 2, seed = 1, ...)
  plain <- fit()
  model <- relabel(plain, working_labels)
  expect_identical(without_clock(fit(labels = working_labels)), without_clock(model))
  words <- c("Profession in {\"baker, own shop\", engineer}", "medium <= size <= large", "flag = raised")
  someone <- data.frame(job = c("e", "c"), size = "L", flag = c(TRUE, FALSE))
  read <- list(
    as_markdown(model), format(model), sbrl:::plot_data_rules(model, 0.95)$antecedent, rules(model)$rule,
    as_dmn(model), explain(model, someone[2, ])$passed$antecedent
  )
  for (text in read) {
    text <- gsub("\u2264", "<=", gsub("\\\\|&quot;", "", paste(text, collapse = " ")))
    text <- gsub("&lt;", "<", gsub("\"", "", text), fixed = TRUE)
    for (word in gsub("\"", "", words)) expect_match(text, word, fixed = TRUE)
  }
  why <- lapply(1:2, \(i) paste(format(explain(model, someone[i, ])), collapse = " "))
  expect_match(why[[1]], "(it is engineer)", fixed = TRUE)
  expect_match(why[[2]], "no, Profession is c", fixed = TRUE)
  expect_match(why[[2]], "no, flag is not raised", fixed = TRUE)
  expect_identical(explain(model, someone[1, ])$conditions$value, explain(plain, someone[1, ])$conditions$value)
  expect_identical(explain(plain, someone[1, ])$position, explain(model, someone[1, ])$position)
  expect_identical(predict(model, d), predict(plain, d))
  expect_identical(as_sql(model), as_sql(plain))
  expect_identical(model$rulenames, plain$rulenames)
  # rows that lack a level
  expect_identical(sbrl(y ~ ., d[d$job != "b", ], labels = working_labels, iters = 50)$labels, working_labels)
})

test_that("wrong labels of levels are errors", {
  model <- quick_fit(two_factor_data())
  expect_condition_snapshot({
    relabel(model, c("a=uu" = "x"))
    relabel(model, c("a=" = "x"))
    relabel(model, c("a=u" = "v"))
    relabel(model, c("a=u" = "x", "a=v" = "x"))
    quick_fit(two_factor_data(), labels = c("a=u" = "v"))
    quick_fit(two_factor_data(), labels = c("z=u" = "v"))
  })
  # a name of a feature is that of the feature
  d <- stats::setNames(two_factor_data(), c("a", "a=u", "label"))
  model <- quick_fit(d, labels = c("a=u" = "second"))
  expect_match(sbrl:::rule_antecedents(model, rules = seq_along(model$rulenames)), "(a = [uvw]|second =)", all = TRUE)
})

test_that("labels survive files", {
  model <- relabel(passengers(), c(people_labels, "Sex=Male" = "m"))
  file <- tempfile(fileext = ".json")
  on.exit(unlink(file))
  sbrl_write_json(model, file)
  expect_identical(sbrl_read_json(file)$labels, model$labels)
})

test_that("pictures with labels can be drawn", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  labels <- c(setosa = "bristly iris", Petal.Width = "Width of petals (cm)")
  model <- quick_fit(Species ~ ., data = iris, labels = labels)
  for (type in sbrl:::plot_types) {
    data <- if (type %in% c("roc", "calibration")) iris
    plot(model, type, data = data)
    print(ggplot2::autoplot(model, type, data = data))
  }
  expect_match(ggplot2::autoplot(model)$scales$get_scales("fill")$labels, "bristly iris", all = FALSE)
})

test_that("wrong labels are errors that say what is right", {
  model <- quick_fit(two_factor_data())
  expect_condition_snapshot({
    relabel(model, c(colour = "x"))
    relabel(model, "x")
    relabel(model, c(a = NA))
    relabel(model, c(a = 1))
    relabel(model, list(a = "x"))
    relabel(model, c(a = "x", a = "y"))
    relabel(model, c(a = "x", b = "x"))
    relabel(model, c("0" = "1"))
    relabel(two_factor_data(), c(a = "x"))
    quick_fit(two_factor_data(), labels = c(z = "x"))
  })
  bytes <- "\u00e9"
  Encoding(bytes) <- "bytes"
  expect_error(relabel(model, c(a = bytes)), "`labels`", class = "sbrl_error_argument")
})

test_that("a label is text: it leaves no language it is written in", {
  for (text in injections[c("html", "html_quote", "markdown_raw", "latex_brace", "r_inline", "r_comment", "r_chunk")]) {
    labels <- c(a = text, "a=u" = text, label = paste(text, "label"), "1" = paste(text, "yes"))
    model <- quick_fit(two_factor_data(), labels = labels)
    odd <- text
    d <- two_factor_data()
    names(d)[c(1, 3)] <- c(odd, paste(odd, "label"))
    d[[1]] <- factor(d[[1]], labels = replace(levels(factor(d[[1]])), match("u", levels(factor(d[[1]]))), odd))
    d[[3]] <- ifelse(d[[3]] == 1, paste(odd, "yes"), "0")
    same <- quick_fit(d, label = names(d)[3], pos_sign = paste(odd, "yes"))
    for (write in list(as_markdown, as_html, as_latex)) {
      expect_identical(as.character(write(model)), as.character(write(same)))
    }
    source <- paste(format(as_r_function(model)), collapse = "\n")
    expect_silent(parse(text = source))
  }
})

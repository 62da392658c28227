# Methods called on what they are not for, and results that were changed before they are shown.

not_models <- list(
  1, NULL, "x", list(), mean, NA, new.env(), quote(x), structure(list(), class = "sbrl"), structure(1, class = "sbrl"),
  structure(list(1), class = "cv_sbrl"), structure(list(1), class = "sbrl_explanations"),
  structure(list(), class = "sbrl_explanation"), structure(1, class = "sbrl_text"),
  structure(mean, class = "sbrl_function"), structure(list(), class = "summary.sbrl"),
  structure(list(), class = "summary.cv_sbrl"), structure(list(rs = 1, counts = 2), class = "sbrl")
)

test_that("methods called on what is no model give an sbrl_error", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  methods <- list(
    predict.sbrl, print.sbrl, show.sbrl, format.sbrl, as.character.sbrl, summary.sbrl, rules, rules.sbrl,
    plot.sbrl, explain, explain.sbrl, relabel, as_sql, as_pmml, as_dmn, as_javascript, as_html, as_latex,
    as_markdown, as_r_function,
    sbrl_score, sbrl_report, sbrl_performance, sbrl_max_length, sbrl_write_json, sbrl_read_json, tidy.sbrl,
    glance.sbrl, augment.sbrl, logLik.sbrl, nobs.sbrl, fitted.sbrl, as.data.frame.sbrl, formula.sbrl,
    terms.sbrl, update.sbrl, refit, refit.cv_sbrl, plot.cv_sbrl, print.cv_sbrl, format.cv_sbrl, summary.cv_sbrl,
    as.data.frame.cv_sbrl, print.summary.sbrl, print.summary.cv_sbrl, format.sbrl_function, format.sbrl_text
  )
  for (method in methods) {
    for (x in not_models) {
      expect_error(utils::capture.output(method(x)), class = "sbrl_error")
    }
  }
})

test_that("results that were changed are shown as they are or refused", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  set.seed(5)
  d <- two_factor_data()
  model <- quick_fit(d)
  results <- list(
    cv = cv_sbrl(d, folds = 3, lambda = c(1, 5), rule_maxlen = 1, iters = 50, nchain = 1, seed = 1, progress = FALSE),
    one = explain(model, d[1, ]), some = explain(model, d[1:3, ]), summary = summary(model)
  )
  uses <- list(print = print, format = format, table = as.data.frame, summary = summary, plot = plot)
  junk <- list(NULL, NA, -1, Inf, "x", list(), mean, factor("a"), quote(x), data.frame(), new.env(), "\xff")
  for (name in names(results)) {
    whole <- unclass(results[[name]])
    for (field in seq_along(whole)) {
      for (bad in junk) {
        changed <- whole
        changed[field] <- list(bad)
        changed <- structure(changed, class = class(results[[name]]))
        for (use in names(uses)[if (name == "cv") 1:5 else if (name == "summary") 1 else 1:3]) {
          found <- tryCatch(
            {
              utils::capture.output(suppressWarnings(uses[[use]](changed)))
              "shown"
            },
            sbrl_error = \(e) "shown", error = conditionMessage
          )
          expect_identical(found, "shown", info = paste(name, names(whole)[field], use))
        }
      }
    }
  }
})

test_that("what cannot be drawn with is an error of ours", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  cv <- cv_sbrl(
    two_factor_data(), folds = 3, lambda = 1, rule_maxlen = 1, iters = 50, nchain = 1, seed = 1, progress = FALSE
  )
  expect_error(plot(cv, type = "a"), "cannot be drawn: invalid plot type", class = "sbrl_error_argument")
  expect_error(plot(cv, xlim = "a"), "cannot be drawn", class = "sbrl_error_argument")
})

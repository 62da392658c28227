# Hostile calls: a good call of every function, in which some arguments are replaced by hostile values.

# At least one call of each exported function and of each generic that has a method here. Fits are tiny and limited in
# time, because some values ask for 2^53 iterations and mean it.
good_calls <- expression(
  sbrl(d2, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, threads = 1),
  sbrl(d3, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, threads = 1, rule_maxlen = 2),
  sbrl(days, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, threads = 1, bins = 3),
  sbrl(numbers, iters = 20, nchain = 2, time_limit = 0.5, progress = FALSE, weights = rep(1, 60), seed = 1),
  sbrl(formula = label ~ a + b, data = d2, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE),
  sbrl(pieces(), iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, threads = 1),
  sbrl_source(chunks = function() NULL, restart = function() NULL, chunk_size = 100),
  sbrl_source(query = function(sql) NULL, dialect = "sqlite", table = "t"), print(pieces()), format(pieces()),
  cv_sbrl(d2, folds = 2, lambda = 1, rule_maxlen = 1, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE),
  cv_sbrl(formula = label ~ a, data = d2, folds = 2, lambda = 1, rule_maxlen = 1, iters = 20, nchain = 1,
          time_limit = 0.5, progress = FALSE),
  sbrl_bag(d2, times = 2, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE),
  sbrl_bag(formula = label ~ a, data = d2, times = 2, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE),
  sbrl_bag(
    mweights, data = numbers, weights = rep(1:2, 30) / 3, times = 2, iters = 20, nchain = 1, time_limit = 0.5,
    progress = FALSE
  ),
  predict(bag2, d2), predict(bag2, newdata = d2, type = "interval", level = 0.9), rules(bag2, by = "feature"),
  medoid(bag2), print(bag2), format(bag2), summary(bag2), print(summary(bag2)), plot(bag2, type = "rules", n = 3),
  ggplot2::autoplot(bag2, type = "length"), sbrl_performance(bag2, d2), sbrl_write_json(bag2, file = out()),
  summary(m2, calibration = bag2), summary(m2, calibration = cv2), summary(cv2, calibration = TRUE),
  predict(m2, d2), predict(m3, d3, type = "matrix"), predict(mdays, days, type = "class"),
  predict(mcall, numbers, type = "interval", level = 0.9), predict(mweights, newdata = numbers, type = "rule"),
  predict(mold, d2), predict.sbrl(m2, d2), print.sbrl(m2), print(m3), show.sbrl(mdays), format(mcall),
  as.character(m2), summary(m2, level = 0.9), print(summary(m3)), summary(cv2), print(summary(cv2)), print(cv2),
  format(cv2), as.data.frame(cv2), as.data.frame(m2), rules(m3, level = 0.9), explain(m2, d2[1, ]),
  explain(mdays, days[1:3, ], level = 0.9), explain.sbrl(mcall, numbers[1:2, ]), print(why), print(whys), format(why),
  format(whys), as.data.frame(why), as.data.frame(whys), as_html(m2, caption = "x", digits = 3, css = TRUE, bar = TRUE),
  as_latex(m3, caption = "x", label = "tab:x"), as_latex(m2, style = "list"),
  as_markdown(mdays, caption = "x", style = "table"),
  as_pmml(m2, columns = c(a = "text")), as_dmn(m2, columns = c(a = "text")), as_javascript(m2, name = "f"),
  as_r_function(mcall, output = "matrix"), print(scorer), format(scorer),
  relabel(m2, labels = c(a = "A feature", "1" = "yes", "a=u" = "a level")),
  as_sql(m2, dialect = "sqlite", table = "t", output = "class", columns = c(a = "text"), nan = TRUE), print(latex),
  format(latex), as.character(latex), get_data_feature_mat(d2, c("a=u", "b=p")), sbrl_performance(m2, d2, level = 0.9),
  sbrl_performance(m3, d3, label = "label", weights = rep(1, 60)), sbrl_score(m2, d2, rules = "{a=u}"),
  sbrl_score(m2, d2, rules = list(~ a == "u", ~ b != "p")),
  sbrl_score(mcall, data = numbers, rules = 1), sbrl_max_length(m2),
  sbrl_certify(m2, d2, max_length = 3, time_limit = 0.5, max_nodes = 100, progress = FALSE),
  print(proof), format(proof), summary(proof), print(summary(proof)), plot(proof, against = "seconds", main = "x"),
  sbrl_max_length(c(10, 10), n_items = 4, lambda = 3, alpha = 1), sbrl_control(target_rules = 50, max_rules = 1000),
  sbrl_write_json(m2, file = out()), sbrl_read_json(file = stored()), sbrl_caret(), rule_list(lambda = 3),
  prior_length(range = c(1, 5)), prior_width(range = c(1, 2)), refit(cv2),
  plot(m2), plot(m3, type = "coverage", level = 0.9), plot(m2, type = "trace", main = "x"),
  plot(m2, type = "roc", data = d2, weights = rep(1, 60)), plot(m3, type = "calibration", data = d3),
  plot(cv2, measure = "auc"),
  sbrl_posterior(m2, d2, draws = 16, warmup = 8, time_limit = 0.5, seed = 1, threads = 1, progress = FALSE),
  print(draws2, n = 3), format(draws2), summary(draws2, n = 3), print(summary(draws2)),
  rules(draws2, by = "feature"), medoid(draws2),
  alternatives(draws2, n = 2), print(alternatives(draws2)), sbrl_loo(draws2, d2), print(sbrl_loo(draws2, d2)),
  predict(draws2, d2, type = "interval", level = 0.9), plot(draws2, type = "rows", data = d2[1:3, ]),
  plot(draws2, type = "rules", n = 3), ggplot2::autoplot(draws2, type = "order"),
  fitted(m2, d2), nobs(m2), logLik(m3), formula(mcall), terms(m3), coef(m3, type = "log_odds"),
  residuals(m2, d2, type = "pearson"), residuals(m3, d3, type = "deviance"), refit(m2, d2),
  refit(m3, d3, weights = rep(1, 60)), refit(m2, d2[d2$label == 1, ]),
  sbrl(d2, teacher = "trees", iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, seed = 1),
  sbrl(d2, teacher = bag2, shrink = FALSE, iters = 20, nchain = 1, time_limit = 0.5, progress = FALSE, seed = 1),
  update((m2), tdata = d2, iters = 10, time_limit = 0.5),
  generics::tidy(m2, conf.int = TRUE, conf.level = 0.9), generics::glance(m2), generics::augment(m2, data = d2),
  generics::refit(cv2), ggplot2::autoplot(m2, type = "rules"), ggplot2::autoplot(m3, type = "roc", data = d3),
  ggplot2::autoplot(cv2), knitr::knit_print(m2), knitr::knit_print(latex)
)
# sbrl_report() takes a second a call: see test-injection.R and test-report.R. Of `[` R's own words are right, and
# makeContent() is called by grid alone; anova() is always an error.
uncalled <- c("sbrl_report", "[", "makeContent", "anova")

# The function or method that a good call runs, if it is in this package.
called_method <- function(call) {
  name <- function_name(call)
  class <- if (is.name(call[[2]])) class(hostile_world()[[as.character(call[[2]])]]) else "sbrl"
  found <- c(paste(name, class, sep = "."), name)
  found <- found[vapply(found, exists, NA, asNamespace("sbrl"), mode = "function", inherits = FALSE)]
  if (length(found) > 0) get(found[1], asNamespace("sbrl"))
}

# The method that a call of a good first argument runs; the default arguments of generics are those of their methods.
method_that_runs <- function(call, world) {
  name <- function_name(call)
  classes <- if (is.null(names(call)) || names(call)[2] == "") class(eval(call[[2]], world))
  methods <- lapply(classes, \(class) utils::getS3method(name, class, optional = TRUE, envir = asNamespace("sbrl")))
  Filter(Negate(is.null), c(methods, get0(name, asNamespace("sbrl"), mode = "function")))[[1]]
}

# Is it one of this package's own functions, which must accept or refuse any first argument?
is_exported <- function(call) {
  is.name(call[[1]]) && as.character(call[[1]]) %in% getNamespaceExports("sbrl")
}

# The call of this seed: one to three arguments of a good call are hostile, or added.
hostile_call <- function(seed) {
  set.seed(seed)
  # Most can go wrong where data are read.
  reads_data <- vapply(good_calls, \(call) any(hostile_models %in% all.vars(call)), NA)
  call <- pick(good_calls, prob = ifelse(reads_data, 4, 1))[[1]]
  # knitr alone gives the other arguments of knit_print().
  if (length(call) == 1 || function_name(call) == "knit_print") {
    return(call)
  }
  method <- if ("formula" %in% names(call)) NULL else called_method(call)
  if (!is.null(method)) call <- match.call(method, call)
  # Never both the number of iterations and what ends them; `...` takes a name that no function has.
  further <- names(formals(method))
  if ("..." %in% further) further <- c(further, pick(c("bogus", "\ufffe")))
  further <- setdiff(further, c("...", "time_limit"))
  for (i in seq_len(pick(1:3))) {
    added <- setdiff(further, names(call))
    j <- if (length(added) > 0 && stats::runif(1) < 0.5) pick(added) else pick(seq_along(call)[-1])
    call[j] <- list(hostile_argument(call, j))
  }
  call
}

# An argument of the same kind, if it is a formula, a model or data; any other hostile value else.
hostile_argument <- function(call, j) {
  old <- if (is.numeric(j) || j %in% names(call)) call[[j]]
  name <- c(all.vars(old), "")[1]
  if (identical(j, 2L) && !is_exported(call)) {
    return(if (name %in% names(hostile_models) && is.name(old)) as.name(pick(names(hostile_models))) else old)
  }
  if (is.call(old) && identical(old[[1]], as.name("~")) && stats::runif(1) < 0.7) {
    return(pick(hostile_formulas)[[1]])
  }
  hostile_value(if (name %in% hostile_models) name)
}

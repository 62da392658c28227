# Families of fits for accuracy.R: functions of training and test rows. Each returns named results; those that can share
# work, such as the lists of one bag, are one family.

# Iterations and chains; SBRL_EFFORT="5000 4" asks for more.
asked <- as.numeric(strsplit(Sys.getenv("SBRL_EFFORT", "1000 1"), " ", fixed = TRUE)[[1]])
effort <- list(iters = asked[1], nchain = asked[2], threads = 1, progress = FALSE)

fit_list <- function(train, ..., seed = 1) {
  do.call(sbrl, c(list(label ~ ., data = train, seed = seed), list(...), effort))
}

predicted <- function(model, test) {
  predict(model, test, type = "matrix", missing = "fallthrough")[, 2]
}

with_size <- function(prob, model) {
  table <- rules(model)
  list(prob = prob, rules = nrow(table) - 1, conditions = sum(table$length))
}

# One list with other settings.
sbrl_with <- function(name, ...) {
  function(train, test) {
    model <- fit_list(train, ...)
    stats::setNames(list(with_size(predicted(model, test), model)), name)
  }
}

# ---- cut points ----

learnt_cuts <- function(train, method, bins) {
  model <- sbrl(
    label ~ ., data = train, discretize = method, bins = bins, iters = 1, nchain = 1, threads = 1, progress = FALSE,
    rule_maxlen = 1, max_length = 1, seed = 1
  )
  features <- Filter(\(feature) length(feature$cuts) > 0, model$features)
  stats::setNames(lapply(features, \(feature) feature$cuts), vapply(features, \(feature) feature$name, ""))
}

# Columns in which "modl" finds no cut have those of four quantiles.
modl_cuts <- function(train, bins) {
  cuts <- learnt_cuts(train, "modl", bins)
  none <- unlist(Map(identical, cuts, learnt_cuts(train, "quantile", min(bins, 4))))
  cuts[none] <- list(double())
  cuts
}

# Halve the interval with most rows, as long as there are fewer than `bins` and both halves have `least` rows.
halved <- function(x, cuts, bins, least) {
  x <- sort(x[!is.na(x)])
  while (length(cuts) < bins - 1) {
    code <- findInterval(x, cuts)
    best <- NULL
    for (k in order(-tabulate(code + 1, length(cuts) + 1))) {
      inside <- x[code == k - 1]
      below <- which(diff(inside) > 0)
      below <- below[below >= least & length(inside) - below >= least]
      if (length(below) > 0) {
        place <- below[which.min(abs(below - length(inside) / 2))]
        best <- (inside[place] + inside[place + 1]) / 2
        break
      }
    }
    if (is.null(best)) {
      break
    }
    cuts <- sort(c(cuts, best))
  }
  cuts
}

topped_up <- function(name, bins, least) {
  function(train, test) {
    cuts <- modl_cuts(train, bins)
    cuts <- Map(\(column, found) halved(train[[column]], found, bins, least), names(cuts), cuts)
    cuts[lengths(cuts) == 0] <- NULL
    sbrl_with(name, discretize = cuts)(train, test)
  }
}

# The splits of a small boosted model of all columns, those that gain most.
boosted <- function(name, bins, trees = 100) {
  function(train, test) {
    columns <- names(learnt_cuts(train, "width", 2))
    x <- train[columns]
    x$y <- as.integer(train$label == "1")
    model <- gbm::gbm(
      y ~ ., distribution = "bernoulli", data = x, n.trees = trees, interaction.depth = 2, shrinkage = 0.1,
      n.minobsinnode = 10, bag.fraction = 1
    )
    splits <- do.call(rbind, lapply(seq_len(trees), \(tree) gbm::pretty.gbm.tree(model, tree)))
    splits <- splits[splits$SplitVar >= 0, ]
    cuts <- lapply(seq_along(columns), function(j) {
      own <- splits[splits$SplitVar == j - 1, ]
      gain <- tapply(own$ErrorReduction, own$SplitCodePred, sum)
      sort(as.numeric(names(utils::head(sort(gain, decreasing = TRUE), bins - 1))))
    })
    names(cuts) <- columns
    sbrl_with(name, discretize = cuts[lengths(cuts) > 0])(train, test)
  }
}

# ---- probabilities of one list ----

# The rule of each row, the default rule last.
rule_of <- function(model, data) {
  rule <- predict(model, data, type = "rule", missing = "fallthrough")
  ifelse(rule == 0, nrow(model$counts), rule)
}

base_of <- function(model) {
  model$settings$class_counts[[2]] / sum(model$settings$class_counts)
}

shrunk <- function(model, strength, toward = base_of(model)) {
  (model$counts[, 2] + strength * toward) / (rowSums(model$counts) + strength)
}

# Strength by type II maximum likelihood: the counts of each rule are beta-binomial around the base rate.
likeliest_strength <- function(model) {
  counts <- model$counts[rowSums(model$counts) > 0, , drop = FALSE]
  base <- base_of(model)
  log_likelihood <- function(log_strength) {
    prior <- exp(log_strength) * c(1 - base, base)
    sum(lbeta(counts[, 1] + prior[1], counts[, 2] + prior[2]) - lbeta(prior[1], prior[2]))
  }
  exp(stats::optimise(log_likelihood, log(c(0.1, 100)), maximum = TRUE)$maximum)
}

# Which rows match which items.
item_matrix <- function(model, data) {
  codes <- lapply(model$features, function(feature) {
    x <- data[[feature$name]]
    is_cut <- length(feature$cuts) > 0
    code <- if (is_cut) findInterval(x, feature$cuts) + 1L else match(as.character(x), feature$levels)
    ifelse(is.na(x), 0L, code)
  })
  items <- model$items
  item_codes <- sbrl:::item_codes(items)
  matches <- function(item) {
    code <- codes[[items$feature[item]]]
    as.double(code %in% item_codes[[item]])
  }
  vapply(seq_len(nrow(items)), matches, double(nrow(data)))
}

# Class counts of the rows that each candidate of one or two items covers.
cover_counts <- function(model, data) {
  items <- item_matrix(model, data)
  last <- cumsum(model$pool$lengths)
  first <- last - model$pool$lengths + 1L
  pairs <- cbind(model$pool$items[first], model$pool$items[last])
  vapply(levels(data$label), \(class) crossprod(items[data$label == class, , drop = FALSE])[pairs], double(nrow(pairs)))
}

strength_of <- function(counts, base) {
  log_likelihood <- function(log_strength) {
    prior <- exp(log_strength) * c(1 - base, base)
    sum(lbeta(counts[, 1] + prior[1], counts[, 2] + prior[2]) - lbeta(prior[1], prior[2]))
  }
  exp(stats::optimise(log_likelihood, log(c(0.1, 1000)), maximum = TRUE)$maximum)
}

shrinkage <- function(train, test) {
  model <- fit_list(train)
  rule <- rule_of(model, test)
  likeliest <- likeliest_strength(model)
  strengths <- c(2, 5, 10, 20, likeliest * c(1, 3, 6, 10))
  found <- lapply(strengths, \(s) with_size(shrunk(model, s)[rule], model))
  stats::setNames(found, c(
    paste("shrink", c(2, 5, 10, 20)), paste("shrink likeliest", c("x 1", "x 3", "x 6", "x 10"))
  ))
}

# Strength by type II maximum likelihood over the candidates, from which the rules were chosen.
pool_strength <- function(train, test) {
  model <- fit_list(train)
  rule <- rule_of(model, test)
  base <- base_of(model)
  counts <- cover_counts(model, train)
  singles <- model$pool$lengths == 1
  all <- strength_of(counts, base)
  short <- strength_of(counts[singles, , drop = FALSE], base)
  own <- likeliest_strength(model)
  cat(sprintf("%d rows: pool %.1f, short %.1f, own %.1f\n", nrow(train), all, short, own), file = stderr())
  prior <- \(s) s * c(1 - base, base)
  in_search <- lapply(c(all, short, own * 3), \(s) fit_list(train, alpha = prior(s)))
  c(
    list(
      "shrink pool" = with_size(shrunk(model, all)[rule], model),
      "shrink short" = with_size(shrunk(model, short)[rule], model)
    ),
    stats::setNames(lapply(in_search, \(model) with_size(predicted(model, test), model)),
                    c("alpha pool", "alpha short", "alpha likeliest x 3"))
  )
}

# The same strength in the search and in the probabilities.
alpha_to_base <- function(name, strength) {
  function(train, test) {
    base <- mean(train$label == "1")
    sbrl_with(name, alpha = strength * c(1 - base, base))(train, test)
  }
}

# ---- bags ----

bag_of <- function(train, times, ...) {
  n <- nrow(train)
  lapply(seq_len(times), function(b) {
    rows <- sample(n, replace = TRUE)
    model <- fit_list(train[rows, ], ..., seed = b)
    list(model = model, out = setdiff(seq_len(n), rows))
  })
}

out_of_bag <- function(bag, train) {
  probs <- vapply(bag, function(one) {
    prob <- rep(NA_real_, nrow(train))
    prob[one$out] <- predicted(one$model, train[one$out, ])
    prob
  }, double(nrow(train)))
  mean <- rowMeans(probs, na.rm = TRUE)
  ifelse(is.nan(mean), mean(train$label == "1"), mean)
}

# Rows split into both classes by `soft`, `times` as heavy; whole weights, rounded at random.
taught <- function(train, soft, times) {
  positive <- floor(times * soft + stats::runif(nrow(train)))
  both <- rbind(train, train)
  both$label[] <- rep(levels(train$label), each = nrow(train))
  weights <- c(times - positive, positive)
  effort_here <- c(list(label ~ ., data = both[weights > 0, ], seed = 1, weights = weights[weights > 0]), effort)
  learnt <- do.call(sbrl, c(effort_here, list(discretize = learnt_cuts(train, "modl", 5))))
  refit(learnt, train)
}

# The strength of shrinkage to the base rate with which the lists of the bag predict the rows they have not seen best.
strength_by <- function(bag, train) {
  strengths <- c(1, 2, 4, 8, 16, 32, 64, 128)
  loss <- vapply(strengths, function(strength) {
    mean(vapply(bag, function(one) {
      test <- train[one$out, ]
      log_loss(shrunk(one$model, strength)[rule_of(one$model, test)], test$label == "1")
    }, 1))
  }, 1)
  strengths[which.min(loss)]
}

slope_by <- function(bag, train) {
  prob <- unlist(lapply(bag, \(one) predicted(one$model, train[one$out, ])))
  positive <- unlist(lapply(bag, \(one) train$label[one$out] == "1"))
  stats::coef(stats::glm(positive ~ qlogis(clipped(prob)), family = stats::binomial()))
}

bags <- function(train, test) {
  bag <- bag_of(train, 20)
  soft <- out_of_bag(bag, train)
  tests <- vapply(bag, \(one) predicted(one$model, test), double(nrow(test)))
  trains <- vapply(bag, \(one) predicted(one$model, train), double(nrow(train)))
  medoid <- refit(bag[[which.min(colMeans((trains - rowMeans(trains))^2))]]$model, train)
  plain <- fit_list(train)
  rule <- rule_of(plain, test)
  lists <- lapply(c(2, 4, 8), \(times) taught(train, soft, times))
  names(lists) <- paste("teach", c(2, 4, 8))
  label <- as.integer(train$label == "1")
  lists[["teach 4 half"]] <- taught(train, (soft + label) / 2, 4)
  lists$medoid <- medoid
  one_list <- \(model) with_size(predicted(model, test), model)
  by_rule <- \(x) tapply(x, factor(rule_of(plain, train), seq_len(nrow(plain$counts))), mean, default = base_of(plain))
  line <- slope_by(bag, train)
  c(
    list(
      "bag 20" = list(prob = rowMeans(tests), rules = NA, conditions = NA),
      "bag 10" = list(prob = rowMeans(tests[, 1:10]), rules = NA, conditions = NA),
      "oob strength" = with_size(shrunk(plain, strength_by(bag, train))[rule], plain),
      "oob slope" = with_size(stats::plogis(line[1] + line[2] * qlogis(clipped(predicted(plain, test)))), plain),
      "oob mean" = with_size(by_rule(soft)[rule], plain),
      "oob half" = with_size(by_rule((soft + label) / 2)[rule], plain)
    ),
    lapply(lists, one_list)
  )
}

# The same with the functions of the package.
bag_and_teach <- function(train, test) {
  bag <- do.call(sbrl_bag, c(list(label ~ ., data = train, times = 20, seed = 1), effort))
  effort_here <- list(iters = 2000, nchain = 4, progress = FALSE, seed = 1)
  taught <- do.call(sbrl, c(list(label ~ ., data = train, teacher = bag, shrink = FALSE), effort_here))
  shrunk <- do.call(sbrl, c(list(label ~ ., data = train, teacher = bag), effort_here))
  one_list <- \(model) with_size(predicted(model, test), model)
  c(
    list("sbrl_bag()" = list(prob = predicted(bag, test), rules = NA, conditions = NA)),
    lapply(list("medoid()" = medoid(bag), "taught" = taught, "taught, shrunk" = shrunk), one_list)
  )
}

# ---- other packages ----

peer <- function(name, prob, rules = NA) {
  stats::setNames(list(list(prob = prob, rules = rules, conditions = NA)), name)
}

fit_rpart <- function(train, test) {
  tree <- rpart::rpart(label ~ ., train)
  peer("rpart", stats::predict(tree, test)[, 2], sum(tree$frame$var == "<leaf>"))
}

fit_ctree <- function(train, test) {
  # it cannot split more than 30 levels
  train <- with_levels_of(train[vapply(train, \(x) !is.factor(x) || nlevels(x) <= 30, NA)], train)
  tree <- partykit::ctree(label ~ ., train)
  prob <- stats::predict(tree, with_levels_of(test, train), type = "prob")[, 2]
  peer("ctree", prob, partykit::width(tree))
}

fit_ranger <- function(train, test) {
  both <- filled(rbind(train, test))
  rows <- seq_len(nrow(train))
  forest <- ranger::ranger(label ~ ., both[rows, ], probability = TRUE, num.trees = 500, seed = 1, num.threads = 1)
  peer("ranger", stats::predict(forest, both[-rows, ])$predictions[, 2])
}

fit_glmnet <- function(train, test) {
  both <- filled(rbind(train, test))
  varies <- vapply(both, \(x) length(unique(x)) > 1, NA)
  x <- stats::model.matrix(label ~ ., both[varies])[, -1]
  rows <- seq_len(nrow(train))
  fit <- glmnet::cv.glmnet(x[rows, ], train$label, family = "binomial", nfolds = 5)
  peer("glmnet", stats::predict(fit, x[-rows, ], s = "lambda.min", type = "response")[, 1])
}

# ---- the posterior ----

# The best list of a realistic search, the average of 200 draws, and the draw nearest to it. For an average few rounds
# are enough.
posterior_fits <- function(train, test) {
  best <- sbrl(label ~ ., data = train, seed = 1, iters = 5000, nchain = 4, threads = 2, progress = FALSE)
  posterior <- sbrl_posterior(best, train, draws = 200, warmup = 200, seed = 1, threads = 2, progress = FALSE)
  active <- mean(posterior$draws$active)
  list(
    `best list` = with_size(predicted(best, test), best),
    posterior = list(prob = predicted(posterior, test), rules = active, conditions = NA),
    medoid = with_size(predicted(medoid(posterior), test), medoid(posterior))
  )
}

families <- list(
  plain = sbrl_with("plain"),
  rich = sbrl_with("rich", conditions = "rich"),
  shrunk = sbrl_with("shrunk", shrink = TRUE),
  frame = sbrl_with("as a data frame", rule_maxlen = 1, minsupport = 0.1),
  modl3 = sbrl_with("modl 3", bins = 3),
  modl4 = sbrl_with("modl 4", bins = 4),
  modl8 = sbrl_with("modl 8", bins = 8),
  mdlp3 = sbrl_with("mdlp 3", discretize = "mdlp", bins = 3),
  mdlp5 = sbrl_with("mdlp 5", discretize = "mdlp", bins = 5),
  quantile3 = sbrl_with("quantile 3", discretize = "quantile", bins = 3),
  quantile5 = sbrl_with("quantile 5", discretize = "quantile", bins = 5),
  quantile8 = sbrl_with("quantile 8", discretize = "quantile", bins = 8),
  top5_50 = topped_up("top up 5/50", 5, 50),
  top8_50 = topped_up("top up 8/50", 8, 50),
  top8_100 = topped_up("top up 8/100", 8, 100),
  top8_200 = topped_up("top up 8/200", 8, 200),
  boosted5 = boosted("boosted 5", 5),
  boosted8 = boosted("boosted 8", 8),
  shrinkage = shrinkage,
  pool_strength = pool_strength,
  lambda3 = sbrl_with("lambda 3", lambda = 3),
  lambda30 = sbrl_with("lambda 30", lambda = 30),
  auto = sbrl_with("lambda auto", lambda = "auto"),
  eta2 = sbrl_with("eta 2", eta = 2),
  alpha_base2 = alpha_to_base("alpha base 2", 2),
  alpha_base5 = alpha_to_base("alpha base 5", 5),
  alpha_base10 = alpha_to_base("alpha base 10", 10),
  alpha_half = sbrl_with("alpha 1/2", alpha = 0.5),
  alpha_two = sbrl_with("alpha 2", alpha = 2),
  support2 = sbrl_with("support .02", minsupport = 0.02),
  support10 = sbrl_with("support .1", minsupport = 0.1),
  bags = bags,
  teach = bag_and_teach,
  posterior = posterior_fits,
  rpart = fit_rpart,
  ctree = fit_ctree,
  glmnet = fit_glmnet,
  ranger = fit_ranger
)

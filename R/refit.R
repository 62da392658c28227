# refit() of a model: the same rules with counts and probabilities of other data.

#' @rdname refit
#' @export
#' @rawNamespace S3method(generics::refit, sbrl)
refit.sbrl <- function(object, data, ..., weights = NULL) { # nolint: object_name_linter. A method.
  check_dots_empty(...)
  object <- check_model(object, pool = TRUE, report = TRUE)
  if (missing(data)) {
    abort_sbrl("argument", "`data` is missing: give rows with a label. To search for other rules, call sbrl().")
  }
  data <- check_data_frame(data, "data")
  weights <- check_weights(weights, nrow(data))
  call <- match.call()
  call[[1L]] <- quote(refit)
  for (arg in intersect(c("object", "data", "weights"), names(call))) {
    call[[arg]] <- if (is.language(call[[arg]])) call[[arg]] else as.name(arg)
  }
  catch_memory(refit_list(object, data, weights, call))
}

refit_list <- function(model, data, weights, call) {
  rules <- list_rules(model)
  # warns of rows without a label and of what matches nothing, so that counting need not
  score <- score_list(model, data, rules, weights, "data")
  counts <- suppressWarnings(count_captured(model, data, weights), classes = "sbrl_warning")
  settings <- model$settings
  settings$class_counts <- colSums(counts)
  settings$shrinkage <- if (settings$shrinkage > 0) shrinkage_strength(counts) else 0
  settings$n_rows <- sum(counts)
  settings$weighted <- as.double(!is.null(weights))
  if (settings$n_rows == 0) {
    abort_sbrl("label", sprintf("`data` must have a row with a label %s.", quote_names(settings$label)))
  }
  score <- score[score_fields]
  # these rules were not searched for in these data
  new_sbrl(c(
    model[c("features", "items", "pool", "dropped", "labels", "seed", "terms")], model["approximate"],
    list(
      rules = rules, counts = counts, score = score, found = list(rules = rules, score = score), settings = settings,
      chains = model$chains[0L, ], trace = model$trace[0L, ], timing = 0 * model$timing, stopped_early = FALSE,
      call = call
    )
  ))
}

# Rows, or their weight, per rule and class, the default rule last.
count_captured <- function(model, data, weights) {
  weights <- if (is.null(weights)) rep(1, nrow(data)) else weights
  label <- score_label(model, data, weights > 0, "data")
  rule <- capture_rows(model, data, "data", missing = "fallthrough", warn = FALSE)
  n <- nrow(model$probs)
  rule[rule == 0L] <- n
  counted <- !is.na(label)
  cell <- factor((rule - 1L) * length(model$classes) + label, seq_len(n * length(model$classes)))
  count_matrix(as.vector(tapply(weights[counted], cell[counted], sum, default = 0)), model$classes)
}

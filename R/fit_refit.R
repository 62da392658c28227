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
  rows <- encode_rows(model, compact_rules(model, rules), data, weights)
  score <- score_antecedents(model, rows$training, rows$rules)[1:3]
  counts <- count_captured(model, rows, seq_along(rules))
  settings <- model$settings
  settings$class_counts <- colSums(counts)
  settings$shrinkage <- if (settings$shrinkage > 0) shrinkage_strength(list(counts = counts)) else 0
  settings$n_rows <- sum(counts)
  settings$settled <- NULL
  settings$weighted <- as.double(!is.null(weights))
  if (settings$n_rows == 0) {
    abort_sbrl("label", sprintf("`data` must have a row with a label %s.", quote_names(settings$label)))
  }
  # these rules were not searched for in these data
  new_sbrl(c(
    model[c("features", "items", "pool", "dropped", "labels", "seed", "terms")], model["approximate"], model["teacher"],
    list(
      rules = rules, counts = counts, score = score, found = list(rules = rules, score = score), settings = settings,
      chains = model$chains[0L, ], trace = model$trace[0L, ], timing = 0 * model$timing, stopped_early = FALSE,
      call = call
    )
  ))
}

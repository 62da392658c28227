# Models of earlier formats: one step per format makes each of them a model of this version.

# `upgrade_steps[[i]]` takes a model of format i to format i + 1. The model may be damaged: it is checked afterwards.
upgrade_steps <- list(
  # models from before the release have no `lambda_first` and no `max_length`
  function(model) {
    if (is_plain(model$settings, "list")) {
      added <- list(
        lambda_first = NA_real_, max_length = Inf, simplify = 0, else_rule = 0, shrinkage = 0, missing = "fallthrough",
        empty_as_missing = 0
      )
      absent <- setdiff(names(added), names(model$settings))
      model$settings[absent] <- added[absent]
      model$settings <- model$settings[union(intersect(setting_fields, names(model$settings)), names(model$settings))]
    }
    if (is_plain_frame(model$rs) && is.numeric(model$rs$V1)) {
      model$found <- list(rules = as_whole(list_rules(model)), score = model$score)
    }
    model$labels <- character()
    model
  }
)

# A model of any format that is known, in today's; `subject` names it in errors of this `kind`.
upgrade_model <- function(model, subject, kind = "model") {
  format <- format_of(model)
  if (!is_whole(format, 0, 2^53)) {
    abort_sbrl(kind, sprintf("%s is not a valid model: `format` must be a whole number.", subject))
  }
  if (format > newest_format) {
    abort_sbrl(kind, sprintf(
      "%s was written by a newer sbrl (format %.0f); this version reads formats up to %d. Update sbrl to use it.",
      subject, format, newest_format
    ))
  }
  if (format == 0 || format >= model_format) {
    return(model)
  }
  class <- oldClass(model)
  model <- Reduce(\(model, step) step(model), upgrade_steps[seq(format, model_format - 1L)], unclass(model))
  model[["format"]] <- model_format
  structure(model, class = class)
}

format_of <- function(model) {
  if (is_legacy(model)) {
    return(0L)
  }
  format <- .subset2(model, "format")
  if (is.null(format)) 1L else format
}

# A model of 1.4 has its four fields and none of ours.
is_legacy <- function(model) {
  !any(c("classes", "counts", "probs", "settings", "features", "items", "pool") %in% attr(model, "names"))
}

# What a row gets if a missing value leaves open whether a rule captures it: the policy, checked.

# Try the later rules, refuse the row, or give it the base rate.
missing_policies <- c("fallthrough", "error", "base_rate")

# The policy that was asked for, or else the model's own.
check_missing <- function(missing, model) {
  if (identical(missing, missing_policies)) {
    return(model$settings$missing)
  }
  check_choice(missing, "missing", missing_policies)
}

# For a language in which no row can be refused.
check_exported_missing <- function(missing, model, language) {
  policy <- check_missing(missing, model)
  if (policy == "error") {
    message <- "%s cannot refuse a row: `missing` must be \"fallthrough\" or \"base_rate\"."
    abort_sbrl("argument", sprintf(message, language))
  }
  policy
}

check_legacy_missing <- function(missing) {
  if (check_choice(missing, "missing", missing_policies) != "fallthrough") {
    abort_sbrl("model", paste(
      "A model fitted by sbrl 1.4 has no record of what was missing in training: `missing` must be \"fallthrough\"."
    ))
  }
}

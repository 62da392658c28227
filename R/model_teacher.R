# What a model keeps about its teacher: the field `teacher` of a list that learnt from predictions; other models do not
# have it.

teacher_sources <- c("trees", "bag", "predictions")

# Which list was kept: the one that was taught, or the one learnt from the labels, because the teacher predicts them no
# better than the base rate, or because the labels are nearly pure.
teacher_outcomes <- c("taught", "no_better", "pure")

teacher_numbers <- c("strength", "log_loss", "base_log_loss", "fidelity", "agreement", "n_rounds", "n_trees")

is_taught <- function(model) {
  identical(.subset2(.subset2(model, "teacher"), "outcome"), "taught")
}

is_teacher <- function(x) {
  if (is.null(x)) {
    return(TRUE)
  }
  is_plain(x, "list", 2L + length(teacher_numbers)) && identical(names(x), c("source", "outcome", teacher_numbers)) &&
    is_text(x$source) && x$source %in% teacher_sources && is_text(x$outcome) && x$outcome %in% teacher_outcomes &&
    all(vapply(x[teacher_numbers], \(number) is_plain(number, "double", 1L) && !is.infinite(number), NA))
}

# The certificate and the posterior are about lists that are learnt from the labels.
refuse_taught <- function(model, what) {
  if (is_taught(model)) {
    message <- paste(
      "`model` has a list that was learnt from the predictions of a teacher. It was not chosen for its posterior given",
      "the labels, which is what %s is about: fit without `teacher` to use it."
    )
    abort_sbrl("model", sprintf(message, what))
  }
}

# Words ----

# Where the list comes from, in sentences; none for other models.
teacher_sentences <- function(x) {
  if (is.null(x)) {
    return(character())
  }
  who <- switch(
    x$source,
    trees = sprintf("boosted trees of depth 3 (%.0f rounds, cross-fitted) and a forest of %.0f trees (out of bag)",
                    x$n_rounds, x$n_trees),
    bag = "the out-of-bag averages of a bag of rule lists", predictions = "the predictions given as `teacher`"
  )
  c(
    sprintf("Teacher: %s; log loss %.4f, base rate %.4f.", who, x$log_loss, x$base_log_loss),
    switch(
      x$outcome,
      taught = sprintf(paste(
        "The list was learnt from these predictions, with 15%% of the label, each row counting %.0f times. Its counts,",
        "intervals and score are those of the labels; it was not chosen for its log posterior, so do not compare that",
        "with other lists."
      ), x$strength),
      no_better = paste(
        "They predict the labels hardly better than the base rate, so the list was learnt from the labels alone."
      ),
      pure = "A list learnt from the labels alone had a clearly lower loss, leaving one row out, and was kept."
    ),
    sprintf(paste("Fidelity: the list explains %.0f%% of the variance of these predictions; its likeliest class is",
                  "theirs in %.1f%% of the rows."), 100 * max(0, x$fidelity), 100 * x$agreement)
  )
}

# Files ----

portable_teacher <- function(x) {
  if (is.null(x)) {
    return(NULL)
  }
  codes <- list(source = match(x$source, teacher_sources), outcome = match(x$outcome, teacher_outcomes))
  list(teacher = c(lapply(codes, as.double), x[teacher_numbers]))
}

# What is wrong in it is found when the model is checked.
teacher_from_portable <- function(table) {
  if (is.null(table)) {
    return(NULL)
  }
  c(
    list(source = teacher_sources[as.double(table$source)], outcome = teacher_outcomes[as.double(table$outcome)]),
    lapply(stats::setNames(table[teacher_numbers], teacher_numbers), as.double)
  )
}

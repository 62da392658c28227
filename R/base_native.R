# Calls of native code: arguments that Rust can read in place, answers that R makes, errors that R raises.

# The value of a native function, given as its call. Native code never makes R values and never raises R errors: it
# leaves an answer, which C code turns into an R value afterwards (see src/answer.c); an error is a tagged list.
call_native <- function(value, call = NULL) {
  answer <- fetch_answer(value)
  if (is_native_error(answer)) {
    abort_sbrl(answer$kind, answer$message, call)
  }
  answer
}

fetch_answer <- function(value) {
  force(value)
  catch_memory(.External(external_answer))
}

is_native_error <- function(x) {
  is.list(x) && isTRUE(x$sbrl_native_error)
}

# Every argument of a native function passes through here: vectors that have no data pointer yet, such as 1:10, are
# copied, because that may fail or be interrupted, which must not happen inside Rust.
plain <- function(x) {
  if (.External(external_is_plain, x)) x else copy_plain(x, "The values cannot be read")
}

# A column of the user's, before any function of R looks at it.
readable <- function(x, name) {
  if (.External(external_is_plain, x)) x else copy_plain(x, sprintf("Column %s cannot be read", quote_names(name)))
}

copy_plain <- function(x, problem) {
  withCallingHandlers(
    .External(external_plain, x),
    error = function(e) {
      if (!is_memory_error(e)) abort_sbrl("column", sprintf("%s: %s", problem, conditionMessage(e)))
    }
  )
}

# Errors of R that memory ran out, in our class. Every function that works on data runs inside this.
catch_memory <- function(code) {
  withCallingHandlers(code, error = function(e) {
    if (is_memory_error(e)) {
      abort_sbrl("memory", sprintf("Not enough memory: %s.", sub("[.]$", "", conditionMessage(e))))
    }
  })
}

# R gives these errors no class; they are recognised by their text, in the language of the session.
is_memory_error <- function(e) {
  if (inherits(e, "sbrl_error")) {
    return(FALSE)
  }
  known <- c(
    "cannot allocate vector of size %0.1f Gb", "cannot allocate vector of size %0.1f Mb",
    "cannot allocate vector of size %0.f Kb", "cannot allocate vector of length %lld",
    "cannot allocate memory block of size %0.1f Gb", "memory exhausted (limit reached?)",
    "vector memory exhausted (limit reached?)", "cons memory exhausted (limit reached?)",
    "could not allocate memory (%u %s) in C function 'R_AllocStringBuffer'",
    "'R_Calloc' could not allocate memory (%.0f of %u bytes)", "'Calloc' could not allocate memory (%.0f of %u bytes)",
    "cannot allocate memory", "Failed to allocate working memory for %s", "Failed to realloc working memory"
  )
  said <- unique(sub("%.*", "", c(known, gettext(known, domain = "R"))))
  any(startsWith(conditionMessage(e), said))
}

as_engine_integer <- function(x) {
  as.integer(min(x, .Machine$integer.max))
}

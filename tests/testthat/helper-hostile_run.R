# Runs hostile calls in a process of its own, which may crash or hang, and collects what went wrong. A seed gives
# one call, one mutated file or one tampered model; hostile_once("calls", 123) repeats it in this process.

# The call gives a valid result or an sbrl_error: NULL. Anything else is described in one line.
call_failure <- function(call, world, seconds = 20) {
  before <- side_effects()
  foreign <- NULL
  setTimeLimit(elapsed = seconds, transient = TRUE)
  flaw <- withCallingHandlers(
    tryCatch(
      {
        value <- eval(call, world)
        invalid_result(function_name(call), value, world$d)
      },
      sbrl_error = \(e) if (!validUTF8(conditionMessage(e))) "an sbrl_error whose message is not UTF-8",
      error = \(e) paste0(class(e)[1], ": ", conditionMessage(e))
    ),
    warning = function(w) {
      if (!inherits(w, "sbrl_warning")) foreign <<- paste("another warning:", conditionMessage(w))
      invokeRestart("muffleWarning")
    },
    message = \(m) invokeRestart("muffleMessage")
  )
  setTimeLimit()
  c(flaw, foreign, new_side_effects(before, function_name(call)))
}

function_name <- function(call) {
  head <- call[[1]]
  while (is.call(head)) head <- if (identical(head[[1]], as.name("::"))) head[[3]] else head[[1]]
  as.character(head)
}

# What a prediction or another result has that it must not have; `d` are the rows, if they are known.
invalid_result <- function(name, value, d = NULL) {
  if (name %in% c("predict", "predict.sbrl", "fitted", "scored")) {
    invalid_prediction(value, d)
  } else if (name %in% c("sbrl", "update", "refit")) {
    probs <- if (inherits(value, "sbrl")) sbrl:::prediction_table(value) else NA
    if (!isTRUE(all(probs > 0 & probs < 1))) "no sound model"
  } else if (startsWith(name, "as_") && name != "as_r_function") {
    if (!is.character(value) || anyNA(value)) "no text"
  }
}

invalid_prediction <- function(value, d) {
  columns <- if (is.list(value)) value else if (is.matrix(value)) asplit(value, 2) else list(value)
  # One row is predicted too.
  if (!is.null(d) && !all(lengths(columns) %in% c(nrow(d), 1L))) {
    return("a prediction of another length")
  }
  is_sound <- \(x) isTRUE(if (is.double(x)) all(x >= 0 & x <= 1) else !anyNA(x))
  if (!all(vapply(columns, is_sound, NA))) "no probability"
}

# Files, connections and bytes that native code wrote to the standard output.
side_effects <- function() {
  said <- Sys.getenv("SBRL_HOSTILE_STDOUT")
  list(
    files = list.files(c(".", "..", tempdir()), all.files = TRUE, no.. = TRUE, full.names = TRUE),
    connections = length(getAllConnections()), said = if (nzchar(said)) file.size(said)
  )
}

new_side_effects <- function(before, name) {
  after <- side_effects()
  files <- setdiff(after$files, before$files)
  unlink(files, recursive = TRUE)
  # A model is written to the file that was named, however odd, and to no other.
  if (name == "sbrl_write_json") files <- grep("/([.]sbrl-[^/]*|pwned)$", files, value = TRUE)
  c(
    if (length(files) > 0) paste("left a file:", encodeString(files)),
    if (after$connections > before$connections) "left a connection open",
    if (!identical(after$said, before$said)) "native code wrote to the standard output"
  )
}

out <- function() "out.json"

stored <- function() {
  if (!file.exists("stored.json")) sbrl_write_json(hostile_world()$m2, "stored.json")
  "stored.json"
}

# Failures of one seed: a character vector "<function>: <what went wrong> <- <how>".
hostile_once <- function(part, seed, verbose = FALSE) {
  world <- hostile_world()
  case <- switch(part,
    calls = list(calls = list(hostile_call(seed))),
    models = {
      tampered <- tampered_model(seed)
      c(tampered, list(calls = some_model_calls(8, tampered$model)))
    },
    json = json_case(seed),
    sources = source_case(seed),
    writers = writer_case(seed),
    # To see that both are noticed.
    crash = list(calls = if (seed == 1) list(quote(quit(status = 3))) else list(quote(Sys.sleep(1e3))))
  )
  world$m <- case$model
  world$d <- case$data
  world$file <- case$file
  world$source <- case$source
  failures <- lapply(case$calls, function(call) {
    text <- paste(c(case$said, substr(deparse1(call, collapse = " "), 1, 400)), collapse = "; ")
    if (verbose) cat(text, "\n")
    flaws <- call_failure(call, world)
    if (length(flaws) > 0) paste0(function_name(call), ": ", substr(flaws, 1, 300), " <- ", text)
  })
  unlist(failures)
}

# A file that is read, and used if it can be read; few can.
json_case <- function(seed) {
  mutated <- mutated_json(seed)
  writeBin(mutated$bytes, "mutated.json")
  model <- tryCatch(sbrl_read_json("mutated.json"), error = \(e) NULL, warning = \(w) NULL)
  read <- list(quote(sbrl_read_json("mutated.json")))
  list(
    model = model, data = hostile_world()[[hostile_objects[[mutated$name]]]], said = mutated$name,
    calls = c(read, if (!is.null(model)) some_model_calls(5, model))
  )
}

# In the child: notes each seed before it is tried, and appends what fails.
hostile_child <- function(part, seeds, folder) {
  # Not pdf(), which warns of characters that are missing in its fonts.
  grDevices::svg(nullfile())
  sink(nullfile())
  options(sbrl.threads = 1)
  stored()
  writeBin(raw(), "mutated.json")
  at <- file.path(folder, "at")
  failures <- file(file.path(folder, "failures"), "a", encoding = "UTF-8")
  for (seed in seeds) {
    cat(seed, file = at)
    said <- hostile_once(part, seed)
    if (length(said) > 0) {
      writeLines(paste(seed, gsub("[\n\r]+", " ", encodeString(said))), failures)
      flush(failures)
    }
  }
  close(failures)
}

# Tries the seeds in children, each going on where the one before it died; the failures as lines "<seed> <failure>".
run_hostile <- function(part, seeds, patience = 60) {
  folder <- tempfile("hostile")
  dir.create(file.path(folder, "a", "b"), recursive = TRUE)
  on.exit(unlink(folder, recursive = TRUE))
  died <- character()
  n_tries <- 0
  while (length(seeds) > 0) {
    status <- run_child(part, seeds, folder, patience)
    if (status == "0") break
    last <- last_seed(folder)
    if (is.na(last)) {
      # a machine that is short of memory may start it later
      n_tries <- n_tries + 1
      if (n_tries == 3) stop("the child did not start: ", status, "\n", paste(child_words(folder), collapse = "\n"))
      next
    }
    died <- c(died, paste(last, "R", if (status == "hang") "hangs" else paste("ends with status", status)))
    seeds <- seeds[seeds > last]
  }
  file <- file.path(folder, "failures")
  c(died, if (file.exists(file)) readLines(file, encoding = "UTF-8"))
}

# The seed that the child noted last; none if it noted none.
last_seed <- function(folder) {
  at <- file.path(folder, "at")
  noted <- if (file.exists(at)) scan(at, quiet = TRUE)
  if (length(noted) == 1) noted else NA
}

child_words <- function(folder) {
  file <- file.path(folder, "stderr")
  if (file.exists(file)) utils::tail(readLines(file, warn = FALSE), 5)
}

# "0", another exit status, or "hang" if no seed was finished for `patience` seconds; the child is ended then. A busy
# machine may take longer to start it.
run_child <- function(part, seeds, folder, patience) {
  paths <- file.path(folder, c("child.R", "stdout", "stderr", "status", "pid"))
  names(paths) <- c("script", "stdout", "stderr", "status", "pid")
  unlink(c(paths, file.path(folder, "at")))
  helpers <- normalizePath(testthat::test_path(paste0("helper-", c(
    "data", "random", "hostile", "hostile_calls", "hostile_models", "hostile_sources", "hostile_writers", "hostile_run"
  ), ".R")))
  writeLines(c(
    sprintf("cat(Sys.getpid(), file = %s)", deparse1(paths[["pid"]])),
    sprintf(".libPaths(%s)", deparse1(unique(c(dirname(system.file(package = "sbrl")), .libPaths())))),
    "library(sbrl)", sprintf("for (file in %s) source(file, encoding = \"UTF-8\")", deparse1(helpers)),
    sprintf("setwd(%s)", deparse1(file.path(folder, "a", "b"))),
    sprintf("hostile_child(%s, %s, %s)", deparse1(part), deparse1(seeds), deparse1(folder))
  ), paths[["script"]])
  command <- sprintf(
    "SBRL_HOSTILE_STDOUT=%s %s --vanilla %s > %s 2> %s < /dev/null; echo $? > %s", shQuote(paths[["stdout"]]),
    shQuote(file.path(R.home("bin"), "Rscript")), shQuote(paths[["script"]]), shQuote(paths[["stdout"]]),
    shQuote(paths[["stderr"]]), shQuote(paths[["status"]])
  )
  system2("sh", c("-c", shQuote(command)), wait = FALSE)
  watch_child(paths, file.path(folder, "at"), patience)
}

watch_child <- function(paths, at, patience) {
  has_ended <- \() file.exists(paths[["status"]]) && file.size(paths[["status"]]) > 0
  moved <- Sys.time()
  while (!has_ended()) {
    Sys.sleep(0.2)
    has_begun <- file.exists(at)
    if (has_begun) moved <- max(moved, file.mtime(at))
    if (difftime(Sys.time(), moved, units = "secs") > max(patience, if (!has_begun) 600)) {
      pid <- if (file.exists(paths[["pid"]])) as.integer(readLines(paths[["pid"]], warn = FALSE))
      if (length(pid) == 1) tools::pskill(pid, tools::SIGKILL)
      # The shell above it notes the end, and must not do so when the next child runs.
      while (!has_ended()) Sys.sleep(0.2)
      return("hang")
    }
  }
  readLines(paths[["status"]])
}

# Hostile targets of what is written: pipes, devices, links, folders, files of any mode, each made in a folder of its
# own. Nothing is written to a path that was not made here.

# How each target is made in the folder; FALSE if it cannot be made on this machine.
hostile_targets <- list(
  new = \(path) TRUE,
  odd = \(path) TRUE,
  file = \(path) make_file(path, pick(c("600", "640", "644", "755", "444", "400", "000"))),
  link = \(path) make_file(file.path(dirname(path), "other"), pick(c("600", "444"))) && file.symlink("other", path),
  dangling = \(path) file.symlink("other", path),
  loop = \(path) file.symlink(basename(path), path),
  folder = \(path) dir.create(path),
  protected = \(path) make_file(path, "600") && Sys.chmod(dirname(path), "555"),
  pipe = \(path) made_by("mkfifo", path),
  null = \(path) made_by("mknod", c(path, "c", "1", "3")),
  full = \(path) made_by("mknod", c(path, "c", "1", "7")),
  below = \(path) make_file(dirname(path), "600")
)

make_file <- function(path, mode) {
  writeLines("old", path)
  isTRUE(Sys.chmod(path, mode, use_umask = FALSE))
}

made_by <- function(program, words) {
  nzchar(Sys.which(program)) && system2(program, shQuote(words), stdout = FALSE, stderr = FALSE) == 0
}

writer_case <- function(seed) {
  set.seed(seed)
  kind <- pick(names(hostile_targets))
  model <- hostile_world()[[pick(names(hostile_objects))]]
  name <- if (kind == "odd") pick(c("a b", "'", "\"$(touch pwned)", "%d", "\u00e9", "*", "-rf", "x\ny")) else "target"
  list(model = model, said = kind, calls = list(substitute(write_to(kind, name, m), list(kind = kind, name = name))))
}

# Writes to a target of this kind; an error if something is not as it was afterwards.
write_to <- function(kind, name, model) {
  folder <- tempfile("writers")
  dir.create(folder)
  on.exit({
    Sys.chmod(folder, "700")
    unlink(folder, recursive = TRUE)
  })
  path <- if (kind == "below") file.path(folder, "file", name) else file.path(folder, name)
  if (!hostile_targets[[kind]](path)) {
    return("not here")
  }
  if (kind == "pipe") got <- late_reader(path)
  before <- state_of(folder)
  problem <- tryCatch({
    sbrl_write_json(model, path)
    NULL
  }, sbrl_error = identity)
  check_state(before, state_of(folder), path, is_new = is.null(problem) && kind %in% c("new", "odd", "dangling"))
  written <- if (kind == "pipe") got() else if (kind %in% c("new", "odd", "file", "link", "dangling", "protected")) path
  if (is.null(problem)) {
    if (!is.null(written)) check_written(written, model)
    "written"
  } else if (kind %in% c("file", "link", "protected")) {
    if (!identical(readLines(path), "old")) stop("refused, but changed")
    "refused"
  } else if (kind %in% c("new", "odd", "pipe", "null")) {
    stop("refused: ", conditionMessage(problem))
  }
}

check_written <- function(path, model) {
  read <- tryCatch(sbrl_read_json(path), sbrl_error = conditionMessage)
  if (!identical(class(read), class(model))) stop("what was written is not the model")
}

# Kind and mode of everything in the folder.
state_of <- function(folder) {
  files <- list.files(folder, all.files = TRUE, no.. = TRUE)
  files <- setdiff(files, c("got", "done"))
  paths <- file.path(folder, files)
  kinds <- vapply(paths, \(path) sbrl:::call_native(sbrl:::native_file_kind(path)), "")
  modes <- format(file.info(paths, extra_cols = FALSE)$mode)
  stats::setNames(paste(kinds, modes, Sys.readlink(paths), recycle0 = TRUE), files)
}

check_state <- function(before, after, path, is_new) {
  changed <- names(before)[!before == after[names(before)]]
  # what a dangling link points to is there now
  changed <- if (is_new) setdiff(changed, basename(path)) else changed
  added <- setdiff(names(after), names(before))
  if (length(changed) > 0) stop("is another kind of file now: ", before[changed[1]], ", ", after[changed[1]])
  if (length(added) != is_new) stop("left files: ", paste(encodeString(added), collapse = ", "))
}

# Reads a pipe after a while; the function waits for the end and gives the file with what came.
late_reader <- function(path) {
  got <- file.path(dirname(path), "got")
  done <- file.path(dirname(path), "done")
  command <- sprintf("sleep 0.05; timeout 60 cat %s > %s; touch %s", shQuote(path), shQuote(got), shQuote(done))
  system2("sh", c("-c", shQuote(command)), wait = FALSE)
  function() {
    for (i in 1:1200) if (!file.exists(done)) Sys.sleep(0.05)
    got
  }
}

# Files: replaced by complete ones, with the same access; a pipe or a device is written to.

write_file <- function(bytes, file) {
  target <- check_target(file)
  if (target$is_file) replace_file(bytes, target$path) else write_in_place(bytes, target$path)
}

# A path with its home directory. R warns of longer ones wherever it looks for them; no system has such files.
full_path <- function(file) {
  if (nchar(file, "bytes") > 4000L) {
    abort_file(shorten(file, 60L), "cannot be found: its path is too long.")
  }
  path.expand(file)
}

# What is written, through links: `path`, and whether it is a file, or will be one.
check_target <- function(file) {
  path <- follow_links(file)
  kind <- call_native(native_file_kind(path))
  refuse <- function(problem) abort_file(file, paste("cannot be written:", problem))
  if (kind == "folder") {
    refuse("it is a directory.")
  }
  if (kind != "none" && file.access(path, 2L) != 0L) {
    refuse("its mode does not allow it.")
  }
  # where the output of this process goes is found under such names
  is_file <- kind %in% c("none", "file") && !grepl("^/(dev|proc)/", file)
  if (is_file && !dir.exists(dirname(path))) {
    refuse("its directory does not exist.")
  }
  if (is_file && file.access(dirname(path), 2L) != 0L) {
    refuse("its directory does not allow it.")
  }
  list(path = path, is_file = is_file)
}

# The path behind links, also where it names nothing yet. What is no file keeps the name that it was given.
follow_links <- function(file) {
  if (call_native(native_file_kind(file)) %in% c("pipe", "other")) {
    return(file)
  }
  path <- normalizePath(file, mustWork = FALSE)
  for (step in 1:40) {
    link <- Sys.readlink(path)
    if (is.na(link) || !nzchar(link)) {
      return(path)
    }
    is_absolute <- startsWith(link, "/") || startsWith(link, "~")
    path <- if (is_absolute) link else file.path(dirname(path), link)
  }
  abort_file(file, "cannot be written: it is a link to itself.")
}

# A temporary file next to the target, then a rename: readers see the old file or the whole new one.
replace_file <- function(bytes, target, write = write_bytes) {
  part <- tempfile(".sbrl-", dirname(target))
  on.exit(unlink(part))
  # nobody else may read what replaces a file that nobody else may read
  umask <- Sys.umask("077")
  problem <- tryCatch(problem_of(write(bytes, part)), finally = Sys.umask(umask))
  if (!is.null(problem)) {
    abort_file(target, sprintf("cannot be written: %s.", problem))
  }
  Sys.chmod(part, "666")
  if (file.exists(target)) {
    Sys.chmod(part, "600", use_umask = FALSE)
    call_native(native_keep_access(target, part))
  }
  if (!suppressWarnings(file.rename(part, target))) {
    abort_file(target, "cannot be written: the finished file could not be renamed.")
  }
}

# The first error or warning of `code` in words; else its value. close() warns of a full disk before it closes: a
# warning that ended it would leave the connection open.
problem_of <- function(code) {
  problem <- NULL
  note <- function(condition) problem <<- problem %||% conditionMessage(condition)
  warned <- function(w) {
    note(w)
    invokeRestart("muffleWarning")
  }
  value <- withCallingHandlers(tryCatch(code, error = note), warning = warned)
  problem %||% value
}

# NULL, or what went wrong. A full disk shows only in the size of what was written.
write_bytes <- function(bytes, path) {
  connection <- file(path, "wb")
  tryCatch(writeBin(bytes, connection), finally = close(connection))
  if (!identical(file.size(path), as.double(length(bytes)))) {
    return("not all of it could be written (is the disk full?)")
  }
  NULL
}

# Pipes and devices.
write_in_place <- function(bytes, path) {
  reader <- wait_for_reader(path)
  write <- function() {
    connection <- file(path, "wb", raw = TRUE)
    tryCatch(writeBin(bytes, connection), finally = close(connection))
    NULL
  }
  problem <- tryCatch(problem_of(write()), finally = if (!is.null(reader)) close(reader))
  if (!is.null(problem)) {
    abort_file(path, sprintf("cannot be written: %s.", problem))
  }
}

# Opening a pipe waits until somebody reads it, deaf to interrupts: so it is tried until it succeeds at once.
wait_for_reader <- function(path) {
  is_pipe <- \() call_native(native_file_kind(path)) == "pipe"
  while (capabilities("fifo") && is_pipe()) {
    reader <- tryCatch(suppressWarnings(fifo(path, "wb", blocking = FALSE)), error = \(e) NULL)
    if (!is.null(reader)) {
      return(reader)
    }
    allow_interrupt()
    Sys.sleep(0.05)
  }
}

abort_file <- function(file, problem) {
  abort_sbrl("file", sprintf("File %s %s", encodeString(file, quote = "\""), problem))
}

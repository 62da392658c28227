# Files are replaced by complete ones with the same access; whatever is no file is written to, and stays what it is.

skip_on_os("windows")

access_of <- function(file) {
  info <- file.info(file)
  list(mode = format(info$mode), owner = info$uid, group = info$gid)
}

# A folder of its own, gone afterwards.
in_folder <- function(use) {
  folder <- tempfile("files")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  use(folder)
}

a_model <- function() quick_fit(two_factor_data(60), iters = 50)

test_that("a file that is replaced keeps its mode, and a new one gets that of any new file", {
  in_folder(function(folder) {
    file <- file.path(folder, "model.json")
    for (mode in c("600", "640", "755", "666")) {
      writeLines("old", file)
      Sys.chmod(file, mode, use_umask = FALSE)
      before <- access_of(file)
      sbrl_write_json(a_model(), file)
      expect_identical(access_of(file), before)
      expect_s3_class(sbrl_read_json(file), "sbrl")
    }
    for (umask in c("022", "077")) {
      old <- Sys.umask(umask)
      unlink(file)
      file.create(file.path(folder, "other"))
      sbrl_write_json(a_model(), file)
      expect_identical(Sys.umask(), as.octmode(umask))
      Sys.umask(old)
      expect_identical(access_of(file)$mode, access_of(file.path(folder, "other"))$mode)
      unlink(file.path(folder, "other"))
    }
    expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "model.json")
  })
})

test_that("while it is written, a file is open to nobody who may not read what it replaces", {
  in_folder(function(folder) {
    file <- file.path(folder, "model.json")
    seen <- NULL
    watch <- function(bytes, path) {
      file.create(path)
      seen <<- access_of(path)$mode
      write_bytes(bytes, path)
    }
    replace_file(charToRaw("new"), file, write = watch)
    expect_identical(seen, "600")
    expect_identical(readLines(file, warn = FALSE), "new")
  })
})

test_that("root replaces a file of another user, who still owns it", {
  skip_if(Sys.info()[["effective_user"]] != "root", "only root gives files away")
  in_folder(function(folder) {
    file <- file.path(folder, "model.json")
    writeLines("old", file)
    system2("chown", c("12345:23456", file))
    Sys.chmod(file, "640", use_umask = FALSE)
    before <- access_of(file)
    skip_if(before$owner != 12345, "no chown")
    sbrl_write_json(a_model(), file)
    expect_identical(access_of(file), before)
  })
})

test_that("links stay links, also to a file that is not there yet", {
  in_folder(function(folder) {
    file <- file.path(folder, "model.json")
    link <- file.path(folder, "link")
    file.symlink("model.json", link)
    for (time in 1:2) {
      sbrl_write_json(a_model(), link)
      expect_identical(Sys.readlink(link), "model.json")
      expect_s3_class(sbrl_read_json(file), "sbrl")
    }
    loop <- file.path(folder, "loop")
    file.symlink("loop", loop)
    expect_error(sbrl_write_json(a_model(), loop), "loop", class = "sbrl_error_file")
  })
})

test_that("a file that is protected from writing is not replaced", {
  skip_if(Sys.info()[["effective_user"]] == "root", "root may write all files")
  in_folder(function(folder) {
    file <- file.path(folder, "model.json")
    writeLines("old", file)
    Sys.chmod(file, "444", use_umask = FALSE)
    expect_error(sbrl_write_json(a_model(), file), "its mode does not allow it", class = "sbrl_error_file")
    expect_identical(readLines(file), "old")
  })
})

is_pipe <- function(path) system2("test", c("-p", shQuote(path))) == 0

with_pipe <- function(use) {
  in_folder(function(folder) {
    pipe <- file.path(folder, "pipe")
    skip_if(system2("mkfifo", pipe, stdout = FALSE, stderr = FALSE) != 0, "no mkfifo")
    use(pipe, folder)
  })
}

test_that("a pipe gets the model and stays a pipe, and a link to it a link", {
  with_pipe(function(pipe, folder) {
    model <- a_model()
    file <- file.path(folder, "model.json")
    sbrl_write_json(model, file)
    file.symlink("pipe", file.path(folder, "link"))
    for (path in c(pipe, file.path(folder, "link"))) {
      got <- file.path(folder, "got")
      done <- file.path(folder, "done")
      unlink(c(got, done))
      # the reader comes late
      system2("sh", c("-c", shQuote(sprintf("sleep 0.3; cat %s > %s; touch %s", pipe, got, done))), wait = FALSE)
      sbrl_write_json(model, path)
      for (i in 1:200) if (!file.exists(done)) Sys.sleep(0.05)
      expect_identical(readLines(got), readLines(file))
      expect_true(is_pipe(pipe))
    }
    expect_identical(Sys.readlink(file.path(folder, "link")), "pipe")
    expect_setequal(list.files(folder, all.files = TRUE, no.. = TRUE), c("done", "got", "link", "model.json", "pipe"))
  })
})

test_that("a pipe that nobody reads can be interrupted, and one whose reader leaves is an error", {
  with_pipe(function(pipe, folder) {
    before <- length(getAllConnections())
    setTimeLimit(elapsed = 0.5, transient = TRUE)
    expect_error(sbrl_write_json(a_model(), pipe), "time limit")
    setTimeLimit()
    expect_identical(length(getAllConnections()), before)
    system2("sh", c("-c", shQuote(sprintf("head -c 10 %s > /dev/null", pipe))), wait = FALSE)
    expect_error(write_file(raw(1e6), pipe), "pipe", class = "sbrl_error_file")
    expect_identical(length(getAllConnections()), before)
    expect_true(is_pipe(pipe))
  })
})

test_that("a device is written to, and stays a device", {
  skip_if(Sys.info()[["effective_user"]] != "root", "only root makes devices")
  in_folder(function(folder) {
    # what /dev/null and /dev/full are
    devices <- file.path(folder, c("null", "full"))
    made <- Map(\(device, minor) system2("mknod", c(device, "c", "1", minor), stdout = FALSE, stderr = FALSE),
                devices, c("3", "7"))
    is_device <- \(path) system2("test", c("-c", shQuote(path))) == 0
    skip_if(any(unlist(made) != 0) || !all(vapply(devices, is_device, NA)), "no devices here")
    opens <- tryCatch(close(file(devices[1], "wb", raw = TRUE)), error = identity, warning = identity)
    skip_if(inherits(opens, "condition"), "devices cannot be opened here")
    expect_identical(sbrl_write_json(a_model(), devices[1]), devices[1])
    before <- length(getAllConnections())
    expect_error(sbrl_write_json(a_model(), devices[2]), "cannot be written", class = "sbrl_error_file")
    expect_error(write_file(raw(1e6), devices[2]), "cannot be written", class = "sbrl_error_file")
    expect_identical(length(getAllConnections()), before)
    expect_true(all(vapply(devices, is_device, NA)))
    expect_identical(sort(list.files(folder, all.files = TRUE, no.. = TRUE)), c("full", "null"))
  })
})

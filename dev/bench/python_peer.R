# Classifiers of PyPI: folds are written as CSV files, a Python fits and predicts (python_fits.py), R measures. Two
# environments, made by dev/tools/setup.sh peers: packages that need older versions of numpy and pandas have their own.

python_root <- normalizePath(Sys.getenv("SBRL_BENCH_ROOT", "."))
python_of <- function(method) {
  old <- method %in% c("corels", "rulelist")
  file.path(python_root, "build", if (old) "peers_old" else "peers", "bin", "python")
}

python_versions <- function() {
  lines <- unlist(lapply(c("cba", "corels"), \(method) as.vector(run_python(method, "--versions"))))
  parts <- strsplit(lines, " ", fixed = TRUE)
  found <- stats::setNames(vapply(parts, `[`, "", 2), vapply(parts, `[`, "", 1))
  found[!duplicated(names(found))]
}

time_reason <- function(seconds) sprintf("stopped after %.0f processor seconds", seconds)

# Lines of output. Attribute `reason`: why there are no more of them, if the limit of processor time was reached or the
# method failed.
run_python <- function(method, arguments, seconds = Inf) {
  script <- file.path(python_root, "dev", "bench", "python_fits.py")
  log <- file.path(python_root, "build", "python_fits.log")
  lines <- suppressWarnings(system2(python_of(method), c(script, arguments), stdout = TRUE, stderr = log))
  status <- attr(lines, "status")
  # 152: killed by the signal SIGXCPU
  reason <- if (is.null(status)) "" else if (status == 152) time_reason(seconds) else utils::tail(readLines(log), 1)
  structure(as.vector(lines), reason = reason)
}

# `done`: the folds that were done before `seconds` were spent, each as an R fit returns it: probabilities of the test
# rows, size (leaves or rules; conditions), processor seconds, and the number of training rows. `reason`: why others
# were not, or nothing. At most `most` rows train.
fit_python <- function(method, data, fold, folds = sort(unique(fold)), seconds = 1e6, most = Inf) {
  directory <- tempfile("folds")
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  write <- \(rows, kind, k) {
    utils::write.csv(rows, file.path(directory, sprintf("%s_%d.csv", kind, k)), row.names = FALSE, na = "")
  }
  for (k in folds) {
    write(at_most(data[fold != k, ], most), "train", k)
    write(data[fold == k, ], "test", k)
  }
  lines <- run_python(method, c(method, directory, format(seconds, scientific = FALSE)), seconds)
  fields <- c("fold", "rows", "leaves", "conditions", "seconds")
  table <- utils::read.csv(text = c(paste(fields, collapse = ","), lines))
  done <- lapply(seq_len(nrow(table)), function(i) {
    list(
      fold = table$fold[i],
      prob = scan(file.path(directory, sprintf("%s_%d.txt", method, table$fold[i])), quiet = TRUE),
      size = c(leaves = table$leaves[i], conditions = table$conditions[i]), seconds = table$seconds[i],
      rows = table$rows[i]
    )
  })
  list(done = done, reason = attr(lines, "reason"))
}

# A random part of the rows, if there are more than `most`.
at_most <- function(rows, most) {
  if (nrow(rows) <= most) {
    return(rows)
  }
  set.seed(1)
  rows[sort(sample(nrow(rows), most)), ]
}

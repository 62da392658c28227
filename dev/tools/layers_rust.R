# Checks which module of the engine uses which: no cycles, no child that uses its parent, and only the directions
# declared below. Run from the root: Rscript --vanilla dev/tools/layers_rust.R. Prints every violation; exits with 1 if
# there is one.

root <- "src/rust/engine/src"

# A module may use its own layer and those before it.
layers <- list(
  c("error"),
  c("memory", "control", "parallel"),
  c("bitset", "radix", "ragged", "rng"),
  c("data", "column"),
  c("model", "binarise", "row_order", "row_wise", "cuts", "trees"),
  c("leaf"),
  c("mine"),
  c("hyperparameters"),
  c("prior"),
  c("posterior"),
  c("bounds"),
  c("search"),
  c("predict", "export")
)

# Rooms of search/ and the rooms each may use besides itself. search/mod.rs may use all of them.
search_rooms <- list(
  problem = character(),
  list = "problem",
  record = "list",
  work = "problem",
  pace = character(),
  sample = c("problem", "list", "record", "work"),
  residual = "problem",
  optimise = c("problem", "list", "record", "residual", "pace", "work"),
  certify = c("problem", "record", "residual"),
  simplify = "problem",
  good_lists = c("problem", "record", "simplify"),
  settings = "sample",
  memory_estimate = c("problem", "sample", "optimise", "settings"),
  canonical = "problem",
  settle = c("problem", "record", "sample", "optimise", "certify", "settings", "canonical", "work")
)

# Compiled for tests and fuzzing only; they may use everything.
test_support <- c("naive", "testing")

# ---- reading -------------------------------------------------------------------------------------------------------

# a/b.rs and a/b/mod.rs are the module a::b.
module_name <- function(file) {
  name <- sub("(/mod)?[.]rs$", "", file)
  gsub("/", "::", name, fixed = TRUE)
}

# The code of a file without its tests, comments and strings, as one text.
read_code <- function(file) {
  lines <- readLines(file, encoding = "UTF-8")
  lines <- lines[!grepl("^\\s*//", lines)]
  is_test <- grepl("^#\\[cfg\\((any\\()?test", lines)
  starts_module <- c(grepl("^(pub(\\([a-z]+\\))? )?mod ", lines[-1]), FALSE)
  tests <- which(is_test & starts_module)
  if (length(tests) > 0L) {
    lines <- lines[seq_len(tests[1L] - 1L)]
  }
  lines <- sub("\\s//.*$", "", lines)
  code <- gsub("\"([^\"\\\\]|\\\\.)*\"", "\"\"", lines, perl = TRUE)
  paste(code, collapse = " ")
}

# a::{b, c::{d, e}} as a::b, a::c::d, a::c::e.
expand_use <- function(tree) {
  tree <- gsub("\\s+as\\s+\\w+", "", tree)
  tree <- gsub("\\s", "", tree)
  while (any(grepl("{", tree, fixed = TRUE))) {
    tree <- unlist(lapply(tree, expand_braces))
  }
  paths <- unlist(strsplit(tree, ",", fixed = TRUE))
  paths[nzchar(paths)]
}

# Replaces one innermost pair of braces.
expand_braces <- function(tree) {
  braces <- regexpr("\\{[^{}]*\\}", tree)
  if (braces < 0L) {
    # not a list of paths
    return(sub("[{].*$", "", tree))
  }
  end <- braces + attr(braces, "match.length")
  parts <- strsplit(substr(tree, braces + 1L, end - 2L), ",", fixed = TRUE)[[1L]]
  before <- substr(tree, 1L, braces - 1L)
  after <- substring(tree, end)
  # what stands before the path within an enclosing list belongs to its neighbours
  own <- sub("^.*[,{]", "", before)
  outer <- substr(before, 1L, nchar(before) - nchar(own))
  own <- sub("::$", "", own)
  paths <- ifelse(parts == "self", own, paste0(own, "::", parts))
  paste0(outer, paste(paths, collapse = ","), after)
}

# Paths in the code: those of `use` statements, then those written out elsewhere.
paths_in <- function(code) {
  uses <- regmatches(code, gregexpr("\\buse [^;]+;", code))[[1L]]
  trees <- sub(";$", "", sub("^use ", "", uses))
  rest <- gsub("\\buse [^;]+;", " ", code)
  written <- regmatches(rest, gregexpr("\\b[a-z_][a-z_0-9]*(::[A-Za-z_][A-Za-z_0-9]*)+", rest))[[1L]]
  unique(c(unlist(lapply(trees, expand_use)), written))
}

# The module a path leads to, as seen from `module`; NA for other crates and for local names.
resolve <- function(path, module, modules) {
  parts <- strsplit(path, "::", fixed = TRUE)[[1L]]
  here <- strsplit(module, "::", fixed = TRUE)[[1L]]
  if (parts[1L] == "crate") {
    parts <- parts[-1L]
  } else if (parts[1L] %in% c("self", "super")) {
    while (length(parts) > 0L && parts[1L] %in% c("self", "super")) {
      if (parts[1L] == "super") {
        here <- here[-length(here)]
      }
      parts <- parts[-1L]
    }
    parts <- c(here, parts)
  } else if (paste(c(here, parts[1L]), collapse = "::") %in% modules) {
    parts <- c(here, parts)
  } else {
    return(NA_character_)
  }
  for (n in rev(seq_along(parts))) {
    name <- paste(parts[seq_len(n)], collapse = "::")
    if (name %in% modules) {
      return(name)
    }
  }
  NA_character_
}

# One row per use of one module by another.
read_uses <- function() {
  files <- list.files(root, pattern = "[.]rs$", recursive = TRUE)
  modules <- module_name(files)
  keep <- !modules %in% c("lib", test_support)
  files <- files[keep]
  modules <- modules[keep]
  uses <- lapply(seq_along(files), function(index) {
    paths <- paths_in(read_code(file.path(root, files[index])))
    used <- vapply(paths, resolve, "", module = modules[index], modules = modules)
    used <- setdiff(unique(used[!is.na(used)]), modules[index])
    data.frame(from = rep(modules[index], length(used)), to = used)
  })
  list(modules = modules, uses = do.call(rbind, uses))
}

# ---- checks --------------------------------------------------------------------------------------------------------

# Groups of modules that all reach one another.
cycles <- function(modules, uses) {
  reaches <- matrix(FALSE, length(modules), length(modules), dimnames = list(modules, modules))
  reaches[cbind(uses$from, uses$to)] <- TRUE
  for (via in modules) {
    reaches <- reaches | outer(reaches[, via], reaches[via, ], "&")
  }
  mutual <- reaches & t(reaches)
  groups <- unique(lapply(modules[diag(mutual)], function(module) modules[mutual[module, ]]))
  vapply(groups, function(group) paste0("cycle of ", length(group), ": ", paste(group, collapse = ", ")), "")
}

uses_of_parents <- function(uses) {
  bad <- uses[startsWith(uses$from, paste0(uses$to, "::")), ]
  sprintf("%s uses its parent %s", bad$from, bad$to)
}

top_of <- function(module) sub("::.*$", "", module)

wrong_layers <- function(modules, uses) {
  layer <- rep(seq_along(layers), lengths(layers))
  names(layer) <- unlist(layers)
  missing <- setdiff(unique(top_of(modules)), names(layer))
  bad <- uses[which(layer[top_of(uses$from)] < layer[top_of(uses$to)]), ]
  c(sprintf("%s has no layer in %s", missing, "dev/tools/layers_rust.R"),
    sprintf("%s uses %s, which is in a later layer", bad$from, bad$to))
}

room_of <- function(module) sub("^search::([^:]+).*$", "\\1", module)

wrong_rooms <- function(modules, uses) {
  inside <- modules[startsWith(modules, "search::")]
  homeless <- inside[!room_of(inside) %in% names(search_rooms)]
  uses <- uses[startsWith(uses$from, "search::") & startsWith(uses$to, "search::"), ]
  from <- room_of(uses$from)
  to <- room_of(uses$to)
  uses <- uses[from != to & from %in% names(search_rooms), ]
  allowed <- vapply(seq_len(nrow(uses)), function(index) {
    room <- room_of(uses$from[index])
    room_of(uses$to[index]) %in% search_rooms[[room]]
  }, NA)
  bad <- uses[!allowed, ]
  c(sprintf("%s is in none of the rooms of search", homeless), sprintf("%s may not use %s", bad$from, bad$to))
}

graph <- read_uses()
violations <- c(
  cycles(graph$modules, graph$uses),
  uses_of_parents(graph$uses),
  wrong_layers(graph$modules, graph$uses),
  wrong_rooms(graph$modules, graph$uses)
)
if (length(violations) > 0L) {
  writeLines(violations)
  quit(status = 1L)
}
cat(length(graph$modules), "modules,", nrow(graph$uses), "uses: no violations\n")

#!/bin/sh
# Percent of the lines that tests run, file by file, in the engine and in R; fails below COVERAGE_MIN percent (90).
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
export COVERAGE_MIN="${COVERAGE_MIN:-90}"
status=0

need_cargo_tool cargo-llvm-cov
say "Engine"
# The slow twins and the random problems are tests themselves. LLVM's tools are added by rustup.
CARGO_LLVM_COV_SETUP=yes cargo llvm-cov --package sbrl-engine --locked --manifest-path src/rust/Cargo.toml \
  --ignore-filename-regex '/(naive|testing)[.]rs$' --fail-under-lines "$COVERAGE_MIN" || status=1

say "R"
# In one process, which counts. C is not counted: built for that, it would be left behind in src.
NOT_CRAN=true TESTTHAT_PARALLEL=false Rscript --vanilla -e '
  options(covr.flags = c(CFLAGS = ""))
  # r_runtime.R runs as a copy in the functions that as_r_function() writes, where nothing is counted
  counted <- covr::package_coverage(".", line_exclusions = "R/r_runtime.R")
  print(counted)
  print(covr::zero_coverage(counted)[c("filename", "line")], row.names = FALSE)
  quit(status = as.integer(covr::percent_coverage(counted) < as.numeric(Sys.getenv("COVERAGE_MIN"))))
' || status=1
exit $status

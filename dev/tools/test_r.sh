#!/bin/sh
# Runs the R tests against the package in .lib, skipping nothing.
. "$(dirname "$0")/env.sh"

say "R tests"
NOT_CRAN=true Rscript --vanilla dev/tools/test_r.R build/test-r.txt

#!/bin/sh
# Runs the R tests, counting lines; writes "<file> <lines> <lines run>": coverage_r.sh <output>
. "$(dirname "$0")/env.sh"
rm -f "$1"

say "R tests, counting lines"
NOT_CRAN=true Rscript --vanilla dev/tools/coverage_r.R "$1"

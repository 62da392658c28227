#!/bin/sh
# Lints the R code; needs the package in .lib, because lintr looks names up in it.
. "$(dirname "$0")/env.sh"

say "lintr"
Rscript --vanilla dev/tools/lint.R

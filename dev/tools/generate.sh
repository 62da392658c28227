#!/bin/sh
# Writes the generated files of a copy of the package from the library that is built: generate.sh <copy> <library file>
. "$(dirname "$0")/env.sh"
copy=$1

Rscript --vanilla dev/tools/wrappers.R "$2" "$copy/R/extendr-wrappers.R"
Rscript --vanilla dev/tools/authors.R "$copy/inst/AUTHORS"
Rscript --vanilla dev/tools/document.R "$copy"

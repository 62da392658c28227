#!/bin/sh
# Draws the picture of README.md, man/figures/README-rules.png. Apart from `make docs`, because fonts differ between
# machines and so would the file.
. "$(dirname "$0")/env.sh"

say "Drawing the picture of README.md"
Rscript --vanilla dev/tools/picture.R README.Rmd man/figures/README-rules.png

#!/bin/sh
# Regenerates everything that is generated and committed: wrappers, NAMESPACE, man/, inst/AUTHORS, README.md.
. "$(dirname "$0")/env.sh"

say "Building the native library"
# Not by R CMD INSTALL, which needs the NAMESPACE that is yet to be written.
./configure
(cd src && R CMD SHLIB -o sbrl.so *.c)

say "Writing wrappers, NAMESPACE, man/ and inst/AUTHORS"
dev/tools/generate.sh . src/sbrl.so

if [ -f README.Rmd ]; then
  dev/tools/install.sh
  say "Knitting README.md"
  Rscript --vanilla dev/tools/readme.R README.Rmd README.md
fi

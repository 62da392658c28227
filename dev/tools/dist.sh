#!/bin/sh
# Makes the self-contained source archive, build/sbrl_<version>.tar.gz, which installs without a network.
. "$(dirname "$0")/env.sh"

say "Making the source archive"
copy=$ROOT/build/dist/sbrl
dev/tools/export.sh "$copy"
dev/tools/vendor.sh "$copy/src/rust/vendor.tar.xz"
Rscript --vanilla dev/tools/authors.R "$copy/inst/AUTHORS"

rm -f build/sbrl_*.tar.gz
(cd build && R CMD build dist/sbrl)
rm -rf build/dist
ls -lh build/sbrl_*.tar.gz | awk '{ print "archive: " $NF ", " $5 }'

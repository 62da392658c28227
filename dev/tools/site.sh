#!/bin/sh
# Builds the web site of help and articles from the package in .lib, without the network: build/site/index.html
. "$(dirname "$0")/env.sh"

say "Building the web site"
# From a copy, because pkgdown writes beside the sources.
copy=$ROOT/build/site-source
dev/tools/export.sh "$copy"
rm -rf build/site
if ! Rscript --vanilla dev/tools/site.R "$copy" "$ROOT/build/site" dev/tools/site.js > build/site.log 2>&1; then
  cat build/site.log
  exit 1
fi
rm -rf "$copy"
echo "build/site/index.html"

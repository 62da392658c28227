#!/bin/sh
# Fails, with the difference, when a generated file is not what its source would give now. Needs the package in .lib.
. "$(dirname "$0")/env.sh"

say "Are the generated files fresh?"
copy=$ROOT/build/fresh
stale=0

compare() {
  if ! diff -ruN "$1" "$copy/$1"; then
    echo "STALE: $1 (run \`make docs\`)"
    stale=1
  fi
}

dev/tools/export.sh "$copy"
dev/tools/generate.sh "$copy" .lib/sbrl/libs/sbrl.so
compare R/extendr-wrappers.R
compare inst/AUTHORS

# Another roxygen2 writes other help pages from the same source; only the version that wrote them can judge them.
wrote=$(sed -n 's/^RoxygenNote: *//p' DESCRIPTION)
here=$(Rscript --vanilla -e 'cat(format(packageVersion("roxygen2")))')
if [ "$wrote" = "$here" ]; then
  compare NAMESPACE
  compare man
else
  echo "man/ and NAMESPACE were written by roxygen2 $wrote, this is $here: not compared"
fi

if [ -f README.Rmd ]; then
  Rscript --vanilla dev/tools/readme.R README.Rmd "$copy/README.md"
  compare README.md
fi
rm -rf "$copy"
if [ "$stale" = 0 ]; then echo "all fresh"; fi
exit $stale

#!/bin/sh
# Writes what is generated and committed: wrappers, NAMESPACE, man/, inst/AUTHORS, README.md. `docs.sh check` fails
# instead, with the difference, when one of them is stale; it needs the package in .lib.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh

if [ "${1:-}" = check ]; then
  copy=build/fresh library=.lib/sbrl/libs/sbrl.so
  copy_sources $copy
else # not by R CMD INSTALL, which needs the NAMESPACE that is yet to be written
  copy=. library=src/sbrl.so
  ./configure
  (cd src && R CMD SHLIB -o sbrl.so *.c)
fi
Rscript --vanilla dev/tools/docs.R package $copy $library
if [ $copy = . ]; then dev/tools/install.sh; fi
Rscript --vanilla dev/tools/docs.R readme $copy/README.md
if [ $copy = . ]; then exit; fi

files="R/extendr-wrappers.R inst/AUTHORS README.md"
# Another roxygen2 writes other help pages from the same source; only the version that wrote them can judge them.
wrote=$(sed -n 's/^RoxygenNote: *//p' DESCRIPTION)
here=$(Rscript --vanilla -e 'cat(format(packageVersion("roxygen2")))')
if [ "$wrote" = "$here" ]; then files="$files NAMESPACE man"; else echo "man/, NAMESPACE: not compared, roxygen2 is $here"; fi
stale=0
for file in $files; do
  diff -ruN "$file" "$copy/$file" || { echo "STALE: $file (run \`make docs\`)"; stale=1; }
done
rm -rf $copy
exit $stale

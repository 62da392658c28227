#!/bin/sh
# Builds the package and installs it into .lib; `install.sh vignettes` also builds the vignettes, if anything they show may
# have changed since they were built.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
index=build/vignette.rds # where R looks for it

libs=build/libs # the compiled code as it was installed last; $libs.begun has the time when its compilation began

# Has nothing changed that is compiled since the last installation? Then R files are installed without it, in seconds.
has_fresh_code() {
  [ -d $libs ] && [ -z "$(find configure tools src -newer $libs.begun -type f ! -path '*/target/*' ! -name '*.o' ! -name '*.so' \
    ! -name Makevars -print -quit)" ]
}

install_package() {
  if has_fresh_code; then
    quietly build/install.log R CMD INSTALL --no-multiarch --no-configure --no-libs --no-test-load --library=.lib .
    cp -R $libs .lib/sbrl/libs
  else
    rm -rf $libs
    touch $libs.begun
    quietly build/install.log R CMD INSTALL --no-multiarch --library=.lib .
    cp -R .lib/sbrl/libs $libs
  fi
}

has_fresh_vignettes() {
  [ -f $index ] && [ -d inst/doc ] &&
    [ -z "$(find DESCRIPTION R data inst src/*.c src/rust/src src/rust/engine/src vignettes -type f -newer $index ! -path 'inst/doc/*')" ]
}

# In a copy, because building leaves files behind. They are shown from inst/doc, which is not committed.
build_vignettes() {
  copy_sources build/vignettes
  quietly build/vignettes.log Rscript --vanilla dev/tools/docs.R vignettes build/vignettes
  rm -rf inst/doc
  mv build/vignettes/doc inst/doc
  mv build/vignettes/vignette.rds $index
  rm -rf build/vignettes
}

say "Installing sbrl into .lib"
install_package
if [ "${1:-}" = vignettes ] && ! has_fresh_vignettes; then
  if Rscript --vanilla -e 'quit(status = !(requireNamespace("knitr") && rmarkdown::pandoc_available()))' > /dev/null 2>&1; then
    say "Building the vignettes"
    build_vignettes
    install_package
  else
    echo "No vignettes: they need knitr, rmarkdown and pandoc"
  fi
fi
grep -E '^(using|build mode|\* DONE)' build/install.log

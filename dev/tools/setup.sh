#!/bin/sh
# Installs what is missing to build, test and show the package; quick when nothing is. What only some commands need is
# asked for by name, R packages, llvm-tools, chromium or latex: setup.sh [name ...]
. "$(dirname "$0")/env.sh"
. dev/tools/llvm.sh

R_PACKAGES="testthat knitr rmarkdown roxygen2 lintr jsonlite"
# What the package works with, if it is there
R_PACKAGES="$R_PACKAGES caret future future.apply generics ggplot2 progressr rlang tibble vdiffr DBI RSQLite"
LLVM_TOOLS=no # those that count lines
ENGINES=""    # large programs in which exports are tried
for name in "$@"; do
  case $name in
    llvm-tools) LLVM_TOOLS=yes ;;
    chromium | latex) ENGINES="$ENGINES $name" ;;
    *) R_PACKAGES="$R_PACKAGES $name" ;;
  esac
done
TEST_LOCALE=en_US.UTF-8 # sorts unlike C, which is what the locale tests are after
to_install=""           # Debian packages to install

has() {
  command -v "$1" > /dev/null 2>&1
}

want() {
  for package in "$@"; do
    case " $to_install " in
      *" $package "*) ;;
      *) to_install="$to_install $package" ;;
    esac
  done
}

missing_r_packages() {
  if has Rscript; then
    Rscript --vanilla -e 'p <- commandArgs(TRUE); cat(p[!nzchar(vapply(p, function(x) system.file(package = x), ""))])' \
      $R_PACKAGES
  else
    echo "$R_PACKAGES"
  fi
}

has_test_locale() {
  locale -a 2> /dev/null | grep -qi '^en_US\.utf-\{0,1\}8$'
}

has_rust_linters() {
  has cargo && cargo fmt --version > /dev/null 2>&1 && cargo clippy --version > /dev/null 2>&1
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

# An R from elsewhere (say, under /usr/local) does not see Debian's R packages.
is_debian_r() {
  ! has R || [ "$(R RHOME)" = /usr/lib/R ]
}

list_missing_tools() {
  has make || want make
  has R || want r-base-dev
  has cc || want r-base-dev
  has pandoc || want pandoc
  has xz || want xz-utils
  has file || want file
  has checkbashisms || want devscripts # R CMD check --as-cran runs it on configure
  has qpdf || want qpdf                # ditto, on vignettes
  has tidy || want tidy                # ditto, on the help pages
  has python3 || want python3          # drives the pseudo-terminal of the Ctrl-C test
  ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || want postgresql # SQL is tried on a real server
  [ -e /etc/ssl/certs/ca-certificates.crt ] || want ca-certificates
  has_test_locale || want locales
  for engine in $ENGINES; do
    case $engine in
      chromium) has chromium || has google-chrome || want chromium ;;
      latex) has pdflatex || want texlive-latex-base ;;
    esac
  done
}

list_missing_r_packages() {
  if is_debian_r; then
    for package in $(missing_r_packages | tr "[:upper:]" "[:lower:]"); do want "r-cran-$package"; done
  fi
}

needs_debian_rust() {
  ! pick_toolchain || { ! has rustup && ! has_rust_linters; }
}

needs_llvm_tools() {
  [ "$LLVM_TOOLS" = yes ] && pick_toolchain && ! has_llvm_tools
}

can_install() {
  has apt-get && { [ "$(id -u)" = 0 ] || has sudo; }
}

install_debian() {
  say "Refreshing the list of Debian packages"
  $sudo apt-get update -q
  # Only now, because a fresh machine knows no packages before.
  if needs_debian_rust; then want $(debian_rust); fi
  if [ -n "$to_install" ]; then apt_install $to_install; fi
  # The compiler says which LLVM it is made of.
  if needs_llvm_tools && ! has rustup; then apt_install "llvm-$(llvm_major)"; fi
}

apt_install() {
  say "Installing: $*"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
}

# What apt cannot do: rustup's components, packages for an R that is not Debian's, the locale's data.
finish() {
  if has rustup && ! has_rust_linters; then
    say "Adding rustfmt and clippy"
    rustup component add rustfmt clippy
  fi
  if has rustup && needs_llvm_tools; then
    say "Adding llvm-tools"
    rustup component add llvm-tools
  fi
  if ! is_debian_r && [ -n "$(missing_r_packages)" ]; then
    say "Installing R packages into .lib: $(missing_r_packages)"
    Rscript --vanilla -e 'chooseCRANmirror(ind = 1); install.packages(commandArgs(TRUE), lib = Sys.getenv("R_LIBS"))' \
      $(missing_r_packages)
  fi
  if has localedef && ! has_test_locale && [ -e /usr/share/i18n/locales/en_US ]; then
    say "Making the locale $TEST_LOCALE"
    $sudo localedef -i en_US -f UTF-8 "$TEST_LOCALE"
  fi
}

advise() {
  say "Cannot install anything here (no apt-get, or neither root nor sudo); going on. What is needed in all:"
  echo "R (>= 4.2) with its compilers, Rust (>= $(minimum_rust)) with rustfmt and clippy, pandoc, xz, qpdf, tidy, python3,"
  echo "and the R packages $R_PACKAGES."
}

# The last word: the two without which nothing works.
verify() {
  if ! pick_toolchain; then
    explain_missing_toolchain >&2
    return 1
  fi
  if ! Rscript --vanilla -e 'stopifnot(getRversion() >= "4.2")' > /dev/null 2>&1; then
    echo "R 4.2 or newer is needed." >&2
    return 1
  fi
  echo "setup: $(Rscript --version 2>&1 | head -n 1), rustc $RUSTC_VERSION: all there"
}

sudo=""
if [ "$(id -u)" != 0 ]; then sudo=sudo; fi
list_missing_tools
list_missing_r_packages
if [ -n "$to_install" ] || needs_debian_rust || { needs_llvm_tools && ! has rustup; }; then
  if can_install; then install_debian; else advise; fi
fi
if can_install; then finish; fi
verify

# What every development script needs: the project library, a locale, Rust on the PATH. Sourced from the package's root.
set -eu
ROOT=$(pwd)
mkdir -p .lib build
. tools/toolchain.sh
if pick_toolchain; then PATH=$(dirname "$CARGO"):$PATH; fi

# Packages go into .lib and nowhere else.
R_LIBS=$ROOT/.lib
# One locale for all. Not LC_ALL, which would silently win over the LC_COLLATE that a test sets for a child process.
unset LC_ALL
LANG=C.UTF-8
if [ "$(uname)" = Darwin ]; then LANG=en_US.UTF-8; fi
if command -v R > /dev/null; then
  # extendr's build script runs again whenever this changes; setting it as R CMD INSTALL does keeps cargo's cache warm.
  R_INCLUDE_DIR=$(R CMD sh -c 'echo "$R_INCLUDE_DIR"')
  # The Rust tests of the R shell are linked to R.
  LD_LIBRARY_PATH=$(R RHOME)/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export R_INCLUDE_DIR LD_LIBRARY_PATH DYLD_LIBRARY_PATH="$LD_LIBRARY_PATH"
fi
export PATH R_LIBS LANG
# Engines that run the exports: see setup.sh exports.
if [ -d "$ROOT/build/exports" ]; then export SBRL_EXPORTS="$ROOT/build/exports"; fi

say() {
  printf '\n== %s\n' "$*"
}

# Runs a command and shows its output only if it fails: quietly <log> <command ...>
quietly() {
  log=$1
  shift
  "$@" > "$log" 2>&1 || { cat "$log"; return 1; }
}

# Copies the package's own files, and nothing that was built, into a new directory.
copy_sources() {
  rm -rf "$1"
  mkdir -p "$1"
  if git ls-files > /dev/null 2>&1; then
    git -c core.quotePath=false ls-files -co --exclude-standard
  else # an unpacked archive
    find . -type f ! -path './.*/*' ! -path './build/*' ! -path '*/target/*' ! -path './src/rust/vendor*' ! -path './src/.cargo/*' \
      ! -name '*.o' ! -name '*.so' ! -name '*.a' ! -name '*.tar.gz' ! -path ./src/Makevars
  fi | tar --ignore-failed-read -cf - -T - | tar -xf - -C "$1" # a tracked file may have been deleted
}

# Makes a cargo command available; the first time, it is built into build/tools, which takes some minutes.
need_cargo_tool() {
  PATH=$PATH:$ROOT/build/tools/bin
  if ! command -v "$1" > /dev/null; then
    say "Building $1"
    cargo install "$1" --locked --quiet --root build/tools
  fi
}

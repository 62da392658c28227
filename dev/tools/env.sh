# What every development script needs: the root as working directory, the project library, a locale, Rust on the PATH.
# Sourced, from a script in this directory.
set -eu
cd "$(dirname "$0")/../.."
ROOT=$(pwd)
mkdir -p .lib build

# Packages go into .lib and nowhere else.
R_LIBS=$ROOT/.lib
export R_LIBS

# One locale for all, so that sorting and UTF-8 do not depend on who runs this. LC_ALL is not used, because it would
# silently win over the LC_COLLATE that a test sets for a child process.
unset LC_ALL
LANG=C.UTF-8
if [ "$(uname)" = Darwin ]; then LANG=en_US.UTF-8; fi
export LANG

# extendr's build script runs again whenever this changes; setting it as R CMD INSTALL does keeps cargo's cache warm.
if command -v R > /dev/null; then
  R_INCLUDE_DIR=$(R CMD sh -c 'echo "$R_INCLUDE_DIR"')
  export R_INCLUDE_DIR
fi

. tools/toolchain.sh
if pick_toolchain && [ "$(command -v cargo)" != "$CARGO" ]; then
  PATH=$(dirname "$CARGO"):$PATH
  export PATH
fi

say() {
  printf '\n== %s\n' "$*"
}

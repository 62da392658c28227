#!/bin/sh
# Checks the crates that the package is built from: licenses and duplicates by deny.toml, and known security holes where
# the database of them can be had.
. "$(dirname "$0")/env.sh"

# The path of a cargo command, on the PATH or in build/tools; built on first use, which takes some minutes.
tool() { # <name>
  if command -v "$1" > /dev/null; then
    command -v "$1"
    return
  fi
  if [ ! -x "build/tools/bin/$1" ]; then
    say "Building $1" >&2
    cargo install "$1" --locked --quiet --root build/tools >&2
  fi
  echo "$ROOT/build/tools/bin/$1"
}

say "cargo deny check licenses bans"
deny=$(tool cargo-deny)
"$deny" --manifest-path src/rust/Cargo.toml --config dev/tools/deny.toml --all-features check licenses bans

say "cargo audit"
database=https://github.com/RustSec/advisory-db
if ! command -v git > /dev/null || ! GIT_TERMINAL_PROMPT=0 timeout 30 git ls-remote "$database" HEAD > /dev/null 2>&1; then
  echo "skipped: the database of security holes, $database, cannot be had from here"
  exit 0
fi
audit=$(tool cargo-audit)
"$audit" audit --file src/rust/Cargo.lock

#!/bin/sh
# Checks the crates that the package is built from: licenses and duplicates by deny.toml, and known security holes where
# the database of them can be reached.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh

need_cargo_tool cargo-deny
checks="licenses bans advisories"
if ! GIT_TERMINAL_PROMPT=0 timeout 30 git ls-remote https://github.com/RustSec/advisory-db HEAD > /dev/null 2>&1; then
  echo "advisories: skipped, their database cannot be reached from here"
  checks="licenses bans"
fi
cargo-deny --manifest-path src/rust/Cargo.toml --config dev/tools/deny.toml --all-features check $checks

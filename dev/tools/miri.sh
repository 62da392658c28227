#!/bin/sh
# Runs the tests of the bit code (its portable path) under Miri, where a nightly toolchain has it.
. "$(dirname "$0")/env.sh"

say "Miri"
if ! cargo +nightly miri --version > /dev/null 2>&1; then
  echo "skipped: no nightly toolchain with Miri (rustup +nightly component add miri rust-src)"
  exit 0
fi
cd src/rust
# bitvec frees its words through a pointer that stacked borrows, the stricter model, do not allow.
MIRIFLAGS="-Zmiri-tree-borrows -Zmiri-permissive-provenance ${MIRIFLAGS:-}" \
  cargo +nightly miri test -p sbrl-engine --features naive --lib --target-dir target/miri -- bitset

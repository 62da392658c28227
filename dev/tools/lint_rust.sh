#!/bin/sh
# Formatting and lints of both crates; thresholds are in src/rust/clippy.toml.
. "$(dirname "$0")/env.sh"
. dev/tools/rust_env.sh

say "cargo fmt --check"
cargo fmt --all --check
say "cargo clippy"
cargo clippy --workspace --all-targets --locked -- -D warnings \
  -D clippy::too_many_lines -D clippy::undocumented_unsafe_blocks

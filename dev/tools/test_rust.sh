#!/bin/sh
# Runs the Rust tests of both crates.
. "$(dirname "$0")/env.sh"
. dev/tools/rust_env.sh

say "Rust tests"
cargo test --workspace --locked

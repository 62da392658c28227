#!/bin/sh
# Runs the Rust tests of both crates.
. "$(dirname "$0")/env.sh"
. dev/tools/rust_env.sh

say "Rust tests"
# the tests that enumerate need the slow twins
cargo test --workspace --features sbrl-engine/naive --locked

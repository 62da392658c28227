#!/bin/sh
# Checks format and lints of the Rust code (lint.sh rust) or of the R code (lint.sh r), or what people read (lint.sh prose);
# `lint.sh format` formats the code.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh

# The package's crates, the benchmark driver and the fuzz targets, all in the package's style.
rust_format() { # [options of rustfmt]
  for manifest in src/rust/Cargo.toml dev/*/Cargo.toml dev/*/*/Cargo.toml; do
    cargo fmt --all --manifest-path "$manifest" -- --config-path src/rust/rustfmt.toml "$@" || return 1
  done
}

lint_rust() {
  say "Layers of the engine"
  Rscript --vanilla dev/tools/layers_rust.R
  say "cargo fmt --check"
  rust_format --check
  say "cargo clippy"
  # A newer clippy than any that was tried has lints that nobody has looked at: it only shows them.
  newest_tried=1.95
  if [ "$(version_number "$RUSTC_VERSION")" -gt "$(version_number $newest_tried)" ]; then level=-W; else level=-D; fi
  cargo clippy --workspace --all-targets --locked --manifest-path src/rust/Cargo.toml -- $level warnings \
    -D clippy::too_many_lines -D clippy::undocumented_unsafe_blocks -A clippy::precedence || return 1 # 1.85's alone means `x >> 1 & 1`
  say "cargo check of the benchmark driver and the fuzz targets"
  for manifest in dev/bench/engine/Cargo.toml dev/fuzz/Cargo.toml; do
    CARGO_TARGET_DIR=build/target-check cargo check --quiet --locked --manifest-path $manifest || return 1
  done
}

format() {
  rust_format
  if command -v air > /dev/null; then air format R tests; else echo "R code: not formatted (air is not installed)"; fi
}

case $1 in
  rust) lint_rust ;;
  r) Rscript --vanilla dev/tools/layers_r.R && Rscript --vanilla dev/tools/lint.R ;; # looks names up in the package in .lib
  prose) Rscript --vanilla dev/tools/prose.R ;; # runs the code of README.md with the package in .lib
  format) format ;;
esac

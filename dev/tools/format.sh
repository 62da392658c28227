#!/bin/sh
# Formats the code: rustfmt for Rust; air or styler for R, when there.
. "$(dirname "$0")/env.sh"

say "Formatting"
cargo fmt --all --manifest-path src/rust/Cargo.toml
for crate in dev/*/Cargo.toml; do
  if [ -f "$crate" ]; then cargo fmt --manifest-path "$crate"; fi
done
if command -v air > /dev/null; then
  air format R tests
else
  echo "R code: not formatted (air is not installed)"
fi

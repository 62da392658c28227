#!/bin/sh
# Runs the fuzz targets of dev/fuzz for a while: FUZZ_SECONDS each (60); FUZZ_TARGETS names some (all). Needs
# `rustup toolchain install nightly && cargo install cargo-fuzz`.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
fuzz=$ROOT/dev/fuzz
cd src/rust/engine # cargo-fuzz is called from the crate that is fuzzed
for target in ${FUZZ_TARGETS:-$(cargo +nightly fuzz list --fuzz-dir "$fuzz")}; do
  say "Fuzzing $target"
  # The first directory grows, the second is only read.
  mkdir -p "$fuzz/corpus/$target" "$fuzz/seeds/$target"
  cargo +nightly fuzz run --fuzz-dir "$fuzz" "$target" "$fuzz/corpus/$target" "$fuzz/seeds/$target" \
    -- -max_total_time="${FUZZ_SECONDS:-60}"
done

#!/bin/sh
# Runs the fuzz targets of dev/fuzz for a while: FUZZ_SECONDS each (default 60); FUZZ_TARGETS names some (default all).
. "$(dirname "$0")/env.sh"
seconds=${FUZZ_SECONDS:-60}

if [ ! -f dev/fuzz/Cargo.toml ]; then
  echo "there are no fuzz targets yet (dev/fuzz)"
  exit 0
fi
if ! cargo +nightly fuzz --version > /dev/null 2>&1; then
  echo "Fuzzing needs a nightly Rust and cargo-fuzz:" >&2
  echo "  rustup toolchain install nightly && cargo install cargo-fuzz" >&2
  exit 1
fi

# cargo-fuzz wants to be called from the crate that is fuzzed.
fuzz_dir=$ROOT/dev/fuzz
cd src/rust/engine
for target in ${FUZZ_TARGETS:-$(cargo +nightly fuzz list --fuzz-dir "$fuzz_dir")}; do
  say "Fuzzing $target for $seconds s"
  # The first directory grows, the second is only read.
  mkdir -p "$fuzz_dir/corpus/$target" "$fuzz_dir/seeds/$target"
  cargo +nightly fuzz run --fuzz-dir "$fuzz_dir" "$target" "$fuzz_dir/corpus/$target" "$fuzz_dir/seeds/$target" \
    -- -max_total_time="$seconds"
done

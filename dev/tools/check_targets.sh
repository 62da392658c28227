#!/bin/sh
# Type-checks the crates for the other systems, as far as their Rust targets are installed.
. "$(dirname "$0")/env.sh"
cd src/rust

sysroot=$(rustc --print sysroot)
for target in x86_64-pc-windows-gnu aarch64-apple-darwin x86_64-apple-darwin; do
  if [ -d "$sysroot/lib/rustlib/$target" ]; then
    say "cargo check for $target"
    cargo check --workspace --locked --target "$target"
  else
    echo "$target: not installed (rustup target add $target)"
  fi
done

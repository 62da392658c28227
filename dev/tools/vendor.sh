#!/bin/sh
# Packs the sources of all crates in Cargo.lock, reproducibly: vendor.sh <output.tar.xz>
. "$(dirname "$0")/env.sh"
output=$1
cache=build/vendor.tar.xz

# The lock file says all there is to say about the archive.
if [ -f "$cache" ] && cmp -s src/rust/Cargo.lock build/vendor.lock; then
  echo "vendored crates: unchanged since the last time"
else
  work=$ROOT/build/vendor-work
  rm -rf "$work"
  mkdir -p "$work"
  cargo vendor --quiet --locked --versioned-dirs --manifest-path src/rust/Cargo.toml "$work/vendor" > /dev/null
  tar --sort=name --mtime='2026-01-01 00:00Z' --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w --format=ustar \
    -C "$work" -cf "$work/vendor.tar" vendor
  xz -9e -T1 -c "$work/vendor.tar" > "$cache"
  cp src/rust/Cargo.lock build/vendor.lock
  rm -rf "$work"
  echo "vendored crates: packed $(grep -c '^source = ' src/rust/Cargo.lock)"
fi
cp "$cache" "$output"

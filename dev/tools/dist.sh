#!/bin/sh
# Makes the self-contained source archive, build/sbrl_<version>.tar.gz, which installs without a network.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh

# The sources of all crates, packed reproducibly; the lock file determines them.
vendor=build/vendor.tar.xz
if [ ! -f $vendor ] || ! cmp -s src/rust/Cargo.lock build/vendor.lock; then
  rm -rf build/vendor
  cargo vendor --quiet --locked --versioned-dirs --manifest-path src/rust/Cargo.toml build/vendor > /dev/null
  tar --sort=name --mtime='2026-01-01 00:00Z' --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r-w --format=ustar \
    -C build -cf build/vendor.tar vendor
  xz -9e -T1 -c build/vendor.tar > $vendor
  cp src/rust/Cargo.lock build/vendor.lock
  rm -rf build/vendor build/vendor.tar
fi

say "Making the source archive"
copy=$ROOT/build/dist/sbrl
copy_sources "$copy"
cp $vendor "$copy/src/rust/"
Rscript --vanilla dev/tools/docs.R authors "$copy/inst/AUTHORS"
rm -f build/sbrl_*.tar.gz
(cd build && R CMD build dist/sbrl)
rm -rf build/dist

#!/bin/sh
# Runs the R tests with the C files under the address and undefined-behaviour sanitizers and the engine with debug
# assertions and overflow checks, in a library of its own; then Miri. SANITIZE_TESTS picks test files (a pattern).
. "$(dirname "$0")/env.sh"
home=$ROOT/build/sanitize
sanitizers=-fsanitize=address,undefined
asan=$(${CC:-gcc} -print-file-name=libasan.so)
if [ ! -e "$asan" ]; then
  echo "This needs gcc and its libasan." >&2
  exit 1
fi

say "Building with sanitizers into build/sanitize"
# A copy, so that no object with a sanitizer in it is left among the sources; .git makes configure keep cargo's target.
mkdir -p "$home/lib" "$home/target"
dev/tools/export.sh "$home/sbrl"
touch "$home/sbrl/.git"
ln -s "$home/target" "$home/sbrl/src/rust/target"
cat > "$home/Makevars" << EOF
CFLAGS = -g -O1 -fno-omit-frame-pointer -Wall $sanitizers -fno-sanitize-recover=undefined
LDFLAGS = $sanitizers
EOF
ASAN_OPTIONS=detect_leaks=0 # R does not free everything at its end
UBSAN_OPTIONS=print_stacktrace=1
CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true
CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 # quicker to build
export ASAN_OPTIONS UBSAN_OPTIONS CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS \
  CARGO_PROFILE_RELEASE_LTO CARGO_PROFILE_RELEASE_CODEGEN_UNITS
if ! R_MAKEVARS_USER=$home/Makevars R CMD INSTALL --no-multiarch --no-test-load --library="$home/lib" "$home/sbrl" \
  > build/sanitize.log 2>&1; then
  cat build/sanitize.log
  exit 1
fi

say "R tests with sanitizers"
R_LIBS=$home/lib:$R_LIBS LD_PRELOAD=$asan NOT_CRAN=true \
  Rscript --vanilla dev/tools/test_r.R build/test-sanitize.txt "${SANITIZE_TESTS:-}"

dev/tools/miri.sh

#!/bin/sh
# Runs the R tests with the C files under the address and undefined-behaviour sanitizers and the engine with debug
# assertions and overflow checks, in a library of its own. SANITIZE_TESTS picks test files (a pattern).
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
home=$ROOT/build/sanitize
asan=$(${CC:-gcc} -print-file-name=libasan.so)

say "Building with sanitizers into build/sanitize"
# A copy, so that no object with a sanitizer in it is left among the sources; .git makes configure keep cargo's target.
mkdir -p "$home/lib" "$home/target"
copy_sources "$home/sbrl"
touch "$home/sbrl/.git"
ln -s "$home/target" "$home/sbrl/src/rust/target"
cat > "$home/Makevars" << EOF
CFLAGS = -g -O1 -fno-omit-frame-pointer -Wall -fsanitize=address,undefined -fno-sanitize-recover=undefined
LDFLAGS = -fsanitize=address,undefined
EOF
export ASAN_OPTIONS=detect_leaks=0 # R does not free everything at its end
export UBSAN_OPTIONS=print_stacktrace=1
export CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 # quicker to build
R_MAKEVARS_USER=$home/Makevars quietly build/sanitize.log \
  R CMD INSTALL --no-multiarch --no-test-load --library="$home/lib" "$home/sbrl"

say "R tests with sanitizers"
R_LIBS=$home/lib:$R_LIBS LD_PRELOAD=$asan Rscript --vanilla dev/tools/test_r.R "${SANITIZE_TESTS:-}"

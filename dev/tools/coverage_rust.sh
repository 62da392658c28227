#!/bin/sh
# Runs the engine's tests, counting lines; writes "<file> <lines> <lines run>": coverage_rust.sh <output>
. "$(dirname "$0")/env.sh"
. dev/tools/llvm.sh
output=$ROOT/$1
profiles=$ROOT/build/coverage
rm -rf "$profiles" "$output"
mkdir -p "$profiles"

say "Engine tests, counting lines"
. dev/tools/rust_env.sh
# A target directory of its own: other flags would make cargo build everything anew, here and then again.
CARGO_TARGET_DIR=target/coverage
RUSTFLAGS="-C instrument-coverage"
LLVM_PROFILE_FILE=$profiles/%p-%m.profraw
export CARGO_TARGET_DIR RUSTFLAGS LLVM_PROFILE_FILE
cargo test -p sbrl-engine --features naive --locked --quiet

# The test programs, as cargo names them, in the form that llvm-cov wants: the first one bare, the others as -object.
programs=$(cargo test -p sbrl-engine --features naive --locked --no-run --message-format=json 2> /dev/null |
  sed -n 's/.*"executable":"\([^"]*\)".*/-object \1/p')
"$(llvm_tool llvm-profdata)" merge -sparse "$profiles"/*.profraw -o "$profiles/merged.profdata"
"$(llvm_tool llvm-cov)" export --format=lcov --instr-profile="$profiles/merged.profdata" ${programs#-object } \
  > "$profiles/lcov.info"

# Tests do not count: neither their own files, nor the foot of a file, nor the slow twins.
awk -v root="$ROOT/" '
  /^SF:/ {
    file = substr($0, 4)
    counts = index(file, "/engine/src/") && file !~ /\/(naive|testing)[.]rs$/
    foot = 0
    n = 0
    while ((getline line < file) > 0) { n++; if (line == "#[cfg(test)]" && !foot) foot = n }
    close(file)
    lines = run = 0
  }
  /^DA:/ && counts {
    split(substr($0, 4), part, ",")
    if (!foot || part[1] < foot) { lines++; if (part[2] > 0) run++ }
  }
  /^end_of_record/ && counts { sub(root, "", file); print file, lines, run }
' "$profiles/lcov.info" > "$output"
rm -rf "$profiles"

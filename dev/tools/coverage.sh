#!/bin/sh
# How much of the R code and of the engine their tests run, file by file; fails when one is below COVERAGE_MIN percent (90).
. "$(dirname "$0")/env.sh"
minimum=${COVERAGE_MIN:-90}
status=0

# Lines "<file> <lines> <lines run>" become a table, the worst file first, and a total.
show() {
  sort -k1 "$1" | awk '{ printf "%6.1f  %5d of %5d  %s\n", $2 ? 100 * $3 / $2 : 100, $3, $2, $1 }' | sort -n -s -k1,1
  if ! awk -v name="$2" -v minimum="$minimum" '
    { lines += $2; run += $3 }
    END {
      if (!lines) { print name ": nothing was measured"; exit 1 }
      percent = 100 * run / lines
      printf "%s coverage: %.1f %% (%d of %d lines), at least %s %% wanted\n", name, percent, run, lines, minimum
      exit percent < minimum
    }' "$1"; then
    status=1
  fi
}

dev/tools/coverage_rust.sh build/coverage-engine.txt
dev/tools/coverage_r.sh build/coverage-r.txt || status=1
say "Engine: percent, lines, file"
show build/coverage-engine.txt Engine
say "R: percent, lines, file"
show build/coverage-r.txt R
exit $status

#!/usr/bin/env bash
# Everything that must hold before a commit, one step after the other; ends with "N passed, N failed".
# Each Rust and R test counts, and so does each other step. A failing step does not stop the rest.
. "$(dirname "$0")/env.sh"
set -o pipefail
mkdir -p build/log
passed=0
failed=0
report=()
summary=build/test-summary.txt
rm -f "$summary" build/test-r.txt

note() { # <name> <status> <passed> <failed> <seconds>
  passed=$((passed + $3))
  failed=$((failed + $4))
  local verdict=ok
  if [ "$2" != 0 ]; then verdict=FAILED; fi
  report+=("$(printf '%-28s %-7s %6d passed %4d failed %5d s' "$1" "$verdict" "$3" "$4" "$5")")
}

# Runs a step, shows and keeps its output; the status is the step's.
run() { # <log> <command…>
  local log=build/log/$1.log
  shift
  "$@" 2>&1 | tee "$log"
}

step() { # <name> <log> <command…>
  local name=$1 log=$2 start=$SECONDS status=0
  shift 2
  run "$log" "$@" || status=$?
  note "$name" "$status" $((status == 0)) $((status != 0)) $((SECONDS - start))
  return "$status"
}

# A step made of tests: counted one by one. To break without a failing test, or to hold no test at all, is a failure too.
counted() { # <name> <log> <counter> <command…>
  local name=$1 log=$2 counter=$3 start=$SECONDS status=0 good bad
  shift 3
  run "$log" "$@" || status=$?
  read -r good bad < <("$counter" "build/log/$log.log")
  if [ "$good" = 0 ] && [ "$status" = 0 ]; then
    echo "$name: there are none"
    status=1
  fi
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  note "$name" "$status" "$good" "$bad" $((SECONDS - start))
}

count_rust() {
  awk '/^test result:/ { good += $4; bad += $6 } END { print good + 0, bad + 0 }' "$1"
}

count_r() {
  if [ -f build/test-r.txt ]; then cut -d' ' -f1,2 build/test-r.txt; else echo 0 0; fi
}

finish() {
  say "Summary"
  printf '%s\n' "${report[@]}"
  echo "$passed passed, $failed failed" | tee "$summary"
  [ "$failed" = 0 ]
}

step "set up" setup dev/tools/setup.sh || { finish; exit 1; }
counted "Rust tests" test-rust count_rust dev/tools/test_rust.sh
step "Rust lints" lint-rust dev/tools/lint_rust.sh || true
if step "install" install dev/tools/install.sh; then
  step "R lints" lint-r dev/tools/lint_r.sh || true
  step "generated files are fresh" fresh dev/tools/fresh.sh || true
  counted "R tests" test-r count_r dev/tools/test_r.sh
  if step "source archive" dist dev/tools/dist.sh; then
    step "R CMD check --as-cran" check dev/tools/check.sh || true
  fi
fi
finish

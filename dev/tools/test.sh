#!/usr/bin/env bash
# All checks that must pass before a commit; ends with "N passed, N failed". Each Rust and R test counts, and so does each
# other step. A failing step does not stop those that do not need it. test.sh <step ...> runs only these, test.sh ci all and
# those on all engines.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
set -o pipefail
mkdir -p build/log
passed=0 failed=0 report=()

# Runs a step, shows and keeps its output, and counts the tests that it reports.
step() { # <log> <name> <command ...>
  local log=build/log/$1.log name=$2 start=$SECONDS status=0 verdict=ok good bad
  shift 2
  say "$name"
  "$@" 2>&1 | tee "$log" || status=$?
  read -r good bad < <(awk '
    /^test result:/ { good += $4; bad += $6 }
    /^R tests:/ { good += $3; bad += $5 }
    END { print good + 0, bad + 0 }' "$log")
  if [ $((good + bad)) = 0 ]; then good=$((status == 0)); fi
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  if [ "$bad" != 0 ]; then verdict=FAILED; fi
  passed=$((passed + good))
  failed=$((failed + bad))
  report+=("$(printf '%-28s %-7s %6d passed %4d failed %5d s' "$name" $verdict "$good" "$bad" $((SECONDS - start)))")
  [ "$bad" = 0 ]
}

run() {
  case $1 in
    setup) step setup "set up" dev/tools/setup.sh exports && . dev/tools/env.sh ;; # again, with what is there now
    rust) step test-rust "Rust tests" cargo test --workspace --locked --manifest-path src/rust/Cargo.toml ;;
    lint-rust) step lint-rust "Rust lints" dev/tools/lint.sh rust ;;
    install) step install "install" dev/tools/install.sh ;;
    lint-r) step lint-r "R lints" dev/tools/lint.sh r ;;
    prose) step prose "spelling, figures, README" dev/tools/lint.sh prose ;;
    fresh) step fresh "generated files are fresh" dev/tools/docs.sh check ;;
    r) step test-r "R tests" Rscript --vanilla dev/tools/test_r.R "${TESTS:-}" ;;
    dist) step dist "source archive" dev/tools/dist.sh ;;
    check) step check "R CMD check --as-cran" dev/tools/check.sh ;;
    engines) step engines "R tests on all engines" dev/tools/engines.sh engine_ ;;
    *) echo "$1: there is no such step" >&2 && exit 2 ;;
  esac
}

all="setup rust lint-rust install lint-r prose fresh r dist check"
if [ "${1:-}" = ci ]; then set -- $all engines; fi
for name in ${*:-$all}; do
  run "$name" && continue
  case $name in setup | install | dist) break ;; esac # the rest needs it
done
say "Summary"
printf '%s\n' "${report[@]}"
echo "$passed passed, $failed failed" | tee build/test-summary.txt
[ "$failed" = 0 ]

#!/bin/sh
# Times whole fits and single iterations on every problem of dev/bench/problems.csv, beside rpart and pysbrl; AGAINST=<commit> runs
# another commit in turns with this one. BENCH_REPEATS (3), BENCH_PROBLEMS (all) and BENCH_RPART
# (all: also where it takes half an hour) may be set.
. "$(dirname "$0")/env.sh"
. dev/tools/bench_env.sh

build_own_driver
make_tables
find_pysbrl
libraries=now=$ROOT/.lib
drivers=now=$driver

if [ -n "${AGAINST:-}" ]; then
  check_out_against
  other=$bench/lib-$commit
  if [ ! -f "$other/sbrl/DESCRIPTION" ]; then
    say "Installing $commit"
    mkdir -p "$other"
    if ! R CMD INSTALL --no-multiarch --no-test-load --library="$other" "$tree" > "$bench/against.log" 2>&1; then
      cat "$bench/against.log"
      exit 1
    fi
  fi
  build_other_driver
  libraries="$libraries $commit=$other"
  drivers="$drivers $commit=$driver"
fi

say "Benchmarks (build/bench)"
SBRL_BENCH_LIBS=$libraries SBRL_BENCH_DRIVERS=$drivers SBRL_BENCH_PYTHON=$pysbrl \
  Rscript --vanilla dev/bench/bench.R

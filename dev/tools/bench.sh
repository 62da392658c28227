#!/bin/sh
# Benchmarks, with their figures in build/bench: bench.sh fits | callgrind | curves | strength | proofs
# (see `make help`, and dev/bench/*.R for what may be set). AGAINST=<commit> compares fits and callgrind with that commit.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
bench=$ROOT/build/bench
cache=$bench/cache
SBRL_DATA=${SBRL_DATA:-$ROOT/../shared/data}
export SBRL_BENCH_ROOT="$ROOT" SBRL_BENCH_CACHE="$cache" SBRL_DATA
mkdir -p "$cache"

# Builds the driver of a tree and names it in `driver`.
build_driver() { # <tree> <target directory>
  say "Building the bench driver in $1"
  CARGO_TARGET_DIR=$2 quietly "$bench/driver.log" cargo build --release --locked --manifest-path "$1/dev/bench/engine/Cargo.toml"
  driver=$2/release/bench-engine
}

# Checks the commit AGAINST out, into a worktree that is removed at the end, and builds its driver.
build_other() {
  commit=$(git rev-parse --short --verify "$AGAINST^{commit}")
  tree=$bench/against-$commit
  if [ -d "$tree" ]; then git worktree remove --force "$tree"; fi
  trap 'git -C "$ROOT" worktree remove --force "$tree"' EXIT
  git worktree add --quiet --detach "$tree" "$commit"
  cp dev/bench/problems.csv "$tree/dev/bench/"
  build_driver "$tree" "$bench/target-$commit"
}

# A Python with pysbrl and numpy. pysbrl is built with a stand-in for the few functions of GSL that it calls, since the
# library's headers are seldom installed.
install_python() {
  mkdir -p "$cache/empty"
  for library in gsl gslcblas; do ar rcs "$cache/empty/lib$library.a"; done
  python3 -m venv "$cache/venv" && "$python" -m pip install --quiet 'setuptools<70' wheel numpy &&
    CFLAGS=-I$ROOT/dev/bench/pysbrl LDFLAGS=-L$cache/empty \
      "$python" -m pip install --quiet --no-build-isolation --no-deps pysbrl
}

# That Python, in `python` (empty if it cannot be had), and the two made-up tables, once.
make_tables() {
  python=$cache/venv/bin/python
  if ! "$python" -c 'import numpy, _sbrl' > /dev/null 2>&1 && ! install_python > "$bench/python.log" 2>&1; then
    echo "pysbrl and the table of a million rows are left out (build/bench/python.log)"
    python=""
  fi
  if [ ! -f "$cache/synthetic_50k.csv.gz" ]; then
    "$driver" write synthetic:rows=50000,features=130,levels=3,seed=1 "$cache/synthetic_50k.csv.gz"
  fi
  if [ ! -f "$cache/census_like.csv.gz" ] && [ -f "$SBRL_DATA/make_census_like.py" ] && [ -n "$python" ]; then
    "$python" "$SBRL_DATA/make_census_like.py" --out "$cache/part.csv.gz" > /dev/null
    mv "$cache/part.csv.gz" "$cache/census_like.csv.gz"
  fi
}

fits() {
  make_tables
  libraries=now=$ROOT/.lib
  drivers=now=$driver
  if [ -n "${AGAINST:-}" ]; then
    build_other
    mkdir -p "$bench/lib-$commit"
    quietly "$bench/against.log" R CMD INSTALL --no-multiarch --no-test-load --library="$bench/lib-$commit" "$tree"
    libraries="$libraries $commit=$bench/lib-$commit"
    drivers="$drivers $commit=$driver"
  fi
  SBRL_BENCH_LIBS=$libraries SBRL_BENCH_DRIVERS=$drivers SBRL_BENCH_PYTHON=$python Rscript --vanilla dev/bench/bench.R
}

# Lines "rows,stage,instructions".
count_instructions() { # <driver>
  for line in "50000 20 1 binarise" "50000 20 1 mine" "50000 20 1 greedy" "50000 20 1 predict" "1000 12 1 polish" \
    "1000 12 20000 chain" "10000 16 5000 chain" "50000 20 1000 chain"; do
    set -- "$1" $line
    quietly "$bench/callgrind.log" valgrind --tool=callgrind --toggle-collect='*measured*' \
      --callgrind-out-file="$bench/callgrind.out" "$1" "synthetic:rows=$2,features=$3,levels=3,seed=1" "$4" "$5" --repeats 1
    echo "$2,$5,$(awk '/^(summary|totals):/ { print $2; exit }' "$bench/callgrind.out")"
  done
}

callgrind() {
  now=$bench/callgrind.csv
  count_instructions "$driver" > "$now.part"
  if [ -n "${AGAINST:-}" ]; then build_other && count_instructions "$driver" > "$now"; fi
  touch "$now"
  awk -F, '
    NR == FNR { before[$1 "," $2] = $3; next }
    FNR == 1 { printf "%-8s %-9s %15s %15s %7s\n", "rows", "stage", "instructions", "before", "ratio" }
    { old = before[$1 "," $2]; printf "%-8s %-9s %15d %15s %7s\n", $1, $2, $3, old, old ? sprintf("%.3f", $3 / old) : "" }
  ' "$now" "$now.part"
  mv "$now.part" "$now"
}

curves() {
  make_tables
  SBRL_BENCH_DRIVER=$driver Rscript --vanilla dev/bench/curves.R
}

strength() {
  : > "$bench/strength.csv"
  # problem, iterations of each of 20 chains, best log posterior known, options
  for line in "tictactoe 15000 -100.6965" "mushroom 150000 -91.3161" "adult 32000 -15672.8769" \
    "nursery_len3 60000 -2199.6129" "nursery_len2 50000 -1700.0649" \
    "tictactoe 15000 -257.0425 --max-length 6" "mushroom 15000 -91.3161 --max-length 6" \
    "mushroom 15000 -130.2985 --max-length 6 --support 0.3" "nursery_len3 15000 -3334.1163 --max-length 8"; do
    set -- $line
    problem=$1 iterations=$2 known=$3
    shift 3
    "$driver" strength "$problem" "$iterations" --known "$known" "$@" --repeats "${BENCH_SEEDS:-20}" \
      > "$bench/strength.part" || continue
    grep -v '^#' "$bench/strength.part" >> "$bench/strength.csv"
    sed -n 's/^# //p' "$bench/strength.part"
  done
}

proofs() {
  "$driver" proofs ${PROOFS:-}
}

build_driver "$ROOT" "$ROOT/dev/bench/engine/target"
"$1"

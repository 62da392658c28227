# What the bench scripts share. Sourced after env.sh.
bench=$ROOT/build/bench
SBRL_BENCH_ROOT=$ROOT
SBRL_BENCH_CACHE=$bench/cache
SBRL_DATA=${SBRL_DATA:-$ROOT/../shared/data}
export SBRL_BENCH_ROOT SBRL_BENCH_CACHE SBRL_DATA
mkdir -p "$SBRL_BENCH_CACHE"

# Builds the driver of the tree $1 into $2 and names it in `driver`; empty if it does not build.
build_driver() {
  driver=""
  if CARGO_TARGET_DIR=$2 cargo build --release --quiet --locked --manifest-path "$1/dev/bench/engine/Cargo.toml" \
    > "$bench/driver.log" 2>&1; then
    driver=$2/release/bench-engine
  fi
}

build_own_driver() {
  say "Building the bench driver"
  build_driver "$ROOT" "$ROOT/dev/bench/engine/target"
  if [ -z "$driver" ]; then
    cat "$bench/driver.log"
    exit 1
  fi
}

# Checks the commit AGAINST out into a worktree that is removed at the end; sets `commit` and `tree`.
check_out_against() {
  commit=$(git rev-parse --short --verify "$AGAINST^{commit}")
  tree=$bench/against-$commit
  if [ -d "$tree" ]; then git worktree remove --force "$tree"; fi
  trap 'git -C "$ROOT" worktree remove --force "$tree"' EXIT
  git worktree add --quiet --detach "$tree" "$commit"
}

# The other commit's driver: today's if it fits that engine, else the commit's own, else none.
build_other_driver() {
  say "Building the bench driver of $commit"
  rm -rf "$tree/dev/bench"
  cp -r dev/bench "$tree/dev/"
  rm -rf "$tree/dev/bench/engine/target"
  build_driver "$tree" "$bench/target-$commit"
  if [ -z "$driver" ]; then
    echo "today's driver does not fit the engine of $commit; trying the commit's own"
    git -C "$tree" checkout --quiet --force --detach "$commit"
    cp dev/bench/problems.csv "$tree/dev/bench/" 2> /dev/null || true
    build_driver "$tree" "$bench/target-$commit"
  fi
  if [ -z "$driver" ]; then
    echo "no driver builds with the engine of $commit (build/bench/driver.log): its ns per iteration are left out"
  fi
}

# A Python with numpy, for the maker of the million rows; in `python`, empty if there is none.
find_numpy() {
  python=""
  for candidate in python3 "$SBRL_BENCH_CACHE/venv/bin/python"; do
    if "$candidate" -c 'import numpy' > /dev/null 2>&1; then
      python=$candidate
      return
    fi
  done
  if python3 -m venv "$SBRL_BENCH_CACHE/venv" > /dev/null 2>&1 &&
    "$SBRL_BENCH_CACHE/venv/bin/pip" install --quiet numpy > /dev/null 2>&1; then
    python=$SBRL_BENCH_CACHE/venv/bin/python
  fi
}

# A Python with pysbrl, in `pysbrl`, empty if there is none. It is built with a stand-in for the few functions of GSL that it
# calls, since the library's headers are seldom installed.
find_pysbrl() {
  pysbrl=""
  venv=$SBRL_BENCH_CACHE/venv
  if ! "$venv/bin/python" -c 'import _sbrl' > /dev/null 2>&1; then
    say "Installing pysbrl into build/bench/cache"
    mkdir -p "$SBRL_BENCH_CACHE/empty"
    for library in gsl gslcblas; do ar rcs "$SBRL_BENCH_CACHE/empty/lib$library.a"; done
    if ! { python3 -m venv "$venv" &&
      "$venv/bin/pip" install --quiet 'setuptools<70' wheel numpy &&
      CFLAGS=-I$ROOT/dev/bench/pysbrl LDFLAGS=-L$SBRL_BENCH_CACHE/empty \
        "$venv/bin/pip" install --quiet --no-build-isolation --no-deps pysbrl; } > "$bench/pysbrl.log" 2>&1; then
      echo "pysbrl: left out, it cannot be installed here (build/bench/pysbrl.log)"
      return
    fi
  fi
  pysbrl=$venv/bin/python
}

# The two made-up tables, once.
make_tables() {
  if [ ! -f "$SBRL_BENCH_CACHE/synthetic_50k.csv.gz" ]; then
    say "Making 50,000 rows of 130 features"
    "$driver" write synthetic:rows=50000,features=130,levels=3,seed=1 "$SBRL_BENCH_CACHE/synthetic_50k.csv.gz"
  fi
  if [ ! -f "$SBRL_BENCH_CACHE/census_like.csv.gz" ] && [ -f "$SBRL_DATA/make_census_like.py" ]; then
    find_numpy
    if [ -z "$python" ]; then
      echo "a million rows: not made (needs python3 with numpy)"
      return
    fi
    say "Making a million rows"
    "$python" "$SBRL_DATA/make_census_like.py" --out "$SBRL_BENCH_CACHE/census_like.part.csv.gz" > /dev/null
    mv "$SBRL_BENCH_CACHE/census_like.part.csv.gz" "$SBRL_BENCH_CACHE/census_like.csv.gz"
  fi
}

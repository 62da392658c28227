#!/bin/sh
# How good the lists are that method "map" finds in about two seconds on one thread; each seed's as build/bench/strength.csv.
# BENCH_SEEDS (20) may be set.
. "$(dirname "$0")/env.sh"
. dev/tools/bench_env.sh

build_own_driver
table=$bench/strength.csv
: > "$table"
say "Strength of the search (build/bench/strength.csv)"
# problem, iterations of each of 20 chains, best log posterior known
while read -r problem iterations known; do
  if ! "$driver" strength "$problem" "$iterations" --known "$known" --repeats "${BENCH_SEEDS:-20}" > "$bench/strength.part"; then
    echo "$problem: left out"
    continue
  fi
  grep -v '^#' "$bench/strength.part" >> "$table"
  sed -n 's/^# //p' "$bench/strength.part"
done << END
tictactoe 15000 -100.6965
mushroom 150000 -91.3161
adult 32000 -15672.8769
nursery_len3 60000 -2199.6129
nursery_len2 50000 -1700.0649
END
rm -f "$bench/strength.part"

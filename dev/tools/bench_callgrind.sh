#!/bin/sh
# Counts the instructions of each stage of the engine on fixed made-up problems, which other load cannot disturb, and
# compares with the run before or, with AGAINST=<commit>, with that commit.
. "$(dirname "$0")/env.sh"
. dev/tools/bench_env.sh
if ! command -v valgrind > /dev/null; then
  echo "Counting instructions needs valgrind." >&2
  exit 1
fi

small=synthetic:rows=1000,features=12,levels=3,seed=1
middle=synthetic:rows=10000,features=16,levels=3,seed=1
large=synthetic:rows=50000,features=20,levels=3,seed=1

# One line: problem,stage,instructions. The shape's commas would part the line, so the problem has a short name.
count() { # driver, short name, problem, iterations, stage
  out=$bench/callgrind.out
  if ! valgrind --tool=callgrind --toggle-collect='*measured*' --callgrind-out-file="$out" \
    "$1" "$3" "$4" "$5" --repeats 1 > "$bench/callgrind.log" 2>&1; then
    cat "$bench/callgrind.log" >&2
    exit 1
  fi
  instructions=$(awk '/^(summary|totals):/ { print $2; exit }' "$out")
  if [ "${instructions:-0}" = 0 ]; then
    echo "$1 counted nothing: it is a driver from before stages ran inside \`measured\`" >&2
    exit 1
  fi
  echo "$2,$5,$instructions"
}

count_all() { # driver
  echo "problem,stage,instructions"
  for stage in binarise mine greedy predict; do count "$1" large "$large" 1 "$stage"; done
  count "$1" small "$small" 20000 chain
  count "$1" middle "$middle" 5000 chain
  count "$1" large "$large" 1000 chain
  count "$1" small "$small" 1 polish
}

build_own_driver
mine=$driver
now=$bench/callgrind.csv
before=$bench/callgrind_before.csv
rm -f "$before"
if [ -n "${AGAINST:-}" ]; then
  check_out_against
  build_other_driver
  if [ -n "$driver" ]; then
    say "Counting instructions of $commit"
    count_all "$driver" > "$before"
  fi
elif [ -f "$now" ]; then
  mv "$now" "$before"
fi

say "Counting instructions (build/bench/callgrind.csv)"
count_all "$mine" > "$now.part"
mv "$now.part" "$now"
touch "$before"
awk -F, '
  FILENAME == ARGV[1] { before[$1 "," $2] = $3; next }
  FNR == 1 { printf "%-8s %-9s %15s %15s %7s\n", "problem", "stage", "instructions", "before", "ratio"; next }
  {
    old = before[$1 "," $2]
    ratio = old > 0 ? sprintf("%.3f", $3 / old) : ""
    printf "%-8s %-9s %15d %15s %7s%s\n", $1, $2, $3, old, ratio, (old > 0 && $3 > 1.02 * old) ? "  more" : ""
  }' "$before" "$now"

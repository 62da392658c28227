#!/bin/sh
# Measures the figures of vignettes/scaling.Rmd anew: time against rows, candidates and list length, the ablation and
# the paper's shapes. BENCH_QUICK=1 tries the script on small points and leaves the article's figures alone.
. "$(dirname "$0")/env.sh"
. dev/tools/bench_env.sh

build_own_driver
make_tables
say "Cost curves, ablation, whole fits"
SBRL_BENCH_DRIVER=$driver Rscript --vanilla dev/bench/curves.R

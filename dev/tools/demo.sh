#!/bin/sh
# Fits the tic-tac-toe data, shows the rule list and writes a one-page report.
. "$(dirname "$0")/env.sh"

say "Demonstration: who wins at tic-tac-toe?"
Rscript --vanilla dev/demo/demo.R build/demo.html

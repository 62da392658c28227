#!/bin/sh
# Checks the source archive as CRAN does, without a network; anything but "New submission" is a failure.
. "$(dirname "$0")/env.sh"

say "R CMD check --as-cran"
# CRAN's own lists of packages and URLs cannot be reached.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false
# The check for files from the future asks a clock on the network.
export _R_CHECK_SYSTEM_CLOCK_=0
# A failing test is shown whole, not its last 13 lines.
export _R_CHECK_TESTS_NLINES_=0
# Tests run as on CRAN; `make test-r` is where nothing is skipped.
unset NOT_CRAN

# No PDF manual: it needs 500 MB of LaTeX, and the help pages are parsed, cross-checked and turned into HTML anyway.
status=0
(cd build && R CMD check --as-cran --no-manual sbrl_*.tar.gz) || status=$?
Rscript --vanilla dev/tools/read_check_log.R build/sbrl.Rcheck/00check.log || status=1
exit $status

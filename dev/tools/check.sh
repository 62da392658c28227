#!/bin/sh
# Checks the source archive as CRAN does, without a network; anything but "New submission" is a failure, and between
# releases the fourth component of the version.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
cd build

# CRAN's own lists of packages and URLs cannot be reached, nor can the clock by which files from the future are found; a failing
# test is shown whole, not its last 13 lines; on a busy machine an example may take longer than five seconds.
export _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_SYSTEM_CLOCK_=0 _R_CHECK_TESTS_NLINES_=0 \
  _R_CHECK_EXAMPLE_TIMING_THRESHOLD_=30
# Tests run as on CRAN; `make test-r` is where nothing is skipped.
unset NOT_CRAN
# No PDF manual: it needs 500 MB of LaTeX, and the help pages are parsed, cross-checked and turned into HTML anyway.
R CMD check --as-cran --no-manual sbrl_*.tar.gz

awk '
  /^\* / { incoming = /checking CRAN incoming feasibility/ }
  /^(Status: |\* DONE)/ { finished = 1; next }
  incoming ? !/^(\* checking|Maintainer: |New submission$|Version contains large components .*[.]9000[)]$|$)/ : /(NOTE|WARNING|ERROR)$/ { found = 1; print "R CMD check found: " $0 }
  END { if (!finished) print "R CMD check did not finish"; exit found || !finished }
' sbrl.Rcheck/00check.log

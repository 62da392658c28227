#!/bin/sh
# Builds the package and installs it into .lib.
. "$(dirname "$0")/env.sh"

say "Installing sbrl into .lib"
# Silent unless it fails; the log stays.
if ! R CMD INSTALL --no-multiarch --library=.lib . > build/install.log 2>&1; then
  cat build/install.log
  exit 1
fi
grep -E '^(using|build mode|\* DONE)' build/install.log

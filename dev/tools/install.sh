#!/bin/sh
# Builds the package and installs it into .lib.
cd "$(dirname "$0")/../.." && . dev/tools/env.sh

say "Installing sbrl into .lib"
quietly build/install.log R CMD INSTALL --no-multiarch --library=.lib .
grep -E '^(using|build mode|\* DONE)' build/install.log

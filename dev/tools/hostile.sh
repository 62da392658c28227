#!/bin/sh
# The long run of the hostile tests: 20,000 calls, 100,000 damaged files, 10,000 damaged models, and injected names in
# every engine that can be installed. HOSTILE_SEED is the first seed (1).
. "$(dirname "$0")/env.sh"

say "Hostile tests, the long run"
SBRL_HOSTILE=${SBRL_HOSTILE:-20}
SBRL_HOSTILE_SEED=${HOSTILE_SEED:-1}
export SBRL_HOSTILE SBRL_HOSTILE_SEED
NOT_CRAN=true Rscript --vanilla dev/tools/test_r.R build/test-hostile.txt "hostile|injection|memory"

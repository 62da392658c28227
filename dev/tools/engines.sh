#!/bin/sh
# Tests of sources on SQLite, PostgreSQL, MariaDB, DuckDB, Parquet files and Spark, against the installed package; installs the
# engines first. engines.sh [test files, by patterns]
cd "$(dirname "$0")/../.." && . dev/tools/env.sh
dev/tools/setup.sh mariadb engines
export SBRL_ENGINES=1 SBRL_PYTHON="${SBRL_PYTHON:-$ROOT/build/engines/bin/python}" SBRL_DATA="${SBRL_DATA:-$ROOT/../shared/data}"
# an engine that hangs must not hang the tests
timeout 900 Rscript --vanilla dev/tools/test_r.R "${1:-engine_ source}"

# The commands of this project; each is a script in dev/tools. Continuous integration runs the same.
.PHONY: help setup demo test install format lint test-rust test-r check dist docs picture fuzz check-targets clean
.PHONY: bench bench-callgrind bench-curves bench-strength coverage site hostile audit sanitize miri
.DEFAULT_GOAL := help

help:
	@echo "make demo           fit tic-tac-toe, show the rules, write a report (installs what is missing)"
	@echo "make test           all tests, lints, freshness of generated files, R CMD check (what CI runs)"
	@echo ""
	@echo "make setup          install what is missing: R, Rust, pandoc, R packages (Debian, Ubuntu)"
	@echo "make install        build and install into .lib"
	@echo "make test-rust      Rust tests"
	@echo "make test-r         R tests"
	@echo "make lint           rustfmt, clippy, lintr"
	@echo "make format         format the code"
	@echo "make docs           regenerate wrappers, NAMESPACE, man/, inst/AUTHORS, README.md"
	@echo "make picture        redraw the picture in README.md (its bytes differ between machines)"
	@echo "make dist           source archive with all crates, build/sbrl_<version>.tar.gz"
	@echo "make check          R CMD check --as-cran on that archive"
	@echo "make check-targets  type-check the Rust code for Windows and macOS"
	@echo "make fuzz           run the fuzz targets, FUZZ_SECONDS=60 each; FUZZ_TARGETS=\"json cuts\": only these"
	@echo "make hostile        the hostile tests at length (20,000 calls, 100,000 files, 10,000 models), with Chromium and LaTeX"
	@echo "make audit          licenses and duplicates of the crates; known security holes where their database can be had"
	@echo "make sanitize       R tests with sanitizers in the C files and debug assertions in the engine, then make miri"
	@echo "make miri           tests of the bit code under Miri, where a nightly Rust has it"
	@echo "make coverage       percent of the lines of R and engine that tests run, per file; fails below COVERAGE_MIN=90"
	@echo "make site           the web site of help and articles, build/site/index.html"
	@echo "make bench          time fits and iterations beside rpart; AGAINST=<commit>: beside that commit, in turns"
	@echo "make bench-callgrind  count instructions per stage; compare with the run before or with AGAINST=<commit>"
	@echo "make bench-curves   measure the figures of the article \"How it scales\" anew; BENCH_QUICK=1 tries it"
	@echo "make bench-strength what method \"map\" finds in about two seconds on one thread, 20 seeds"
	@echo "make clean          remove everything that was built"

setup:
	@dev/tools/setup.sh

install: setup
	@dev/tools/install.sh

demo: install
	@dev/tools/demo.sh

test:
	@dev/tools/test.sh

test-rust: setup
	@dev/tools/test_rust.sh

test-r: install
	@dev/tools/test_r.sh

lint: install
	@dev/tools/lint_rust.sh
	@dev/tools/lint_r.sh

format: setup
	@dev/tools/format.sh

docs: setup
	@dev/tools/docs.sh

picture: install
	@dev/tools/picture.sh

dist: setup
	@dev/tools/dist.sh

check: dist
	@dev/tools/check.sh

check-targets: setup
	@dev/tools/check_targets.sh

fuzz:
	@dev/tools/fuzz.sh

hostile:
	@dev/tools/setup.sh chromium latex
	@dev/tools/install.sh
	@dev/tools/hostile.sh

audit: setup
	@dev/tools/audit.sh

sanitize: setup
	@dev/tools/sanitize.sh

miri: setup
	@dev/tools/miri.sh

coverage:
	@dev/tools/setup.sh covr llvm-tools
	@dev/tools/coverage.sh

site:
	@dev/tools/setup.sh pkgdown
	@dev/tools/install.sh
	@dev/tools/site.sh

bench: install
	@dev/tools/bench.sh

bench-callgrind: setup
	@dev/tools/bench_callgrind.sh

bench-curves: install
	@dev/tools/bench_curves.sh

bench-strength: setup
	@dev/tools/bench_strength.sh

clean:
	./cleanup
	rm -rf build .lib src/rust/target

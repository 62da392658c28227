# The commands of this project; `make help` lists them by the comments here. Continuous integration runs `make test CI=true`.
.DEFAULT_GOAL := help
.PHONY: help demo test setup install install-quick test-rust test-r lint format docs picture dist check check-targets fuzz hostile \
  audit sanitize miri coverage calibration site test-engines test-frameworks paper paper-setup bench bench-engines bench-peers \
  bench-posterior bench-callgrind \
  bench-curves bench-strength test-proofs clean
ENV = . dev/tools/env.sh &&
PAPER = $(ENV) export SBRL_BENCH_ROOT="$$ROOT" SBRL_DATA="$${SBRL_DATA:-$$ROOT/../shared/data}" &&

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' Makefile

demo: install ## fit tic-tac-toe, show the rules, write a report (installs what is missing)
	@$(ENV) Rscript --vanilla dev/demo/demo.R build/demo.html

test: ## all tests, lints, freshness of generated files, R CMD check; CI=true: the tests on all engines, too
	@dev/tools/test.sh $(if $(filter true,$(CI)),ci)

setup: ## install what is missing: R, Rust, pandoc, R packages (Debian, Ubuntu)
	@dev/tools/setup.sh

install: setup ## build and install into .lib, with vignettes
	@dev/tools/install.sh vignettes

install-quick: setup ## the same without building the vignettes, as before tests
	@dev/tools/install.sh

test-rust: setup ## Rust tests
	@dev/tools/test.sh rust

test-r: install-quick ## R tests; TESTS="cv plot": only these files
	@dev/tools/test.sh r

test-engines: install-quick ## sources on SQLite, PostgreSQL, MariaDB, DuckDB, Parquet and Spark (installs the engines)
	@dev/tools/engines.sh

test-frameworks: install-quick ## parsnip, mlr3, DALEX and others that are in the library FRAMEWORKS_LIB; FRAMEWORKS="mlr3": only these
	@$(ENV) Rscript --vanilla dev/tools/frameworks.R "$(FRAMEWORKS_LIB)" $(FRAMEWORKS)

lint: install-quick ## rustfmt, clippy, lintr, spelling and style of what people read
	@dev/tools/test.sh lint-rust lint-r prose

format: setup ## format the code
	@dev/tools/lint.sh format

docs: setup ## regenerate wrappers, NAMESPACE, man/, inst/AUTHORS, README.md
	@dev/tools/docs.sh

picture: install-quick ## redraw the picture in README.md (its bytes differ between machines)
	@$(ENV) Rscript --vanilla dev/tools/docs.R picture man/figures/README-rules.png

dist: setup ## source archive with all crates, build/sbrl_<version>.tar.gz
	@dev/tools/dist.sh

check: dist ## R CMD check --as-cran on that archive
	@dev/tools/check.sh

check-targets: setup ## type-check the Rust code for those of Windows and macOS that rustup has installed
	@$(ENV) for target in $$(ls "$$(rustc --print sysroot)/lib/rustlib" | grep -E 'windows-gnu$$|apple-darwin$$'); do \
	  say "cargo check for $$target"; \
	  cargo check --workspace --locked --manifest-path src/rust/Cargo.toml --target "$$target" || exit 1; done

fuzz: ## run the fuzz targets, FUZZ_SECONDS=60 each; FUZZ_TARGETS="json cuts": only these
	@dev/tools/fuzz.sh

hostile: ## hostile tests at length (20,000 calls, 100,000 files, 10,000 models), with Chromium and LaTeX
	@dev/tools/setup.sh chromium latex
	@dev/tools/install.sh
	@$(ENV) SBRL_HOSTILE=$${SBRL_HOSTILE:-20} SBRL_HOSTILE_SEED=$${HOSTILE_SEED:-1} \
	  Rscript --vanilla dev/tools/test_r.R hostile injection memory python

audit: setup ## licenses and duplicates of the crates; known security holes where their database can be reached
	@dev/tools/audit.sh

sanitize: miri ## R tests with sanitizers in the C files and debug assertions in the engine; SANITIZE_TESTS=cv: only these
	@dev/tools/sanitize.sh

# bitvec frees its words through a pointer that stacked borrows, the stricter model, do not allow.
miri: setup ## tests of the bit code (its portable path) under Miri, where a nightly Rust has it
	@$(ENV) if ! cargo +nightly miri --version > /dev/null 2>&1; then \
	  echo "skipped: no nightly toolchain with Miri (rustup +nightly component add miri rust-src)"; exit; fi; \
	  cd src/rust && MIRIFLAGS="-Zmiri-tree-borrows -Zmiri-permissive-provenance $${MIRIFLAGS:-}" \
	  cargo +nightly miri test -p sbrl-engine --lib --target-dir target/miri -- bitset

coverage: ## percent of the lines of R and engine that tests run, per file; fails below COVERAGE_MIN=90
	@dev/tools/setup.sh covr
	@dev/tools/coverage.sh

site: ## the web site of help and articles, build/site/index.html
	@dev/tools/setup.sh pkgdown
	@dev/tools/install.sh
	@$(ENV) copy_sources build/site-source && rm -rf build/site && \
	  quietly build/site.log Rscript --vanilla dev/tools/site.R build/site-source "$$ROOT/build/site" && \
	  tail -n 1 build/site.log

bench: install-quick ## time fits and iterations, with rpart for comparison; AGAINST=<commit>: with that commit too, in turns
	@dev/tools/bench.sh fits

calibration: install-quick ## is sbrl_posterior() calibrated: ranks over 200 data sets with their picture, coverage over 300
	@. dev/tools/env.sh && Rscript --vanilla dev/bench/calibration.R

bench-posterior: install-quick ## sbrl_posterior(): mixing, time, sizes; POSTERIOR="tictactoe sizes telco nursery adult": only these
	@. dev/tools/env.sh && Rscript --vanilla dev/bench/posterior.R

bench-callgrind: setup ## count instructions per stage; compare with the run before or with AGAINST=<commit>
	@dev/tools/bench.sh callgrind

bench-curves: install-quick ## measure the figures of the article "How it scales" anew; BENCH_QUICK=1 tries it
	@dev/tools/bench.sh curves

bench-strength: setup ## what method "map" finds in about two seconds on one thread, 20 seeds
	@dev/tools/bench.sh strength

test-proofs: setup ## prove the values of dev/bench/proofs.csv anew; PROOFS="tictactoe telco_30" some of them
	@dev/tools/bench.sh proofs

bench-engines: ## rows against seconds and memory on each engine, for the article "Beyond memory"; BENCH_ROWS="1e5 1e6"
	@dev/tools/setup.sh mariadb engines
	@dev/tools/install.sh
	@$(ENV) SBRL_PYTHON=$${SBRL_PYTHON:-$$ROOT/build/engines/bin/python} Rscript --vanilla dev/bench/engines.R

bench-peers: ## rule lists and other classifiers on the same folds, for the article "When is a rule list the right model?"
	@dev/tools/setup.sh peers
	@dev/tools/install.sh
	@$(PAPER) Rscript --vanilla dev/bench/peers.R

EXPERIMENTS = theorems starts lists folds leaves ablation scale candidates
paper: $(EXPERIMENTS:%=paper-%) ## the paper's experiments, for the article about them; paper-<name> for one of theorems, starts, lists, folds, leaves, ablation, scale, candidates; BENCH_QUICK=1 tries them

paper-setup:
	@dev/tools/setup.sh peers
	@dev/tools/install.sh

$(EXPERIMENTS:%=paper-%): paper-%: paper-setup
	@$(PAPER) say "Experiment: $*" && Rscript --vanilla dev/paper/$*.R

clean: ## remove everything that was built
	./cleanup
	rm -rf build .lib inst/doc src/rust/target

# Memonet. `make` lists the targets; the logic is in the commands that they call.

# The devices of devices.toml; the first one is memonet's default machine.
DEVICES := $(shell ci/devices)
ifneq ($(.SHELLSTATUS),0)
$(error devices.toml is wrong: the lines above say where)
endif
# memonet with the libraries that MPI and verbs programs load. All targets that build memonet name the same
# packages, because Cargo compiles a crate again if its features differ (`ci/shared` checks this).
ALL := --package memonet --package mpi_abi --package mpich --package verbs
BUILD := cargo build --quiet $(ALL)
# memonet for one machine, which compiles much faster: `make run`.
RUN := cargo run --quiet --package memonet --bin memonet --no-default-features --features rtl,$(firstword $(DEVICES)) --
# memonet with all machines, built on demand; FAST is optimised for simulation.
MEMONET := ci/memonet
FAST := ci/memonet --release
TEST := cargo test --quiet
# All packages but the one of Python, which `make python` builds and tests.
ALL_TESTED := --workspace --exclude memonet_python

# Runs a command for each device, with NAME in the command replaced, and stops at the first failure:
# $(call each,title,command).
each = $(foreach device,$(or $(3),$(DEVICES)),ci/timed "$(1), $(device)" $(subst NAME,$(device),$(2)) &&) true

# Devices whose netlists `make gate-level` simulates.
GATE_LEVEL := $(DEVICES)

# Amounts of work of `make soak`; for a quick trial: make soak SOAK_CYCLES=1000 SOAK_MESSAGES=300
SOAK_CYCLES := 20000000
SOAK_SEEDS = $(shell seq -s , 2 40)
SOAK_MESSAGES := 1000000
SOAK_SCHEDULES := 4000
SOAK_CASES := 10000
SOAK_LINES := 1000000
SOAK_BLOCKS := 10000000

# Mutations that each proof of `make prove` must refute: all, or this number. `make ci` tries one of each.
MUTATIONS :=

.DEFAULT_GOAL := help
.PHONY: help setup slow faults mpi install dist dist-test run test quick check lint prove mutants gate-level second-opinion coverage synth timing figures tables json diagrams docs bench count waves tap-demo suci-demo cocotb python mpi4py rsmpi reference mpi-suites first-use docs-check studio distributed verbs verbs-guest ci soak clean

help: ## Show this list.
	@echo "Memonet simulates published network interfaces cycle by cycle. Targets:"
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## Install missing tools as root, or print the command to type.
	@ci/install

run: setup ## Run the main job of the default machine in lockstep: latency breakdown, fingerprint, waveforms.
	@ci/timed "make run" $(RUN) run --waves waveforms/out

mpi: ## Build memonet with the libraries of `memonet mpicc`, `memonet mpirun` and `memonet verbs`.
	@ci/timed "make mpi" $(BUILD)

# Folder of programs, libraries and headers: make install PREFIX=$$HOME/.local
PREFIX := /usr/local

# Release build for `make install` and `make dist`.
.PHONY: release
release:
	@ci/timed "release build" cargo build --release --quiet $(ALL)

install: release ## Install programs, libraries, headers, manual and completions in PREFIX.
	@ci/layout "$(DESTDIR)$(PREFIX)"

dist: release ## Build an archive that runs on a minimal Debian 12: target/dist.
	@ci/timed "make dist" ci/dist

dist-test: dist ## Test the archive on a minimal Debian 12 in target/chroot; needs root and debootstrap.
	@ci/timed "make dist-test" ci/dist-test

# `make test DEVICE=NAME` or `make test BLOCK=status_write_unit` builds only one device or block.
test: ## Run all tests, including lockstep of model and RTL; DEVICE=NAME or BLOCK=NAME: only its tests.
	@ci/install test
ifdef BLOCK
	@ci/timed "make test, $(BLOCK)" ci/test --block $(BLOCK)
else ifdef DEVICE
	@ci/timed "make test, $(DEVICE)" ci/test --device $(DEVICE)
else
	@ci/timed "make test, build" $(TEST) $(ALL_TESTED) --lib --bins --tests --no-run
	@ci/timed "make test" ci/test-all $(ALL_TESTED) --lib --bins --tests
endif

# memonet's tests that take minutes: all in a release build, or those named in SLOW in the build of
# `make test`.
SLOW :=

slow: ## Run the tests that take minutes: whole publications and long runs.
ifdef SLOW
	@ci/timed "make slow" ci/test-all --only memonet $(ALL_TESTED) --lib --bins --tests -- --ignored $(SLOW) --skip fit_to
else
	@ci/timed "make slow" $(TEST) --release --package memonet --bins --tests -- --ignored --skip fit_to
endif

# Each fault is in a copy of a block.
faults: ## Check that lockstep or an assertion detects deliberate faults in blocks.
	@ci/timed "make faults" $(TEST) $(foreach device,$(DEVICES),--package testbench_$(device) \
	  --features testbench_$(device)/faults) --test faults

quick: ## Check changed files before a commit: format, lints, links, generated files, twins, wording.
	@ci/quick

check: check-rust check-files lint ## Check format, lints of Rust and RTL, links, binary files, licences and advisories.

# Parts of `make check`, which `make ci` runs next to others.
.PHONY: check-rust check-files
check-rust:
	@ci/timed "cargo fmt" cargo fmt --all --check
	@ci/timed "cargo clippy" cargo clippy --workspace --all-targets --quiet -- -D warnings
	@RUSTDOCFLAGS="-D warnings" ci/timed "cargo doc" cargo doc --workspace --no-deps --quiet

check-files:
	@ci/links
	@ci/binaries
	@ci/devices --check
	@ci/prose --check
	@ci/house --check
	@ci/shared
	@ci/deny

lint: ## Lint the RTL with Verilator, Yosys and slang.
	@ci/install check
	@ci/timed "make lint" ci/lint

prove: setup ## Prove properties of the RTL: transitions, packets, FIFOs, statuses.
	@ci/install prove
	@$(call each,make prove,$(MEMONET) prove --machine NAME $(MUTATIONS:%=--mutations %))

coverage: setup ## Measure the RTL lines that tests reach; writes docs/figures.
	@rm -rf target/coverage/points
	@$(foreach device,$(DEVICES),mkdir -p target/coverage/points/$(device) && \
	  SEED=1,2,3 MEMONET_COVERAGE=$(CURDIR)/target/coverage/points/$(device) ci/timed "make coverage, $(device)" \
	  cargo test --quiet --target-dir target/coverage --package testbench_$(device) --features testbench_$(device)/coverage && \
	  $(MEMONET) coverage target/coverage/points/$(device) --machine $(device) --output docs/figures/$(device)_coverage.md &&) true

synth: setup ## Estimate hardware costs and compare with published ones; takes minutes, writes docs/figures.
	@ci/install check
	@$(call each,make synth,$(MEMONET) synth --machine NAME --output docs/figures/NAME_synthesis.md)

# Modules of the first device to time; empty: all modules of all devices.
MODULES :=

timing: setup ## Measure clock frequencies after place and route; takes about an hour, writes docs/figures.
ifdef MODULES
	@if ci/install timing; then ci/timed "make timing" $(MEMONET) timing $(MODULES:%=--only %); \
	  else echo "make timing: nextpnr is not installed, so no module is timed"; fi
else
	@ci/install timing
	-@$(foreach device,$(DEVICES),ci/timed "make timing, $(device)" \
	  $(MEMONET) timing --machine $(device) --output docs/figures/$(device)_timing.md;)
endif

figures: ## Reproduce the published evaluations; writes docs/fidelity and docs/figures.
	@{ ci/devices figures && echo "--paper suci" && echo "--predict docs/fidelity/blind.toml"; } | while read -r options; do \
	  eval ci/timed \"make figures, $$options\" $(FAST) figures $$options --output docs < /dev/null || exit 1; done

tables: ## Generate files from the tables: packages, file lists, register pages, C headers, SystemRDL, MPI and Suci headers.
	@$(foreach package,$(DEVICES) mpi_abi suci_c,cargo run --quiet --package $(package) --example tables &&) true

json: setup ## Generate docs/json.md: the keys of all reports, with examples.
	$(MEMONET) schema --page docs/json.md

diagrams: ## Draw outdated state diagrams for docs/diagrams.
	@ci/install diagrams
	@$(MEMONET) diagrams

docs: ## Build the documentation as a book with search: target/docs/book.
	@ci/install docs
	@ci/links
	@ci/timed "make docs" ci/docs

bench: setup ## Measure the speed of model, RTL and lockstep on the same stimulus.
	@ci/timed "make bench" $(FAST) bench

count: ## Count instructions of cycles and messages by valgrind; fails if they grew since docs/figures/counts.tsv.
	@$(BUILD)
	@-ci/install count
	@ci/timed "make count" ci/count

waves: setup ## Record waveforms of the main job for GTKWave.
	@$(MEMONET) wave

tap-demo: ## Send ping and TCP of this computer through modelled cards, together with PM; needs root.
	@ci/install tap
	@$(BUILD)
	@ci/timed "make tap-demo" ci/tap-demo

suci-demo: ## Transfer a file over Suci between network namespaces that lose packets; needs root.
	@cargo build --release --quiet --package suci --example copy
	@ci/timed "make suci-demo" ci/suci-demo

cocotb: ## Test a block of the RTL from Python with cocotb.
	@ci/install cocotb
	@ci/timed "make cocotb" ci/cocotb

python: ## Build the Python package as a wheel, install it into a fresh environment and run its tests.
	@-ci/install python
	@$(BUILD)
	@ci/timed "make python" ci/python

mpi4py: ## Run Python MPI programs (mpi4py of PyPI) and compare the fingerprints of two runs.
	@$(BUILD)
	@-ci/install mpi4py
	@ci/timed "make mpi4py" ci/mpi4py

rsmpi: ## Run Rust MPI programs (crate `mpi`) and compare the fingerprints of two runs.
	@$(BUILD)
	@-ci/install rsmpi
	@ci/timed "make rsmpi" ci/rsmpi

reference: ## Compare outputs of MPI programs under MPICH and under memonet.
	@$(BUILD)
	@-ci/install reference
	@ci/timed "make reference" ci/reference

# `--sample` or `--only NAME`; empty: all tests of others, and the page of what passed.
SUITES :=

mpi-suites: ## Run the tests of MPICH and mpi4py; takes an hour, writes docs/figures/mpi_suites.md.
	@$(BUILD)
	@-ci/install suites
	@ci/timed "make mpi-suites" ci/mpi-suites $(SUITES)

studio: ## Test the page of memonet studio in a headless Chromium: views, tours, break points.
	@$(BUILD)
	@-ci/install studio
	@ci/timed "make studio" ci/studio

# `--sample`; empty: all programs, and the page of what passed.
VERBS :=

verbs: ## Run verbs programs as installed, MPI libraries too, and the tests of rdma-core; writes docs/figures/verbs.md.
	@$(BUILD)
	@-ci/install verbs
	@ci/timed "make verbs" ci/verbs $(VERBS)

distributed: ## Test clusters distributed over Open MPI processes: fingerprints, lost processes.
	@ci/install distributed
	@ci/timed "make distributed" cargo test --package cluster --features distributed --test distributed --quiet
	@ci/timed "make distributed, memonet" cargo test --package memonet --no-default-features --features distributed --test processes --quiet

verbs-guest: ## Test shared memory over Linux's RDMA over Ethernet in a QEMU guest.
	@ci/install verbs-guest
	@ci/timed "make verbs-guest" ci/verbs-guest

first-use: setup ## Run regression tests for problems reported by first-time users.
	@$(BUILD)
	@ci/timed "make first-use" ci/first-use

# `--sample`, `--write`, pages; empty: all blocks.
DOCS :=

docs-check: ## Replay the commands that README.md and docs show; fails if an output differs from the page.
	@ci/docs-check --self-test
	@$(BUILD)
	@ci/timed "make docs-check" ci/docs-check $(DOCS)

# Durations of the parts of `make ci`; `ci/where target/times` prints the table again.
TIMES := $(CURDIR)/target/times

# `make ci` uses the memonet that `make test` built, and samples slow work: one block and the netlist of this
# device.
SAMPLE := $(word 2,$(DEVICES))

# Parts with programs that use one processor each, or wait; two of these parts run at the same time. The longest ones
# come first.
CI_IN_PAIRS := check-rust count mpi-suites slow prove python studio first-use rsmpi timing lint verbs docs-check \
  check-files reference mutants gate-level mpi4py

ci: ## Run continuous integration: run, test, faults, check, prove, first-use, count, mpi4py, rsmpi, reference, studio, python; samples of slow, timing, mutants, gate-level, mpi-suites, verbs, docs-check.
	@mkdir -p target && rm -f $(TIMES)
	@MEMONET_TIMES=$(TIMES) MEMONET_LONGEST=1800 ci/timed "make ci" $(MAKE) --no-print-directory MUTATIONS=1 LIBRARIES=mpi_de MODULES="lh_buffer amt_address_table" SLOW="sampled_rows band_of integer_sort megabyte new_block programs_run" BLOCKS=sender BLOCKS_OF=$(SAMPLE) GATE_LEVEL=$(SAMPLE) INSTANTS=5000 MEMONET=target/debug/memonet BUILD=true SUITES=--sample VERBS=--sample DOCS=--sample \
	  run test faults ci-in-pairs; \
	  status=$$?; ci/where $(TIMES); exit $$status

.PHONY: ci-in-pairs
ci-in-pairs:
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target $(CI_IN_PAIRS)

# Blocks of BLOCKS_OF to mutate; empty: all blocks of all devices.
BLOCKS :=
# Packages without RTL to mutate.
LIBRARIES := ethernet fagus mpi mpi_abi mpi_de pm processes suci

mutants: setup ## Test all devices and libraries with mutants; takes hours, can be resumed, writes docs/figures.
ifdef BLOCKS
	@ci/timed "make mutants" $(MEMONET) mutants --machine $(BLOCKS_OF) $(BLOCKS:%=--only %) --kind twin --sample 8
	@$(foreach library,$(LIBRARIES),ci/timed "make mutants, $(library)" \
	  $(MEMONET) mutants --package $(library) --sample 8 &&) true
else
	-@$(foreach device,$(DEVICES),ci/timed "make mutants, $(device)" \
	  $(MEMONET) mutants --machine $(device) --output docs/figures/$(device)_mutants.md;)
	-@$(foreach library,$(LIBRARIES),ci/timed "make mutants, $(library)" \
	  $(MEMONET) mutants --package $(library) --output docs/figures/$(library)_mutants.md;)
endif

gate-level: setup ## Compare the netlists of all devices with the models in a four-valued simulator.
	@ci/install gate-level
	@$(call each,make gate-level,$(MEMONET) gate-level --machine NAME $(INSTANTS:%=--instants %),$(GATE_LEVEL))

# Former name of gate-level.
second-opinion: gate-level

soak: setup ## Run the tests that are too long for make ci; takes hours, writes docs/figures.
	@$(call each,soak: lockstep,$(FAST) lockstep --machine NAME --cycles $(SOAK_CYCLES))
	@SEED=$(SOAK_SEEDS) ci/timed "soak: testbench, other seeds" $(TEST) --release $(foreach device,$(DEVICES),--package testbench_$(device))
	@RECOVERY_MESSAGES=$(SOAK_MESSAGES) FAULT_SCHEDULES=$(SOAK_SCHEDULES) ci/timed "soak: link faults" \
	  $(TEST) --release $(DEVICES:%=--package %_machine) -- recovery faults --nocapture
	@PROPTEST_CASES=$(SOAK_CASES) FUZZ_CASES=$(SOAK_CASES) ci/timed "soak: random programs and packets" $(TEST) --release \
	  $(addprefix --package ,$(filter-out testbench_% checker,$(sort $(foreach device,$(DEVICES),$(shell ci/devices packages $(device))))))
	@DSH_FUZZ_LINES=$(SOAK_LINES) ci/timed "soak: dsh, random lines" $(TEST) --release --package dsh random_lines
	@SUCI_BLOCKS=$(SOAK_BLOCKS) ci/timed "soak: Suci over bad wires" $(TEST) --release --package suci soak -- --nocapture
	@ci/timed "soak: large worlds of Suci" $(TEST) --release --package checker larger_worlds -- --ignored --nocapture
	@ci/timed "soak: slow tests" $(MAKE) --no-print-directory slow
	@ci/timed "soak: fits" $(TEST) --release --package memonet --test memonet -- --ignored fit_to
	@ci/timed "soak: proofs, all faults" $(MAKE) --no-print-directory prove
	@ci/timed "soak: cocotb" $(MAKE) --no-print-directory cocotb
	@ci/timed "soak: speed of waveforms" $(TEST) --release --package waveform speed -- --ignored --nocapture
	@ci/timed "soak: commands of the documentation" $(MAKE) --no-print-directory docs-check
	@$(call each,soak: speed,$(FAST) bench --machine NAME)
	@ci/timed "soak: speed, MPI" $(FAST) bench --mpi
	@ci/timed "soak: much of MPI" ci/large target/release/memonet
	@ci/timed "soak: coverage" $(MAKE) --no-print-directory coverage
	@if command -v yosys >/dev/null; then ci/timed "soak: synthesis" $(MAKE) --no-print-directory synth; \
	  else echo "soak: no synthesis, because yosys is missing; ci/install check installs it"; fi

clean: ## Remove the build.
	cargo clean

# Memonet. `make` lists what there is to make; the logic is in the commands it calls.

# devices.toml lists them; the first one is the default machine of memonet.
DEVICES := $(shell ci/devices)
ifneq ($(.SHELLSTATUS),0)
$(error devices.toml is wrong: the lines above say where)
endif
# memonet with the libraries that MPI and verbs programs load. Every target that builds memonet names the same
# packages, because Cargo compiles a crate again where their features differ (`ci/shared` checks it).
ALL := --package memonet --package mpi_abi --package mpich --package verbs
BUILD := cargo build --quiet $(ALL)
# memonet for one machine compiles in a fraction of the time: `make run`.
RUN := cargo run --quiet --package memonet --bin memonet --no-default-features --features rtl,$(firstword $(DEVICES)) --
# memonet with all machines, built on demand; FAST is optimised for simulation.
MEMONET := ci/memonet
FAST := ci/memonet --release
TEST := cargo test --quiet

# Runs a command for each device, NAME in the command, and stops at the first that fails: $(call each,title,command).
each = $(foreach device,$(or $(3),$(DEVICES)),ci/timed "$(1), $(device)" $(subst NAME,$(device),$(2)) &&) true

# Devices whose netlists `make gate-level` simulates.
GATE_LEVEL := $(DEVICES)

# Amounts of `make soak`; smaller ones try it out: make soak SOAK_CYCLES=1000 SOAK_MESSAGES=300
SOAK_CYCLES := 20000000
SOAK_SEEDS = $(shell seq -s , 2 40)
SOAK_MESSAGES := 1000000
SOAK_SCHEDULES := 4000
SOAK_CASES := 10000
SOAK_LINES := 1000000
SOAK_BLOCKS := 10000000

# Mutants that each proof of `make prove` must refute: all, or this number of each. `make ci` tries one of each.
MUTATIONS :=

.DEFAULT_GOAL := help
.PHONY: help setup slow faults mpi install dist dist-test run test quick check lint prove mutants gate-level second-opinion coverage synth timing figures tables json diagrams docs bench waves tap-demo suci-demo cocotb mpi4py rsmpi reference strangers distributed verbs-guest ci soak clean

help: ## Show this list.
	@echo "Memonet: published network interfaces as machines that run. Targets:"
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## Install what is missing (as root), or say what to type.
	@ci/install

run: setup ## The main job on the default machine, in lockstep: latency breakdown, fingerprint, waveforms.
	@ci/timed "make run" $(RUN) run --waves waveforms/out

mpi: ## memonet with the libraries of its ranks, for `memonet mpicc` and `memonet mpirun`, and of `memonet verbs`.
	@ci/timed "make mpi" $(BUILD)

# Where programs, libraries and headers go: make install PREFIX=$$HOME/.local
PREFIX := /usr/local

# What is built for speed, for `make install` and `make dist`.
.PHONY: release
release:
	@ci/timed "release build" cargo build --release --quiet $(ALL)

install: release ## Programs, libraries, headers, manual and completions below PREFIX.
	@ci/layout "$(DESTDIR)$(PREFIX)"

dist: release ## The same as an archive that runs on a bare Debian 12: target/dist.
	@ci/timed "make dist" ci/dist

dist-test: dist ## The archive on a bare Debian 12, made by debootstrap below target/chroot; as root.
	@ci/timed "make dist-test" ci/dist-test

# Tests of one device (make test DEVICE=NAME) or of one block (make test BLOCK=status_write_unit) build that alone.
test: ## All tests, lockstep of model and RTL included; DEVICE=NAME or BLOCK=NAME: what judges it and nothing else.
	@ci/install test
ifdef BLOCK
	@ci/timed "make test, $(BLOCK)" ci/test --block $(BLOCK)
else ifdef DEVICE
	@ci/timed "make test, $(DEVICE)" ci/test --device $(DEVICE)
else
	@ci/timed "make test, build" $(TEST) --workspace --lib --bins --tests --no-run
	@ci/timed "make test" $(TEST) --workspace --lib --bins --tests
endif

# Tests of memonet that take minutes: all of them on a build for speed, or those named in SLOW on that of `make test`.
SLOW :=

slow: ## Whole papers and long runs of memonet: tests that make test leaves out.
	@ci/timed "make slow" $(TEST) $(if $(SLOW),,--release) --package memonet --bins --tests -- --ignored $(SLOW) --skip fit_to

# Blocks with deliberate faults, which lockstep or an assertion finds.
faults: ## Blocks with deliberate faults: lockstep or an assertion finds each.
	@ci/timed "make faults" $(TEST) $(foreach device,$(DEVICES),--package testbench_$(device) \
	  --features testbench_$(device)/faults) --test faults

quick: ## The check before each commit, of what has changed: format, lints, links, generated files, twins, wording.
	@ci/quick

check: ## Format, lints of Rust and RTL, links of the documentation, large binary files, licences and advisories of what Memonet depends on.
	@ci/install check
	@ci/timed "cargo fmt" cargo fmt --all --check
	@ci/timed "cargo clippy" cargo clippy --workspace --all-targets --quiet -- -D warnings
	@RUSTDOCFLAGS="-D warnings" ci/timed "cargo doc" cargo doc --workspace --no-deps --quiet
	@ci/links
	@ci/binaries
	@ci/shared
	@ci/timed "Verilator, Yosys and slang" ci/lint
	@ci/deny

lint: ## Verilator, Yosys and slang on the RTL.
	@ci/install check
	@ci/lint

prove: setup ## Theorems about the RTL: arcs, packets, FIFOs, statuses.
	@ci/install prove
	@$(call each,make prove,$(MEMONET) prove --machine NAME $(MUTATIONS:%=--mutations %))

coverage: setup ## Lines of the RTL that the testbench reaches; writes docs/figures.
	@rm -rf target/coverage/points
	@$(foreach device,$(DEVICES),mkdir -p target/coverage/points/$(device) && \
	  SEED=1,2,3 MEMONET_COVERAGE=$(CURDIR)/target/coverage/points/$(device) ci/timed "make coverage, $(device)" \
	  cargo test --quiet --target-dir target/coverage --package testbench_$(device) --features testbench_$(device)/coverage && \
	  $(MEMONET) coverage target/coverage/points/$(device) --machine $(device) --output docs/figures/$(device)_coverage.md &&) true

synth: setup ## Hardware cost compared with the published one; takes minutes, writes docs/figures.
	@ci/install check
	@$(call each,make synth,$(MEMONET) synth --machine NAME --output docs/figures/NAME_synthesis.md)

# Modules of the first device to be timed; none: all modules of all devices.
MODULES :=

timing: setup ## Clocks that the RTL reaches after place and route; takes most of an hour, writes docs/figures.
ifdef MODULES
	@if ci/install timing; then ci/timed "make timing" $(MEMONET) timing $(MODULES:%=--only %); \
	  else echo "make timing: nextpnr is not installed, so no module is timed"; fi
else
	@ci/install timing
	-@$(foreach device,$(DEVICES),ci/timed "make timing, $(device)" \
	  $(MEMONET) timing --machine $(device) --output docs/figures/$(device)_timing.md;)
endif

figures: ## Reproduce the published evaluations; writes docs/fidelity and docs/figures.
	@{ ci/devices figures && echo "--paper suci"; } | while read -r options; do \
	  eval ci/timed \"make figures, $$options\" $(FAST) figures $$options --output docs < /dev/null || exit 1; done

tables: ## Write the files that are generated from tables: packages, file lists, register pages, C headers, SystemRDL, mpi.h, mpif.h, mpi.f90, suci.h.
	@$(foreach package,$(DEVICES) mpi_abi suci_c,cargo run --quiet --package $(package) --example tables &&) true

json: setup ## Write docs/json.md: what the documents of --json hold, with examples.
	$(MEMONET) schema --page docs/json.md

diagrams: ## Draw the state machines for docs/diagrams; a test says when.
	@ci/install diagrams
	@$(MEMONET) diagrams

docs: ## The documentation as a book, with search: target/docs/book.
	@ci/install docs
	@ci/links
	@ci/timed "make docs" ci/docs

bench: setup ## Model, RTL and lockstep on the same stimulus, in one run.
	@ci/timed "make bench" $(FAST) bench

waves: setup ## Waveforms of the main job, for GTKWave.
	@$(MEMONET) wave

tap-demo: ## ping and TCP of this machine through modelled cards, beside PM; as root.
	@ci/install tap
	@$(BUILD)
	@ci/timed "make tap-demo" ci/tap-demo

suci-demo: ## A file over Suci between two network namespaces that lose packets; as root.
	@cargo build --release --quiet --package suci --example copy
	@ci/timed "make suci-demo" ci/suci-demo

cocotb: ## A block of the RTL driven from Python, by cocotb.
	@ci/install cocotb
	@ci/timed "make cocotb" ci/cocotb

mpi4py: ## Python programs of MPI, by the wheel of PyPI: they run, and twice is once.
	@$(BUILD)
	@-ci/install mpi4py
	@ci/timed "make mpi4py" ci/mpi4py

rsmpi: ## Rust programs of MPI, by the crate `mpi` of crates.io: they run, and twice is once.
	@$(BUILD)
	@-ci/install rsmpi
	@ci/timed "make rsmpi" ci/rsmpi

reference: ## The same programs of MPI under MPICH and under memonet print the same.
	@$(BUILD)
	@-ci/install reference
	@ci/timed "make reference" ci/reference

distributed: ## Clusters over processes of Open MPI: the same fingerprints, and what happens when one is lost.
	@ci/install distributed
	@ci/timed "make distributed" cargo test --package cluster --features distributed --test distributed --quiet
	@ci/timed "make distributed, memonet" cargo test --package memonet --no-default-features --features distributed --test processes --quiet

verbs-guest: ## Shared memory over real verbs: Linux's own RDMA over Ethernet, in a guest of QEMU.
	@ci/install verbs-guest
	@ci/timed "make verbs-guest" ci/verbs-guest

strangers: setup ## What strangers stumbled over, once: each case passes or fails.
	@$(BUILD)
	@ci/timed "make strangers" ci/strangers

# How long each part of `make ci` took; `ci/where target/times` prints the table again.
TIMES := $(CURDIR)/target/times

# `make ci` runs the memonet that `make test` built. Slow work is sampled: one block of this device, its netlist.
SAMPLE := $(word 2,$(DEVICES))

ci: ## What continuous integration runs: make run, make test, make faults, make check, make prove, make strangers, make mpi4py, make rsmpi, make reference; six tests of make slow, two modules of make timing, one block of make mutants, one device of make gate-level.
	@mkdir -p target && rm -f $(TIMES)
	@MEMONET_TIMES=$(TIMES) ci/timed "make ci" $(MAKE) --no-print-directory MUTATIONS=1 MODULES="lh_buffer amt_address_table" SLOW="rows_are band_of benchmark_of megabyte new_block programs_run_on_rtl" BLOCKS=sender BLOCKS_OF=$(SAMPLE) GATE_LEVEL=$(SAMPLE) INSTANTS=5000 MEMONET=target/debug/memonet BUILD=true \
	  run test faults slow check prove mutants gate-level strangers mpi4py rsmpi reference timing; \
	  status=$$?; ci/where $(TIMES); exit $$status

# Blocks of BLOCKS_OF whose mutants are tried; none: all blocks of all devices.
BLOCKS :=

mutants: setup ## Mutants of all devices, and which test finds each; takes hours, resumes, writes docs/figures.
ifdef BLOCKS
	@ci/timed "make mutants" $(MEMONET) mutants --machine $(BLOCKS_OF) $(BLOCKS:%=--only %) --kind twin --sample 8
else
	-@$(foreach device,$(DEVICES),ci/timed "make mutants, $(device)" \
	  $(MEMONET) mutants --machine $(device) --output docs/figures/$(device)_mutants.md;)
endif

gate-level: setup ## The netlists of all devices in a second simulator, with unknown values, compared with the model.
	@ci/install gate-level
	@$(call each,make gate-level,$(MEMONET) gate-level --machine NAME $(INSTANTS:%=--instants %),$(GATE_LEVEL))

# Its former name.
second-opinion: gate-level

soak: setup ## What is too long for make ci: hours. Writes docs/figures, as make coverage and make synth do.
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
	@$(call each,soak: speed,$(FAST) bench --machine NAME)
	@ci/timed "soak: speed, MPI" $(FAST) bench --mpi
	@ci/timed "soak: much of MPI" ci/large target/release/memonet
	@ci/timed "soak: coverage" $(MAKE) --no-print-directory coverage
	@if command -v yosys >/dev/null; then ci/timed "soak: synthesis" $(MAKE) --no-print-directory synth; \
	  else echo "soak: no synthesis, because there is no yosys; ci/install check gets it"; fi

clean: ## Remove what was built.
	cargo clean

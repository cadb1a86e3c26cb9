# The front door: `make` alone lists what there is.

BUILD ?= build
JOBS ?= $(shell nproc)
SEED ?= 1
NODE_MODULES := packages/worker/node_modules/.package-lock.json packages/types/node_modules/.package-lock.json

.DEFAULT_GOAL := help
.PHONY: help setup packages build test lint format bench simulate demo deep tidy clean check-tools
.DELETE_ON_ERROR:
# Each step stands on the one before; what can run side by side does so inside it.
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

help: ## List the targets
	@printf 'Usage: make <target> [BUILD=%s] [JOBS=%s]\n\n' '$(BUILD)' '$(JOBS)'
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' Makefile

setup: packages $(NODE_MODULES) ## Install what is missing (apt-get, as root or through sudo; npm in packages/)

packages:
	@tools/setup

# npm writes this file last, so it is newer than the lock only where the whole installation went through.
%/node_modules/.package-lock.json: %/package-lock.json
	@echo 'npm ci in $*'
	@cd $* && npm ci --no-audit --no-fund || \
	  { echo 'make: npm ci failed in $* (above); the network, or the npm registry that is configured?' >&2; exit 1; }
	@touch $@

check-tools:
	@for tool in clang++-19 ld.lld-19 cmake ninja node npm; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing; run 'make setup'" >&2; exit 1; }; \
	done

build: check-tools $(NODE_MODULES) ## Build the program: build/toa
	@echo 'configuring $(BUILD)/ with clang 19 and ninja'
	@cmake --preset default -B $(BUILD) --log-level=WARNING >/dev/null || \
	  { echo 'make: cmake could not configure $(BUILD)/ (above). Something missing: make setup. A stale folder: make clean' >&2; exit 1; }
	@echo 'building with $(JOBS) jobs'
	@cmake --build $(BUILD) --parallel $(JOBS) || \
	  { echo 'make: the build failed; the first error above is the one to read' >&2; exit 1; }
	@test -x $(BUILD)/toa || { echo 'make: the build left no $(BUILD)/toa' >&2; exit 1; }
	@echo 'built $(BUILD)/toa'

test: setup build ## Build, then run every test
	@tools/tests $(BUILD) $(JOBS)

lint: check-tools ## Check format, layers, headers, scripts, links and error pages
	@tools/lint $(JOBS)

format: ## Format the C++ sources in place
	@tools/format --write

bench: build bench/yardstick/node_modules/.package-lock.json ## Run the benchmarks, which print ratios within one run
	@tools/bench $(BUILD)

simulate: build ## Play 100,000 seeds of the simulation (SEED=<first> to begin elsewhere)
	@$(BUILD)/tests/simulation/toa_simulation --seed $(SEED) --seeds 100000 --jobs $(JOBS)

demo: setup build ## Run the example shop and send the same credit twice
	@examples/shop/demo $(BUILD)/toa

deep: setup ## Everything slow: sanitizer builds with their tests, fuzzers, then clang-tidy
	@for kind in asan tsan; do \
	  echo "building build-$$kind/"; \
	  cmake --preset $$kind --log-level=WARNING >/dev/null && cmake --build build-$$kind --parallel $(JOBS) && \
	  tools/tests build-$$kind $(JOBS) || { echo "make: failed under $$kind (above)" >&2; exit 1; }; \
	done
	@echo 'building build-fuzz/'
	@cmake --preset fuzz --log-level=WARNING >/dev/null && cmake --build --preset fuzz --parallel $(JOBS) && \
	  tools/fuzz build-fuzz || { echo 'make: failed under fuzz (above)' >&2; exit 1; }
	@$(MAKE) tidy

tidy: build
	@tools/tidy $(BUILD) $(JOBS)

clean: ## Remove what was built (build*/ folders); dependencies stay
	@rm -rf $(BUILD) build-asan build-tsan build-fuzz build-debug packages/*/dist
	@echo 'removed build folders'

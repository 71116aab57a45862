# Everything a fresh machine needs is installed into .venv by the targets that need it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help demo test check bench accuracy fuzz docs golden parity browser chromium clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY) ## train a U-Net to draw digits: falling loss, then a grid of samples
	$(BIN)/meganeura train sd-unet

test: $(READY) ## the test suite, on a software GPU too where one can be installed
	@tools/software_gpu
	$(BIN)/python -m pytest -m 'not parity'

check: $(READY) ## formatting, lint and types, then the test suite
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(MAKE) test

bench: $(READY) ## time kernels and models beside NumPy, PyTorch and JAX (installs them)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m bench.ops
	$(BIN)/python -m bench.models --compile
	$(BIN)/python -m bench.memory
	$(BIN)/python -m bench.optimize
	$(BIN)/python -m bench.trace
	$(BIN)/python -m bench.busy
	$(BIN)/python tools/readme_tables.py

accuracy: $(READY) ## errors of float32 results beside PyTorch's (installs it)
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m bench.accuracy

docs: $(READY) ## the documentation site, in build/site; a warning is an error
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "to see it: $(BIN)/python -m http.server --directory build/site"

golden: $(READY) ## record the golden files anew; review the diff
	$(BIN)/python -m pytest tests/models tests/codegen tests/docs -k 'golden or shows' --update-golden -n 0

parity: $(READY) ## compare with PyTorch (installs it)
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pytest -m parity

fuzz: $(READY) ## random graphs on every device (GRAPHS=2000, MINUTES, SEED); failures in build/fuzz
	@tools/software_gpu
	$(BIN)/python -m tests.fuzz --jobs 2 --graphs $(or $(GRAPHS),2000) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

browser: $(READY) chromium ## compile all WGSL in headless Chromium (installs it, as root)
	$(BIN)/python -m pytest tests/browser -n 0

chromium:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium; } || \
		{ echo "there is no chromium on PATH, and none can be installed"; exit 1; }

clean: ## remove what the targets made
	rm -rf $(VENV) build *.egg-info

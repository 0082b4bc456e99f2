# All that is needed is make and Python 3.11 or newer. Everything else goes into .venv, from the
# lock files, which are complete: with --no-deps an older pip can't reach for a newer release of
# what an extra names (`coverage[toml]`) and stumble over its missing hash. The files named .venv/.done-* are stamps: what they stand for is done once.

PYTHON ?= python3.13 python3.12 python3.11 python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
ARGS ?=

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# Sets $python to the first of PYTHON that can make a venv, or says what is missing.
define find_python
python=; old=; \
for each in $(PYTHON); do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	if $$each -c 'import ensurepip, venv' >/dev/null 2>&1; then python=$$each; break; fi; \
	bare=$$each; \
done; \
if [ -z "$$python" ] && [ -n "$$bare" ]; then \
	echo "$$bare has no venv module. On Debian or Ubuntu: apt install $$(basename $$bare)-venv" >&2; exit 1; \
elif [ -z "$$python" ]; then \
	echo "Parlour needs Python 3.11 or newer; none of these is: $(PYTHON). (make PYTHON=/path/to/python …)" >&2; exit 1; \
fi
endef

.PHONY: help play test test-long lint format types contracts unit transcripts redis lock clean
.NOTPARALLEL:
.DEFAULT_GOAL := help

help: ## This list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | \
		while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

play: $(VENV)/.done-parlour ## Play here, at once (ARGS="…" goes to parlour play)
	@$(BIN)/parlour play $(ARGS)

test: redis lint types contracts unit ## All checks and tests, in minutes

test-long: redis $(VENV)/.done-dev ## Simulation, chaos, browser, cluster: what takes longer
	@$(BIN)/pytest -m long --collect-only -q >/dev/null 2>&1; \
	if [ $$? = 5 ]; then echo "No test is marked long yet: nothing to run."; \
	else $(BIN)/pytest -m long $(ARGS); fi

lint: $(VENV)/.done-dev ## Style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.done-dev ## Set the style right
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.done-dev ## Types, strictly
	$(BIN)/pyright

contracts: $(VENV)/.done-dev ## Who may import whom
	$(BIN)/lint-imports --no-logo

unit: $(VENV)/.done-dev ## The tests alone; every branch of core must be covered
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist worksteal --cov --cov-report= $(ARGS)
	@$(BIN)/coverage report --include='adapters/*' || [ $$? = 1 ]
	$(BIN)/coverage report --include='core/*' --fail-under=100

transcripts: $(VENV)/.done-dev ## Write the games' transcripts anew: read the diff
	REWRITE_TRANSCRIPTS=1 $(BIN)/pytest tests/test_transcripts.py

redis: # The store is tested against Debian's Redis too, next to the embedded server
	@if command -v redis-server >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && [ -f /etc/debian_version ]; then \
		echo "Installing Debian's redis-server, for the tests of the store"; \
		export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes; \
		{ apt-get update -qq && apt-get install -qq --no-install-recommends redis-server; } >/dev/null || \
		echo "That failed: the tests against Redis itself are skipped."; \
	else \
		echo "No redis-server here, and not root on Debian to install it: the tests against Redis"; \
		echo "itself are skipped, those against the embedded server run."; \
	fi

lock: ## Resolve the lock files again (ARGS=--upgrade: to the newest releases that are a week old)
	@$(find_python); scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$$python -m venv "$$scratch" && "$$scratch/bin/pip" --quiet install $(UV) && \
	compile() { \
		UV_PYTHON_DOWNLOADS=never "$$scratch/bin/uv" pip compile --quiet --no-cache --python "$$scratch/bin/python" \
			--universal --python-version 3.11 --generate-hashes --exclude-newer "7 days" --no-header $(ARGS) "$$@"; \
	} && \
	compile --group build --output-file requirements.lock pyproject.toml && \
	compile --group dev --constraints requirements.lock --output-file requirements-dev.lock pyproject.toml

# Resolves for every platform and Python at once, which pip-tools does not.
UV := uv==0.13.8

clean: ## Remove what was built, not what was played
	rm -rf $(VENV) build dist .coverage .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	find core adapters tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.done-runtime: requirements.lock
	@$(find_python); echo "Setting up .venv, once: a minute or less"; $$python -m venv --clear $(VENV)
	@$(PIP) --quiet install --no-deps --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/.done-parlour: $(VENV)/.done-runtime pyproject.toml
	@$(PIP) --quiet install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.done-dev: $(VENV)/.done-parlour requirements-dev.lock
	@echo "Adding what the tests need"
	@$(PIP) --quiet install --no-deps --require-hashes --requirement requirements-dev.lock
	@touch $@

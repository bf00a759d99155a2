.PHONY: run test test-long check demo bench soak lean setup clean
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests start many processes: each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

run: setup
	$(BIN)/python -m bot

test: setup
	$(BIN)/python -m pytest

# Everything, once: also matrices, walks, kills, browsers, every example, and with late answers what presses a button.
test-long: setup
	$(BIN)/python -m pytest -m ""

# The web pages of an example league, with the checker.
demo: setup
	$(BIN)/python -m tests.site.demo demo

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyrefly check
	$(BIN)/lint-imports
	$(BIN)/vulture
	@# Biome has a wheel for Linux on x86-64 alone; elsewhere the forge checks the JavaScript.
	@if [ -x $(BIN)/biome ]; then $(BIN)/biome ci --error-on-warnings .; fi

bench: setup
	$(BIN)/python -m tests.benchmarks

soak: setup
	$(BIN)/python -m tests.soak

# Without the practice and development parts, as a server or a container has it.
lean:
	$(PYTHON) -m venv --clear $(VENV)-lean
	$(VENV)-lean/bin/python -m pip install --quiet --constraint constraints.txt .
	cd $(VENV)-lean && bin/python -P ../tests/lean.py

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	@echo 'Setting up Fairpair. The first time this takes about a minute.'
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"Fairpair needs Python 3.11 or newer, and $(PYTHON) is %s. Try: make PYTHON=python3.12" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	@# With --use-pep517 an old pip has nothing to say about packages without wheels.
	$(BIN)/python -m pip install --quiet --use-pep517 --constraint constraints.txt --editable '.[practice,dev]' || { \
		echo 'The packages could not be installed; the lines above say why. If there is no network,' \
			'run make again once there is one.' >&2; exit 1; }
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-lean demo

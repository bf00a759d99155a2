.PHONY: run test check bench setup clean
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

run: setup
	$(BIN)/python -m bot

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m tests.benchmarks

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[practice,dev]'
	touch $@

clean:
	rm -rf $(VENV)

# Everything a newcomer runs. Each target creates what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

SAMPLE := impact data-samples/review.jsonl --policy data-samples/baseline.json \
    --candidate-policy data-samples/candidate.json --cwd /home/dev/shop --home /home/dev --platform posix

.PHONY: help install demo test lint unit bench docs reports clean

help:            ## this list
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 14

install: $(STAMP)  ## the environment in .venv

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(STAMP)     ## replay the sample log under two policies and print the report
	@$(BIN)/permission-audit $(SAMPLE)
	@mkdir -p out
	@$(BIN)/permission-audit $(SAMPLE) --format md -o out/impact.md

test: lint unit    ## ruff, mypy, import contracts and pytest

lint: $(STAMP)     ## ruff, mypy and the import contracts
	$(BIN)/ruff check audit tests docs data-samples bench
	$(BIN)/ruff format --check audit tests docs data-samples bench
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(STAMP)     ## pytest alone
	$(BIN)/python -m pytest

bench: $(STAMP)    ## speed, side by side in one run
	$(BIN)/python bench/run.py

docs: $(STAMP)     ## write the generated pages again
	$(BIN)/python docs/generate.py

reports: $(STAMP)  ## make the reports of the sample log again
	$(BIN)/permission-audit $(SAMPLE) --format md -o reports/sample-impact.md
	$(BIN)/permission-audit $(SAMPLE) --format json -o reports/sample-impact.json
	$(BIN)/permission-audit $(SAMPLE) --format text -o reports/sample-impact.txt

clean:           ## the environment and all that was built
	rm -rf $(VENV) out build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

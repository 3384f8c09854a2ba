# Everything a newcomer runs. Each target creates what it needs.
PYTHON ?= python3
N ?= 100000
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

SAMPLE := impact data-samples/review.jsonl --policy data-samples/baseline.json \
    --candidate-policy data-samples/candidate.json --cwd /home/dev/shop --home /home/dev --platform posix

.PHONY: help install node demo test lint unit fuzz fuzz-corpus bench docs reports clean

help:            ## this list
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 14

install: $(STAMP)  ## the environment in .venv

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

node:            ## the published package and esbuild, for `package:` engines and their tests
	@if command -v npm > /dev/null; then \
	    npm ci --prefix audit/engines/package --no-audit --no-fund --loglevel=error && \
	    npm ci --prefix node --legacy-peer-deps --no-audit --no-fund --loglevel=error; \
	else echo 'npm is not installed: tests of the published package will be skipped'; fi

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

fuzz: $(STAMP)     ## N generated commands, the published package against the core
	$(BIN)/python -m tests.engines.differential $(N) $(SEED)

fuzz-corpus: $(STAMP) ## the same over the commands of CORPUS (a folder of .jsonl), under POLICIES
	$(BIN)/python -m tests.engines.differential --corpus $(CORPUS) $(POLICIES)

bench: $(STAMP)    ## speed, side by side in one run
	$(BIN)/python bench/run.py

docs: $(STAMP)     ## write the generated pages again
	$(BIN)/python docs/generate.py

reports: $(STAMP)  ## make the reports of the sample log again
	$(BIN)/permission-audit $(SAMPLE) --format md -o reports/sample-impact.md
	$(BIN)/permission-audit $(SAMPLE) --format json -o reports/sample-impact.json
	$(BIN)/permission-audit $(SAMPLE) --format text -o reports/sample-impact.txt

clean:           ## the environment and all that was built
	rm -rf $(VENV) node/node_modules audit/engines/package/node_modules out build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

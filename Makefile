# Everything runs from a fresh clone with Python ≥ 3.11, pip and make; all that is installed goes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PYTHONDONTWRITEBYTECODE = # a suite starts hundreds of processes: they must not compile everything anew

.PHONY: help setup up quick test test-all coverage mutants lint pictures openapi bench soak chaos fuzz release clean

help:  ## list what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 10

setup: $(VENV)/.ready  ## install the pinned dependencies into .venv

$(VENV)/.ready: pyproject.toml clients/python/pyproject.toml clients/terminal/pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing dependencies into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt \
		--editable clients/python --editable clients/terminal --editable '.[dev]'
	@touch $@

up: setup  ## run Stele: store, API and workers in this terminal
	@$(BIN)/stele up

lint: setup  ## ruff (style and format), mypy (strict types), bandit and pip-audit (security)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --severity-level medium --recursive games events projections replays services bench
	@$(BIN)/python -m tests.dependencies

mutants: setup  ## mutate a seeded sample of critical lines, and see which test notices; a report
	$(BIN)/python -m tests.mutants --record

QUICK := tests/games tests/rulesets tests/events tests/replays tests/golden
NOT_QUICK := tests/games/test_guide_templates.py tests/rulesets/test_searching.py tests/rulesets/test_pictures.py \
	tests/events/test_durability.py tests/replays/test_javascript.py tests/replays/test_script.py \
	tests/replays/test_sentences.py tests/replays/test_review_of_positions.py tests/replays/test_review.py

quick: setup  ## the inner loop: rules, events on an imitated store, replays; no browser, no node
	$(BIN)/pytest -n auto --dist worksteal $(QUICK) $(NOT_QUICK:%=--ignore=%) -k 'not valkey and not cluster'

test: lint $(VENV)/node/.ready  ## set up, lint, check types, run every test
	$(BIN)/pytest -n auto --dist worksteal

$(VENV)/node/.ready: $(VENV)/.ready tests/node/package-lock.json tests/node/unpack.mjs
	@echo "Installing a browser for the tests into $(VENV) …"
	@$(BIN)/python -m tests.node
	@touch $@

test-all: lint $(VENV)/node/.ready  ## every test, with the long ones that `make test` leaves out
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[release]'
	$(BIN)/pytest -n auto --dist worksteal -m ''

coverage: setup  ## which branches the tests of rules, events, projections and replays take; no threshold
	$(BIN)/coverage run --branch --source games,events,projections,replays -m pytest $(QUICK) tests/projections
	$(BIN)/coverage report --skip-covered --sort=cover

pictures: setup $(VENV)/node/.ready  ## draw the boards and views that the documentation shows
	$(BIN)/python docs/pictures/make.py
	$(BIN)/python -m docs.pictures.pages

openapi: setup $(VENV)/node/.ready  ## write docs/openapi.json, and the types of the TypeScript client from it
	$(BIN)/python -m services.api.document docs/openapi.json
	$(BIN)/python -m tests.node.types docs/openapi.json clients/typescript/src/schema.ts

fuzz: setup  ## fuzz rules, readers and the front for an hour; a report
	$(BIN)/python -m tests.fuzz --record

bench: setup  ## benchmarks, as ratios measured in one run
	$(BIN)/python -m bench

soak: setup  ## 500 games and 2,000 watchers for ten minutes: memory, open files, too much asked for; a report
	$(BIN)/python -m tests.soak --record

chaos: setup  ## break everything that can break while people play, on every kind of store; a report, many minutes
	$(BIN)/python -m tests.chaos --record

release: setup $(VENV)/node/.ready  ## build wheels, sdists, the npm package and an SBOM into dist/, and try each
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[release]'
	$(BIN)/python -m tests.release dist

clean:  ## remove everything that was installed or made
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis build
	find . \( -name __pycache__ -o -name "*.egg-info" \) -type d -prune -exec rm -rf {} +

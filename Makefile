# Two commands for a new machine: `make demo` runs the main job on real data, `make test` the tests.
# Both first make .venv from Python 3.11 (or later) and pip alone. Only `make test` and `make spark-demo`
# download Spark (400 MB), with a Java if need be.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
DEMO_FROM ?= 2013-03-04
DEMO_DAYS ?= 7
SPARK_DEMO_FROM ?= 2013-01-01
SPARK_DEMO_DAYS ?= 365
SPARK_MASTER ?= local[2]

.PHONY: setup demo demo-live spark-demo test environments bench bench-quick bench-path bench-jobs bench-spark docs clean

setup: .venv/.installed

.venv/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[demo,dev]'
	touch $@

.venv/.spark-installed: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[demo,dev,spark]'
	touch $@

demo: setup
	$(BIN)/python -m examples.flights --from $(DEMO_FROM) --days $(DEMO_DAYS)

demo-live: setup
	$(BIN)/python -m examples.flights.live

spark-demo: .venv/.spark-installed
	$(BIN)/python -m examples.flights.on_spark --master '$(SPARK_MASTER)' --from $(SPARK_DEMO_FROM) --days $(SPARK_DEMO_DAYS)

test: .venv/.spark-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses logical --maxprocesses 4 --ignore tests/test_environments.py

# Without extras, and with each: pip installs the project into environments of its own, and all commands are run there.
environments: .venv/.spark-installed
	LARS2ASP_ENVIRONMENTS=pip $(BIN)/pytest tests/test_environments.py

bench-quick: setup
	$(BIN)/python -m experiments run --quick

bench: setup
	$(BIN)/python -m experiments run
	$(BIN)/python -m experiments profile
	$(BIN)/python -m experiments figures
	$(BIN)/python -m experiments report

bench-path: setup
	$(BIN)/python -m experiments path

bench-jobs: setup
	$(BIN)/python -m experiments jobs

bench-spark: .venv/.spark-installed
	$(BIN)/python -m experiments spark

docs: setup
	$(BIN)/mkdocs build --strict

clean:
	rm -rf .venv .import_linter_cache .mypy_cache .ruff_cache .pytest_cache build

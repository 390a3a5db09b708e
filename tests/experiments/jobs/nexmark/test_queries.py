"""The queries of Nexmark: the answers of plain loops, and of DuckDB."""

import sys
from pathlib import Path

import pytest

from experiments.jobs.nexmark.loops import LOOPS
from experiments.jobs.nexmark.measure import LEAST, TEXTS, tables
from experiments.jobs.nexmark.queries import NONE, QUERIES
from experiments.jobs.part import Settings
from experiments.jobs.whole import Way, Work, compare


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_finds_what_the_loop_finds(name: str, tmp_path: Path) -> None:
    work = Work.made(name, QUERIES[name], tmp_path, LEAST, sys.executable, TEXTS)
    ways = [Way.LOOP, Way.CHANGES, Way.DUCKDB]
    for way in ways:
        assert work.run(way)
    compare(work, ways)


def test_each_query_is_a_program_or_has_a_reason() -> None:
    assert {*QUERIES} | {*NONE} == {f"q{number}" for number in range(23)}
    assert not {*QUERIES} & {*NONE}
    assert {*LOOPS} == {*QUERIES}


def test_a_query_is_measured() -> None:
    measured, reasons = tables(Settings(scale=0.01, runs=1, only="q20"))
    [row] = measured.rows
    assert len(row) == len(measured.headings)
    assert all(float(cell.replace(",", "")) >= 0 for cell in row[1:])
    assert [name for name, _ in reasons.rows] == [*NONE]

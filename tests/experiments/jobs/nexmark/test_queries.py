"""The queries of Nexmark: the answers of plain loops, and of DuckDB."""

import sys
from pathlib import Path

import pytest

from experiments.jobs.nexmark.loops import LOOPS
from experiments.jobs.nexmark.measure import LEAST, TEXTS, tables
from experiments.jobs.nexmark.queries import NONE, QUERIES
from experiments.jobs.part import Settings
from experiments.jobs.whole import Way, Work, compare, is_installed, lines_of


@pytest.mark.usefixtures("works_here")
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


def test_others_have_texts_for_all_queries() -> None:
    for way in TEXTS.modules:
        assert all(lines_of(way, name, query, TEXTS) > 0 for name, query in QUERIES.items())


@pytest.mark.parametrize("way", [Way.PATHWAY, Way.FLINK])
@pytest.mark.parametrize("name", ["q3", "q9", "q19"])
def test_others_find_what_the_loop_finds(way: Way, name: str, tmp_path: Path) -> None:
    if not is_installed(way, sys.executable):
        pytest.skip(f"{way} is not installed")
    work = Work.made(name, QUERIES[name], tmp_path, LEAST, sys.executable, TEXTS)
    assert work.run(Way.LOOP)
    assert work.run(way)
    compare(work, [way])


def test_a_query_is_measured() -> None:
    measured, others, reasons = tables(Settings(scale=0.01, runs=1, only="q20"))
    assert {"q20; plain loop", "q20; duckdb"} <= {row[0] for row in measured.rows}
    for row in measured.rows:
        assert len(row) == len(measured.headings)
        assert all(float(cell.replace(",", "")) >= 0 for cell in row[1:])
    assert {"pathway", "pyflink"} <= {name for name, _ in others.rows}
    assert [name for name, _ in reasons.rows] == [*NONE]

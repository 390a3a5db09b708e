"""Jobs beside other systems: what follows is worked out from the files."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.jobs.costs import Cost, JobCost, write
from experiments.jobs.whole import Way
from experiments.measuring.machine import Machine
from experiments.reporting.beside import Beside, by_job, conclusions, said
from experiments.reporting.job_costs import JOBS, NEXMARK, Comparison
from tests.support.measured import figures_without_command

MIB = 2**20


def job(name: str, seconds: Mapping[Way, float | None], start: float = 0.1) -> list[JobCost]:
    """A job that systems do in so many seconds."""
    return [
        JobCost(
            name, way, 1000, Cost(None, start) if one is None else Cost(one, start, one, MIB), 10 + number
        )
        for number, (way, one) in enumerate(seconds.items())
    ]


OWN, BYTEWAX, DUCKDB, POLARS, LOOP = Way.CHANGES, Way.BYTEWAX, Way.DUCKDB, Way.POLARS, Way.LOOP
FOUND = [
    *job("alarm", {OWN: 1.0, Way.LINES: 3.0, LOOP: 0.5, BYTEWAX: 2.0, DUCKDB: 0.5, POLARS: 0.2}),
    *job("join", {OWN: 1.0, LOOP: 0.5, BYTEWAX: 3.0, DUCKDB: 0.25, POLARS: 1.05}),
    *job("closure", {OWN: 1.0, LOOP: 0.5, BYTEWAX: 0.5, DUCKDB: None}),
]


def text_of(comparison: Comparison, found: list[JobCost], folder: Path) -> str:
    write(folder, comparison.name, found, Machine.here())
    return "\n\n".join(comparison.section(folder))


def test_a_system_is_compared_job_by_job() -> None:
    bytewax = Beside.of(BYTEWAX, by_job(FOUND))
    assert bytewax.ratios == {"alarm": 2.0, "join": 3.0, "closure": 0.5}
    assert (bytewax.number, bytewax.ahead, bytewax.behind) == (3, 2, ["closure"])
    polars = Beside.of(POLARS, by_job(FOUND))
    assert (polars.number, polars.ahead, polars.behind) == (2, 0, ["alarm"])  # a twentieth more is equal
    duckdb = Beside.of(DUCKDB, by_job(FOUND))
    assert (duckdb.ended, duckdb.ahead, duckdb.behind) == (["closure"], 1, ["alarm", "join"])


def test_the_product_is_behind_where_it_alone_is_ended() -> None:
    found = job("alarm", {OWN: None, DUCKDB: 2.0, POLARS: None})
    assert Beside.of(DUCKDB, by_job(found)).behind == ["alarm"]
    polars = Beside.of(POLARS, by_job(found))
    assert (polars.number, polars.ahead) == (0, 0)
    assert "more in 1: alarm (too long)" in "".join(conclusions(by_job(found), "jobs"))


def test_starts_are_taken_off_where_more_than_noise_is_left() -> None:
    found = [*job("a", {OWN: 0.2, BYTEWAX: 0.4}), *job("b", {OWN: 0.14, BYTEWAX: 1})]
    bytewax = Beside.of(BYTEWAX, by_job(found))
    assert bytewax.nets == pytest.approx({"a": 3.0})
    text = said(bytewax, "jobs")
    assert "Without the starts it takes 3 times the time (in the one with more work than start)." in text
    bytewax = Beside.of(BYTEWAX, by_job(job("a", {OWN: 0.2, BYTEWAX: 0.11})))
    assert "Its start is 91 % of its time." in said(bytewax, "jobs")


def test_what_follows_names_who_takes_least_and_where_the_product_is_behind() -> None:
    first, *others = conclusions(by_job(FOUND), "jobs")
    assert first == (
        "Least CPU time, without the loop: polars in 1, DuckDB in 1 and bytewax in 1 of 3 jobs. "
        "For one question over a whole file, DuckDB and polars cost less in the median."
    )
    [bytewax] = [one for one in others if one.startswith("**bytewax**")]
    assert "takes in the median 2 times (0.5 to 3) the CPU time of lars2asp" in bytewax
    assert "less in 2 of 3 jobs, more in 1: closure (2 times)." in bytewax
    [duckdb] = [one for one in others if one.startswith("**DuckDB**")]
    assert "more in 2: join (4 times) and alarm (2 times)." in duckdb
    assert "takes too long for closure" in duckdb


def test_other_numbers_have_other_conclusions() -> None:
    first, *others = conclusions(by_job(job("alarm", {OWN: 0.1, DUCKDB: 0.5, POLARS: 0.2})), "jobs")
    assert "lars2asp in 1" in first
    assert "No system that takes a whole file at once costs less in the median." in first
    assert all("less in 1 of 1 jobs, more in none." in one for one in others)


def test_a_section_has_all_parts(tmp_path: Path) -> None:
    text = text_of(JOBS, FOUND, tmp_path)
    for part in ("Question", "Result", "Conclusion", "Limits"):
        assert f"**{part}" in text
    assert "| alarm | 1.00 (10) | 2.00 (13) | 0.50 (14) | 0.20 (15) | 0.50 (12) |" in text
    assert "| closure | 1.00 (10) | 0.50 (12) | too long (13) | cannot | 0.50 (11) |" in text
    assert "has no recursion" in text
    assert "MeTeoR" in text
    assert "full lines" not in text
    assert not figures_without_command(text)


def test_queries_say_which_are_none(tmp_path: Path) -> None:
    text = text_of(NEXMARK, job("q3", {OWN: 1.0, LOOP: 0.5, Way.PATHWAY: 3.0, DUCKDB: 0.25}), tmp_path)
    assert "- **q12** goes by the clock of the machine" in text
    assert "- **pathway** takes the whole file at once" in text
    assert not figures_without_command(text)


def test_without_files_there_is_no_section(tmp_path: Path) -> None:
    assert not JOBS.section(tmp_path)
    assert not NEXMARK.section(tmp_path)


def test_a_figure_bears_what_is_drawn(tmp_path: Path) -> None:
    write(tmp_path, JOBS.name, FOUND, Machine.here())
    drawn = JOBS.draw(tmp_path, tmp_path).read_text()
    before = JOBS.digest(tmp_path)
    assert before in drawn
    assert JOBS.draw(tmp_path, tmp_path).read_text() == drawn
    write(tmp_path, JOBS.name, FOUND[:-1], Machine.here())
    assert JOBS.digest(tmp_path) == before  # DuckDB was ended there, and is not drawn
    write(tmp_path, JOBS.name, FOUND[1:], Machine.here())
    assert JOBS.digest(tmp_path) != before


def test_a_system_that_failed_is_named(tmp_path: Path) -> None:
    found = [*FOUND, JobCost("alarm", Way.FLINK, 1000, Cost(None, 0.0, failed="no Java"), 12)]
    text = text_of(JOBS, found, tmp_path)
    assert "- PyFlink failed in alarm: no Java" in text
    assert "failed (12)" in text
    assert Beside.of(Way.FLINK, by_job(found)).number == 0


def test_the_number_of_runs_is_that_of_the_file(tmp_path: Path) -> None:
    assert "The file does not note the number of runs." in text_of(JOBS, FOUND, tmp_path)
    noted = [JobCost(one.job, one.system, one.rows, replace(one.cost, runs=2), one.lines) for one in FOUND]
    assert "2 to 2 runs; a system" in text_of(JOBS, noted, tmp_path)

"""A text that states other runs or sessions than its numbers have is refused."""

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.benchmark import EngineName, Measurement
from experiments.benchmarks import BENCHMARKS
from experiments.kept_results import FOLDER, read_machines
from experiments.measuring.machine import Machine
from experiments.reporting import results, site_page
from experiments.reporting.paper_table import found_claims
from experiments.reporting.provenance import faults, measured_text, runs_text
from experiments.reporting.question_sections import answered, drawn_rows, section
from experiments.reporting.questions import Question
from experiments.reporting.results import ResultRow

KEPT = {name: found for name in BENCHMARKS if (found := results.read(FOLDER, name)) is not None}
TEXT = (FOLDER.parent / "RESULTS.md").read_text(encoding="utf-8")
HERE = replace(Machine.here(), system="Linux 6.1-a", commit="abc123")


def row(runs: int, machine: Machine = HERE) -> ResultRow:
    measured = Measurement(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, runs, 10)
    return ResultRow("n=1", 1.0, "", 1, EngineName.AUTO, measured, 0, "", machine)


def part_of(text: str, heading: str) -> str:
    """The section with a heading."""
    [part] = re.findall(rf"^## {re.escape(heading)}$.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(part)


@pytest.mark.parametrize("question", answered(KEPT), ids=lambda question: question.benchmark)
def test_a_figure_states_its_runs_and_sessions(question: Question) -> None:
    shown = part_of(TEXT, question.title)
    assert not faults(shown, drawn_rows(question, KEPT[question.benchmark]))


@pytest.mark.parametrize("name", KEPT)
def test_a_benchmark_states_its_runs_and_sessions(name: str) -> None:
    shown = part_of(TEXT, f"{name}: {BENCHMARKS[name].title}")
    assert not faults(shown, [one for one in KEPT[name].rows if one.measurement is not None])


@pytest.mark.parametrize("runs", [[1, 1], [1, 3], [3, 3], [2, 5]])
def test_a_text_of_other_runs_is_refused(runs: list[int]) -> None:
    rows = [row(number) for number in runs]
    text = measured_text(rows)
    assert not faults(text, rows)
    assert faults(text, [row(4), row(4)])
    assert faults(text, [row(1), row(1), row(4)])
    assert faults("No word of it.", rows)


def test_medians_of_single_runs_are_refused() -> None:
    found = faults("Medians of runs. Single runs, one session: Linux 6.1-a; x; revision abc123.", [row(1)])
    assert found == ["it speaks of medians, but some rows have 1 runs"]


@pytest.mark.parametrize("other", [replace(HERE, system="Linux 6.1-b"), replace(HERE, commit="def456")])
def test_a_text_of_other_sessions_is_refused(other: Machine) -> None:
    one, two = [row(3)], [row(3), row(3, other)]
    assert not faults(measured_text(two), two)
    assert faults(measured_text(one), two)
    assert faults(measured_text(two), one)


def test_runs_are_stated_as_they_are() -> None:
    assert [runs_text(runs) for runs in ([1], [3, 3], [2, 2], [2, 5])] == [
        "single runs",
        "medians of 3 runs",
        "2 to 2 runs",
        "2 to 5 runs",
    ]


def test_the_numbers_of_runs_in_all_files_are_stated() -> None:
    """The file is read without the code that writes the text."""
    runs: list[str] = []
    for name in KEPT:
        with (FOLDER / f"{name}.csv").open(newline="") as file:
            runs += [one["runs"] for one in csv.DictReader(file) if one["time"]]
    [stated] = re.findall(r"have ([\d,]+) measured rows: (.*?)\. An engine", TEXT)
    assert stated[0] == f"{len(runs):,}"
    assert f"{runs.count('1'):,} are single runs" in stated[1]
    for number in {*runs} - {"1"}:
        assert f"{runs.count(number):,} are medians of {number} runs" in stated[1]


def test_claims_state_the_runs_of_their_rows() -> None:
    for found in found_claims(KEPT):
        runs = [one.measurement.runs for one in found.rows if one.measurement is not None]
        assert not runs or runs_text(runs) in found.evidence
        assert ("sessions" in found.evidence) == (len({one.machine for one in found.rows}) > 1)


def test_the_page_of_the_site_states_runs_and_revisions(tmp_path: Path) -> None:
    text = site_page.page(KEPT, FOLDER)
    assert text == site_page.PAGE.read_text(encoding="utf-8"), "python -m experiments report"
    join = next(one for one in answered(KEPT) if one.benchmark == "laser-join")
    rows = drawn_rows(join, KEPT["laser-join"])
    part = part_of(text, "Size of the window")
    assert runs_text([one.measurement.runs for one in rows if one.measurement is not None]) in part.lower()
    for one in rows:
        assert f"{one.machine.system}, revision {one.machine.commit}" in part
    for name in ("jobs", "throughput", "scale-facts"):
        [machine] = read_machines(FOLDER, name)
        assert f"{machine.system}, revision {machine.commit}" in text
    assert len(text.split()) <= 1500
    assert "## Ten jobs" not in site_page.page({}, tmp_path)


def test_a_question_is_refused_with_the_rows_of_another_session() -> None:
    [question, *_] = answered(KEPT)
    shown = "\n".join(section(question, KEPT[question.benchmark]))
    rows = drawn_rows(question, KEPT[question.benchmark])
    assert not faults(shown, rows)
    assert faults(shown, [*rows, replace(rows[0], machine=HERE)])

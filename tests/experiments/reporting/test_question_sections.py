"""experiments/RESULTS.md is that of the results, and so are its figures."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from experiments.benchmark import Measurement, Setting
from experiments.benchmarks import BENCHMARKS
from experiments.benchmarks.expectations import EVALUATIONS
from experiments.clock_counts import LAST, LENGTH
from experiments.kept_results import FOLDER
from experiments.measuring.machine import Machine
from experiments.measuring.runner import EngineResult
from experiments.reporting import lateness, reach, results, sections
from experiments.reporting.figures import ON_THE_SITE, OTHER_FOLDER, digest, folder_of
from experiments.reporting.job_costs import JOBS, NEXMARK, Comparison
from experiments.reporting.question_sections import answered, curves, draw, question_sections
from experiments.reporting.questions import QUESTIONS, Question
from experiments.reporting.report import markdown
from tests.experiments.papers.test_figures import Measurable
from tests.support.measured import figures_without_command

KEPT = {name: found for name in BENCHMARKS if (found := results.read(FOLDER, name)) is not None}
COUNTS = {EVALUATIONS: 2.0, LAST: 3.0, LENGTH: 1.0}


def made(question: Question, time: float = 5.0) -> results.Results:
    """Results of all engines on all settings, the same of each."""
    benchmark = BENCHMARKS[question.benchmark]
    measured = Measurement(time, time, time, time, time, 40.0, 3, 10, COUNTS)
    settings: list[Setting] = [*benchmark.settings(False)]
    rows = [
        EngineResult(setting, engine, measured)
        for setting in settings
        for engine in benchmark.engines
        if engine not in setting.without
    ]
    return results.of(rows, Machine.here())


def page_of(found: Mapping[str, results.Results]) -> str:
    return "\n\n".join(question_sections(found))


def test_the_file_is_that_of_the_results() -> None:
    text = (FOLDER.parent / "RESULTS.md").read_text(encoding="utf-8")
    found = markdown(BENCHMARKS, KEPT, results.read_profiles(FOLDER), FOLDER, sections.paragraphs(FOLDER))
    assert text == found, "python -m experiments report"


@pytest.mark.parametrize("question", answered(KEPT), ids=lambda question: question.benchmark)
def test_a_figure_is_that_of_the_results(question: Question) -> None:
    name = question.benchmark
    drawn = (folder_of(name) / f"{name}.svg").read_text(encoding="utf-8")
    assert digest(curves(question, KEPT[name])) in drawn, "python -m experiments report"


def test_no_other_figure_is_there() -> None:
    names = {question.benchmark for question in answered(KEPT)}
    names |= {section.name for section in sections.measured(FOLDER)}
    assert {path.stem for path in OTHER_FOLDER.iterdir()} == names - {*ON_THE_SITE}
    assert names >= {*ON_THE_SITE}


def test_the_figure_of_reach_is_that_of_the_results(tmp_path: Path) -> None:
    drawn = reach.draw(tmp_path, reach.runs(FOLDER))
    assert drawn.read_bytes() == (folder_of(reach.NAME) / drawn.name).read_bytes()


@pytest.mark.parametrize("comparison", [JOBS, NEXMARK], ids=lambda one: one.name)
def test_a_figure_of_jobs_is_that_of_the_results(comparison: Comparison) -> None:
    name = comparison.name
    if comparison.costs(FOLDER):
        drawn = (folder_of(name) / f"{name}.svg").read_text(encoding="utf-8")
        assert comparison.digest(FOLDER) in drawn, "python -m experiments report"


def test_the_figure_of_lateness_is_that_of_the_results() -> None:
    name = lateness.NAME
    if lateness.section(FOLDER):
        drawn = (folder_of(name) / f"{name}.svg").read_text(encoding="utf-8")
        assert lateness.figure_digest(FOLDER) in drawn, "python -m experiments report"


def test_sections_stand_where_there_are_files(tmp_path: Path) -> None:
    assert not sections.measured(tmp_path)
    assert not sections.paragraphs(tmp_path)


def test_what_grows_in_the_second_half_is_said(tmp_path: Path) -> None:
    rows = [f"1000,{tenth},2.0,{30 if tenth < 9 else 60}.0" for tenth in range(1, 11)]
    (tmp_path / "scale-keys.csv").write_text("\n".join(["size,tenth,us a fact,MiB", *rows]))
    (tmp_path / "scale-keys.json").write_text(json.dumps([asdict(Machine.here())]))
    text = "\n\n".join(reach.section(tmp_path))
    assert "memory grows by 100 %" in text
    assert "time grows" not in text
    assert not figures_without_command(text)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.benchmark)
def test_a_question_looks_at_settings_and_engines_of_its_benchmark(question: Question) -> None:
    benchmark = BENCHMARKS[question.benchmark]
    assert set(question.engines) <= set(benchmark.engines)
    for conclusion in question.conclusions:
        conclusion.holds(Measurable(benchmark))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.benchmark)
def test_a_question_with_results_has_a_section_and_a_figure(question: Question, tmp_path: Path) -> None:
    found = made(question)
    text = page_of({question.benchmark: found})
    assert f"## {question.title}\n" in text
    assert len(curves(question, found)) >= 1
    drawn = draw(question, found, tmp_path).read_bytes()
    assert b"<svg" in drawn
    assert draw(question, found, tmp_path).read_bytes() == drawn


def test_a_page_with_all_results_names_the_commands_of_its_figures() -> None:
    text = page_of({question.benchmark: made(question) for question in QUESTIONS})
    assert "## Not measured yet" not in text
    assert not figures_without_command(text)


def test_what_follows_is_worked_out() -> None:
    question = next(one for one in QUESTIONS if one.benchmark == "laser-join")
    same = page_of({"laser-join": made(question)})
    assert question.conclusions[0].text in same  # flat
    assert question.conclusions[1].otherwise in same  # but so is the solver


def test_a_question_without_results_is_named_as_such() -> None:
    text = page_of({})
    for question in QUESTIONS:
        assert f"- {question.title} (`python -m experiments run {question.benchmark}`)" in text
    assert "## Not measured yet" in text


def test_a_curve_has_one_session(tmp_path: Path) -> None:
    question = next(one for one in QUESTIONS if one.benchmark == "laser-join")
    one = made(question)
    other = replace(Machine.here(), commit="another")
    rows = [replace(row, machine=other) if row.setting == "n=80, 800 facts" else row for row in one.rows]
    found = curves(question, results.Results(rows))
    assert {name: len(points) for name, points in found.items() if name.startswith("lars2asp")} == {
        "lars2asp, session 1": 3,
        "lars2asp, session 2": 1,
    }
    assert draw(question, results.Results(rows), tmp_path).exists()
    assert "2 sessions, whose numbers cannot be compared" in page_of({"laser-join": results.Results(rows)})


def test_rows_with_earlier_windows_are_named() -> None:
    question = next(one for one in QUESTIONS if one.benchmark == "laser2-rules")
    found = made(question)
    longer = [replace(row, window=row.window + 1) for row in found.rows]
    text = "the windows of these rows are one tick longer than the paper's"
    assert text in page_of({"laser2-rules": results.Results(longer)})
    assert text not in page_of({"laser2-rules": found})


def test_zeros_are_drawn(tmp_path: Path) -> None:
    question = next(one for one in QUESTIONS if one.benchmark == "laser2-rules")
    found = made(question)
    rows = [
        replace(row, measurement=replace(row.measurement, counts={EVALUATIONS: 0.0}))
        for row in found.rows
        if row.measurement is not None
    ]
    assert draw(question, results.Results(rows), tmp_path).exists()

"""What is left to run of a benchmark, and that nothing is run twice."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from experiments import benchmark_work
from experiments.benchmark import Benchmark, EngineName, Measurement, Per, Setting
from experiments.benchmark_work import BenchmarkWork, duration_text
from experiments.benchmarks.streams import fresh_pairs
from experiments.measuring.machine import Machine, code_digest
from experiments.measuring.runner import DifferentError, Effort, EngineResult

MACHINE = Machine("2026-01-31", "abc", "a processor", 2, 4.0, "a system", "Python 3.11", "code")
LATER = replace(MACHINE, date="2026-02-01", commit="def")
ENGINES = (EngineName.AUTO, EngineName.LASER)


def setting(name: str) -> Setting:
    return Setting(name, 1, "q :- p in [2].", lambda: fresh_pairs(1), 1, 1, 2)


def benchmark(*names: str, engines: tuple[EngineName, ...] = ENGINES) -> Benchmark:
    return Benchmark("one", "", "", "", engines, lambda _: [*map(setting, names)], Per.TICK, "", "")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The settings that are run; that named `interrupted` is, and `different` has answers that differ."""
    done: list[str] = []

    def measured(one: Benchmark, of: Setting, *_: object) -> list[EngineResult]:
        if of.name == "interrupted":
            raise KeyboardInterrupt
        if of.name == "different":
            raise DifferentError(of.name)
        done.append(of.name)
        took = Measurement(1, 1, 1, 1, 1, 1, 1, 1)
        return [EngineResult(of, engine, took, seconds=30.0) for engine in one.engines]

    monkeypatch.setattr(benchmark_work, "measured", measured)
    return done


def work(
    folder: Path | None, of: Benchmark, counts: Callable[[Machine], bool] = LATER.is_like
) -> BenchmarkWork:
    return BenchmarkWork(of, Effort(), folder, counts)


def test_an_interrupted_run_goes_on_where_it_was(ran: list[str], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        work(tmp_path, benchmark("a", "b", "interrupted", "c")).run(MACHINE, print)
    again = work(tmp_path, benchmark("a", "b", "now not", "c"))
    assert [one.name for one in again.left] == ["now not", "c"]
    again.run(LATER, print)
    assert ran == ["a", "b", "now not", "c"]
    assert [row.setting for row in again.results.rows[::2]] == ["a", "b", "now not", "c"]
    assert again.results.machines == [MACHINE, LATER]
    assert "--anew" in duration_text([work(tmp_path, benchmark("a", "b"))])


@pytest.mark.parametrize(
    "other", [replace(MACHINE, code="x"), replace(MACHINE, processor="x"), replace(MACHINE, versions="x")]
)
def test_results_of_another_program_or_machine_do_not_count(
    other: Machine, ran: list[str], tmp_path: Path
) -> None:
    work(tmp_path, benchmark("a")).run(other, print)
    assert [one.name for one in work(tmp_path, benchmark("a", "b")).left] == ["a", "b"]
    assert [one.name for one in work(tmp_path, benchmark("a", "b"), lambda _: True).left] == ["b"]


def test_what_is_measured_can_be_measured_anew(ran: list[str], tmp_path: Path) -> None:
    for _ in range(2):
        work(tmp_path, benchmark("a"), lambda _: False).run(MACHINE, print)
    assert ran == ["a", "a"]


def test_a_setting_is_run_again_where_an_engine_is_new(ran: list[str], tmp_path: Path) -> None:
    work(tmp_path, benchmark("a")).run(MACHINE, print)
    more = benchmark("a", engines=(*ENGINES, EngineName.TICKER))
    assert [one.name for one in work(tmp_path, more).left] == ["a"]


def test_results_of_what_is_no_setting_any_more_are_dropped(ran: list[str], tmp_path: Path) -> None:
    work(tmp_path, benchmark("a", "b")).run(MACHINE, print)
    work(tmp_path, benchmark("b", "c")).run(MACHINE, print)
    kept = work(tmp_path, benchmark("a", "b", "c")).results
    assert [row.setting for row in kept.rows[::2]] == ["b", "c"]


def test_a_setting_with_different_answers_has_no_results(ran: list[str], tmp_path: Path) -> None:
    one = work(tmp_path, benchmark("different", "a"))
    assert [str(difference) for difference in one.run(MACHINE, print)] == ["different"]
    assert {row.setting for row in one.results.rows} == {"a"}


def test_it_is_said_how_long_it_takes(ran: list[str], tmp_path: Path) -> None:
    """As long as the last time where that is known; else by the number of runs."""
    assert "2 settings, about 24 s" in duration_text([work(tmp_path, benchmark("a", "b"))])  # 16 runs
    work(tmp_path, benchmark("a", "b")).run(replace(MACHINE, code="another"), print)
    said = duration_text([work(tmp_path, benchmark("a", "b", "c"))])
    assert said.startswith("3 settings, about 2 minutes")  # 2 of 60 s, and 12 s


def test_nothing_is_written_without_a_folder(ran: list[str], tmp_path: Path) -> None:
    work(None, benchmark("a")).run(MACHINE, print)
    assert ran == ["a"]
    assert not [*tmp_path.iterdir()]


def test_the_digest_of_code_changes_with_code_alone(tmp_path: Path) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir()
    (folder / "one.py").write_text("x = 1\n")
    before = code_digest(tmp_path)
    (folder / "notes.md").write_text("nothing\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "two.py").write_text("y = 1\n")
    assert code_digest(tmp_path) == before
    (folder / "one.py").write_text("x = 2\n")
    assert code_digest(tmp_path) != before

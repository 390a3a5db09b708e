"""Runs of all engines on a setting, and what they come to."""

import pytest

from experiments.benchmark import Benchmark, EngineName, Per, Setting
from experiments.benchmarks.streams import fresh_pairs
from experiments.measuring.runner import DifferentError, Effort, measured, summary
from experiments.measuring.worker import EngineRun

SETTING = Setting(
    name="n=2",
    x=2,
    program="q(A,B) :- p(A,B) in [2].",
    stream=lambda: fresh_pairs(3),
    warm_up=5,
    ticks=4,
    window=2,
)


def test_nothing_is_measured_where_answers_differ() -> None:
    digests = {
        EngineName.AUTO: ["a", "b", "c"],
        EngineName.ONESHOT: ["a", "b"],
        EngineName.STAMPED: ["a", "x"],
    }

    def ran(
        benchmark: Benchmark, setting: Setting, name: EngineName, *_: object, is_check: bool
    ) -> EngineRun:
        return EngineRun(times=[2.0, 4.0], digests=digests[name])

    agreeing = Benchmark(
        "b", "t", "s", "x", (EngineName.AUTO, EngineName.ONESHOT), lambda _: [SETTING], Per.TICK, "", ""
    )
    rows = measured(agreeing, SETTING, Effort(repeats=2), lambda _: None, ran)
    assert [(row.engine, row.checked, row.measurement and row.measurement.time) for row in rows] == [
        (EngineName.AUTO, 3, 3.0),
        (EngineName.ONESHOT, 2, 3.0),
    ]
    differing = Benchmark("b", "t", "s", "x", tuple(digests), lambda _: [SETTING], Per.TICK, "", "")
    with pytest.raises(DifferentError, match="stamped differs from auto at tick 1"):
        measured(differing, SETTING, Effort(), lambda _: None, ran)


def test_runs_are_summed_up_by_the_median_of_their_averages() -> None:
    runs = [
        EngineRun(times=[1.0, 3.0], cpu=1.0),
        EngineRun(times=[10.0, 12.0], cpu=5.0),
        EngineRun(times=[4.0, 4.0], cpu=2.0),
    ]
    found = summary(runs)
    assert (found.time, found.low, found.high, found.middle, found.cpu) == (4.0, 2.0, 11.0, 4.0, 2.0)
    assert (found.runs, found.ticks) == (3, 2)

"""Engines by the clock: one that keeps up, one that falls behind, and a pipeline with ticks on their way."""

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from experiments.benchmark import EngineName, Setting
from experiments.benchmarks.queens import given_queens, program
from experiments.benchmarks.streams import fresh_pairs
from experiments.by_hand.program import ByHand
from experiments.clock_counts import IN_TIME, KEPT_UP, LENGTH
from experiments.engine import AnswerChanges, Fact
from experiments.engines.registry import making
from experiments.measuring import by_the_clock
from experiments.measuring.by_the_clock import run_by_the_clock

PERIOD = 10.0
SETTING = Setting(
    name="by the clock",
    x=1,
    program="q(A,B) :- p(A,B) in [2].",
    stream=lambda: fresh_pairs(3),
    warm_up=2,
    ticks=8,
    window=2,
    period=PERIOD,
)


class Clock:
    """A clock that stands still but for what is slept, and what an engine says that it takes."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Taking(ByHand):
    """Takes so many seconds for a tick."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds

    def step(self, tick: int, facts: Sequence[Fact]) -> AnswerChanges:
        self._clock.sleep(self._seconds)
        return AnswerChanges([], [])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(by_the_clock, "time", made)
    return made


def test_an_engine_that_is_fast_enough_waits_for_each_tick(clock: Clock) -> None:
    run = run_by_the_clock(Taking(clock, 4.0), SETTING)
    assert [*run.latencies.values()] == pytest.approx([4.0] * 10)
    counts = run.counts(SETTING)
    assert counts[IN_TIME] == 1
    assert counts[LENGTH] == pytest.approx((9 * PERIOD + 4) / (10 * PERIOD))


def test_ticks_pile_up_before_one_that_is_too_slow(clock: Clock) -> None:
    run = run_by_the_clock(Taking(clock, 15.0), SETTING)
    assert [*run.latencies.values()] == pytest.approx([15.0 + 5.0 * tick for tick in range(10)])
    counts = run.counts(SETTING)
    assert counts[IN_TIME] == 0
    assert counts[LENGTH] > KEPT_UP


def test_all_ticks_of_a_pipeline_are_answered() -> None:
    setting = replace(
        SETTING,
        program=program(2, 6, 1),
        stream=lambda: given_queens(6, 1),
        semantics="recorded",
        is_certain=False,
        period=0.0005,
    )
    with making(setting, EngineName.PIPELINED) as engine:
        run = run_by_the_clock(engine, setting)
    assert [*run.latencies] == [*range(10)]
    assert run.ended > run.began
    assert time.perf_counter() >= run.ended

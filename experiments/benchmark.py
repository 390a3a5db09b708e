"""A benchmark: programs, streams and parameters, and what the paper that it is from saw."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from experiments.engine import Engine, Fact


class EngineName(StrEnum):
    """The engines that are compared.

    `auto` to `delta` are the product's evaluators. `split` and `pipelined` run the parts of a program in
    processes of their own, with `auto` in each; `pipelined clingo` uses `oneshot`, a clingo call a tick, in
    place of `auto`. The parts of `copied` share some input, which goes to each of them. `laser naive` is
    `laser` without semi-naive evaluation. `by hand` is the program written as a loop over dictionaries: a
    bound and no engine.
    """

    AUTO = "auto"
    ONESHOT = "oneshot"
    STAMPED = "stamped"
    EXTERNAL = "external"
    DELTA = "delta"
    TICKER = "ticker"
    LASER = "laser"
    LASER2 = "laser2"
    LASER_NAIVE = "laser naive"
    SPLIT = "split"
    COPIED = "copied"
    PIPELINED = "pipelined"
    PIPELINED_CLINGO = "pipelined clingo"
    BY_HAND = "by hand"


STRICT_ENGINES = (
    EngineName.AUTO,
    EngineName.LASER,
    EngineName.LASER2,
    EngineName.ONESHOT,
    EngineName.TICKER,
    EngineName.BY_HAND,
)
"""Those for strict programs in the fragment of all, and written by hand."""


LONG_WINDOW = 20
"""The least size of windows, in ticks, with which `auto` is meant to be ahead of every other engine."""


class Per(StrEnum):
    """The unit that times are divided by."""

    FACT = "fact"
    TICK = "tick"


@dataclass(frozen=True)
class Setting:
    """One program on one stream.

    Attributes:
        name: what it is called within its benchmark, such as `n=20`.
        x: where it stands on the x-axis of the figure.
        program: the text.
        stream: makes the facts of tick after tick; has at least `warm_up + ticks` of them.
        warm_up: how many ticks go before those that are timed.
        ticks: how many ticks are timed.
        window: the size of the largest window, in ticks.
        series: which curves of the figure it is on, where there are several for each engine.
        semantics: how windows over what rules derive are read.
        by_hand: makes the same program written by hand, if it was.
        without: engines that are left out here, and why.
        laser2_threshold: the size from which on Laser2 looks at a window.
        is_certain: whether there is one answer stream, so that answers can be compared.
        period: the seconds from tick to tick where ticks go by the clock. What is timed is then from when a
            tick is due to its answer, and answers are not compared. None: a tick begins when the one before
            is done.
    """

    name: str
    x: float
    program: str
    stream: Callable[[], Iterator[Sequence[Fact]]]
    warm_up: int
    ticks: int
    window: int
    series: str = ""
    semantics: str = "strict"
    by_hand: Callable[[], Engine] | None = None
    without: Mapping[EngineName, str] = field(default_factory=dict)
    laser2_threshold: int = 2
    is_certain: bool = True
    period: float | None = None


@dataclass(frozen=True)
class Measurement:
    """The summary of repeated runs of an engine on a setting.

    Attributes:
        time: the median over runs of what a fact (or a tick) took on average, in microseconds.
        low: the least of these averages.
        high: the greatest of them.
        middle: the median over the ticks of all runs, in microseconds a fact or a tick.
        cpu: CPU time of all processes over the ticks that were timed, divided likewise, in microseconds.
        peak_mib: the most memory that the processes of a run had, in MiB.
        runs: how many runs there were.
        ticks: how many ticks were timed in each.
        counts: what the engine counts of its work, for each tick that was timed.
    """

    time: float
    low: float
    high: float
    middle: float
    cpu: float
    peak_mib: float
    runs: int
    ticks: int
    counts: Mapping[str, float] = field(default_factory=dict)


Measured = Mapping[tuple[str, EngineName], Measurement]
"""Measurements by the name of a setting and the engine."""


@dataclass(frozen=True)
class Expectation:
    """Something that the paper saw, and whether it is seen here.

    Attributes:
        text: what is expected.
        holds: says whether measurements show it; raises KeyError where one of those needed is not there.
    """

    text: str
    holds: Callable[[Measured], bool]


@dataclass(frozen=True)
class Benchmark:
    """Settings that belong together: one figure.

    Attributes:
        name: what it is called on the command line.
        title: what it is about.
        source: the paper and the number of the figure.
        x_label: what the x-axis has.
        engines: what is run, `auto` first.
        settings: the settings, few and short ones with True.
        per: what times are divided by.
        paper: what the paper saw, for RESULTS.md.
        why: why it is as it is here, for RESULTS.md.
        expected: what of the paper's shape is looked for.
        count: which of the engines' counts is drawn beside the times, if any.
    """

    name: str
    title: str
    source: str
    x_label: str
    engines: Sequence[EngineName]
    settings: Callable[[bool], Sequence[Setting]]
    per: Per
    paper: str
    why: str
    expected: Sequence[Expectation] = ()
    count: str | None = None

    @property
    def is_by_the_clock(self) -> bool:
        """Whether ticks go by the clock, and latencies are measured."""
        return any(setting.period is not None for setting in self.settings(True))

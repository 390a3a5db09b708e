"""Claims of papers, by figures, and the shapes of measurements that show them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from experiments.benchmark import EngineName, Measured, Measurement
from experiments.benchmarks.expectations import EVALUATIONS

Holds = Callable[[Measured], bool]
Says = Callable[[Measured], str]
Value = Callable[[Measurement], float]


class Seen(StrEnum):
    """The verdict on a claim."""

    REPRODUCED = "reproduced"
    REFUTED = "refuted"
    CARRIES_NOT = "does not carry over"
    NOT = "not measured"


@dataclass(frozen=True)
class Shape:
    """A shape that measurements may have.

    Attributes:
        holds: says whether they have it; None if nothing is held to it.
        says: the measured numbers.
    """

    holds: Holds | None
    says: Says


@dataclass(frozen=True)
class Claim:
    """A claim that a paper makes about a figure.

    Attributes:
        text: the claim, in our words.
        benchmark: the benchmark that looks for it, or for something similar; empty if there is none.
        shape: the shape that shows it. A shape that holds nothing only has numbers of something similar.
        reason: why the claim is not measured, or why the shape differs here.
        otherwise: the verdict if measurements do not have the shape.
        checked: the verdict of a check apart and its evidence, until files have measurements of the claim.
        note: how the measurement differs from the paper's, whatever the verdict.
    """

    text: str
    benchmark: str = ""
    shape: Shape | None = None
    reason: str = ""
    otherwise: Seen = Seen.REFUTED
    checked: tuple[Seen, str] | None = None
    note: str = ""


@dataclass(frozen=True)
class PaperFigure:
    """A figure with measurements.

    Attributes:
        paper: the authors and the year.
        number: its number, with the letter of the part.
        place: the section that speaks of it. The texts that we have are without page numbers.
        claims: the claims about it.
    """

    paper: str
    number: str
    place: str
    claims: Sequence[Claim]


def time_of(measurement: Measurement) -> float:
    """The time of a fact or a tick."""
    return measurement.time


def cpu_of(measurement: Measurement) -> float:
    """The CPU time of all processes."""
    return measurement.cpu


def evaluations_of(measurement: Measurement) -> float:
    """The formulae that are evaluated at a tick."""
    return measurement.counts[EVALUATIONS]


def is_faster(
    engine: EngineName, other: EngineName, settings: Sequence[str], least: float, value: Value = time_of
) -> Shape:
    """In each setting an engine takes less than another one, by a factor at least."""

    def ratios(found: Measured) -> Sequence[float]:
        return [value(found[name, other]) / value(found[name, engine]) for name in settings]

    def says(found: Measured) -> str:
        own, its = ([value(found[name, one]) for name in settings] for one in (engine, other))
        return f"`{engine}` {_range(own)}, `{other}` {_range(its)}: {_range(ratios(found))} times"

    return Shape(lambda found: min(ratios(found)) >= least, says)


def is_at_most(engine: EngineName, setting: str, most: float) -> Shape:
    """In a setting an engine takes so many microseconds at most."""
    return Shape(
        lambda found: found[setting, engine].time <= most,
        lambda found: f"`{engine}` {_number(found[setting, engine].time)} us ({setting})",
    )


def is_as_fast(engine: EngineName, other: EngineName, settings: Sequence[str], most: float) -> Shape:
    """In each setting two engines take the same time up to a factor."""
    compared = is_faster(engine, other, settings, 1)

    def holds(found: Measured) -> bool:
        ratios = [found[name, engine].time / found[name, other].time for name in settings]
        return all(1 / most <= ratio <= most for ratio in ratios)

    return Shape(holds, compared.says)


def _growth(found: Measured, engine: EngineName, small: str, large: str, value: Value) -> float:
    return value(found[large, engine]) / (value(found[small, engine]) or 1e-9)


def _growth_text(found: Measured, engine: EngineName, small: str, large: str, value: Value) -> str:
    first, last = (value(found[name, engine]) for name in (small, large))
    return f"`{engine}` {_number(first)} ({small}), {_number(last)} ({large})"


def grows(engine: EngineName, small: str, large: str, least: float, value: Value = time_of) -> Shape:
    """From one setting to another a value grows by a factor at least."""
    return Shape(
        lambda found: _growth(found, engine, small, large, value) >= least,
        lambda found: _growth_text(found, engine, small, large, value),
    )


def is_flat(engine: EngineName, small: str, large: str, most: float, value: Value = time_of) -> Shape:
    """From one setting to another a value grows by a factor at most."""
    return Shape(
        lambda found: _growth(found, engine, small, large, value) <= most,
        lambda found: _growth_text(found, engine, small, large, value),
    )


def growth_is_less(engine: EngineName, other: EngineName, small: str, large: str) -> Shape:
    """From one setting to another an engine's time grows by a smaller factor than that of another one."""

    def growths(found: Measured) -> Sequence[float]:
        return [_growth(found, one, small, large, time_of) for one in (engine, other)]

    def says(found: Measured) -> str:
        own, its = map(_number, growths(found))
        return f"from {small} to {large} `{engine}` takes {own} times the time, `{other}` {its} times"

    return Shape(lambda found: growths(found)[0] < growths(found)[1], says)


def laser2_has(setting: str, most: float, value: Value = time_of, least: float = 0.0) -> Shape:
    """In a setting a value of Laser2 is at most, and at least, so many times that of Laser."""

    def holds(found: Measured) -> bool:
        own, its = _of_both(found, setting, value)
        return least * its <= own <= most * its

    def says(found: Measured) -> str:
        own, its = map(_number, _of_both(found, setting, value))
        return f"`laser2` {own}, `laser` {its} ({setting})"

    return Shape(holds, says)


def _of_both(found: Measured, setting: str, value: Value) -> tuple[float, float]:
    return value(found[setting, EngineName.LASER2]), value(found[setting, EngineName.LASER])


def memory(setting: str) -> Shape:
    """The memory of one process, and of several."""

    def says(found: Measured) -> str:
        one, several = found[setting, EngineName.AUTO].peak_mib, found[setting, EngineName.SPLIT].peak_mib
        return f"here {several:.0f} MiB in all processes, {one:.0f} MiB in one process ({setting})"

    return Shape(None, says)


def gains_more(small: str, large: str) -> Shape:
    """Several processes are further ahead of one in one setting than in another."""

    def gains(found: Measured) -> Sequence[float]:
        return [
            found[name, EngineName.AUTO].time / found[name, EngineName.PIPELINED].time
            for name in (small, large)
        ]

    def says(found: Measured) -> str:
        few, many = map(_number, gains(found))
        return f"the pipeline is {few} times as fast ({small}), {many} times ({large})"

    return Shape(lambda found: gains(found)[1] > gains(found)[0], says)


def both(one: Shape, other: Shape) -> Shape:
    """Two shapes at once."""
    assert one.holds is not None and other.holds is not None
    first, second = one.holds, other.holds
    return Shape(
        lambda found: first(found) and second(found),
        lambda found: f"{one.says(found)}; {other.says(found)}",
    )


def beside(shape: Shape) -> Shape:
    """The numbers of a shape alone: they are not of the systems that the claim compares."""
    return Shape(None, shape.says)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value < 10 else f"{value:.3g}"


def _range(values: Sequence[float]) -> str:
    least, most = _number(min(values)), _number(max(values))
    return least if least == most else f"{least} to {most}"

"""Figures of papers, what they are drawn for, and the shapes that measurements must have to show it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from experiments.benchmark import EngineName, Measured
from experiments.benchmarks.expectations import EVALUATIONS

Holds = Callable[[Measured], bool]


@dataclass(frozen=True)
class Claim:
    """Something that a figure shows.

    Attributes:
        text: what it is.
        benchmark: the name of the benchmark that looks for it; none where it cannot be run.
        holds: says whether measurements show it.
        reason: why it cannot be run; or why it is not seen, where that is known.
        says: what is measured here, where the paper's own numbers are not to be held to.
    """

    text: str
    benchmark: str = ""
    holds: Holds | None = None
    reason: str = ""
    says: Callable[[Measured], str] | None = None


@dataclass(frozen=True)
class PaperFigure:
    """A figure with measurements.

    Attributes:
        paper: the authors and the year.
        number: its number, with the letter of the part.
        shows: what is drawn.
        claims: what it is drawn for.
    """

    paper: str
    number: str
    shows: str
    claims: Sequence[Claim]


def all_of(*some: Holds) -> Holds:
    """Whether all hold."""
    return lambda found: all(holds(found) for holds in some)


def growth_is_less(engine: EngineName, other: EngineName, small: str, large: str) -> Holds:
    """From one setting to another an engine's time grows by a smaller factor than that of another one."""

    def holds(found: Measured) -> bool:
        own = found[large, engine].time / found[small, engine].time
        return own < found[large, other].time / found[small, other].time

    return holds


def has_fewer(small: str, large: str) -> Holds:
    """Laser2 evaluates no more formulae in one setting than in another."""
    return lambda found: (
        found[small, EngineName.LASER2].counts[EVALUATIONS]
        <= found[large, EngineName.LASER2].counts[EVALUATIONS]
    )


def is_as_fast(engine: EngineName, other: EngineName, settings: Sequence[str], most: float) -> Holds:
    """In each of some settings two engines take the same time up to a factor."""

    def holds(found: Measured) -> bool:
        ratios = [found[name, engine].time / found[name, other].time for name in settings]
        return all(1 / most <= ratio <= most for ratio in ratios)

    return holds


def takes_less_cpu(engine: EngineName, other: EngineName, settings: Sequence[str]) -> Holds:
    """CPU time of all processes."""
    return lambda found: all(found[name, engine].cpu < found[name, other].cpu for name in settings)


def memory(setting: str) -> Callable[[Measured], str]:
    """The memory of one process, and of several."""

    def text(found: Measured) -> str:
        one, several = found[setting, EngineName.AUTO].peak_mib, found[setting, EngineName.SPLIT].peak_mib
        return (
            f"{several:.0f} MiB of all processes side by side, {one:.0f} MiB of one (`auto`) with {setting}"
        )

    return text


def gains_more(small: str, large: str) -> Holds:
    """Several processes are further ahead of one in one setting than in another."""

    def gain(found: Measured, setting: str) -> float:
        return found[setting, EngineName.AUTO].time / found[setting, EngineName.PIPELINED].time

    return lambda found: gain(found, large) > gain(found, small)

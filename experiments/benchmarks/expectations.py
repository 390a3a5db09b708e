"""Shapes of figures that measurements should have."""

from collections.abc import Sequence

from experiments.benchmark import EngineName, Expectation, Measured
from experiments.clock_counts import IN_TIME, KEPT_UP, LENGTH

EVALUATIONS = "formula evaluations"
"""The count of formulae in Laser and Laser2."""


def is_flat(engine: EngineName, small: str, large: str, most: float) -> Expectation:
    """From one setting to another an engine's time grows by a factor at most."""

    def holds(found: Measured) -> bool:
        return found[large, engine].time <= most * found[small, engine].time

    return Expectation(f"`{engine}` takes at most {most:g} times as long with {large} as with {small}", holds)


def grows(engine: EngineName, small: str, large: str, least: float) -> Expectation:
    """From one setting to another an engine's time grows by a factor at least."""

    def holds(found: Measured) -> bool:
        return found[large, engine].time >= least * found[small, engine].time

    return Expectation(
        f"`{engine}` takes at least {least:g} times as long with {large} as with {small}", holds
    )


def is_faster(engine: EngineName, other: EngineName, settings: Sequence[str], least: float) -> Expectation:
    """In each of some settings an engine is faster than another one by a factor at least."""

    def holds(found: Measured) -> bool:
        return all(least * found[name, engine].time <= found[name, other].time for name in settings)

    by = f" at least {least:g} times" if least != 1 else ""
    return Expectation(f"`{engine}` is{by} faster than `{other}` with {'; '.join(settings)}", holds)


def laser2_has(setting: str, most: float, count: str | None = None) -> Expectation:
    """In a setting Laser2 takes at most so many times the time, or a count, of Laser."""

    def holds(found: Measured) -> bool:
        one, other = found[setting, EngineName.LASER2], found[setting, EngineName.LASER]
        if count is None:
            return one.time <= most * other.time
        return one.counts[count] <= most * other.counts[count]

    times = f"{most:g} times " if most != 1 else ""
    what = f"{count}" if count else "time"
    return Expectation(f"Laser2 takes at most {times}the {what} of Laser with {setting}", holds)


def keeps_up(engine: EngineName, setting: str) -> Expectation:
    """By the clock ticks do not pile up."""
    return Expectation(
        f"`{engine}` keeps up with {setting}",
        lambda found: found[setting, engine].counts[LENGTH] <= KEPT_UP,
    )


def saturates(engine: EngineName, setting: str) -> Expectation:
    """By the clock ticks pile up."""
    keeps = keeps_up(engine, setting)
    return Expectation(f"`{engine}` is too slow for {setting}", lambda found: not keeps.holds(found))


def answers_all(engine: EngineName, settings: Sequence[str]) -> Expectation:
    """By the clock every tick is answered before the next one is due."""
    return Expectation(
        f"`{engine}` answers all ticks in time with {'; '.join(settings)}",
        lambda found: all(found[name, engine].counts[IN_TIME] == 1 for name in settings),
    )

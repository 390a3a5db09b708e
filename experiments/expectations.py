"""Shapes of figures that measurements are held to; all are of medians."""

from collections.abc import Sequence

from experiments.benchmark import EngineName, Expectation, Measured


def grows_less(engine: EngineName, small: str, large: str, factor: float) -> Expectation:
    """From one setting to another an engine's time grows by less than a factor."""

    def holds(measured: Measured) -> bool:
        return measured[large, engine].median < factor * measured[small, engine].median

    return Expectation(f"{engine} grows by less than {factor:g} x from {small} to {large}", holds)


def grows_more(engine: EngineName, small: str, large: str, factor: float) -> Expectation:
    """From one setting to another an engine's time grows by more than a factor."""

    def holds(measured: Measured) -> bool:
        return measured[large, engine].median > factor * measured[small, engine].median

    return Expectation(f"{engine} grows by more than {factor:g} x from {small} to {large}", holds)


def is_faster(engine: EngineName, other: EngineName, settings: Sequence[str], factor: float) -> Expectation:
    """In each of some settings an engine is faster than another one by a factor at least."""

    def holds(measured: Measured) -> bool:
        return all(
            factor * measured[name, engine].median <= measured[name, other].median for name in settings
        )

    by = f" by {factor:g} x" if factor != 1 else ""
    return Expectation(f"{engine} is faster than {other}{by} at {', '.join(settings)}", holds)

"""Groups of measurements, and lines of the table that are made of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Figures = Mapping[str, float]
"""The results of one measurement by their names."""

Measure = Callable[[float], Figures]
"""Measures in this process; the argument says how large a part of the full size it takes, 1 being all."""

Found = Mapping[str, Figures]
"""The results of a group by the names of measurements, medians over the turns."""


@dataclass(frozen=True)
class Line:
    """A line of the table.

    Attributes:
        what: what was measured.
        value: the result.
        unit: its unit.
        most: what it is to be at most; None where nothing is said about it.
        beside: results to compare with, as text.
    """

    what: str
    value: float
    unit: str
    most: float | None = None
    beside: str = ""

    @property
    def ratio(self) -> float | None:
        """The result over what it is to be at most."""
        return None if self.most is None else self.value / self.most


@dataclass(frozen=True)
class Group:
    """Measurements that take turns.

    Attributes:
        name: its name, one in its part.
        measures: the measurements by their names.
        lines: makes lines of the results; raises KeyError for what is not there.
    """

    name: str
    measures: Mapping[str, Measure]
    lines: Callable[[Found], Sequence[Line]]


def some(whole: int, scale: float, least: int = 2) -> int:
    """The part of a number that a scale says, but no less than `least`."""
    return max(least, round(whole * scale))

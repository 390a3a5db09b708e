"""Ticks with their moments: by these the records of a tick are ordered, whichever way they come in."""

from collections.abc import Sequence
from typing import Self

NO_MOMENT = -(2**63)
"""Stands for the moment of a tick that has none: less than all others."""


class FineTick(int):
    """The tick of a time that is known to the microsecond; `+tick` is the tick alone.

    Attributes:
        moment: the time, in microseconds since the Unix epoch.
    """

    moment: int

    @classmethod
    def at(cls, tick: int, moment: int) -> Self:
        """The tick of a moment."""
        found = cls(tick)
        found.moment = moment
        return found


def fine_ticks(ticks: Sequence[int | None], moments: Sequence[int] | None) -> Sequence[int | None]:
    """Ticks with their moments, if there are any."""
    if moments is None:
        return ticks
    return [
        FineTick.at(tick, moment) if type(tick) is int else tick
        for tick, moment in zip(ticks, moments, strict=True)
    ]


def moment_of(tick: int) -> int:
    """The moment of the tick of a record; less than all moments for a tick that has none."""
    return tick.moment if type(tick) is FineTick else NO_MOMENT

"""Ticks with their moments: by these the records of a tick are ordered, whichever way they come in."""

from collections.abc import Sequence
from typing import Self

NO_MOMENT = -(2**63)
"""Stands for the moment of a tick that has none: less than all others."""


class FineMoment(int):
    """A time that is known to the nanosecond; as an integer the microseconds since the Unix epoch.

    Attributes:
        nanoseconds: those since the Unix epoch.
    """

    nanoseconds: int

    @classmethod
    def of(cls, nanoseconds: int) -> Self:
        """The time at so many nanoseconds since the Unix epoch."""
        found = cls(nanoseconds // _NANOSECONDS)
        found.nanoseconds = nanoseconds
        return found

    def __lt__(self, other: int) -> bool:
        return self.nanoseconds < nanoseconds_of(other)

    def __le__(self, other: int) -> bool:
        return self.nanoseconds <= nanoseconds_of(other)

    def __gt__(self, other: int) -> bool:
        return self.nanoseconds > nanoseconds_of(other)

    def __ge__(self, other: int) -> bool:
        return self.nanoseconds >= nanoseconds_of(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and self.nanoseconds == nanoseconds_of(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return int.__hash__(self)


_NANOSECONDS = 1000
"""In a microsecond."""


def moment_at(nanoseconds: int) -> int:
    """The time at so many nanoseconds since the Unix epoch: a FineMoment if microseconds do not say it."""
    moment, rest = divmod(nanoseconds, _NANOSECONDS)
    return FineMoment.of(nanoseconds) if rest else moment


def nanoseconds_of(moment: int) -> int:
    """The nanoseconds since the Unix epoch of a time, which is mostly known to the microsecond."""
    return moment.nanoseconds if type(moment) is FineMoment else moment * _NANOSECONDS


PRECISE_UNTIL = 2**62 // _NANOSECONDS
"""In microseconds since the Unix epoch, in 2116: before it the ranks of times are nanoseconds."""
RANK_BEHIND = PRECISE_UNTIL * (_NANOSECONDS - 1)
"""What is added to microseconds from then on."""


def rank_of(moment: int) -> int:
    """An integer of 64 bits that has the order of times; nanoseconds are told apart from 1970 to 2116."""
    if int(moment) < 0:
        return int(moment)
    return nanoseconds_of(moment) if int(moment) < PRECISE_UNTIL else int(moment) + RANK_BEHIND


def moment_ranked(rank: int) -> int:
    """The time that has a rank."""
    if rank < 0:
        return rank
    return moment_at(rank) if rank < PRECISE_UNTIL * _NANOSECONDS else rank - RANK_BEHIND


class FineTick(int):
    """The tick of a time that is known to the microsecond, or better; `+tick` is the tick alone.

    Attributes:
        moment: the time, in microseconds since the Unix epoch; a FineMoment where more is known.
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

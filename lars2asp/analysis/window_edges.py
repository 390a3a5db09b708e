"""The first and the last tick of windows whose ticks follow one another, as time goes on.

From the ticks at which atoms begin and end to hold follow those at which they enter and leave windows. Ticks
at which nothing changes need not be evaluated (the timer of Eiter, Ogris, Schekotihin 2019). The ticks found
here may be too many: each costs a look that finds no change.
"""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar, Protocol, Self

from lars2asp.syntax.values import dataclass

FOR_EVER = 2**62
"""More ticks than any timeline has."""

_BLOCKS_AHEAD = 16
"""The number of blocks of the clock, each as long as any, that are looked at for another number of ticks."""


class Edges(ABC):
    """The first and the last tick of a window whose ticks follow one another, as time goes on.

    The last tick lies before the first one where the window has none. Neither ever goes back.
    """

    __slots__ = ()

    leaps: ClassVar[bool]
    """Whether the window stands still for some ticks, during which the current one is not in it."""

    @property
    @abstractmethod
    def reach(self) -> int:
        """How many ticks back from now the first one lies at most; FOR_EVER without end."""

    @property
    @abstractmethod
    def when_whole(self) -> int | None:
        """The first tick at which the window lies wholly on the timeline; None if it always does."""

    @property
    @abstractmethod
    def has_now(self) -> bool:
        """Whether the current tick may be the last one."""

    @property
    @abstractmethod
    def move_together(self) -> bool:
        """Whether both move by the same number of ticks, but for the start of the timeline."""

    @property
    def varies(self) -> bool:
        """Whether windows that are whole may have different numbers of ticks."""
        return False

    @property
    @abstractmethod
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most; None where that has no limit."""

    @abstractmethod
    def at(self, now: int) -> tuple[int, int]:
        """The first and the last tick."""

    @abstractmethod
    def when_last(self, tick: int) -> int:
        """The first tick at which the last one of the window is a tick, or later."""

    @abstractmethod
    def when_first(self, tick: int) -> int:
        """The first tick at which the first one of the window is later than a tick."""

    @abstractmethod
    def next_move(self, now: int) -> int:
        """The first tick after now at which one of the two is another one."""

    @abstractmethod
    def crossing(self, now: int, value: int, clipped: int, free: int) -> int | None:
        """The first tick after now at which a value that is 0 or more falls below 0, or the other way round.

        It may be too early where leaps are by the clock of a zone.

        Args:
            now: the current tick.
            value: what it is now.
            clipped: by how much it changes with the last tick of the window, while the first one is the
                start of the timeline.
            free: by how much it changes with both.

        None for never.
        """

    @abstractmethod
    def before(self) -> Self:
        """Those of the window without the current tick."""


@dataclass(frozen=True, slots=True)
class SlidingEdges(Edges):
    """Those of a window that slides: from some ticks ago, or the start of the timeline, to some ticks ago.

    Attributes:
        start: the first tick of the timeline.
        last: how many ticks ago the last one is.
        first: how many ticks ago the first one is; None for the start of the timeline.
    """

    leaps: ClassVar[bool] = False

    start: int
    last: int
    first: int | None

    @property
    def reach(self) -> int:
        """How many ticks back from now the first one lies at most."""
        return FOR_EVER if self.first is None else self.first

    @property
    def has_now(self) -> bool:
        """Whether the current tick is the last one."""
        return not self.last

    @property
    def move_together(self) -> bool:
        """True: both move from tick to tick."""
        return True

    @property
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most; None where that has no limit."""
        return None if self.first is None else self.first - self.last + 1

    @property
    def when_whole(self) -> int | None:
        """The first tick at which the window lies wholly on the timeline."""
        return None if self.first is None else self.start + self.first

    def at(self, now: int) -> tuple[int, int]:
        """The first and the last tick."""
        return self.start if self.first is None else max(self.start, now - self.first), now - self.last

    def when_last(self, tick: int) -> int:
        """The first tick at which the last one of the window is a tick, or later."""
        return tick + self.last

    def when_first(self, tick: int) -> int:
        """The first tick at which the first one of the window is later than a tick."""
        return FOR_EVER if self.first is None else tick + self.first + 1

    def next_move(self, now: int) -> int:
        """The next tick."""
        return now + 1

    def crossing(self, now: int, value: int, clipped: int, free: int) -> int | None:
        """See Edges; the tick is exact."""
        before = FOR_EVER if self.first is None else max(0, self.start + self.first - now)
        moves = _moves_to_cross(value, clipped)
        if moves is not None and moves <= before:
            return now + moves
        if before == FOR_EVER:
            return None
        moves = _moves_to_cross(value + before * clipped, free)
        return None if moves is None else now + before + moves

    def before(self) -> "SlidingEdges":
        """Those of the window without the current tick."""
        return replace(self, last=max(self.last, 1))


@dataclass(frozen=True, slots=True)
class OneTick(SlidingEdges):
    """Those of a single tick of the timeline, once it has come.

    Attributes:
        last: the tick.
    """

    first: int | None = None

    def at(self, now: int) -> tuple[int, int]:
        """The tick, if it has come."""
        return self.last, self.last if self.start <= self.last <= now else self.last - 1

    def when_last(self, tick: int) -> int:
        """When it comes, for ticks up to it."""
        return self.last if tick <= self.last else FOR_EVER

    def next_move(self, now: int) -> int:
        """When it comes."""
        return self.last if now < self.last else FOR_EVER


def _moves_to_cross(value: int, slope: int) -> int | None:
    """After how many steps a value that changes by a slope crosses 0; None for never."""
    if value >= 0:
        return value // -slope + 1 if slope < 0 else None
    return -(value // slope) if slope > 0 else None


@dataclass(frozen=True, slots=True)
class LeapingEdges(Edges):
    """Those of a window that stands still and leaps: its last tick is of an arithmetic progression.

    Attributes:
        start: the first tick of the timeline.
        step: how far the ticks of the progression lie apart.
        phase: one of them.
        size: how many ticks before the last one the first one lies.
        has_now: whether the current tick may be the last one, and not the one before in its place.
    """

    leaps: ClassVar[bool] = True

    start: int
    step: int
    phase: int
    size: int
    has_now: bool = True

    @property
    def move_together(self) -> bool:
        """Whether they leap at the same ticks."""
        return self.has_now

    @property
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most."""
        return self.size + 1

    @property
    def reach(self) -> int:
        """How many ticks back from now the first one lies at most."""
        return self.size + self.step - 1

    @property
    def when_whole(self) -> int | None:
        """The first tick at which the window lies wholly on the timeline."""
        return self._leap(self.start + self.size)

    def _leap(self, tick: int) -> int:
        """The first tick of the progression that is not before a tick."""
        return tick + (self.phase - tick) % self.step

    def at(self, now: int) -> tuple[int, int]:
        """The first and the last tick."""
        last = now - (now - self.phase) % self.step
        return max(self.start, last - self.size), last if self.has_now else min(last, now - 1)

    def when_last(self, tick: int) -> int:
        """The first tick at which the last one of the window is a tick, or later."""
        leap = self._leap(tick)
        return leap if self.has_now or leap > tick else leap + 1

    def when_first(self, tick: int) -> int:
        """The first tick at which the first one of the window is later than a tick."""
        return self._leap(tick + self.size + 1)

    def next_move(self, now: int) -> int:
        """The first tick after now at which one of the two is another one."""
        return now + 1 if not self.has_now and self._leap(now) == now else self._leap(now + 1)

    def crossing(self, now: int, value: int, clipped: int, free: int) -> int | None:
        """See Edges; the tick is exact."""
        last, is_below = self._leap(now + 1) - self.step, value < 0
        if self.has_now:
            leaps = self._leaps_to_cross(last, 1, value, clipped, free, is_below=is_below)
            return None if leaps is None else last + leaps * self.step
        is_leap = now == last  # then the tick before is the last one, and it is the last one at the next tick
        at_leap = value if is_leap else value - clipped
        states = [(0, at_leap, 1)]
        if self.step > 1:
            states.append((1, at_leap + clipped, 0 if is_leap else 1))
        found = []
        for later, number, least in states:
            leaps = self._leaps_to_cross(last, least, number, clipped, free, is_below=is_below)
            if leaps is not None:
                found.append(last + leaps * self.step + later)
        return min(found, default=None)

    def _leaps_to_cross(
        self, last: int, least: int, value: int, clipped: int, free: int, *, is_below: bool
    ) -> int | None:
        """After how many leaps from a tick of the progression on a value is across 0; None for never.

        Args:
            last: the tick.
            least: as many leaps or more.
            value: what it is at that tick.
            clipped: see `crossing`.
            free: see `crossing`.
            is_below: whether it is to be 0 or more.
        """
        first, step = last - self.size, self.step
        pieces = [(0, value, free)]
        if first <= self.start:
            free_from = (self.start - first) // step + 1
            moved = first + free_from * step - self.start
            pieces = [
                (0, value, clipped),
                (free_from, value + free_from * step * clipped - moved * (clipped - free), free),
            ]
        until = pieces[-1][0]
        for begin, number, slope in pieces:
            at = max(begin, least)
            there = number + (at - begin) * step * slope
            moves = 0 if (there < 0) is not is_below else _moves_to_cross(there, step * slope)
            if moves is not None and (begin == until or at + moves < until):
                return at + moves
        return None

    def before(self) -> "LeapingEdges":
        """Those of the window without the current tick."""
        return replace(self, has_now=False)


class Blocks(Protocol):
    """The timeline cut into blocks of different numbers of ticks."""

    @property
    def most_ticks(self) -> int:
        """How many ticks a block has at most."""

    @property
    def most_ticks_of_two(self) -> int:
        """How many ticks two blocks that follow one another have at most."""

    def around(self, tick: int) -> tuple[int, int]:
        """The first tick of the block that has a tick, and that of the next one."""


@dataclass(frozen=True, slots=True)
class ClockEdges(Edges):
    """Those of a window that stands still and leaps where a block of the clock begins, or some ticks before.

    Attributes:
        start: the first tick of the timeline.
        blocks: the blocks.
        ahead: how many ticks before a block begins the last tick of the window lies.
        size: how many ticks before the last one the first one lies; None for the first tick of its block.
        has_now: whether the current tick may be the last one, and not the one before in its place.
    """

    leaps: ClassVar[bool] = True

    start: int
    blocks: Blocks
    ahead: int
    size: int | None
    has_now: bool = True

    @property
    def move_together(self) -> bool:
        """Whether they leap at the same ticks, and as far."""
        return self.has_now and not self.varies

    @property
    def varies(self) -> bool:
        """Whether the window is a block."""
        return self.size is None

    @property
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most."""
        return self.blocks.most_ticks if self.size is None else self.size + 1

    @property
    def reach(self) -> int:
        """How many ticks back from now the first one lies at most."""
        return self.blocks.most_ticks_of_two if self.size is None else self.blocks.most_ticks + self.size

    @property
    def when_whole(self) -> int | None:
        """The first tick at which the window lies wholly on the timeline."""
        if self.size is None:
            return self._leap(self.blocks.around(self.start - 1)[1])
        return self._leap(self.start + self.size)

    def _leap(self, tick: int) -> int:
        """The first tick, not before a tick, that may be the last one of the window."""
        return self.blocks.around(tick + self.ahead - 1)[1] - self.ahead

    def at(self, now: int) -> tuple[int, int]:
        """The first and the last tick."""
        last = self.blocks.around(now + self.ahead)[0] - self.ahead
        first = self.blocks.around(last)[0] if self.size is None else last - self.size
        return max(self.start, first), last if self.has_now else min(last, now - 1)

    def when_last(self, tick: int) -> int:
        """The first tick at which the last one of the window is a tick, or later."""
        leap = self._leap(tick)
        return leap if self.has_now or leap > tick else leap + 1

    def when_first(self, tick: int) -> int:
        """The first tick at which the first one of the window is later than a tick."""
        return self._leap(self.blocks.around(tick)[1] if self.size is None else tick + self.size + 1)

    def next_move(self, now: int) -> int:
        """The first tick after now at which one of the two is another one."""
        return now + 1 if not self.has_now and self._leap(now) == now else self._leap(now + 1)

    def crossing(self, now: int, value: int, clipped: int, free: int) -> int | None:
        """See Edges: the next move, before which nothing crosses, or that to the next block with the size.

        None where no number of ticks would do. Some blocks are looked at, as sizes follow from the rules of a
        zone: where none of them has the size it is the last one, which is the same for whoever asks later.
        """
        first, last = self.at(now)
        whole = self.when_whole
        if whole is not None and now < whole:
            return self.next_move(now)
        ticks = last - first + 1
        most = self.blocks.most_ticks if self.size is None else self.size + 1
        least = 1 if self.size is None else most
        changes = (least - (not self.has_now) - ticks, most - ticks)
        far = FOR_EVER * free
        lowest = value + min(clipped * one for one in changes) + min(far, 0)
        highest = value + max(clipped * one for one in changes) + max(far, 0)
        if lowest >= 0 if value >= 0 else highest < 0:
            return None
        leap = self.next_move(now)
        if self.size is not None or free or not self.has_now:
            return leap
        far = _BLOCKS_AHEAD * most
        while leap // far == last // far:
            others = leap - self.at(leap)[0] + 1
            if (value + clipped * (others - ticks) >= 0) is not (value >= 0):
                break
            leap = self.next_move(leap)
        return leap

    def before(self) -> "ClockEdges":
        """Those of the window without the current tick."""
        return replace(self, has_now=False)


@dataclass(frozen=True, slots=True)
class DelayedEdges(Edges):
    """Those that a window which leaps had some ticks ago: it does not have the tick at which it leaps.

    Attributes:
        leaping: those of the window, which may have the current tick.
        delay: how many ticks ago, 1 or more.
    """

    leaps: ClassVar[bool] = True

    leaping: LeapingEdges | ClockEdges
    delay: int

    @property
    def reach(self) -> int:
        """How many ticks back from now the first one lies at most."""
        return self.leaping.reach + self.delay

    @property
    def has_now(self) -> bool:
        """False."""
        return False

    @property
    def move_together(self) -> bool:
        """True: they leap at the same ticks."""
        return self.leaping.move_together

    @property
    def most_ticks(self) -> int | None:
        """How many ticks the window has at most."""
        return self.leaping.most_ticks

    @property
    def when_whole(self) -> int | None:
        """The first tick at which the window lies wholly on the timeline."""
        return self._delayed(self.leaping.when_whole)

    def _delayed(self, tick: int | None) -> int | None:
        return None if tick is None else tick + self.delay

    def at(self, now: int) -> tuple[int, int]:
        """The first and the last tick."""
        return self.leaping.at(now - self.delay)

    def when_last(self, tick: int) -> int:
        """The first tick at which the last one of the window is a tick, or later."""
        return self.leaping.when_last(tick) + self.delay

    def when_first(self, tick: int) -> int:
        """The first tick at which the first one of the window is later than a tick."""
        return self.leaping.when_first(tick) + self.delay

    def next_move(self, now: int) -> int:
        """The first tick after now at which one of the two is another one."""
        return self.leaping.next_move(now - self.delay) + self.delay

    def crossing(self, now: int, value: int, clipped: int, free: int) -> int | None:
        """See Edges; the tick is as exact as that of the window."""
        return self._delayed(self.leaping.crossing(now - self.delay, value, clipped, free))

    def before(self) -> "DelayedEdges":
        """The same: the window never has the current tick."""
        return self

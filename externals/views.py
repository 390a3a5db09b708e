"""The changes of the answer to a lookup from tick to tick.

For sliding windows the changes of a tick follow from the intervals that began or ended at this tick or a
window's length ago, so that the cost is that of the changes. Answers to all other lookups are compared with
those of the tick before.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from lars2asp.externals.history import NEVER, History
from lars2asp.externals.terms.terms import Row


class Changes(NamedTuple):
    """The rows of an answer that hold now and not at the tick before, and the other way round."""

    began: Sequence[Row] = ()
    ended: Sequence[Row] = ()


NO_CHANGES = Changes()


def together(changes: Iterable[Changes]) -> Changes:
    """Changes that follow one another as one."""
    began: set[Row] = set()
    ended: set[Row] = set()
    for one in changes:
        less, more = set(one.ended), set(one.began)
        ended |= less - began
        began -= less
        began |= more - ended
        ended -= more
    return Changes(list(began), list(ended))


class View(Protocol):
    """The answer to a lookup, as changes."""

    def changes(self, now: int) -> Changes:
        """The changes by the current tick; to be called once a tick.

        They count from the tick before; where it was not called at that, the changes may be others. Ticks at
        which nothing changes may be passed over. Before the first tick of the stream nothing holds.
        """
        ...


class DiamondView:
    """The atoms that hold at some tick of a sliding window, or now (a window of size 0).

    Args:
        history: of the predicate.
        size: of the window.
        with_background: whether background data is in it.
    """

    def __init__(self, history: History, size: int, *, with_background: bool) -> None:
        history.remember(size)
        self._history = history
        self._size = size
        self._with_background = with_background

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        history = self._history
        if history.is_quiet:
            return NO_CHANGES
        out = now - self._size - 1  # left the window by this tick
        began = [
            interval.row
            for interval in history.begun(now)
            if interval.before < out and (self._with_background or not interval.is_background)
        ]
        began += history.points(now)
        ended = [interval.row for interval in history.ended(out) if interval.is_latest]
        ended += history.points(out)
        return Changes(began, ended) if began or ended else NO_CHANGES


class BoxView:
    """The atoms that hold at every tick of a sliding window.

    Args:
        history: of the predicate.
        size: of the window.
        start: the first tick of the timeline.
        complete: whether the window must not reach before it.
    """

    def __init__(self, history: History, size: int, start: int, *, complete: bool) -> None:
        history.remember(size)
        self._history = history
        self._size = size
        self._start = start
        self._complete = complete

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        history = self._history
        if history.is_quiet:
            return NO_CHANGES
        first, first_before = self._first(now), self._first(now - 1)
        began: list[Row] = []
        if first != first_before:  # else the window began where it begins: it has grown, or there is none
            began = [interval.row for interval in history.begun(first) if interval.end >= now]
            if first == now:
                began += history.points(now)
        ended = [interval.row for interval in history.ended(now - 1) if interval.begin <= first_before]
        if first_before == now - 1:
            ended += history.points(now - 1)
        return Changes(began, ended) if began or ended else NO_CHANGES

    def _first(self, now: int) -> int:
        """The first tick of the window, NEVER where there is none."""
        if now < self._start:
            return NEVER
        first = now - self._size
        if first >= self._start:
            return first
        return NEVER if self._complete else self._start


class TicksView:
    """The atoms and the ticks of a sliding window at which they hold, as pairs.

    Args:
        history: of the predicate; it keeps earlier intervals.
        size: of the window.
    """

    def __init__(self, history: History, size: int) -> None:
        self._history = history
        self._size = size
        self._pairs: dict[int, list[Row]] = {}
        self._viewed = NEVER

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        first, viewed, kept = now - self._size, self._viewed, self._pairs
        self._viewed = now
        began: list[Row] = []
        gone: Iterable[int] = [first - 1]
        if viewed != self._history.before:
            kept.clear()
            self._look_back(first, now - 1)
        elif viewed != now - 1:
            began = self._look_back(max(first, viewed + 1), now - 1)
            gone = [tick for tick in kept if tick < first]
        pairs = [(*row, now) for row in self._history.now(with_background=True)]
        if pairs:
            kept[now] = pairs
            began += pairs
        ended = [pair for tick in gone for pair in kept.pop(tick, ())]
        return Changes(began, ended) if began or ended else NO_CHANGES

    def _look_back(self, first: int, last: int) -> list[Row]:
        """Takes the pairs of ticks that were passed over, and gives them."""
        pairs = []
        for row, interval in self._history.spans(first, last):
            for tick in range(interval.begin, interval.end + 1):
                pair = (*row, tick)
                self._pairs.setdefault(tick, []).append(pair)
                pairs.append(pair)
        return pairs


class ComparedView:
    """Any answer, compared with the one before."""

    def __init__(self, answer: Callable[[int], list[Row]]) -> None:
        self._answer = answer
        self._before: set[Row] = set()

    def changes(self, now: int) -> Changes:
        """The changes by the current tick."""
        here, before = set(self._answer(now)), self._before
        self._before = here
        return Changes(list(here - before), list(before - here)) if here != before else NO_CHANGES

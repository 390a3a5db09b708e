"""What changes from tick to tick in the answer to a lookup.

For sliding windows the changes of a tick follow from the runs that began or ended at this tick or a window's
length ago, so that they cost what they are. Answers to all other lookups are compared with those of the tick
before.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from clingo import Symbol

from externals.history import History, Run
from externals.symbols import key_of, paired


class Changes(NamedTuple):
    """The tuples that a lookup's answer has more and less than at the tick before, each once."""

    began: Sequence[Symbol] = ()
    ended: Sequence[Symbol] = ()


NO_CHANGES = Changes()


class View(Protocol):
    """The answer to a lookup, as changes."""

    def changes(self, now: int) -> Changes:
        """What changed by the current tick; to be asked at every tick, once."""
        ...


class Diamond:
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
        """What changed by the current tick."""
        out = now - self._size - 1  # left the window by this tick
        begun, ended = self._history.begun(now), self._history.ended(out)
        if not begun and not ended:
            return NO_CHANGES
        return Changes(
            [
                run.atom
                for run in begun
                if run.before < out and (self._with_background or not run.is_background)
            ],
            [run.atom for run in ended if run.is_latest],
        )


class Box:
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
        """What changed by the current tick."""
        history = self._history
        if self._complete or now - self._size > self._start:
            begun: Sequence[Run] = history.begun(now - self._size)
        else:
            begun = history.begun(now) if now == self._start else ()
        ended = history.ended(now - 1)
        if not begun and not ended:
            return NO_CHANGES
        first = now - 1 - self._size
        if not self._complete:
            first = max(first, self._start)
        return Changes(
            [run.atom for run in begun if run.end >= now],
            [run.atom for run in ended if run.begin <= first],
        )


class Ticks:
    """The atoms and the ticks of a sliding window at which they hold, as pairs."""

    def __init__(self, history: History, size: int) -> None:
        self._history = history
        self._size = size
        self._pairs: dict[int, list[Symbol]] = {}

    def changes(self, now: int) -> Changes:
        """What changed by the current tick."""
        pairs = [paired(run.atom, now) for run in self._history.holding.values()]
        if pairs:
            self._pairs[now] = pairs
        ended = self._pairs.pop(now - self._size - 1, ())
        return Changes(pairs, ended) if pairs or ended else NO_CHANGES


class Compared:
    """Any answer, compared with the one before."""

    def __init__(self, answer: Callable[[int], list[Symbol]]) -> None:
        self._answer = answer
        self._before: dict[int, Symbol] = {}

    def changes(self, now: int) -> Changes:
        """What changed by the current tick."""
        found = self._answer(now)
        here, before = dict(zip(map(key_of, found), found, strict=True)), self._before
        self._before = here
        if here.keys() == before.keys():
            return NO_CHANGES
        return Changes(
            [atom for key, atom in here.items() if key not in before],
            [atom for key, atom in before.items() if key not in here],
        )

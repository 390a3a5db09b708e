"""T(W,t), written out for each kind of window, and what is in a tuple window."""

from collections.abc import Iterable
from dataclasses import dataclass

from lars2asp.syntax import (
    Atom,
    Duration,
    HoppingWindow,
    Number,
    OffsetWindow,
    SlidingWindow,
    Term,
    TumblingWindow,
    TupleWindow,
    Variable,
)
from tests.oracle.stream import Arrival
from tests.oracle.values import Ground

TickWindow = SlidingWindow | OffsetWindow | HoppingWindow | TumblingWindow


def _number(term: Term) -> int:
    assert isinstance(term, Number), "the oracle knows windows with plain numbers"
    return term.value


def _ticks(duration: Duration) -> int:
    assert not duration.unit, "the oracle knows windows in plain ticks"
    return _number(duration.size)


@dataclass(frozen=True)
class Timeline:
    """The ticks from the start to now, and what arrived at them.

    Attributes:
        start: the first tick.
        now: the tick of evaluation.
        arrivals: the arrivals up to now, in order of arrival.
        complete_windows: whether `always` needs windows that lie wholly on the timeline.
    """

    start: int
    now: int
    arrivals: tuple[Arrival, ...]
    complete_windows: bool

    def ticks(self, window: TickWindow | None) -> list[int]:
        """The ticks of a window (the whole timeline without one)."""
        timeline = range(self.start, self.now + 1)
        if window is None:
            return list(timeline)
        if isinstance(window, HoppingWindow) and self._end(window) < self.start:
            return []
        unclipped = self._unclipped(window)
        return [tick for tick in timeline if tick in unclipped]

    def box_ticks(self, window: TickWindow) -> list[int]:
        """The ticks at which `always` needs the atom; none where it is false whatever holds."""
        if self.complete_windows and any(tick < self.start for tick in self._unclipped(window)):
            return []
        return self.ticks(window)

    def _end(self, window: HoppingWindow) -> int:
        step = _ticks(window.step)
        return self.now // step * step

    def _unclipped(self, window: TickWindow) -> Iterable[int]:
        match window:
            case SlidingWindow(duration):
                return range(self.now - _ticks(duration), self.now + 1)
            case OffsetWindow(offsets):
                return {self.now - _number(offset) for offset in offsets}
            case HoppingWindow(duration):
                end = self._end(window)
                return range(end - _ticks(duration), end + 1)
            case TumblingWindow(duration):
                length = _ticks(duration)
                block = (self.now + 1) // length - 1
                return range(block * length, (block + 1) * length)

    # --- tuple windows --------------------------------------------------------------------------------

    def covered(self, window: TupleWindow, pattern: Atom, atom: Ground) -> list[int]:
        """The ticks at which an atom, written as `pattern` in the program, holds in a tuple window."""
        inside = self._inside(window, pattern, atom)
        return [
            tick
            for tick in range(self.start, self.now + 1)
            if any(arrival.atom == atom and arrival.covers(tick) for arrival in inside)
        ]

    def span(self, window: TupleWindow, pattern: Atom, atom: Ground) -> list[int]:
        """The ticks of a tuple window at which `always` needs the atom; none where it is false."""
        inside = self._inside(window, pattern, atom)
        if len(inside) == _number(window.size):
            return list(range(inside[0].tick, self.now + 1))
        return [] if self.complete_windows else list(range(self.start, self.now + 1))

    def _inside(self, window: TupleWindow, pattern: Atom, atom: Ground) -> tuple[Arrival, ...]:
        """The arrivals in the window, oldest first."""
        counted = [arrival for arrival in self.arrivals if self._counts(window, pattern, atom, arrival.atom)]
        return tuple(counted[-_number(window.size) :])

    def _counts(self, window: TupleWindow, pattern: Atom, atom: Ground, arrived: Ground) -> bool:
        """Whether an arrival is one of those of which the window holds the last ones."""
        if window.signature is not None:
            return (arrived[0], len(arrived[1])) == (window.signature.name, window.signature.arity)
        if not window.group:
            return True
        if (arrived[0], len(arrived[1])) != (atom[0], len(atom[1])):
            return False
        names = {variable.name for variable in window.group}
        return all(
            arrived[1][i] == atom[1][i]
            for i, term in enumerate(pattern.arguments)
            if isinstance(term, Variable) and term.name in names
        )

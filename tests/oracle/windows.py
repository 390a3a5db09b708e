"""T(W,t), written out for each kind of window, and what is in a tuple window."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lars2asp.syntax.nodes import (
    Atom,
    Duration,
    Function,
    HoppingWindow,
    LaggedWindow,
    Number,
    OffsetWindow,
    SlidingWindow,
    Term,
    TumblingWindow,
    Tuple,
    TupleWindow,
    Variable,
)
from tests.oracle.stream import Arrival
from tests.oracle.values import Ground, Value

TickWindow = SlidingWindow | LaggedWindow | OffsetWindow | HoppingWindow | TumblingWindow


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
            case LaggedWindow(nearest, furthest):
                return range(self.now - _ticks(furthest), self.now - _ticks(nearest) + 1)
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
            sign = "" if window.signature.is_positive else "-"
            return (arrived[0], len(arrived[1])) == (sign + window.signature.name, window.signature.arity)
        if not window.group:
            return True
        if (arrived[0], len(arrived[1])) != (atom[0], len(atom[1])):
            return False
        names = {variable.name for variable in window.group}
        terms = list(zip(pattern.arguments, atom[1], arrived[1], strict=True))
        return all(_agree(term, value, other, names) for term, value, other in terms)


def _agree(term: Term, value: Value, other: Value | None, names: set[str]) -> bool:
    """Whether two values are the same wherever one of the variables stands in a term that has the first."""
    match term:
        case Variable(name):
            return name not in names or value == other
        case Function(_, arguments, False) | Tuple(arguments) if names.intersection(_standing(term)):
            inside = _arguments(value)
            others = _arguments(other) if _functor(other) == _functor(value) else [None] * len(inside)
            pairs = zip(arguments, inside, others, strict=True)
            return all(_agree(argument, one, another, names) for argument, one, another in pairs)
        case _:
            return True


def _standing(term: Term) -> set[str]:
    """The variables that stand in a term as they are, not in arithmetic."""
    match term:
        case Variable(name):
            return {name}
        case Function(_, arguments, False) | Tuple(arguments):
            return set().union(*map(_standing, arguments))
        case _:
            return set()


def _arguments(value: Value | None) -> Sequence[Value]:
    return () if value is None or isinstance(value, int) or isinstance(value[1], str) else value[1]


def _functor(value: Value | None) -> tuple[str, int] | None:
    return None if value is None or isinstance(value, int) else (value[0], len(_arguments(value)))

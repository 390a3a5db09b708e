"""Arrivals in order, for tuple windows: the last n of the input, of a predicate, of a group.

A tuple window holds the last n arrivals, and time in it goes from the tick of the oldest of them to now
(Bazoobandi, Beck, Urbani 2017, definition 4). An atom is true in it where one of its arrivals covers the
tick: an interval, or what was begun, is one arrival, at its first tick.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clingo import Symbol

from externals.intervals import OPEN_END, Interval, canonical
from externals.symbols import signature_of
from lars2asp.lookups import Lookup
from lars2asp.syntax import Signature
from lars2asp.windows import LastArrivals


@dataclass(slots=True)
class Arrival:
    """An atom that arrived and the ticks at which it holds by that; OPEN_END while its end is not told."""

    signature: Signature
    atom: Symbol
    begin: int
    end: int


class _Stretch:
    """One window: its arrivals, oldest first."""

    def __init__(self, size: int) -> None:
        self.arrivals: deque[Arrival] = deque(maxlen=size)

    @property
    def is_whole(self) -> bool:
        """Whether the window has as many arrivals as it takes."""
        return len(self.arrivals) == self.arrivals.maxlen

    def first(self, start: int) -> int:
        """The first tick of the window: the start of the timeline until the window is whole."""
        return self.arrivals[0].begin if self.is_whole else start


@dataclass(frozen=True)
class Contents:
    """What a window holds of one predicate.

    Attributes:
        first: the first tick of the window.
        is_whole: whether it has as many arrivals as it takes.
        intervals: for each atom the ticks at which the atom holds in the window, canonical.
    """

    first: int
    is_whole: bool
    intervals: dict[Symbol, tuple[Interval, ...]]


class Arrivals:
    """The last arrivals, as far as some lookup asks for them."""

    def __init__(self, lookups: Iterable[Lookup]) -> None:
        self._plain: dict[tuple[int, Signature | None], _Stretch] = {}
        self._grouped: dict[tuple[LastArrivals, Signature], dict[tuple[Symbol, ...], _Stretch]] = {}
        for lookup in lookups:
            window = lookup.window
            if isinstance(window, LastArrivals) and lookup.signature is not None:
                if window.group:
                    self._grouped[window, lookup.signature] = {}
                else:
                    self._plain[window.size, window.signature] = _Stretch(window.size)
        self._open: dict[Symbol, tuple[Arrival, int]] = {}

    @property
    def is_idle(self) -> bool:
        """Whether no lookup asks for arrivals."""
        return not (self._plain or self._grouped)

    def tell(self, atom: Symbol, tick: int, until: int | None, is_open: bool) -> None:
        """An atom arrives.

        Args:
            atom: the atom.
            tick: the tick of the arrival.
            until: the last tick at which it holds as far as facts tell; None where it was begun alone.
            is_open: whether it was begun with this arrival and holds until its end is told.
        """
        told_end = tick - 1 if until is None else until
        arrival = Arrival(signature_of(atom), atom, tick, OPEN_END if is_open else told_end)
        if is_open:
            self._open[atom] = arrival, told_end
        for (_, signature), stretch in self._plain.items():
            if signature is None or signature == arrival.signature:
                stretch.arrivals.append(arrival)
        for (window, signature), groups in self._grouped.items():
            if signature == arrival.signature:
                key = tuple(atom.arguments[position] for position in window.group)
                groups.setdefault(key, _Stretch(window.size)).arrivals.append(arrival)

    def end(self, atom: Symbol, tick: int) -> None:
        """The atom's open interval ended: it last held at the tick before."""
        opened = self._open.pop(atom, None)
        if opened is not None:
            arrival, told_end = opened
            arrival.end = max(told_end, tick - 1)

    def contents(self, lookup: Lookup, now: int, start: int) -> Iterator[Contents]:
        """What the window of a lookup holds of its predicate now; one for each group."""
        window, signature = lookup.window, lookup.signature
        if not isinstance(window, LastArrivals) or signature is None:
            raise ValueError(f"{lookup} does not ask for arrivals")
        if window.group:
            stretches = list(self._grouped[window, signature].values())
        else:
            stretches = [self._plain[window.size, window.signature]]
        for stretch in stretches:
            found: dict[Symbol, list[Interval]] = {}
            for arrival in stretch.arrivals:
                if arrival.signature == signature:
                    interval = Interval(arrival.begin, min(arrival.end, now))
                    found.setdefault(arrival.atom, []).append(interval)
            intervals = {atom: canonical(runs) for atom, runs in found.items()}
            yield Contents(stretch.first(start), stretch.is_whole, intervals)

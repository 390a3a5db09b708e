"""Arrivals in order, for tuple windows: the last n of the input, of a predicate, of a group.

A tuple window holds the last n arrivals, and time in it goes from the tick of the oldest of them to now
(Bazoobandi, Beck, Urbani 2017, definition 4). An atom is true in it where one of its arrivals covers the
tick: an interval, or what was begun, is one arrival, at its first tick.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lars2asp.analysis.windows import LastArrivals, Place
from lars2asp.externals.intervals import OPEN_END, Interval, canonical
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import GroundAtom, Row, Term, Value
from lars2asp.planning.lookups import Lookup
from lars2asp.syntax.nodes import Signature


@dataclass(slots=True)
class Arrival:
    """An atom that arrived and the ticks at which it holds by that; OPEN_END while it is open."""

    atom: GroundAtom
    begin: int
    end: int


def _value_at(place: Place, row: Row) -> Value | None:
    """The term at a place of an atom, None where the atom has no such place."""
    first, *others = place
    found = row[first.position]
    for function, position in others:
        if function is None or not isinstance(found, Term) or not found.is_positive:
            return None
        if (found.name, len(found.arguments)) != (function.name, function.arity):
            return None
        found = found.arguments[position]
    return found


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
    """The atoms of one predicate in a window.

    Attributes:
        first: the first tick of the window.
        is_whole: whether it has as many arrivals as it takes.
        intervals: for each atom the ticks at which the atom holds in the window, canonical.
    """

    first: int
    is_whole: bool
    intervals: dict[Row, tuple[Interval, ...]]


class Arrivals:
    """The last arrivals that some lookup looks at."""

    def __init__(self, lookups: Iterable[Lookup]) -> None:
        self._plain: dict[tuple[int, Signature | None], _Stretch] = {}
        self._grouped: dict[tuple[LastArrivals, Signature], dict[Row, _Stretch]] = {}
        self._touched: dict[tuple[LastArrivals, Signature], list[dict[Row, None]]] = {}
        """Of each window with groups the keys that are listed for those who asked to be told."""
        for lookup in lookups:
            window = lookup.window
            if isinstance(window, LastArrivals) and lookup.signature is not None:
                if window.group:
                    self._grouped[window, lookup.signature] = {}
                else:
                    self._plain[window.size, window.signature] = _Stretch(window.size)
        self._open: dict[GroundAtom, tuple[Arrival, int]] = {}
        self._last_end = -1
        """The last tick that facts of the input hold until."""

    @property
    def is_idle(self) -> bool:
        """Whether no lookup looks at arrivals."""
        return not (self._plain or self._grouped)

    def __len__(self) -> int:
        """The number of arrivals that are kept, each once, whatever windows it is in."""
        return len({id(arrival) for arrival in self._kept()})

    def atoms(self) -> set[GroundAtom]:
        """The atoms of these."""
        return {arrival.atom for arrival in self._kept()}

    def _kept(self) -> Iterator[Arrival]:
        """All arrivals, some more than once."""
        for stretch in self._stretches():
            yield from stretch.arrivals
        for arrival, _ in self._open.values():
            yield arrival

    def add_input(self, atom: GroundAtom, tick: int, until: int | None, is_open: bool) -> None:
        """An atom arrives.

        Args:
            atom: the atom.
            tick: the tick of the arrival.
            until: the last tick at which it holds by facts; None where it was only begun.
            is_open: whether it was begun with this arrival and holds until it is ended.
        """
        input_end = tick - 1 if until is None else until
        self._last_end = max(self._last_end, input_end)
        arrival = Arrival(atom, tick, OPEN_END if is_open else input_end)
        if is_open:
            self._open[atom] = arrival, input_end
        for (_, signature), stretch in self._plain.items():
            if signature is None or signature == atom.signature:
                stretch.arrivals.append(arrival)
        for (window, signature), groups in self._grouped.items():
            if signature == atom.signature:
                row = atom.row
                key = tuple(row[position] for position in window.group)
                if any(_value_at(place, row) != key[number] for number, place in window.alike):
                    continue
                groups.setdefault(key, _Stretch(window.size)).arrivals.append(arrival)
                for touched in self._touched.get((window, signature), ()):
                    touched[key] = None

    def next_end(self, now: int) -> int | None:
        """The first tick after now at which an arrival in a window holds no more, as far as is known."""
        if now > self._last_end:
            return None
        ends = (arrival.end for stretch in self._stretches() for arrival in stretch.arrivals)
        return min((end + 1 for end in ends if now <= end < OPEN_END), default=None)

    @property
    def last_end(self) -> int:
        """The last tick that facts of the input hold until; -1 for none."""
        return self._last_end

    def next_growth(self, now: int) -> int | None:
        """The next tick if an arrival in a window holds then, else None."""
        if now >= self._last_end and not self._open:
            return None
        is_growing = any(arrival.end > now for stretch in self._stretches() for arrival in stretch.arrivals)
        return now + 1 if is_growing else None

    def _stretches(self) -> Iterator[_Stretch]:
        """All windows."""
        yield from self._plain.values()
        for groups in self._grouped.values():
            yield from groups.values()

    def end(self, atom: GroundAtom, tick: int) -> None:
        """The atom's open interval ended: it last held at the tick before."""
        opened = self._open.pop(atom, None)
        if opened is not None:
            arrival, input_end = opened
            arrival.end = max(input_end, tick - 1)

    def go_on(self, other: "Arrivals") -> None:
        """Takes over the arrivals of another one, for the same windows, that is not used any more."""
        self._plain, self._grouped = other._plain, other._grouped
        self._open, self._last_end = other._open, other._last_end
        self._touch_all()

    def touched(self, window: LastArrivals, signature: Signature) -> dict[Row, None]:
        """The keys of groups of a window in which something arrives from here on.

        It is for the one who asks, to take out what was seen to.
        """
        touched: dict[Row, None] = {}
        self._touched.setdefault((window, signature), []).append(touched)
        return touched

    def _touch_all(self) -> None:
        for asked, keys in self._touched.items():
            for touched in keys:
                touched.update(dict.fromkeys(self._grouped[asked]))

    def state(self, write: WriteRows) -> dict[str, Any]:
        """All that later ticks depend on, as JSON has it; rows as they are written."""
        arrivals: dict[int, tuple[int, Arrival]] = {}

        def place(arrival: Arrival) -> int:
            return arrivals.setdefault(id(arrival), (len(arrivals), arrival))[0]

        plain = [[*map(place, stretch.arrivals)] for stretch in self._plain.values()]
        grouped = [
            [write(groups), [[*map(place, stretch.arrivals)] for stretch in groups.values()]]
            for groups in self._grouped.values()
        ]
        opened = [[place(arrival), input_end] for arrival, input_end in self._open.values()]
        found = [arrival for _, arrival in arrivals.values()]
        return {
            "rows": write([arrival.atom.row for arrival in found]),
            "arrivals": [[[*arrival.atom.signature], arrival.begin, arrival.end] for arrival in found],
            "plain": plain,
            "grouped": grouped,
            "open": opened,
            "last_end": self._last_end,
        }

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state; there was no arrival before."""
        arrivals = [
            Arrival(GroundAtom(Signature(*signature), row), begin, end)
            for row, (signature, begin, end) in zip(read(state["rows"]), state["arrivals"], strict=True)
        ]
        for stretch, places in zip(self._plain.values(), state["plain"], strict=True):
            stretch.arrivals.extend(arrivals[place] for place in places)
        for (window, _), groups, (rows, stretches) in zip(
            self._grouped, self._grouped.values(), state["grouped"], strict=True
        ):
            for group, places in zip(read(rows), stretches, strict=True):
                stretch = groups[group] = _Stretch(window.size)
                stretch.arrivals.extend(arrivals[place] for place in places)
        for place, input_end in state["open"]:
            self._open[arrivals[place].atom] = arrivals[place], input_end
        self._last_end = state["last_end"]
        self._touch_all()

    def contents(
        self, lookup: Lookup, now: int, start: int, groups: Iterable[Row] | None = None
    ) -> Iterator[Contents]:
        """The contents of the window of a lookup now; one for each group, or for each of some groups."""
        window, signature = lookup.window, lookup.signature
        if not isinstance(window, LastArrivals) or signature is None:
            raise ValueError(f"{lookup} does not ask for arrivals")
        if window.group:
            grouped = self._grouped[window, signature]
            stretches = [grouped[group] for group in (grouped if groups is None else groups)]
        else:
            stretches = [self._plain[window.size, window.signature]]
        for stretch in stretches:
            found: dict[Row, list[Interval]] = {}
            for arrival in stretch.arrivals:
                if arrival.atom.signature == signature:
                    interval = Interval(arrival.begin, min(arrival.end, now))
                    found.setdefault(arrival.atom.row, []).append(interval)
            intervals = {row: canonical(runs) for row, runs in found.items()}
            yield Contents(stretch.first(start), stretch.is_whole, intervals)

"""Arrivals in order, for tuple windows: the last n of the input, of a predicate, of a group.

A tuple window holds the last n arrivals, and time in it goes from the tick of the oldest of them to now
(Bazoobandi, Beck, Urbani 2017, definition 4). An atom is true in it where one of its arrivals covers the
tick: an interval, or what was begun, is one arrival, at its first tick.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.places import value_at
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import AtomRows, GroundAtom, Row
from lars2asp.planning.lookups import Lookup
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass


@dataclass(slots=True)
class Arrival:
    """An atom that arrived and the ticks at which it holds by that; OPEN_END while it is open."""

    signature: Signature
    row: Row
    begin: int
    end: int


LastRows = Sequence[tuple[int, Row, int, Signature]]
"""Of arrivals: ticks, rows, the ticks behind the last ones at which they hold or OPEN_END, predicates."""


class Looking(Protocol):
    """Looks at a tuple window."""

    def move(self, came: Sequence[Arrival], left: Sequence[Arrival]) -> None:
        """Arrivals are in the window, and others, some of these among them, are not any more."""
        ...

    def end(self, arrival: Arrival) -> None:
        """An arrival in the window, or one that was, is not open any more."""
        ...

    def load(self) -> None:
        """The window has other arrivals than before."""
        ...


class ArrivalWindow:
    """The last arrivals: of all that come to it, or of each group of them.

    Args:
        window: says how many, and by which arguments arrivals are of a group.

    Attributes:
        groups: the arrivals of each group, oldest first; without groups those of the empty row.
        views: those that look at it.
    """

    def __init__(self, window: LastArrivals) -> None:
        self.groups: dict[Row, deque[Arrival]] = {}
        self.views: list[Looking] = []
        self._size = window.size
        self._group = window.group
        self._alike = window.alike
        self._single = window.group[0] if len(window.group) == 1 and not window.alike else None
        """The one place that makes groups, if it is one."""
        if not window.group:
            self.groups[()] = deque()

    def key(self, row: Row) -> Row:
        """The group of a row that is in one."""
        return tuple(row[position] for position in self._group)

    def take(self, came: Sequence[Arrival]) -> None:
        """Atoms arrive, in their order."""
        groups, size, single, left = self.groups, self._size, self._single, []
        if self._alike:
            came = [arrival for arrival in came if self._is_of_group(arrival.row)]
        for arrival in came:
            key = self.key(arrival.row) if single is None else (arrival.row[single],)
            arrivals = groups.get(key)
            if arrivals is None:
                arrivals = groups[key] = deque()
            arrivals.append(arrival)
            if len(arrivals) > size:
                left.append(arrivals.popleft())
        for view in self.views:
            view.move(came, left)

    def _is_of_group(self, row: Row) -> bool:
        """Whether a row has the terms that are to be alike."""
        key = self.key(row)
        return all(value_at(place, row) == key[number] for number, place in self._alike)

    def is_whole(self, key: Row) -> bool:
        """Whether the window of a group has as many arrivals as it takes."""
        return len(self.groups[key]) == self._size

    def first(self, key: Row, start: int) -> int:
        """The first tick of the window of a group: the start of the timeline until it is whole."""
        arrivals = self.groups[key]
        return arrivals[0].begin if len(arrivals) == self._size else start

    def arrivals(self) -> Iterator[Arrival]:
        """All arrivals that are kept."""
        for arrivals in self.groups.values():
            yield from arrivals


class Arrivals:
    """The last arrivals that some lookup looks at.

    Attributes:
        is_idle: whether no lookup looks at arrivals.
    """

    def __init__(self, lookups: Iterable[Lookup]) -> None:
        self.merged = Counter[Signature]()
        self._plain: dict[tuple[int, Signature | None], ArrivalWindow] = {}
        self._grouped: dict[tuple[LastArrivals, Signature], ArrivalWindow] = {}
        for lookup in lookups:
            window = lookup.window
            if isinstance(window, LastArrivals) and lookup.signature is not None:
                if window.group:
                    self._grouped.setdefault((window, lookup.signature), ArrivalWindow(window))
                else:
                    self._plain.setdefault((window.size, window.signature), ArrivalWindow(window))
        self.is_idle = not (self._plain or self._grouped)
        self._of_all = [one for (_, signature), one in self._plain.items() if signature is None]
        self._of: dict[Signature, list[ArrivalWindow]] = {}
        for (_, signature), one in (*self._plain.items(), *self._grouped.items()):
            if signature is not None:
                self._of.setdefault(signature, []).append(one)
        for several in self._of.values():
            several.extend(self._of_all)
        self._open: dict[GroundAtom, tuple[Arrival, int]] = {}
        self._last_end = -1
        """The last tick that facts of the input hold until."""

    def counts(self, signature: Signature) -> bool:
        """Whether some lookup looks at arrivals of a predicate."""
        return bool(self._of.get(signature, self._of_all))

    def __len__(self) -> int:
        """The number of arrivals that are kept, each once, whatever windows it is in."""
        return len({id(arrival) for arrival in self._kept()})

    def atoms(self) -> set[GroundAtom]:
        """The atoms of these."""
        return {GroundAtom(arrival.signature, arrival.row) for arrival in self._kept()}

    def _kept(self) -> Iterator[Arrival]:
        """All arrivals, some more than once."""
        for window in self._windows():
            yield from window.arrivals()
        for arrival, _ in self._open.values():
            yield arrival

    def _windows(self) -> Iterator[ArrivalWindow]:
        yield from self._plain.values()
        yield from self._grouped.values()

    def window(self, lookup: Lookup) -> ArrivalWindow:
        """The window of a lookup about arrivals."""
        window, signature = lookup.window, lookup.signature
        if not isinstance(window, LastArrivals) or signature is None:
            raise ValueError(f"{lookup} does not ask for arrivals")
        return (
            self._grouped[window, signature] if window.group else self._plain[window.size, window.signature]
        )

    # --- what happens ---------------------------------------------------------------------------------

    def add_points(self, atoms: Iterable[AtomRows], tick: int) -> None:
        """Atoms arrive in this order, each of which holds at a tick by that; some may be there twice."""
        self._last_end = max(self._last_end, tick)
        known: dict[Signature, set[Row]] = {}
        for signature, came in atoms:
            windows = self._of.get(signature, self._of_all)
            if not windows:
                continue
            rows, before = came, known.get(signature)
            if before is None:
                known[signature] = before = set(rows)
                if len(before) < len(rows):
                    rows = [*dict.fromkeys(rows)]
            else:
                rows = [row for row in dict.fromkeys(rows) if row not in before]
                before.update(rows)
            if len(rows) < len(came):
                self.merged[signature] += len(came) - len(rows)
            arrivals = [Arrival(signature, row, tick, tick) for row in rows]
            for window in windows:
                window.take(arrivals)

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
        arrival = Arrival(*atom, tick, OPEN_END if is_open else input_end)
        if is_open:
            self._open[atom] = arrival, input_end
        for window in self._of.get(atom.signature, self._of_all):
            window.take((arrival,))

    def end(self, atom: GroundAtom, tick: int) -> None:
        """The atom's open interval ended: it last held at the tick before."""
        opened = self._open.pop(atom, None)
        if opened is not None:
            arrival, input_end = opened
            arrival.end = max(input_end, tick - 1)
            for window in self._of.get(atom.signature, self._of_all):
                for view in window.views:
                    view.end(arrival)

    @property
    def last_end(self) -> int:
        """The last tick that facts of the input hold until; -1 for none."""
        return self._last_end

    # --- states ---------------------------------------------------------------------------------------

    def go_on(self, other: "Arrivals") -> None:
        """Takes over the arrivals of another one, for the same windows, that is not used any more."""
        for plain, window in self._plain.items():
            window.groups = other._plain[plain].groups
        for grouped, window in self._grouped.items():
            window.groups = other._grouped[grouped].groups
        self._open, self._last_end = other._open, other._last_end
        self._load()

    def _load(self) -> None:
        for window in self._windows():
            for view in window.views:
                view.load()

    def state(self, write: WriteRows) -> dict[str, Any]:
        """All that later ticks depend on, as JSON has it; rows as they are written."""
        arrivals: dict[int, tuple[int, Arrival]] = {}

        def places(some: Iterable[Arrival]) -> list[int]:
            return [arrivals.setdefault(id(arrival), (len(arrivals), arrival))[0] for arrival in some]

        plain = [places(window.arrivals()) for window in self._plain.values()]
        grouped = [
            [write(window.groups), [places(some) for some in window.groups.values()]]
            for window in self._grouped.values()
        ]
        opened = [[*places([arrival]), input_end] for arrival, input_end in self._open.values()]
        found = [arrival for _, arrival in arrivals.values()]
        return {
            "rows": write([arrival.row for arrival in found]),
            "arrivals": [[[*arrival.signature], arrival.begin, arrival.end] for arrival in found],
            "plain": plain,
            "grouped": grouped,
            "open": opened,
            "last_end": self._last_end,
        }

    def last(
        self, lookup: Lookup, held: Collection[Signature], derived: Collection[Signature]
    ) -> Mapping[Row, LastRows] | None:
        """The last arrivals for a lookup, by groups, as `state_of` has them.

        None if not all are points, but for facts that are held, or some are of predicates that rules derive.
        """
        known = self.window(lookup)
        for one in known.arrivals():
            if one.signature in derived or (one.begin < one.end and one.signature not in held):
                return None
        return {
            key: [(one.begin, one.row, min(one.end + 1, OPEN_END), one.signature) for one in arrivals]
            for key, arrivals in known.groups.items()
            if arrivals
        }

    def state_of(
        self,
        arrived: Mapping[Lookup, Mapping[Row, LastRows]],
        now: int,
        opened: Mapping[Signature, Mapping[Row, tuple[int, int]]],
    ) -> dict[str, Any]:
        """The state at the end of a tick, by the last arrivals of groups, by lookups."""
        found: list[Arrival] = []
        known: dict[tuple[Signature, Row, int], int] = {}

        def places(some: LastRows, size: int) -> list[int]:
            several = []
            for tick, row, end, signature in some[-size:]:
                place = known.setdefault((signature, row, tick), len(found))
                if place == len(found):
                    found.append(Arrival(signature, row, tick, end if end == OPEN_END else end - 1))
                several.append(place)
            return several

        by_window: dict[tuple[LastArrivals, Signature | None], Mapping[Row, LastRows]] = {}
        for lookup, groups in arrived.items():
            if isinstance(lookup.window, LastArrivals):
                is_of_all = lookup.window.signature is None and not lookup.window.group
                by_window[lookup.window, None if is_of_all else lookup.signature] = groups
        nothing: Mapping[Row, LastRows] = {}  # of windows of rules that never fire
        plain = [
            places(by_window.get((LastArrivals(size, one), one), nothing).get((), ()), size)
            for size, one in self._plain
        ]
        grouped = []
        for window, signature in self._grouped:
            groups = by_window.get((window, signature), nothing)
            grouped.append([[*groups], [places(some, window.size) for some in groups.values()]])
        return {
            "rows": [arrival.row for arrival in found],
            "arrivals": [[[*arrival.signature], arrival.begin, arrival.end] for arrival in found],
            "plain": plain,
            "grouped": grouped,
            "open": [
                [place, max(one.begin, opened.get(one.signature, {}).get(one.row, (0, 0))[1]) - 1]
                for place, one in enumerate(found)
                if one.end == OPEN_END
            ],
            "last_end": now,
        }

    def restore(self, state: Mapping[str, Any], read: ReadRows) -> None:
        """Takes over a state; there was no arrival before."""
        arrivals = [
            Arrival(Signature(*signature), row, begin, end)
            for row, (signature, begin, end) in zip(read(state["rows"]), state["arrivals"], strict=True)
        ]

        def placed(places: Sequence[int]) -> deque[Arrival]:
            return deque(arrivals[place] for place in places)

        for window, places in zip(self._plain.values(), state["plain"], strict=True):
            window.groups[()] = placed(places)
        for window, (rows, several) in zip(self._grouped.values(), state["grouped"], strict=True):
            window.groups.update(zip(read(rows), map(placed, several), strict=True))
        for place, input_end in state["open"]:
            arrival = arrivals[place]
            self._open[GroundAtom(arrival.signature, arrival.row)] = arrival, input_end
        self._last_end = state["last_end"]
        self._load()

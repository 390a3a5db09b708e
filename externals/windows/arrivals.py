"""Tuple windows over facts that may hold for a while, and all streaming atoms over them."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.intervals import merged
from lars2asp.externals.operators import Batch, Handed, Operator, net
from lars2asp.externals.terms.places import value_at
from lars2asp.externals.terms.terms import GroundAtom, Row
from lars2asp.externals.traces.told import Open
from lars2asp.externals.windows.row_by_row import RowByRow
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

Arrived = Mapping[Row, Sequence[tuple[int, Row, int, Signature]]]
"""By groups the arrivals, in their order: ticks, rows, the ticks behind the last ones, predicates."""


class AllArrivals(Operator):
    """The facts of the input in the order in which they arrive, each once a tick. O(1) a fact.

    The first input has atoms by tick, as they are told. The others have the arrivals of predicates whose
    facts are held, with those that end: of these the last one of a tick with a key counts.

    Args:
        held: these predicates, in the order of the inputs.

    Attributes:
        open: the atoms of others that hold on until they end.
    """

    def __init__(self, held: Mapping[Signature, HeldBy]) -> None:
        super().__init__(1 + len(held))
        self._held = held
        self.open = Open()

    def advance(self, frontier: int) -> Handed:
        """Hands on what ends and what arrives."""
        found: dict[int, tuple[list[Any], list[Any]]] = {}
        for signature, batch in zip(self._held, self.inputs[1:], strict=True):
            for tick, gone, _ in batch:
                ended, _ = found.setdefault(tick, ([], []))
                ended += [(GroundAtom(signature, row), end) for row, end in gone]
            batch.clear()
        for tick, told in self.inputs[0]:
            arrived = self.open.take(tick, self._last_held(told) if self._held else told)
            ended, began = found.setdefault(tick, ([], []))
            ended += arrived.gone
            began += [(one, FOR_EVER if one.signature in self._held else end) for one, end in arrived.came]
        self.inputs[0].clear()
        return ((self.readers, [(tick, *found[tick]) for tick in sorted(found)]),) if found else ()

    def _last_held(self, told: Sequence[tuple[GroundAtom, int]]) -> Sequence[tuple[GroundAtom, int]]:
        """The same, of facts that are held with a key only the last one."""
        found: dict[Any, tuple[GroundAtom, int]] = {}
        for place, one in enumerate(told):
            by = self._held.get(one[0].signature)
            key = place if by is None else (one[0].signature, by.key_of(one[0].row))
            found.pop(key, None)
            found[key] = one
        return [*found.values()]


class _Arrival:
    """A row that arrived.

    Attributes:
        row: the row.
        begin: the tick.
        end: the tick behind the last one at which it holds by that; FOR_EVER while that is not known.
    """

    __slots__ = ("begin", "end", "row")

    def __init__(self, row: Any, begin: int, end: int) -> None:
        self.row, self.begin, self.end = row, begin, end


class _Row:
    """The arrivals of a row in the window.

    Attributes:
        arrivals: the arrivals, in their order.
        runs: when the row holds by them, in turns: first ticks and the ticks behind the last ones.
        number: the number of ticks of all runs but the last one.
        gone: the arrivals that have left since the last look.
        until: the tick of the last look, if it is followed by its ticks.
        told: the number in the answer.
        listed: the runs up to `until`, while arrivals overlap; else None.
    """

    __slots__ = ("arrivals", "gone", "listed", "number", "runs", "told", "until")

    def __init__(self) -> None:
        self.arrivals: deque[_Arrival] = deque()
        self.runs: deque[int] = deque()
        self.gone: list[_Arrival] = []
        self.number, self.until, self.told = 0, -1, 0
        self.listed: list[int] | None = None

    def add(self, arrival: _Arrival) -> None:
        """Another one."""
        runs = self.runs
        if self.listed is None and runs and runs[-1] > arrival.begin:
            known = [each for one in (*self.gone, *self.arrivals) for each in (one.begin, one.end)]
            self.listed = _up_to(self.until, merged(known))
            self.gone.clear()
        self.arrivals.append(arrival)
        if self.listed is not None:
            self.work_out()
        elif runs and runs[-1] == arrival.begin:
            runs[-1] = arrival.end
        else:
            if runs:
                self.number += runs[-1] - runs[-2]
            runs += (arrival.begin, arrival.end)

    def leave(self) -> None:
        """The first one leaves."""
        arrival, runs = self.arrivals.popleft(), self.runs
        if self.listed is not None:
            self.work_out()
            return
        self.gone.append(arrival)
        if len(runs) > 2:
            self.number -= arrival.end - arrival.begin
        runs[0] = arrival.end
        if runs[0] == runs[1]:
            runs.popleft()
            runs.popleft()
            if len(runs) == 2:
                self.number = 0

    def end(self, arrival: _Arrival, tick: int) -> None:
        """One that was open holds up to a tick."""
        arrival.end = tick
        if self.listed is not None:
            self.work_out()
        elif self.arrivals and self.arrivals[-1] is arrival:
            self.runs[-1] = tick

    def work_out(self) -> None:
        """Works the runs out anew, as arrivals overlap: O(n log n) of these."""
        found = merged([each for one in self.arrivals for each in (one.begin, one.end)])
        self.runs = deque(found)
        self.number = sum(found[1:-2:2]) - sum(found[:-2:2])

    def list_anew(self, row: Row, tick: int, less: list[Row], more: list[Row]) -> None:
        """The ticks that are in the runs no more, and those that are there now, while arrivals overlap."""
        assert self.listed is not None
        now = _up_to(tick, [*self.runs])
        less += [(*row, at) for at in _but(self.listed, now)]
        more += [(*row, at) for at in _but(now, self.listed)]
        self.listed, self.until = now, tick

    def see_overlaps(self) -> None:
        """Sees whether arrivals still overlap; to be called behind a look."""
        runs = [*self.runs]
        if sum([one.end - one.begin for one in self.arrivals]) == sum(runs[1::2]) - sum(runs[::2]):
            self.listed = None


def _up_to(last: int, runs: Sequence[int]) -> list[int]:
    """The part of runs up to a tick."""
    found: list[int] = []
    for begin, end in zip(runs[::2], runs[1::2], strict=True):
        if begin <= last:
            found += (begin, min(end, last + 1))
    return found


def _but(runs: Sequence[int], others: Sequence[int]) -> Iterator[int]:
    """The ticks of runs that are not in others."""
    place = 0
    for first, end in zip(runs[::2], runs[1::2], strict=True):
        begin = first
        while place < len(others) and others[place + 1] <= begin:
            place += 2
        at = place
        while begin < end:
            if at >= len(others) or others[at] >= end:
                yield from range(begin, end)
                break
            yield from range(begin, others[at])
            begin = max(begin, others[at + 1])
            at += 2


class TupleWindow(RowByRow):
    """`a always in [n #]`, `a count N in [n # by X]` and so on: ticks at which the last arrivals hold.

    Laser 2017, definition 4 (tuple-based windows): an arrival is in the window with the ticks at which it
    holds. `always` asks for those from the tick of the oldest arrival on. O(1) an arrival.

    The input has points; or arrivals, with the ticks behind their last ones. Windows of all input have atoms
    instead of rows. O(n log n) an arrival while n arrivals of the row in the window overlap.

    Args:
        lookup: the lookup.
        window: its window.
        bodies: see Growing.
        start: the first tick of the timeline.
        complete: whether `always` needs as many arrivals as the window takes.
        are_points: whether the input has points.
    """

    def __init__(
        self,
        lookup: Lookup,
        window: LastArrivals,
        bodies: Sequence[Sequence[int]],
        start: int,
        *,
        complete: bool,
        are_points: bool,
    ) -> None:
        super().__init__(lookup, bodies)
        assert lookup.signature is not None
        self._signature, self._are_points = lookup.signature, are_points
        self._is_of_all = window.signature is None and not window.group
        self._size, self._group, self._alike = window.size, window.group, window.alike
        self._start, self._complete = start, complete
        self._groups: dict[Any, deque[_Arrival]] = {}
        self._firsts: dict[Row, int] = {}
        """By groups the first tick of the window, as far as all of it is asked for."""
        self._rows: dict[Row, _Row] = {}
        self._open: dict[Row, _Arrival] = {}
        """By rows the last arrivals, if their ends are not known."""

    # --- what arrives ---------------------------------------------------------------------------------

    def take(self, tick: int, ended: Sequence[Any], began: Sequence[Any]) -> None:
        """Rows arrive, and arrivals end."""
        for row, end in ended:
            arrival = self._open.pop(row, None)
            if arrival is not None:
                arrival.end = end
                if row in self._rows:
                    self._rows[row].end(arrival, end)
                    self._touched[row] = None
        keys: dict[Row, None] = {}
        for row, end in [(row, tick + 1) for row in began] if self._are_points else began:
            key = self._key(row)
            if not self._alike or all(value_at(place, row) == key[number] for number, place in self._alike):
                keys[key] = None
                self._add(key, _Arrival(row, tick, end))
        if self._kind is LookupKind.ALWAYS:
            for key in keys:
                self._see_first(key)

    def _signature_of(self, row: Row) -> Signature:
        return row.signature if isinstance(row, GroundAtom) else self._signature

    def _key(self, row: Row) -> Row:
        return tuple([row[place] for place in self._group])

    def _add(self, key: Row, arrival: _Arrival) -> None:
        rows, touched = self._rows, self._touched
        arrivals = self._groups.get(key)
        if arrivals is None:
            arrivals = self._groups[key] = deque()
        arrivals.append(arrival)
        known = rows.get(arrival.row)
        if known is None:
            known = rows[arrival.row] = _Row()
        known.add(arrival)
        touched[arrival.row] = None
        if arrival.end == FOR_EVER:
            self._open[arrival.row] = arrival
        if len(arrivals) > self._size:
            row = arrivals.popleft().row
            known = rows[row]
            known.leave()
            if known.arrivals or known.told or known.until >= 0:
                touched[row] = None
            else:  # nothing was said of it
                del rows[row]
                touched.pop(row, None)

    def _see_first(self, key: Row) -> None:
        """Only rows that arrived at the first tick of a window may hold throughout: looks at them again."""
        arrivals = self._groups[key]
        is_whole = len(arrivals) == self._size
        first = arrivals[0].begin if is_whole else self._start
        if (not self._complete or is_whole) and self._firsts.get(key) != first:
            self._firsts[key] = first
            for arrival in arrivals:
                if arrival.begin > first:
                    break
                self._touched[arrival.row] = None

    # --- the answer -----------------------------------------------------------------------------------

    def look(self, tick: int, out: Batch) -> None:
        """Works out the rows that were touched, that grow, or for which it is time."""
        less: list[Row] = []
        more: list[Row] = []
        for row in self._taken(tick):
            known = self._rows.get(row)
            if known is None:
                continue
            own = row.row if isinstance(row, GroundAtom) else row
            if self._signature_of(row) != self._signature:
                known.gone.clear()
            elif self._kind is LookupKind.AT:
                if known.listed is None:
                    _list(own, known, tick, less, more)
                else:
                    known.list_anew(own, tick, less, more)
            else:
                known.gone.clear()
                number = self._number(row, known, tick)
                self._tell(own, known.told, number, less, more)
                known.told = number
            self._grow(row, grows=self._grows and bool(known.runs) and known.runs[-1] > tick + 1)
            if not known.arrivals:
                del self._rows[row]
            elif known.listed is not None:
                known.see_overlaps()
        net(tick, less, more, out)

    def _number(self, row: Row, known: _Row, tick: int) -> int:
        """The number of ticks, if it is asked for; else whether there are enough: 1 or 0."""
        if not known.runs:
            return 0
        begin, end = known.runs[-2], known.runs[-1]
        number = known.number + min(end, tick + 1) - begin
        match self._kind:
            case LookupKind.COUNT:
                return number
            case LookupKind.ALWAYS:
                first = self._firsts.get(self._key(row))
                if first is None or begin > first or end <= tick:
                    return 0
                self._look_again(row, end)
                return 1
            case LookupKind.LEAST:
                if number < self._least and end > tick + self._least - number:
                    self._look_again(row, tick + self._least - number)
                return int(number >= self._least)
        return 1

    def pass_over(self, tick: int, out: Batch) -> None:
        """Nothing: no arrival is kept for longer than it is in the window, or was in the answer."""

    # --- states ---------------------------------------------------------------------------------------

    @property
    def arrived(self) -> Arrived:
        """By groups the arrivals in the window."""
        return {
            key: [
                (
                    one.begin,
                    one.row.row if isinstance(one.row, GroundAtom) else one.row,
                    one.end,
                    self._signature_of(one.row),
                )
                for one in some
            ]
            for key, some in self._groups.items()
        }

    def go_on(self, arrived: Arrived) -> None:
        """Takes over arrivals, before `restore`."""
        self.inputs[0].clear()
        for key, some in arrived.items():
            for tick, row, end, signature in some:
                atom = GroundAtom(signature, row) if self._is_of_all else row
                self._add(key, _Arrival(atom, tick, end))
            if self._kind is LookupKind.ALWAYS:
                self._see_first(key)


def _list(row: Row, known: _Row, tick: int, less: list[Row], more: list[Row]) -> None:
    """The ticks of arrivals that have left, and those that were not handed on yet."""
    runs, fresh = known.runs, known.until + 1
    for arrival in known.gone:
        less += [(*row, at) for at in range(arrival.begin, min(arrival.end, fresh))]
    known.gone.clear()
    for place in range(len(runs) - 2, -1, -2):
        if runs[place + 1] <= fresh:
            break
        more += [(*row, at) for at in range(max(runs[place], fresh), min(runs[place + 1], tick + 1))]
    known.until = tick

"""Tuple windows over facts that may hold for a while, and all streaming atoms over them."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.analysis.window_edges import FOR_EVER
from lars2asp.analysis.windows import LastArrivals
from lars2asp.externals.operators import Batch, Handed, Operator, net
from lars2asp.externals.terms.places import value_at
from lars2asp.externals.terms.terms import GroundAtom, Row
from lars2asp.externals.windows.row_by_row import RowByRow
from lars2asp.planning.lookups import Lookup, LookupKind
from lars2asp.syntax.nodes import Signature

Arrived = Mapping[Row, Sequence[tuple[int, Row, int, Signature]]]
"""By groups the arrivals, in their order: ticks, rows, the ticks behind the last ones, predicates."""


class AllArrivals(Operator):
    """The facts of the input in the order in which they arrive, each once a tick. O(1) a fact.

    The first input has atoms by tick. The others have the facts of predicates that are held, with those that
    end: of these the last one of a tick with a key counts.

    Args:
        held: these predicates, in the order of the inputs.
    """

    def __init__(self, held: Mapping[Signature, HeldBy]) -> None:
        super().__init__(1 + len(held))
        self._held = held

    def advance(self, frontier: int) -> Handed:
        """Hands on what ends and what arrives."""
        over: dict[int, list[GroundAtom]] = {}
        for signature, batch in zip(self._held, self.inputs[1:], strict=True):
            for tick, ended, _ in batch:
                over.setdefault(tick, []).extend([GroundAtom(signature, row) for row in ended])
            batch.clear()
        came: dict[int, dict[Any, GroundAtom]] = {}
        for tick, atoms in self.inputs[0]:
            found = came.setdefault(tick, {})
            for atom in atoms:
                by = self._held.get(atom.signature)
                if by is None:
                    found.setdefault(atom, atom)
                else:
                    key = atom.signature, by.key_of(atom.row), None
                    found.pop(key, None)
                    found[key] = atom
        self.inputs[0].clear()
        ticks = sorted(over.keys() | came)
        out = [(tick, over.get(tick, ()), [*came.get(tick, {}).values()]) for tick in ticks]
        return ((self.readers, out),) if out else ()


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
    """

    __slots__ = ("arrivals", "gone", "number", "runs", "told", "until")

    def __init__(self) -> None:
        self.arrivals: deque[_Arrival] = deque()
        self.runs: deque[int] = deque()
        self.gone: list[_Arrival] = []
        self.number, self.until, self.told = 0, -1, 0

    def add(self, arrival: _Arrival) -> None:
        """Another one, when all before have ended."""
        self.arrivals.append(arrival)
        runs = self.runs
        if runs and runs[-1] == arrival.begin:
            runs[-1] = arrival.end
            return
        if runs:
            self.number += runs[-1] - runs[-2]
        runs += (arrival.begin, arrival.end)

    def leave(self) -> None:
        """The first one leaves."""
        arrival, runs = self.arrivals.popleft(), self.runs
        self.gone.append(arrival)
        if len(runs) > 2:
            self.number -= arrival.end - arrival.begin
        runs[0] = arrival.end
        if runs[0] == runs[1]:
            runs.popleft()
            runs.popleft()
            if len(runs) == 2:
                self.number = 0


class TupleWindow(RowByRow):
    """`a always in [n #]`, `a count N in [n # by X]` and so on: ticks at which the last arrivals hold.

    Laser 2017, definition 4 (tuple-based windows): an arrival is in the window with the ticks at which it
    holds. `always` asks for those from the tick of the oldest arrival on. O(1) an arrival.

    The input has points; or rows that arrive, and end before they arrive again. Windows of all input have
    atoms instead.

    Args:
        lookup: the lookup.
        window: its window.
        bodies: see Growing.
        start: the first tick of the timeline.
        complete: whether `always` needs as many arrivals as the window takes.
        lasting: the predicates whose arrivals hold until it is said that they end, not at their ticks alone.
    """

    def __init__(
        self,
        lookup: Lookup,
        window: LastArrivals,
        bodies: Sequence[Sequence[int]],
        start: int,
        *,
        complete: bool,
        lasting: Collection[Signature],
    ) -> None:
        super().__init__(lookup, bodies)
        assert lookup.signature is not None
        self._signature, self._lasting = lookup.signature, lasting
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

    def take(self, tick: int, ended: Sequence[Row], began: Sequence[Row]) -> None:
        """Rows arrive, and arrivals end."""
        for row in ended:
            self._end(row, tick)
        keys: dict[Row, None] = {}
        for row in began:
            key = self._key(row)
            end = FOR_EVER if self._signature_of(row) in self._lasting else tick + 1
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

    def _end(self, row: Row, tick: int) -> None:
        arrival, known = self._open.pop(row, None), self._rows.get(row)
        if arrival is not None:
            arrival.end = tick
            if known is not None and known.arrivals and known.arrivals[-1] is arrival:
                known.runs[-1] = tick
                self._touched[row] = None

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
                _list(own, known, tick, less, more)
            else:
                known.gone.clear()
                number = self._number(row, known, tick)
                self._tell(own, known.told, number, less, more)
                known.told = number
            self._grow(row, grows=self._grows and bool(known.runs) and known.runs[-1] > tick + 1)
            if not known.arrivals:
                del self._rows[row]
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

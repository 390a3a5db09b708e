"""The facts of the input that are held: of each key the current one, until the next one or its last tick."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.database.agenda import Agenda
from lars2asp.externals.database.arrivals import Arrivals
from lars2asp.externals.database.gathering import Told
from lars2asp.externals.database.stream import Stream
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.table import ReadRows, WriteRows
from lars2asp.externals.terms.terms import GroundAtom, Row
from lars2asp.syntax.nodes import Signature
from lars2asp.syntax.values import dataclass


@dataclass(slots=True)
class _Current:
    """The fact of a key.

    Attributes:
        row: the fact.
        last: the last tick at which it holds if no other one comes; OPEN_END without end.
        called: the tick, no later than that, after which its key is looked at.
    """

    row: Row
    last: int
    called: int


class CurrentFacts:
    """The current facts of a predicate whose facts are held, as long as somebody looks at it.

    To the streams they are rows that hold on until they are let go. What must hold: `_called` has the key of
    each fact that has an end, under a tick that is no later than that. A fact that is told again does not
    change this: its key is looked at when the tick is over, and called again. So there is one entry for each
    key, however often it is told.

    Args:
        signature: the predicate.
        by: how its facts are held.
        streams: its atoms.
        arrivals: the arrivals, for tuple windows.
        agenda: says what is due when.
    """

    def __init__(
        self,
        signature: Signature,
        by: HeldBy,
        streams: Sequence[Stream],
        arrivals: Arrivals,
        agenda: Agenda,
    ) -> None:
        self._signature, self._by = signature, by
        self._streams, self._arrivals, self._agenda = streams, arrivals, agenda
        self._is_counted = arrivals.counts(signature)
        self._current: dict[Row, _Current] = {}
        self._called: dict[int, list[Row]] = {}
        self._ticks: list[int] = []
        """The ticks of these, as a heap."""

    def __len__(self) -> int:
        return len(self._current)

    def take(self, told: Mapping[Row, Told], tick: int) -> None:
        """Takes the facts of the current tick, one for each key."""
        current, by, ended, began = self._current, self._by, [], []
        for key, (row, until) in told.items():
            last = by.last(tick) if until is None else until
            before = current.get(key)
            if before is None:
                began.append(row)
                current[key] = _Current(row, last, self._call(key, last))
                continue
            if self._is_counted:
                self._arrivals.end(GroundAtom(self._signature, before.row), tick)
            if before.row != row:
                ended.append(before.row)
                began.append(row)
                before.row = row
            before.last = last
            if last < before.called:
                before.called = self._call(key, last)
        for stream in self._streams:
            if ended:
                stream.let_go(ended, tick - 1, tick)
            if began:
                stream.hold(began, tick)
            stream.arrive([row for row, _ in told.values()], tick)

    def _call(self, key: Row, last: int) -> int:
        """The key of a fact is to be looked at when a tick is over, which is given back."""
        if last < OPEN_END:
            keys = self._called.get(last)
            if keys is None:
                keys = self._called[last] = []
                heappush(self._ticks, last)
            if not keys:
                self._agenda.call(last + 1, self)
            keys.append(key)
        return last

    # --- time passes ----------------------------------------------------------------------------------

    @property
    def is_patient(self) -> bool:
        """Whether all who look at it are."""
        return not self._is_counted and all(stream.is_patient for stream in self._streams)

    def is_due(self, tick: int) -> bool:
        """Whether facts last hold at the tick before; those that go on are called again."""
        last, current = tick - 1, self._current
        keys = self._called.get(last, ())
        for key in keys:
            one = current.get(key)
            if one is not None and one.last == one.called == last:
                return True
        if keys:
            self._called[last] = []
        for key in keys:
            one = current.get(key)
            if one is not None and one.called == last:
                one.called = self._call(key, one.last)
        return False

    def wake(self, tick: int) -> None:
        """Facts hold no more."""
        ended: dict[int, list[Row]] = {}
        while self._ticks and self._ticks[0] < tick:
            last = heappop(self._ticks)
            for key in self._called.pop(last):
                one = self._current.get(key)
                if one is None or one.called != last:
                    continue
                if one.last >= tick:
                    one.called = self._call(key, one.last)
                    continue
                del self._current[key]
                ended.setdefault(one.last, []).append(one.row)
                if self._is_counted:
                    self._arrivals.end(GroundAtom(self._signature, one.row), one.last + 1)
        for last in sorted(ended):
            for stream in self._streams:
                stream.let_go(ended[last], last, tick)

    @property
    def last_end(self) -> int:
        """The last tick at which a fact holds as far as is known; -1 for none."""
        return max((one.last for one in self._current.values() if one.last < OPEN_END), default=-1)

    # --- states ---------------------------------------------------------------------------------------

    def rows(self) -> dict[Row, int]:
        """The facts, and until when they hold if no others come."""
        return {one.row: one.last for one in self._current.values()}

    def go_on(self, other: "CurrentFacts") -> None:
        """Takes over the facts of another one that is not used any more."""
        self._take_over((one.row, one.last) for one in other._current.values())

    def state(self, write: WriteRows) -> list[Any]:
        """The facts, as JSON has them."""
        facts = self._current.values()
        return [write([one.row for one in facts]), [one.last for one in facts]]

    def restore(self, state: Sequence[Any], read: ReadRows) -> None:
        """Takes over a state; the streams have theirs."""
        rows, lasts = state
        self._take_over(zip(read(rows), lasts, strict=True))

    def _take_over(self, facts: Iterable[tuple[Row, int]]) -> None:
        for row, last in facts:
            key = self._by.key_of(row)
            self._current[key] = _Current(row, last, last)
            self._call(key, last)

    def check_invariants(self) -> None:
        """Raises AssertionError where an invariant does not hold."""
        for key, one in self._current.items():
            assert key == self._by.key_of(one.row)
            assert one.called <= one.last
            assert one.called == OPEN_END or key in self._called[one.called], (key, one)
            assert all(stream.is_told(one.row) for stream in self._streams), one
        assert sorted(self._ticks) == sorted(self._called)

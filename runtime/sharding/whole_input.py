"""All input of a shard as records, in the order of ticks: facts in columns where that may be."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import pyarrow as pa
import pyarrow.compute as pc

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows, Row
from lars2asp.externals.terms.text import atom_texts
from lars2asp.planning.plan import Plan
from lars2asp.runtime.reasoning.blocks import Items
from lars2asp.runtime.sharding.blocks import Block
from lars2asp.runtime.sources.record_columns import FactColumn, RecordColumns, told_by
from lars2asp.runtime.sources.records import Record, Rejected
from lars2asp.runtime.sources.reordering import Watermark
from lars2asp.syntax.nodes import Signature

_PIECE = 30_000
"""The number of facts that are handed on at once: who takes some of them copies the rest."""


class WholeInput:
    """The records; behind one that is rejected come its atoms alone, of which those that are valid are taken.

    Args:
        columns: facts.
        ticks: the ticks of all else, in their order.
        events: takes out what there is at one of these.
        reject: is told an atom that is rejected by itself: why, the atom, and the record of it alone.
    """

    def __init__(
        self,
        columns: RecordColumns,
        ticks: Sequence[int],
        events: Callable[[int], Iterator[Events]],
        reject: Callable[[Rejected, AtomRows, Record], None],
    ) -> None:
        self._columns = columns
        self._ticks = ticks
        self._events = events
        self._reject = reject
        self._rejected: list[Rejected] = []
        """The last record that was taken, if it is rejected."""

    def on_reject(self, rejected: Rejected) -> None:
        """Is told why the record that was given last is rejected, before the next one is asked for."""
        self._rejected.append(rejected)

    def items(self) -> Iterator[Record | RecordColumns]:
        """All of them, once; at each tick the facts in columns come first."""
        begin = 0
        for tick in self._ticks:
            end = bisect_right(self._columns.ticks, tick, begin)
            yield from self._pieces(begin, end)
            begin = end
            for events in self._events(tick):
                yield from self._told(Record(tick, events))
        yield from self._pieces(begin, len(self._columns))

    def each(self, items: Items) -> Iterator[Record | Watermark]:
        """The same without columns."""
        for item in items:
            if isinstance(item, RecordColumns):
                for record in _by_ticks(item):
                    yield from self._told(record)
            else:
                yield item

    def _pieces(self, begin: int, end: int) -> Iterator[RecordColumns]:
        for first in range(begin, end, _PIECE):
            yield self._columns[first : min(first + _PIECE, end)]

    def _told(self, record: Record) -> Iterator[Record]:
        yield record
        if not self._rejected:
            return
        self._rejected.clear()
        for atom, alone in each_alone(record.events):
            by_itself = Record(record.tick, alone)
            yield by_itself
            for one in self._rejected:
                self._reject(one, atom, by_itself)
            self._rejected.clear()


def is_by_arrival(plan: Plan) -> bool:
    """Whether the order matters in which the facts of a tick arrive."""
    windows = (one.window for component in plan.components for one in component.program.lookups)
    return bool(plan.held) or any(isinstance(one, LastArrivals | Since) for one in windows)


def columns_of(blocks: Sequence[Block]) -> RecordColumns:
    """Facts that hold at their ticks alone as records of one fact each, in the order of ticks."""
    by_predicate: dict[Signature, list[Block]] = {}
    for block in blocks:
        by_predicate.setdefault(block.signature, []).append(block)
    ticks = pa.chunked_array(
        [block.columns.column(0) for some in by_predicate.values() for block in some], pa.int64()
    )
    order = pc.sort_indices(ticks)
    places = pc.sort_indices(order).to_pylist()
    first, found = 0, list[FactColumn]()
    for signature, some in by_predicate.items():
        rows = [row for one in some for row in one.rows]
        column: list[Row | None] = [None] * len(ticks)
        for place, row in zip(places[first : first + len(rows)], rows, strict=True):
            column[place] = row
        found.append(told_by(signature, column))
        first += len(rows)
    return RecordColumns(ticks.take(order).to_pylist(), found, [None] * len(ticks))


def each_alone(events: Events) -> Iterator[tuple[AtomRows, Events]]:
    """Each atom of events by itself, and the events of it alone."""
    for part in "end", "begin", "facts":
        for signature, rows in in_order(getattr(events, part)):
            for row in rows:
                atom = AtomRows(signature, [row])
                yield atom, Events(**{part: (atom,)}, until=events.until)


def in_order(atoms: Iterable[AtomRows]) -> tuple[AtomRows, ...]:
    """Atoms in the order of their texts; neighbours of one predicate together."""
    found = [(text, s, row) for s, rows in atoms for text, row in zip(atom_texts(s, rows), rows, strict=True)]
    found.sort(key=itemgetter(0))
    groups = groupby(found, itemgetter(1))
    return tuple(AtomRows(signature, [row for *_, row in here]) for signature, here in groups)


def _by_ticks(columns: RecordColumns) -> Iterator[Record]:
    """A record for each tick, with all of its facts."""
    ticks, begin = columns.ticks, 0
    while begin < len(ticks):
        tick = ticks[begin]
        end = bisect_right(ticks, tick, begin)
        told = [(one.signature, one.between(begin, end).rows) for one in columns.facts]
        yield Record(tick, Events(tuple(AtomRows(signature, [*rows]) for signature, rows in told if rows)))
        begin = end

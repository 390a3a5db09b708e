"""Streams as sets of ticks, and the answers to lookups by their definition."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from lars2asp.analysis.windows import LastArrivals, Since
from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import Row
from lars2asp.planning.lookups import Lookup, LookupKind


@dataclass
class NaiveInput:
    """What the input tells of one predicate: the ticks at which each row holds, up to the current one."""

    ticks: dict[Row, set[int]] = field(default_factory=dict)
    open: set[Row] = field(default_factory=set)
    until: dict[Row, int] = field(default_factory=dict)

    def take(self, tick: int, events: Events) -> None:
        """Takes events of the current tick for this predicate alone."""
        for group in events.end:
            self.open.difference_update(group.rows)
        for group in events.begin:
            self.open.update(group.rows)
        last = tick if events.until is None else events.until
        for group in events.facts:
            for row in group.rows:
                self.until[row] = max(last, self.until.get(row, last))

    def close(self, tick: int) -> set[Row]:
        """The rows that hold at the current tick, of which all events are taken."""
        here = self.open.union(row for row, last in self.until.items() if last >= tick)
        for row in here:
            self.ticks.setdefault(row, set()).add(tick)
        return here


def naive_answer(
    lookup: Lookup, holds: dict[Row, set[int]], now: int, start: int, *, complete: bool
) -> set[Row]:
    """The answer to a lookup about a predicate, or a window alone.

    Args:
        lookup: the lookup.
        holds: the ticks at which each row holds, up to the current one.
        now: the current tick.
        start: the first tick of the timeline.
        complete: whether boxes need windows that lie wholly on the timeline.
    """
    return set(_answer(lookup, holds, now, start, complete))


def _answer(
    lookup: Lookup, holds: dict[Row, set[int]], now: int, start: int, complete: bool
) -> Iterator[Row]:
    kind, window = lookup.kind, lookup.window
    if kind in (LookupKind.NOW, LookupKind.INPUT):
        yield from (row for row, ticks in holds.items() if now in ticks)
        return
    if isinstance(window, LastArrivals | Since | None):
        raise ValueError("a window without ticks")
    ticks = {tick for first, last in window.runs(now, start) for tick in range(first, last + 1)}
    is_refused = complete and not window.is_whole(now, start)
    if lookup.signature is None:
        match kind:
            case LookupKind.HAS_NOW if now in ticks:
                yield ()
            case LookupKind.NOTHING_BEFORE if ticks == {now} and not is_refused:
                yield ()
            case LookupKind.TICKS if ticks:
                yield (len(ticks),)
            case LookupKind.BOX_TICKS if ticks and not is_refused:
                yield (len(ticks),)
        return
    is_before = kind in (LookupKind.ALWAYS_BEFORE, LookupKind.COUNT_BEFORE, LookupKind.LEAST_BEFORE)
    counted = ticks - {now} if is_before else ticks
    for row, held in holds.items():
        there = held & counted
        match kind:
            case LookupKind.IN if there:
                yield row
            case LookupKind.ALWAYS if there == ticks and ticks and not is_refused:
                yield row
            case LookupKind.ALWAYS_BEFORE if there == counted and there and not is_refused:
                yield row
            case LookupKind.AT:
                yield from ((*row, tick) for tick in there)
            case LookupKind.COUNT | LookupKind.COUNT_BEFORE if there:
                yield (*row, len(there))
            case LookupKind.LEAST | LookupKind.LEAST_BEFORE if len(there) >= (lookup.least or 1):
                yield row

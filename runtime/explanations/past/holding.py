"""When atoms hold: intervals, found by atom, by tick and by the value of an argument."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from lars2asp.analysis.held_facts import HeldBy
from lars2asp.externals.intervals import OPEN_END
from lars2asp.externals.terms.terms import Row

Run = tuple[int, int]
"""The first and the last of ticks that follow one another."""


class Interval:
    """The ticks at which an atom holds, from a first to a last one.

    Attributes:
        row: the atom's arguments.
        first: the first tick.
        last: the last one; None as long as it has no end.
        record: the record that told it; empty for derived atoms.
        order: grows with the order of arrival.
    """

    __slots__ = ("first", "last", "order", "record", "row")

    def __init__(self, row: Row, first: int, last: int | None, record: str, order: int) -> None:
        self.row = row
        self.first = first
        self.last = last
        self.record = record
        self.order = order

    @property
    def parts(self) -> tuple[Row, int, int | None, str, int]:
        """Its attributes, in the order in which it takes them."""
        return self.row, self.first, self.last, self.record, self.order

    def covers(self, tick: int) -> bool:
        """Whether the atom holds at a tick by it."""
        return self.first <= tick and (self.last is None or tick <= self.last)


class Holding:
    """The intervals at which the atoms of a predicate hold."""

    def __init__(self) -> None:
        self._by_row: dict[Row, list[Interval]] = {}
        self._in_order: list[Interval] = []
        """By their first ticks."""
        self._long: list[Interval] = []
        """Those that may have more than one tick."""
        self._by_value: dict[int, dict[object, list[Interval]]] = {}
        """For places among the arguments the intervals by the values there."""

    def add(self, interval: Interval) -> None:
        """Adds an interval; its first tick is no earlier than those before."""
        self._by_row.setdefault(interval.row, []).append(interval)
        self._in_order.append(interval)
        if interval.last != interval.first:
            self._long.append(interval)
        for place, by_value in self._by_value.items():
            by_value.setdefault(interval.row[place], []).append(interval)

    def drop(self, interval: Interval) -> None:
        """Takes out an interval that ended at the tick at which it began: it never held.

        Another one of the atom that came meanwhile takes its place in the order: its atom came then.
        """
        other = came_meanwhile(self._by_row[interval.row], interval)
        self._by_row[interval.row].remove(interval)
        replace_by(self._in_order, interval, other)
        begin = bisect_left(self._long, interval.first, key=first_tick)
        self._long[begin:] = (one for one in self._long[begin:] if one is not interval)
        for place, by_value in self._by_value.items():
            replace_by(by_value[interval.row[place]], interval, other)
        if other is not None:
            other.order = interval.order

    def of(self, row: Row) -> Sequence[Interval]:
        """The intervals of an atom."""
        return self._by_row.get(row, ())

    def within(self, first: int, last: int, place: int = -1, value: object = None) -> Iterator[Interval]:
        """The intervals that have a tick in a range, latest first.

        Args:
            first: the first tick of the range.
            last: the last one.
            place: an argument whose value is known, -1 for none.
            value: its value.
        """
        begin = bisect_left(self._in_order, first, key=first_tick)
        end = bisect_right(self._in_order, last, key=first_tick)
        if place >= 0 and end - begin + len(self._long) > _FEW:
            by_value = self._by_value.get(place)
            if by_value is None:
                by_value = self._by_value[place] = {}
                for interval in self._in_order:
                    by_value.setdefault(interval.row[place], []).append(interval)
            for interval in reversed(by_value.get(value, ())):
                if interval.first <= last and (interval.last is None or interval.last >= first):
                    yield interval
            return
        for index in range(end - 1, begin - 1, -1):
            yield self._in_order[index]
        for interval in reversed(self._long):
            if interval.first < first and (interval.last is None or interval.last >= first):
                yield interval

    def arrivals(self) -> Sequence[Interval]:
        """All intervals, by their first ticks."""
        return self._in_order


_FEW = 16
"""So many intervals are looked through rather than found by the value of an argument."""


def came_meanwhile(intervals: Sequence[Interval], interval: Interval) -> Interval | None:
    """The first interval behind another one that has the same atom and the same first tick."""
    behind = intervals[_place_of(intervals, interval) + 1 :]
    return next((one for one in behind if (one.row, one.first) == (interval.row, interval.first)), None)


def replace_by(intervals: list[Interval], interval: Interval, other: Interval | None) -> None:
    """Takes an interval out; one from behind it, if there is one, gets its place."""
    place = _place_of(intervals, interval)
    if other is None:
        del intervals[place]
    else:
        del intervals[_place_of(intervals, other)]
        intervals[place] = other


def _place_of(intervals: Sequence[Interval], interval: Interval) -> int:
    """Where an interval is that was added lately."""
    return next(n for n in range(len(intervals) - 1, -1, -1) if intervals[n] is interval)


def first_tick(interval: Interval) -> int:
    return interval.first


NOTHING_HELD = Holding()


class Turns:
    """Which facts of a predicate that is held are the current ones of their keys.

    Args:
        by: how its facts are held.
    """

    __slots__ = ("_by", "_current")

    def __init__(self, by: HeldBy) -> None:
        self._by = by
        self._current: dict[Row, Interval] = {}

    def fact(self, row: Row, tick: int, until: int | None, record: str, order: int) -> Interval:
        """The interval of a fact of a record that says until when it holds, or does not."""
        last = self._by.last(tick) if until is None else until
        return Interval(row, tick, last if last < OPEN_END else None, record, order)

    def take(self, interval: Interval) -> Interval | None:
        """Takes the next fact; gives the one before it with its key, which ends before it, if there was one.

        A fact that ends before its own tick never held.
        """
        key = self._by.key_of(interval.row)
        before = self._current.get(key)
        self._current[key] = interval
        if before is not None and (before.last is None or before.last >= interval.first):
            before.last = interval.first - 1
        return before

    def current(self) -> Sequence[Interval]:
        """The last fact of each key."""
        return [*self._current.values()]


class Index:
    """When the atoms of a predicate held, by the entries of a log up to some place.

    Attributes:
        held: their intervals.
        open: those that have no end yet.
        place: the first entry that is not in it.
        turns: where they are facts of the input that are held, which of them are current.
    """

    __slots__ = ("held", "open", "place", "turns")

    def __init__(self, by: HeldBy | None = None) -> None:
        self.held = Holding()
        self.turns = None if by is None else Turns(by)
        self.open: dict[Row, Interval] = {}
        self.place = 0

    def begin(self, row: Row, first: int, record: str, order: int) -> None:
        """An atom holds from a tick on, if it does not already."""
        if row not in self.open:
            interval = self.open[row] = Interval(row, first, None, record, order)
            self.held.add(interval)

    def add(self, interval: Interval) -> None:
        """A fact holds; if such facts are held, in place of the one before."""
        before = None if self.turns is None else self.turns.take(interval)
        if before is not None and before.last is not None and before.last < before.first:
            self.held.drop(before)
        self.held.add(interval)

    def end(self, row: Row, tick: int) -> None:
        """An atom holds no more from a tick on."""
        interval = self.open.pop(row, None)
        if interval is not None:
            interval.last = tick - 1
            if interval.last < interval.first:
                self.held.drop(interval)

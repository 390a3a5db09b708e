"""When rows hold: by rows, the first tick of each interval and the tick after its last one, in turns.

The ticks of a row ascend, and its intervals lie apart. So `[3, 5, 9, 10]` are the ticks 3, 4 and 9.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from operator import itemgetter
from typing import Any

from lars2asp.externals.terms.terms import Row

Runs = list[int]
HeldRows = dict[Row, Runs]

NOTHING: Runs = []
"""Stands for no tick; it stays empty."""

_BEGIN = itemgetter(0)

_LENGTHS = 3
"""Intervals whose lengths have as many bits, by so many, are searched together."""


class RowsOnce:
    """Rows that hold over one interval each, in columns: who goes through them needs no table.

    Attributes:
        rows: the rows; no two are equal.
        begins: the first ticks at which they hold.
        ends: the ticks after the last ones.
    """

    def __init__(self, rows: Sequence[Row], begins: Sequence[int], ends: Sequence[int]) -> None:
        self.rows = rows
        self.begins = begins
        self.ends = ends

    def __len__(self) -> int:
        return len(self.rows)

    def items(self) -> Iterable[tuple[Row, Sequence[int]]]:
        """The rows with their intervals."""
        return zip(self.rows, zip(self.begins, self.ends, strict=True), strict=True)

    def by_row(self) -> HeldRows:
        """The same as a table."""
        return {row: [*interval] for row, interval in self.items()}


def settle(held: HeldRows) -> None:
    """Brings intervals that were added in any order into the form above."""
    for row, runs in held.items():
        if len(runs) > 2:
            held[row] = merged(runs)


def merged(runs: Runs) -> Runs:
    """Intervals that stand in any order, and may overlap, in the form above.

    Where an interval begins behind as many ends as intervals began before, all of these have ended.
    """
    if not runs:
        return []
    begins, ends = sorted(runs[::2]), sorted(runs[1::2])
    found = [begins[0]]
    for end, begin in zip(ends, begins[1:], strict=False):
        if end < begin:
            found += (end, begin)
    found.append(ends[-1])
    return found


def add(held: HeldRows, more: Mapping[Row, Runs]) -> None:
    """Adds rows whose ticks all come after those that are there, or where they end."""
    for row, runs in more.items():
        before = held.get(row)
        if before is None:
            held[row] = [*runs]
        elif before[-1] == runs[0]:
            before[-1] = runs[1]
            before += runs[2:]
        elif before[-1] < runs[0]:
            before += runs
        else:
            held[row] = merged([*before, *runs])


def pairs(runs: Runs) -> Iterator[tuple[int, int]]:
    """The intervals of a row."""
    return zip(runs[::2], runs[1::2], strict=True)


def lengthen(held: HeldRows, row: Row, begin: int, end: int) -> None:
    """A row holds from a tick on and before another; it did not begin later before, and is to end then."""
    runs = held.get(row)
    if runs is None:
        held[row] = [begin, end]
    elif runs[-1] >= begin:
        runs[-1] = end
    else:
        runs += (begin, end)


def forget(held: HeldRows, before: int) -> None:
    """Forgets the intervals that end before a tick."""
    for row in [row for row, runs in held.items() if runs[1] < before]:
        runs = held[row]
        if runs[-1] < before:
            del held[row]
        else:
            del runs[: bisect_left(runs, before) & ~1]


def sections(runs: Runs, begin: int, end: int) -> Sequence[tuple[int, int]]:
    """What the intervals of a row have in common with one."""
    if len(runs) == 2:
        first, last = runs
        begin = max(begin, first)
        end = min(end, last)
        return ((begin, end),) if begin < end else ()
    place = bisect_right(runs, begin) & ~1
    found = []
    while place < len(runs) and runs[place] < end:
        found.append((max(begin, runs[place]), min(end, runs[place + 1])))
        place += 2
    return found


def common(runs: Runs, others: Runs) -> Sequence[Runs]:
    """What the intervals of two rows have in common, by itself, if that is something."""
    if not others:
        return ()
    found: Runs = []
    place, other, end, others_end = 0, 0, len(runs), len(others)
    while place < end and other < others_end:
        stop, others_stop = runs[place + 1], others[other + 1]
        first = max(runs[place], others[other])
        if stop < others_stop:
            place += 2
        else:
            other += 2
            stop = others_stop
        if first < stop:
            found += (first, stop)
    return (found,) if found else ()


def gaps(runs: Runs, begin: int, end: int) -> Sequence[tuple[int, int]]:
    """What is left of an interval without those of a row."""
    if not runs:
        return ((begin, end),)
    place = bisect_right(runs, begin) & ~1
    found = []
    while place < len(runs) and runs[place] < end:
        if begin < runs[place]:
            found.append((begin, runs[place]))
        begin = runs[place + 1]
        place += 2
    if begin < end:
        found.append((begin, end))
    return found


HeldRow = tuple[int, int, Row]
"""An interval of a row: its first tick, the tick after the last one, and the row."""

Near = Callable[[int, int], Sequence[HeldRow]]
"""Gives the intervals that meet one, which has a first tick, and a tick after the last one."""


class Index(dict[Any, Near]):
    """What finds the intervals of rows, by the value of these at a place, or the values at several.

    Args:
        held: the rows.
        places: the places.
    """

    def __init__(self, held: Mapping[Row, Runs] | RowsOnce, places: Sequence[int]) -> None:
        self._some: defaultdict[Any, list[HeldRow]] = defaultdict(list)
        some = self._some
        if not isinstance(held, RowsOnce) and {2}.issuperset(map(len, held.values())):
            begins, ends = ([*map(itemgetter(place), held.values())] for place in (0, 1))
            held = RowsOnce([*held], begins, ends)
        if isinstance(held, RowsOnce):
            keys = _keys(held.rows, places)
            for key, one in zip(keys, zip(held.begins, held.ends, held.rows, strict=True), strict=False):
                some[key].append(one)
            return
        for key, (row, runs) in zip(_keys(held, places), held.items(), strict=False):
            some[key] += [(begin, end, row) for begin, end in pairs(runs)]

    def __missing__(self, key: Any) -> Near:
        some = self._some.get(key)
        if some is None:
            return _none_near
        finders = _by_length(some)
        near = self[key] = finders[0] if len(finders) == 1 else partial(_near, finders)
        return near


def _keys(rows: Iterable[Row], places: Sequence[int]) -> Iterable[Any]:
    """The values of rows at some places, of one by themselves; where there are none, without end."""
    return map(itemgetter(*places), rows) if places else repeat(())


def _none_near(_begin: int, _end: int) -> Sequence[HeldRow]:
    return ()


def _near(finders: Sequence[Near], begin: int, end: int) -> Sequence[HeldRow]:
    return [one for near in finders for one in near(begin, end)]


def _by_length(some: list[HeldRow]) -> Sequence[Near]:
    """What finds intervals, of those that are about as long as each other."""
    lengths = {end - begin for begin, end, _ in some}
    sizes = {length: length.bit_length() // _LENGTHS for length in lengths}
    if len({*sizes.values()}) == 1:
        return [_finder(some, lengths)]
    groups = defaultdict[int, list[HeldRow]](list)
    for one in some:
        groups[sizes[one[1] - one[0]]].append(one)
    return [_finder(group, {end - begin for begin, end, _ in group}) for group in groups.values()]


def _finder(some: list[HeldRow], lengths: set[int]) -> Near:
    """What finds some of these intervals, which have these lengths."""
    some.sort(key=_BEGIN)
    begins, longest = [*map(_BEGIN, some)], max(lengths)

    def near(begin: int, end: int) -> Sequence[HeldRow]:
        return some[bisect_right(begins, begin - longest) : bisect_left(begins, end)]

    if len(lengths) == 1:
        return near
    return lambda begin, end: [one for one in near(begin, end) if one[1] > begin]


def values_at(rows: Collection[Row], places: Sequence[int]) -> Iterable[Row]:
    """The values of rows at some places; where there are none, without end."""
    if not places:
        return repeat(())
    return zip(*(map(itemgetter(place), rows) for place in places), strict=True)

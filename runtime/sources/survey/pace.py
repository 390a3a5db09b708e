"""Whether rows of a table are readings: for each value of a column they come at a steady pace."""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import repeat
from statistics import median
from typing import NamedTuple

from lars2asp.runtime.sources.survey.time_columns import is_identifier, words_of

MOST_KEYS = 5_000
"""A column with more different cells has no keys."""

FEWEST_ROWS = 4
"""Fewer rows say nothing of a pace, and one key has two distances between its rows at least."""

FEWEST_GAPS = 8
"""So many distances have rows without keys, if texts come again that may be keys."""

_DECIMAL = re.compile(r"-?[0-9]+[.,][0-9]+")
_FEWEST_OF_KEY = 3
_OF = 10
"""One of so many rows may contradict a pace."""

STEADY = 0.9
"""The share of them that are about as long as the median one: half as long again at most, half at least."""

_STATES = {
    *("mode", "state", "status", "quality", "flag", "type", "level", "result", "alarm", "phase", "shift"),
    *("valid", "ok", "severity", "priority", "event", "action", "batch", "recipe", "product", "zustand"),
}
"""Words of columns that say how something is, and not what."""

_THINGS = {
    *("sensor", "device", "station", "room", "machine", "line", "channel", "node", "meter", "tag", "tank"),
    *("pump", "zone", "site", "plant", "host", "server", "user", "customer", "account", "vehicle", "probe"),
    *("location", "slot", "well", "area", "house", "building", "floor", "point", "unit", "raum", "geraet"),
}
"""Words of columns of numbers that say what something is."""

_LEAST_OF_IDENTIFIERS = 1000
"""Larger integers that come again at a steady pace are identifiers, not measured."""

KEPT = 3
"""For so many times its usual distance a reading holds: two that are missing do not end it."""


class Pace(NamedTuple):
    """The distance in time at which readings mostly come.

    Attributes:
        column: the column of the keys; None where there is one row at a time.
        apart: the median distance of those of one key, in microseconds or ticks.
        longest: the longest one.
        odd: cells of that column that come once, and so have no pace.
        at_once: the number of rows that have the time of a different one of their key.
    """

    column: str | None
    apart: int
    odd: tuple[str, ...] = ()
    at_once: int = 0
    longest: int = 0

    @property
    def kept(self) -> int:
        """How long a reading is to hold at the longest."""
        return KEPT * self.apart


class PaceReader:
    """Takes rows with their times, and finds the pace of those that have a cell of a column alike.

    Args:
        header: the names of the columns.
    """

    def __init__(self, header: Sequence[str]) -> None:
        self._header = header
        self._first: dict[int, dict[str, int]] = {place: {} for place in range(len(header))}
        self._last: dict[int, dict[str, int]] = {place: {} for place in range(len(header))}
        self._gaps: dict[int, array[int]] = {place: array("q") for place in range(len(header))}
        self._counts = [Counter[str]() for _ in header]
        self._numbers: dict[int, dict[str, int]] = {place: {} for place in range(len(header))}
        self._cells: dict[int, array[int]] = {place: array("H") for place in range(len(header))}
        self._rows = array("q")
        self._moments = array("q")
        self._all = array("q")
        self._latest: int | None = None

    def take(self, row: Sequence[str], moment: int) -> None:
        """Takes a row; rows come in the order of the table."""
        if self._latest is not None:
            self._all.append(moment - self._latest)
        self._latest = moment
        self._rows.append(hash(tuple(row)))
        self._moments.append(moment)
        for place in [*self._last]:
            last, cell = self._last[place], row[place].strip()
            if len(self._moments) <= _FEWEST_OF_KEY and _DECIMAL.fullmatch(cell):
                self._drop(place)
                continue
            if cell in last:
                self._gaps[place].append(moment - last[cell])
            elif len(last) == MOST_KEYS:
                self._drop(place)
                continue
            else:
                self._first[place][cell] = moment
            last[cell] = moment
            self._counts[place][cell] += 1
            numbers = self._numbers[place]
            self._cells[place].append(numbers.setdefault(cell, len(numbers)))

    def _drop(self, place: int) -> None:
        """A column has no keys."""
        del self._last[place], self._gaps[place], self._cells[place], self._numbers[place]

    def pace(self, texts: Sequence[str], numbers: Sequence[str]) -> Pace | None:
        """The pace by a column, that with the most keys; else that of all rows; None where there is none.

        Two different rows of one key at one time would be one reading: there is no pace by such a column. One
        with a single cell has the keys where it is the only one of text: among several it says nothing.

        Args:
            texts: the columns of text, of which the keys are sought first.
            numbers: those of integers, of which several must be keys, or none.
        """
        number = len(self._moments)
        if number < FEWEST_ROWS:
            return None
        texts = [name for name in texts if self._may_be_key(name)]
        numbers = [name for name in numbers if self._may_be_key(name, is_number=True)]
        for columns, least in ((texts, 1 if len(texts) == 1 else 2), (numbers, 2)):
            for _, pace in sorted(self._steady(columns, least), key=lambda one: one[0], reverse=True):
                at_once = self._at_once(self._cells[self._header.index(pace.column or "")])
                if _OF * at_once <= number:
                    return pace._replace(at_once=at_once)
        repeated = any(1 < len(cells) < number for cells in map(self._numbers_of, texts))
        apart = _usual(self._all, FEWEST_GAPS if repeated else FEWEST_ROWS - 1)
        at_once = self._at_once(repeat(0))
        return None if apart is None or _OF * at_once > number else Pace(None, apart, at_once=at_once)

    def _may_be_key(self, name: str, *, is_number: bool = False) -> bool:
        """Whether a column may say what has a reading, by its name, and what tells rows of one time apart."""
        if 2 * len({*self._moments}) <= len(self._moments):
            return True
        words = {*words_of(name)}
        if not is_number:
            return words.isdisjoint(_STATES)
        cells = self._first.get(self._header.index(name), {})
        are_large = all(cell.isdecimal() and int(cell) >= _LEAST_OF_IDENTIFIERS for cell in cells)
        return are_large or is_identifier(name) or not words.isdisjoint(_THINGS)

    def _numbers_of(self, name: str) -> Sized:
        return self._numbers.get(self._header.index(name), ())

    def _at_once(self, keys: Iterable[int]) -> int:
        """The number of rows that have the time of a different one of their key."""
        seen: dict[tuple[int, int], int] = {}
        rows = zip(keys, self._moments, self._rows, strict=False)
        return sum(seen.setdefault((key, moment), row) != row for key, moment, row in rows)

    def _steady(self, columns: Sequence[str], least: int) -> Iterator[tuple[int, Pace]]:
        """The columns of which each cell comes again and again, steadily and mostly as long as the table.

        A cell that comes less than half as often as that, as a word among states does, is no key. One that
        comes once is odd.
        """
        for place, last in self._last.items():
            name, gaps, first = self._header[place], self._gaps[place], self._first[place]
            counts = self._counts[place]
            odd = tuple(cell for cell in last if counts[cell] == 1)
            known = [cell for cell in last if counts[cell] > 1]
            is_odd = _OF * len(odd) > len(self._moments) or max(counts.values(), default=0) < _FEWEST_OF_KEY
            if name not in columns or len(known) < least or is_odd:
                continue
            whole = max(last.values()) - min(first.values())
            apart = _usual(gaps, 2)
            if apart is None or (len(known) > 1 and not self._take_turns(gaps, apart)):
                continue
            lengths = {cell: last[cell] - first[cell] for cell in known}
            lasting = sum(
                2 * length >= whole and 2 * counts[cell] * apart >= length for cell, length in lengths.items()
            )
            if lasting >= STEADY * len(known):
                yield len(known), Pace(name, apart, odd, longest=max(gaps))

    def _take_turns(self, gaps: Sequence[int], apart: int) -> bool:
        """Whether keys come in turn, if rows come one at a time and steadily: others are words by chance."""
        if _usual(self._all, FEWEST_GAPS) is None:
            return True
        return sum(4 * abs(gap - apart) <= apart for gap in gaps) >= STEADY * len(gaps)


def _usual(gaps: Sequence[int], fewest: int) -> int | None:
    """The median of so many distances or more, if most are about as long; None otherwise."""
    if len(gaps) < fewest:
        return None
    middle = int(median(gaps))
    steady = sum(middle <= 2 * gap and 2 * gap <= 3 * middle for gap in gaps)
    return middle if middle > 0 and steady >= STEADY * len(gaps) else None

"""How many records of an input gave facts, counted by plain loops over its lines."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

Declarations = Sequence[tuple[str, Sequence[tuple[str, str]], str]]
"""For each predicate its arguments, as pairs of a field and its kind (`int` or `any`), and its time."""

COUNTS = ("gave_facts", "passed_over", "without_fact", "rejected", "late", "clock_only")


class Counter:
    """Counts records, each once.

    Args:
        lateness: in ticks, by how much records may come late.
    """

    def __init__(self, lateness: int) -> None:
        self.counts = dict.fromkeys(COUNTS, 0)
        self.late_facts = 0
        self._lateness = lateness
        self._latest = -1

    def reject(self) -> None:
        """A record cannot be read."""
        self.counts["rejected"] += 1

    def take(self, told: Mapping[int, int], otherwise: str) -> None:
        """A record is read: it has so many facts at each of its ticks, or is in another count without any."""
        number, late = sum(told.values()), 0
        for tick, facts in told.items():
            if tick < self._latest - self._lateness:
                late += facts
            else:
                self._latest = max(self._latest, tick)
        if not number:
            is_late = otherwise == "clock_only" and self._is_late(told)
            self.counts["late" if is_late else otherwise] += 1
        elif late == number:
            self.counts["late"] += 1
        else:
            self.counts["gave_facts"] += 1
            self.late_facts += late

    def _is_late(self, told: Mapping[int, int]) -> bool:
        return all(tick < self._latest - self._lateness for tick in told)


def count_table(text: str, declarations: Declarations, counter: Counter) -> None:
    """Counts the rows of a CSV without quotes."""
    header, *rows = [line.split(",") for line in text.splitlines()]
    times = {time for _, _, time in declarations}
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(header):
            counter.reject()
            continue
        cells = dict(zip(header, row, strict=True))
        told = _told(cells, declarations)
        if told is None:
            counter.reject()
            continue
        is_empty = not any(cell.strip() for name, cell in cells.items() if name not in times)
        counter.take(told, "passed_over" if is_empty else "without_fact")


def count_objects(text: str, declarations: Declarations, counter: Counter) -> None:
    """Counts the records of JSON lines."""
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            counter.reject()
            continue
        if "facts" in found or found.keys() <= {"time"}:
            time = found.get("time")
            if type(time) is not int or any(not fact.endswith(")") for fact in found.get("facts", ())):
                counter.reject()
            else:
                counter.take({time: len(found.get("facts", ()))}, "clock_only")
            continue
        fitting = [one for one in declarations if {one[2], *(name for name, _ in one[1])} <= found.keys()]
        texts = {name: "" if value is None else str(value) for name, value in found.items()}
        told = _told(texts, fitting) if fitting else _time_of(texts, declarations)
        if told is None or (not fitting and _lacks_time(found, declarations)):
            counter.reject()
        else:
            counter.take(told, "without_fact" if fitting else "passed_over")


def _lacks_time(found: Mapping[str, Any], declarations: Declarations) -> bool:
    """Whether the declaration that comes closest lacks nothing but its time."""

    def missing(one: tuple[str, Sequence[tuple[str, str]], str]) -> list[str]:
        return [name for name in dict.fromkeys([*(name for name, _ in one[1]), one[2]]) if name not in found]

    closest = min(declarations, key=lambda one: len(missing(one)))
    return missing(closest) == [closest[2]]


def _time_of(texts: Mapping[str, str], declarations: Declarations) -> dict[int, int] | None:
    """The tick of a record that no declaration fits, without facts; None if none of its times can be read."""
    given = [texts[time] for _, _, time in declarations if texts.get(time)]
    ticks = [int(text) for text in given if text.isdecimal()]
    return None if given and not ticks else {ticks[0]: 0} if ticks else {}


def _told(cells: Mapping[str, str], declarations: Declarations) -> dict[int, int] | None:
    """The number of facts at each tick; None if a time or a value cannot be read."""
    told: dict[int, int] = {}
    for _, arguments, time in declarations:
        if not cells[time].strip().isdecimal():
            return None
        values = [(cells[name].strip(), kind) for name, kind in arguments]
        if any(value and kind == "int" and not value.lstrip("-").isdecimal() for value, kind in values):
            return None
        tick = int(cells[time])
        told[tick] = told.get(tick, 0) + all(value for value, _ in values)
    return told


def count_lines(lines: Iterable[str], word: str, counter: Counter) -> None:
    """Counts lines of a log: those with a word give a fact at the time with which they begin."""
    for line in lines:
        ticks = [*_moments(line)]
        if word not in line:
            counter.take(dict.fromkeys(ticks[:1], 0), "passed_over")
        elif ticks:
            counter.take({ticks[0]: 1}, "")
        else:
            counter.reject()


def _moments(line: str) -> Iterator[int]:
    try:
        moment = datetime.strptime(line[:19], "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return
    yield int(moment.timestamp())

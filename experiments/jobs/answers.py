"""Answers as intervals, whatever wrote them, so that they can be compared."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path

import orjson

Interval = tuple[int, int]
"""The first and the last tick."""

Intervals = Mapping[str, tuple[Interval, ...]]
"""By atoms: over which ticks each holds; intervals that touch are one."""


HEADER = "first"
"""How the first column of a table of intervals is called, where it has a header."""


class Form(StrEnum):
    """How answers are written."""

    CHANGES = "changes"
    """JSON lines of what begins and what ends to hold."""

    ATOMS = "atoms"
    """JSON lines of all that holds."""

    INTERVALS = "intervals"
    """A table: first tick, last tick (empty: to the end), atom; with or without a header and more columns."""


def read(path: Path, form: Form, last: int) -> Intervals:
    """What holds when, by a file of answers, up to the last tick of the stream."""
    return canonical(_READERS[form](path, last), last)


def canonical(pieces: Iterable[tuple[str, int, int]], last: int) -> Intervals:
    """Intervals that touch are one, and end at the last tick; none is empty."""
    found: defaultdict[str, list[Interval]] = defaultdict(list)
    for atom, begin, end in sorted(pieces):
        held, until = found[atom], min(end, last)
        if held and begin <= held[-1][1] + 1:
            held[-1] = held[-1][0], max(held[-1][1], until)
        elif begin <= until:
            held.append((begin, until))
    return {atom: tuple(held) for atom, held in found.items() if held}


def _of_changes(path: Path, last: int) -> Iterable[tuple[str, int, int]]:
    since: dict[str, int] = {}
    for line in path.read_bytes().splitlines():
        answer = orjson.loads(line)
        for atom in answer["ended"]:
            yield atom, since.pop(atom), answer["time"] - 1
        for atom in answer["began"]:
            since[atom] = answer["time"]
    for atom, begin in since.items():
        yield atom, begin, last


def _of_atoms(path: Path, last: int) -> Iterable[tuple[str, int, int]]:
    since: dict[str, int] = {}
    for line in path.read_bytes().splitlines():
        answer = orjson.loads(line)
        atoms = {*answer["atoms"]}
        for atom in since.keys() - atoms:
            yield atom, since.pop(atom), answer["time"] - 1
        for atom in atoms - since.keys():
            since[atom] = answer["time"]
    for atom, begin in since.items():
        yield atom, begin, last


def _of_intervals(path: Path, last: int) -> Iterable[tuple[str, int, int]]:
    with path.open(newline="") as file:
        for begin, end, atom, *_ in csv.reader(file):
            if begin != HEADER:
                yield atom, int(begin), int(end) if end else last


_READERS: Mapping[Form, Callable[[Path, int], Iterable[tuple[str, int, int]]]] = {
    Form.CHANGES: _of_changes,
    Form.ATOMS: _of_atoms,
    Form.INTERVALS: _of_intervals,
}

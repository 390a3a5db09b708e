"""The format `jsonl`: one JSON object a line, with a time and the input at it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, repeat
from typing import Any

import orjson

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.atoms import FEWEST_AT_ONCE
from lars2asp.runtime.sources.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.timeline import NO_TIME, Timeline
from lars2asp.syntax.source import shown

LONGEST_QUICK = 2**20
"""In bytes: longer lines are read by Python's own reader, as orjson takes 13 times their length."""

_ATOMS = ("facts", "begin", "end")
_KEYS = ("time", *_ATOMS, "until")


def jsonl_record(line: str, origin: Origin, timeline: Timeline, facts: FactReader = PLAIN) -> Record:
    """The record of a line. Where the timeline stamps records on arrival, the time may be left out.

    Raises InputError.
    """
    try:
        return _record(_loaded(line), origin, timeline, facts, {})
    except InputError:  # Python's own reader takes more, such as integers of any size, and says what is wrong
        return _record(_loaded_slowly(line), origin, timeline, facts, {})


def jsonl_records(
    lines: Sequence[bytes], name: str, first: int, timeline: Timeline, facts: FactReader = PLAIN
) -> Iterator[Record | None]:
    """The records of lines, the first of which has a number; None for what `jsonl_record` is to judge."""
    objects = _objects(lines)
    known = _known_atoms(objects, facts)
    origins = map(Origin._make, zip(repeat(name), count(first), lines))
    for found, origin in zip(objects, origins, strict=True):
        try:
            record = None if found is None else _record(found, origin, timeline, facts, known)
        except InputError:
            record = None
        yield record


def _record(
    found: Any,
    origin: Origin,
    timeline: Timeline,
    facts: FactReader,
    known: Mapping[str, tuple[AtomRows, ...]],
) -> Record:
    """The record of a line that stands for something; some atoms are known by their texts."""
    if not isinstance(found, dict):
        raise InputError('a record is an object such as {"time": 3, "facts": ["p(a)"]}')
    if len(found) == 2 and "time" in found and "facts" in found:
        atoms = _atoms(found, "facts", facts, known)
        return Record(timeline.tick(found["time"]), Events(atoms), origin)
    for key in found:
        if key not in _KEYS:
            raise InputError(f"unknown key '{shown(key)}'; a record has {', '.join(_KEYS)}")
    if "time" not in found and timeline.arrival is None:
        raise InputError(NO_TIME)
    if "until" in found and "facts" not in found:
        raise InputError("until needs facts: it is the last tick at which they hold")
    hold, begin, end = (_atoms(found, key, facts, known) for key in _ATOMS)
    until = timeline.tick(found["until"]) if "until" in found else None
    tick = timeline.tick(found["time"]) if "time" in found else timeline.arrived()
    return Record(tick, Events(hold, begin, end, until), origin)


def _atoms(
    found: dict[str, Any], key: str, facts: FactReader, known: Mapping[str, tuple[AtomRows, ...]]
) -> tuple[AtomRows, ...]:
    """The atoms of a record under a key."""
    texts = found.get(key, [])
    if type(texts) is not list or [*map(type, texts)].count(str) != len(texts):
        raise InputError(f'{key} must be a list of atoms as text, such as ["p(a)", "q"]')
    if len(texts) == 1 and texts[0] in known:
        return known[texts[0]]
    return facts.parse_atoms(texts)


def _known_atoms(objects: Sequence[Any], facts: FactReader) -> Mapping[str, tuple[AtomRows, ...]]:
    """The atoms of records with few of them, read together, by their texts; not all need be there."""
    lists = [record[key] for record in objects if type(record) is dict for key in _ATOMS if key in record]
    few = [texts for texts in lists if type(texts) is list and len(texts) < FEWEST_AT_ONCE]
    return facts.known_atoms([text for text in chain.from_iterable(few) if type(text) is str])


def _objects(lines: Sequence[bytes]) -> Sequence[Any]:
    """What JSON lines stand for; None for those of which that is not known.

    They are read together where it is clear that each is an object: each brace is at the beginning of a line.
    """
    if [*map(type, lines)].count(bytes) < len(lines):  # some are cut off
        return [_loaded(line) if type(line) is bytes else None for line in lines]
    text = b",".join(lines)
    number = len(lines)
    if (
        1 < number == text.count(b"{") == text.count(b"\n,{") + 1
        and text[0] == ord("{")
        and len(text) <= LONGEST_QUICK
    ):
        objects = _loaded(b"[" + text + b"]")
        if type(objects) is list and [*map(type, objects)].count(dict) == len(objects) == number:
            return objects
    return [*map(_loaded, lines)]


def _loaded(text: str | bytes) -> Any:
    """What JSON stands for; None where that is not known."""
    if len(text) > LONGEST_QUICK:
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _loaded_slowly(line: str) -> Any:
    """What Python's own reader makes of a line."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        hint = "" if line.lstrip().startswith(("{", "[")) else " (plain facts need --format facts)"
        raise InputError(f"broken JSON: {error.msg} at column {error.colno}{hint}") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"broken JSON: {error}") from error

"""The format `jsonl`: one JSON object a line, with a time and the input at it."""

import json
from typing import Any

import orjson

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.atoms import parse_atoms
from lars2asp.runtime.sources.records import Origin, Record
from lars2asp.runtime.sources.timeline import Timeline
from lars2asp.syntax.source import shown

_KEYS = ("time", "facts", "begin", "end", "until")


def jsonl_record(line: str | bytes, origin: Origin, timeline: Timeline) -> Record:
    """The record of a line. Where the timeline stamps records on arrival, the time may be left out.

    Raises InputError.
    """
    record = _object(line)
    if "time" not in record and timeline.arrival is None:
        raise InputError("the record has no time")
    facts = _atoms(record, "facts")
    if len(record) == 2 and facts and "time" in record:
        return Record(timeline.tick(record["time"]), Events(facts), origin)
    if "until" in record and "facts" not in record:
        raise InputError("until needs facts: it is the last tick at which they hold")
    until = timeline.tick(record["until"]) if "until" in record else None
    events = Events(facts, _atoms(record, "begin"), _atoms(record, "end"), until)
    tick = timeline.tick(record["time"]) if "time" in record else timeline.arrived()
    return Record(tick, events, origin)


def _object(line: str | bytes) -> dict[str, Any]:
    """The object of a line, which has no other keys."""
    try:
        record = orjson.loads(line)
    except ValueError:
        record = None
    if type(record) is not dict or float in map(type, record.values()):
        record = _slowly(line)  # which takes more, such as integers of any size, and says what is wrong
        if not isinstance(record, dict):
            raise InputError('a record is an object such as {"time": 3, "facts": ["p(a)"]}')
    for key in record:
        if key not in _KEYS:
            raise InputError(f"unknown key '{shown(key)}'; a record has {', '.join(_KEYS)}")
    return record


def _slowly(line: str | bytes) -> Any:
    """What Python's own reader makes of a line."""
    try:
        return json.loads(line if isinstance(line, str) else line.decode())
    except json.JSONDecodeError as error:
        raise InputError(f"broken JSON: {error.msg} at column {error.colno}") from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"broken JSON: {error}") from error


def _atoms(record: dict[str, Any], key: str) -> tuple[AtomRows, ...]:
    atoms = record.get(key, ())
    if not atoms and isinstance(atoms, list | tuple):
        return ()
    if not isinstance(atoms, list) or set(map(type, atoms)) != {str}:
        raise InputError(f'{key} must be a list of atoms as text, such as ["p(a)", "q"]')
    return parse_atoms(atoms)

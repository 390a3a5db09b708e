"""The format `jsonl`: one JSON object a line, with a time and the input at it, or with fields of its own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import orjson

from lars2asp.externals.events import Events
from lars2asp.externals.terms.terms import AtomRows
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.facts.atoms import FEWEST_AT_ONCE
from lars2asp.runtime.sources.facts.fact_reader import PLAIN, FactReader
from lars2asp.runtime.sources.facts.single_facts import SingleFacts
from lars2asp.runtime.sources.json.json_columns import JsonColumns
from lars2asp.runtime.sources.json.json_fields import (
    NO_NUMBERS,
    OWN_LISTS,
    DeclaredFields,
    UnfitError,
    exact_json,
)
from lars2asp.runtime.sources.json.json_shapes import JsonShapes
from lars2asp.runtime.sources.json.json_texts import Element, Elements, flattened, has_named_rows, named_rows
from lars2asp.runtime.sources.record_columns import RecordColumns
from lars2asp.runtime.sources.records import OnReject, Origin, Origins, Record, Rejected
from lars2asp.runtime.sources.tables.row_blocks import ReadBlock
from lars2asp.runtime.sources.text.lines import line_records
from lars2asp.runtime.sources.text.numbered_lines import FileLines, text_of
from lars2asp.runtime.sources.times.timeline import NO_TIME, Timeline
from lars2asp.syntax.advice.stream_texts import log_format
from lars2asp.syntax.source import shown
from lars2asp.syntax.values import dataclass

LONGEST_QUICK = 2**20
"""In bytes: longer lines are read by Python's own reader, as orjson takes 13 times their length."""

TOGETHER = 1000
"""The number of lines that are read in columns at once: what is made of them on the way stays in the caches
of a processor (`jobs whole`)."""

FEWEST_IN_COLUMNS = 4
"""Lines that are not written alike are read in columns also where somebody asks for each record, from so many
on (`jobs nexmark --only q4`)."""

_ESCAPES = " (write a backslash as \\\\ in JSON, and as \\\\\\\\ in a string of an atom)"
_KEYS = ("time", *OWN_LISTS, "until")


@dataclass(frozen=True)
class JsonReader:
    """Reads lines with a record each, or with an array of records.

    Attributes:
        timeline: how times are read.
        facts: reads facts.
        fields: reads records with fields of their own; None where nothing declares these.
    """

    timeline: Timeline
    facts: FactReader = PLAIN
    fields: DeclaredFields | None = None

    def read(self, line: str, origin: Origin) -> Sequence[Record | Rejected]:
        """The records of a line, and those of an array that are not valid. Raises InputError."""
        found = _loaded(line)
        if found is None:
            found = self._loaded_slowly(line)
        if self.fields is not None and isinstance(found, dict) and self.fields.takes(found):
            try:
                return self.fields.records(self._exactly(line), origin)
            except UnfitError as error:
                return error.told(origin, str(error))
        if isinstance(found, list):
            return [*self._elements(found, line, origin)]
        try:
            return (self._own(found, origin),)
        except (
            InputError
        ):  # Python's own reader takes more, such as integers of any size, and says what is wrong
            return (self._own(self._loaded_slowly(line), origin),)

    def blocks(self, lines: FileLines, name: str, on_reject: OnReject) -> Iterator[Sequence[Record]]:
        """The records of the lines of a file, some at a time: those that are there without waiting.

        Lines that are written alike are read together.
        """
        shapes = None if self.fields is None else JsonShapes(self.fields)
        columns_of = None if self.fields is None else JsonColumns(self.fields)
        single = SingleFacts(self.timeline, self.facts)
        while several := lines.several():
            first_line = lines.number - len(several) + 1
            origins = Origins(name, range(first_line, first_line + len(several)), several)
            columns: list[RecordColumns] = []
            for first in range(0, len(several), TOGETHER):
                some = several[first : first + TOGETHER], origins[first : first + TOGETHER]
                told = None
                if columns_of is not None and lines.in_columns:
                    told = columns_of.read(*some)
                if told is not None:
                    columns.append(told)
                    continue
                yield from _all_of(columns)
                columns.clear()
                alike = None if shapes is None else shapes.read(*some)
                if alike is not None:
                    yield from alike.in_turn(on_reject)
                    continue
                if columns_of is not None and not lines.in_columns and len(several) >= FEWEST_IN_COLUMNS:
                    told = columns_of.read(*some)
                if told is not None:
                    yield told
                    continue
                yield from self._each_by_itself(*some, shapes, single, on_reject)
            yield from _all_of(columns)

    def _each_by_itself(
        self,
        several: Sequence[bytes],
        origins: Sequence[Origin],
        shapes: JsonShapes | None,
        single: SingleFacts,
        on_reject: OnReject,
    ) -> Iterator[Sequence[Record]]:
        """The records of lines that are not written alike."""
        found = [None] * len(several) if shapes is None else shapes.read_each(several, origins)
        rest = [place for place, item in enumerate(found) if item is None]
        left = [several[place] for place in rest]
        objects = _objects(left)
        records = single.read(objects, origins) if len(rest) == len(several) else None
        if records is not None:
            yield records
            return
        others = self._each(objects, left, [origins[place] for place in rest])
        yield from self._in_turn(found, others, several, origins, on_reject)

    def _in_turn(
        self,
        found: Sequence[Record | Rejected | None],
        others: Iterator[Sequence[Record | Rejected] | None],
        lines: Sequence[bytes],
        origins: Sequence[Origin],
        on_reject: OnReject,
    ) -> Iterator[Sequence[Record]]:
        """The records of lines, some of which were read; each of the others is read in its turn."""
        records: list[Record] = []
        for item, line, origin in zip(found, lines, origins, strict=True):
            if isinstance(item, Record):
                records.append(item)
                continue
            if records:  # what follows, or is rejected, stands behind them
                yield records
                records = []
            if item is not None:
                on_reject(item)
            elif (some := next(others)) is not None:
                yield from ReadBlock(some, has_rejected=True).in_turn(on_reject)
            else:
                text = text_of(line)
                yield line_records(text, origin._replace(written=text.rstrip("\r\n")), self.read, on_reject)
        if records:
            yield records

    def _each(
        self, objects: Sequence[Any], lines: Sequence[bytes], origins: Sequence[Origin]
    ) -> Iterator[Sequence[Record | Rejected] | None]:
        """The records of each of several lines, which stand for objects; None for what `read` is to judge."""
        known = _known_atoms(objects, self.facts)
        fields = self.fields
        for found, line, origin in zip(objects, lines, origins, strict=True):
            records: Sequence[Record | Rejected] | None = None
            try:
                if fields is not None and type(found) is dict and fields.takes(found):
                    records = fields.records(self._exactly(str(line, "utf-8")), origin)
                elif found is not None:
                    records = (_record(found, origin, self.timeline, self.facts, known),)
            except UnfitError as error:
                records = error.told(origin, str(error))
            except InputError:
                pass
            yield records

    def _elements(self, found: Sequence[Any], line: str, origin: Origin) -> Iterator[Record | Rejected]:
        """The records of an array, and of arrays in it; each that is not valid is rejected by itself."""
        are_rows = has_named_rows(found)
        listed = named_rows if are_rows else flattened
        found, exact, elements = listed(found), listed(self._exactly(line)), Elements(line)
        for place, element in enumerate(found):
            own = origin if are_rows else origin._replace(written=Element(elements, place))
            try:
                if self.fields is not None and isinstance(element, dict) and self.fields.takes(element):
                    if self.fields.numbers_lines and len(found) > 1:
                        raise InputError(NO_NUMBERS)
                    yield from self.fields.records(exact[place], own)
                else:
                    yield self._own(element, own)
            except InputError as error:
                reason = f"record {place + 1} of the array: {error}"
                if isinstance(error, UnfitError):
                    yield from error.told(own, reason)
                else:
                    yield Rejected(own, reason)

    def _own(self, found: Any, origin: Origin) -> Record:
        """The record of an object in the product's own form. Raises InputError."""
        if isinstance(found, dict) and self.fields is None and not any(name in found for name in OWN_LISTS):
            for key in found:
                if key not in _KEYS:
                    known = ", ".join(_KEYS)
                    raise InputError(
                        f"unknown key '{shown(key)}': use {known}, or declare the fields with #input"
                    )
        return _record(found, origin, self.timeline, self.facts, {})

    def _exactly(self, line: str) -> Any:
        try:
            return exact_json(line)
        except (RecursionError, ValueError) as error:
            raise InputError(f"broken JSON: {error}") from error

    def _loaded_slowly(self, line: str) -> Any:
        """What Python's own reader makes of a line. Raises InputError."""
        try:
            return json.loads(line.rstrip("\r\n"))  # that errors at the end are on its line
        except json.JSONDecodeError as error:
            hint = _ESCAPES if error.msg.startswith("Invalid \\") else self._hint(line)
            raise InputError(f"broken JSON: {error.msg} at column {error.colno}{hint}") from error
        except (RecursionError, ValueError) as error:
            raise InputError(f"broken JSON: {error}") from error

    def _hint(self, line: str) -> str:
        begin = line.lstrip()
        if begin.startswith("["):
            return " (write an array of records on one line)"
        if begin.startswith(("{", '"', "}", "]")) and not (begin.startswith("{") and "}" in begin):
            return " (write each record on one line)"
        if begin.startswith("{"):
            return ""
        log = log_format(line)
        if log is not None:
            return f" (this is a line of another system's log: add --input-format {log})"
        return (
            " (for plain facts add --input-format "
            f"facts{', for a table --input-format csv' if self.fields else ''})"
        )


def _record(
    found: Any,
    origin: Origin,
    timeline: Timeline,
    facts: FactReader,
    known: Mapping[str, tuple[AtomRows, ...]],
) -> Record:
    """The record of a line that stands for something; some atoms are known by their texts."""
    if isinstance(found, list):
        raise InputError("this array is longer or shorter than the first array, which names the fields")
    if not isinstance(found, dict):
        raise InputError('a record is an object such as {"time": 3, "facts": ["p(a)"]}')
    if (late := timeline.late) is not None and not late.is_known and "time" in found:
        timeline.tick(found["time"])  # it decides what times among arguments are
    if len(found) == 2 and "time" in found and "facts" in found:
        atoms = _atoms(found, "facts", facts, known)
        return Record(timeline.tick(found["time"]), Events(atoms), origin)
    for key in found:
        if key not in _KEYS:
            raise InputError(f"unknown key '{shown(key)}': use {', '.join(_KEYS)}")
    if "time" not in found and timeline.arrival is None:
        raise InputError(NO_TIME)
    if "until" in found and "facts" not in found:
        raise InputError("until needs facts: add them, or remove until (the last tick at which they hold)")
    hold, begin, end = (_atoms(found, key, facts, known) for key in OWN_LISTS)
    until = timeline.unmarked.tick(found["until"]) if "until" in found else None
    if begin or end:
        timeline = timeline.fine
    tick = timeline.tick(found["time"]) if "time" in found else timeline.arrived()
    return Record(tick, Events(hold, begin, end, until), origin)


def _atoms(
    found: dict[str, Any], key: str, facts: FactReader, known: Mapping[str, tuple[AtomRows, ...]]
) -> tuple[AtomRows, ...]:
    """The atoms of a record under a key."""
    texts = found.get(key, [])
    if type(texts) is not list or [*map(type, texts)].count(str) != len(texts):
        raise InputError(f'{key} must be a list of atoms in quotes, such as ["p(a)", "q"]')
    if len(texts) == 1 and texts[0] in known:
        return known[texts[0]]
    return facts.parse_atoms(texts)


def _all_of(columns: Sequence[RecordColumns]) -> Iterator[RecordColumns]:
    """Records in columns that follow each other, all at once."""
    if columns:
        found = RecordColumns.together(columns)
        assert found is not None, "they are read as the same declarations say"
        yield found


def _known_atoms(objects: Sequence[Any], facts: FactReader) -> Mapping[str, tuple[AtomRows, ...]]:
    """The atoms of records with few of them, read together, by their texts; not all need be there."""
    lists = [record[key] for record in objects if type(record) is dict for key in OWN_LISTS if key in record]
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

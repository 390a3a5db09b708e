"""What `check --input` proposes for JSON records is right at once, or its status is 1 with a sentence."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from lars2asp import Reasoner
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.command_line.input_check import Proposal, proposals
from lars2asp.runtime.errors import InputError
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Reading
from lars2asp.syntax.nodes import Column, Input
from tests.support.kinds import json_business, json_devices, json_services, json_shapes
from tests.support.kinds.records import RecordKind, Time, Values

KINDS = [*json_services.KINDS, *json_devices.KINDS, *json_business.KINDS, *json_shapes.KINDS]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Fact = tuple[int, str, tuple[str, ...]]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.file)
def test_proposals_are_right_or_say_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: RecordKind
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    path = tmp_path / kind.file
    path.write_bytes(kind.content)
    try:
        found = proposals([str(path)], Reading())
    except InputError as error:
        found = Proposal(str(error), is_whole=False)
    assert found.is_whole is not bool(kind.said), found.text
    if kind.said:
        assert kind.said in found.text
        return
    reasoner = Reasoner.from_text(found.text)
    inputs, length = reasoner.plan.inputs, reasoner.plan.tick_length
    kept = {(one.predicate, len(one.columns)): [not c.is_of_record for c in one.columns] for one in inputs}
    read = [
        (record.tick + 0, one.signature.name, _only(row, kept[one.signature.name, len(row)]))
        for record in read_file(path, reasoner.reading)
        for one in record.events.facts
        for row in one.rows
    ]
    told = [
        (_tick(at, length), declared.predicate, fact)
        for declared in inputs
        for at, some in kind.records
        for fact in dict.fromkeys(f for one in some for f in _facts(one, declared, found.text, length))
    ]
    named = {name for declared in inputs for name in _named(kind, declared)}
    known = {name for _, some in kind.records for one in some for name in one if one[name] not in (None, "")}
    said = found.text.partition("\n")[0]
    assert {name for name in known - named if name not in said} == set(), found.text
    assert all(name in said for name in kind.lists), found.text
    assert sorted(read) == sorted(told), found.text


def _only(row: Sequence[Any], kept: Sequence[bool]) -> tuple[str, ...]:
    return tuple(text_of(value) for value, is_kept in zip(row, kept, strict=True) if is_kept)


def _named(kind: RecordKind, declared: Input) -> Iterator[str]:
    """The fields that a declaration names."""
    for name in {*declared.all_times, *(one for column in declared.cells for one in column.names)}:
        yield from (name, f"{declared.records}.{name}")
    if declared.spread is not None:
        fields = (name for _, some in kind.records for one in some for name in one)
        yield from (name for name in fields if name.startswith(f"{declared.spread.source}."))


def _facts(found: Values, declared: Input, program: str, length: int | None) -> Iterator[tuple[str, ...]]:
    """What an element of a record tells by a declaration."""
    spread = declared.spread
    keys = [""]
    if spread is not None:
        inner = (name.removeprefix(f"{spread.source}.") for name in found if name.startswith(spread.source))
        keys = [*dict.fromkeys(name.partition(".")[0] for name in inner)]
    for key in keys:
        at = {} if spread is None else {spread.key: key}
        if spread is not None:
            here = f"{spread.source}.{key}"
            at |= {
                spread.value + name.removeprefix(here): found[name] for name in found if name.startswith(here)
            }
        told = [
            _told({**found, **at}, column, declared, digits, length)
            for column, digits in zip(declared.columns, _decimals(program, declared), strict=True)
            if not column.is_of_record
        ]
        if None not in told:
            yield tuple(one for one in told if one is not None)


def _told(found: Values, column: Column, declared: Input, digits: int, length: int | None) -> str | None:
    """A value as facts have it; None for a missing one."""
    value = found.get(column.name, found.get(f"{declared.records}.{column.name}"))
    is_number = column.conversion in ("number", "int", "time", "duration")
    if value is None or (value == "" and is_number):
        value = column.otherwise
    if value is None:
        return None
    text = f"{value:f}" if isinstance(value, Decimal) else str(value)
    if column.conversion == "time":
        return str(_tick(_moment(text), length))
    if column.conversion != "text" and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return str(int((Decimal(text) * 10**digits).to_integral_value(ROUND_HALF_UP)))
    return None if column.or_missing else text_of(text)


def _moment(text: str) -> datetime:
    if text[:1].isalpha():
        return datetime.strptime(text, "%a %b %d %H:%M:%S %z %Y")
    whole = text.partition(".")[0]
    if whole.isdecimal():
        return EPOCH + timedelta(microseconds=int(Decimal(text) * Decimal(10) ** (16 - len(whole))))
    return datetime.fromisoformat(text)


def _tick(at: Time, length: int | None) -> int:
    if isinstance(at, int):
        return at
    assert length is not None
    return (at - EPOCH) // timedelta(microseconds=length)


def _decimals(text: str, declared: Input) -> list[int]:
    """The decimals that are declared for the columns of a declaration."""
    for found in re.findall(rf"(?m)^#decimals {declared.predicate}\((.*)\)\.$", text):
        places = found.split(", ")
        if len(places) == len(declared.columns):
            return [int(one) if one.isdigit() else 0 for one in places]
    return [0] * len(declared.columns)

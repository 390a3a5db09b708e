"""What `check --input` proposes is right at once, or its status is 1 with a sentence."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lars2asp import Reasoner
from lars2asp.externals.terms.text import text_of
from lars2asp.runtime.command_line.input_check import proposals
from lars2asp.runtime.sources.files import read_file
from lars2asp.runtime.sources.reading import Reading
from tests.support.survey_kinds import KINDS, SurveyKind, Value

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.file)
def test_proposals_are_right_or_say_what_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: SurveyKind
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    path = tmp_path / kind.file
    path.write_text(kind.text, encoding="utf-8")
    found = proposals([str(path)], Reading())
    assert found.is_whole is not kind.is_refused, found.text
    if kind.is_refused:
        said = (
            "no column has times",
            "share one time",
            "before 1990",
            "rejected",
            "rows late, too many to propose #lateness",
        )
        assert any(one in found.text for one in said), found.text
        return
    reasoner = Reasoner.from_text(found.text)
    length = reasoner.plan.tick_length
    read = [
        (record.tick + 0, one.signature.name, tuple(map(text_of, row)))
        for record in read_file(path, reasoner.reading)
        for one in record.events.facts
        for row in one.rows
    ]
    expected = []
    columns = set[str]()
    for declared in reasoner.plan.inputs:
        names = [str(one.name) for one in declared.columns]
        columns.update(names)
        places = [kind.names.index(name) for name in names]
        digits = _decimals(found.text, declared.predicate, names)
        for at, values in kind.rows:
            told = [
                "" if values[place] is None and one.otherwise is not None else values[place]
                for one, place in zip(declared.columns, places, strict=True)
            ]
            if None not in told:
                tick = at if isinstance(at, int) else _tick(at, length)
                texts = tuple(_text(value, number) for value, number in zip(told, digits, strict=True))
                expected.append((tick, declared.predicate, texts))
    assert columns == {*kind.names}, found.text
    assert sorted(read) == sorted(expected), found.text


def _tick(at: datetime, length: int | None) -> int:
    assert length is not None
    return round((at - EPOCH).total_seconds() * 10**6) // length


def _decimals(text: str, predicate: str, names: list[str]) -> list[int]:
    """The decimals that are declared for the columns of a predicate."""
    declared = re.search(rf"(?m)^#decimals {predicate}\((.*)\)\.$", text)
    places = declared[1].split(", ") if declared else ["_"] * len(names)
    return [int(one) if one.isdigit() else 0 for one in places]


def _text(value: Value, digits: int) -> str:
    """A value as facts have it: a number with decimals by its integer."""
    if isinstance(value, str):
        return text_of(value)
    assert value is not None
    return str(int(value * 10**digits))
